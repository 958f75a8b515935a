"""The kernels that `simulation` runs; all have the same signature and fill integer tallies.

``kernel(rules, policies, tables, seed, first, count, tally)`` plays the games with indices first to
first + count − 1 and adds to the tally.

rules: int64 row of the rule set. policies: int64[seats, 3]. tables: see `tables.PlayTables`. A
tally row is (sum of x, sum of x squared) of one measure.
"""

from __future__ import annotations

import numpy as np

from lama_odds.games.dice.engine import round_loop
from lama_odds.games.dice.engine.round_loop import (
    ACTIONS,
    ALL_ACTIONS,
    AS_POLICY,
    BLEW,
    ENDED,
    ENDED_BY,
    LAST_ACTOR,
    LUCK,
    LUCK_BITS,
    RESULT_SIZE,
    WENT_OUT,
    deal,
    play_round,
    sit_down,
)
from lama_odds.games.dice.engine.tables import (
    BLOCK,
    FAMILY,
    HAND,
    NEXT,
    PARAMETER,
    PENALTY,
    SCORE,
    TABLE_SIZE,
)
from lama_odds.games.dice.rules import transition
from lama_odds.games.dice.rules.transition import FULL_ROW, kinds_of
from lama_odds.games.interface.from_scores import draw_scores, note_scores, take_scores
from lama_odds.games.interface.match_equity import CHANCE, find_chances, has_table, new_room
from lama_odds.games.interface.tally_layout import (
    PART_BITS,
    PARTS,
    WIN,
    count,
    count_details,
    count_game,
    count_payoffs,
    event_of,
    lowest_score,
    result_of,
)
from lama_odds.games.shared.seating import all_in, leave
from lama_odds.jit import allocating, compiled, for_all, inlined
from lama_odds.luck.stream import MAX_ROUNDS, STUDY, lane_start, mix, stream_of

# Root actions of rollouts: [code, cards or kind].
DO_QUIT = 0
DO_ROLL = 1
DO_DISCARD = 2
DO_TAKE = 3

# Objectives of rollouts and the events counted for each action.
POINTS = 0
MARGIN = 1
WINS = 2
OBJECTIVES = 3
# Below a part of a point, a random number decides how luck is rounded.
BELOW_A_PART = np.uint64(64 - round_loop.LUCK_BITS + PART_BITS)
I_GO_OUT = 0
I_BLOW = 1
I_AM_LAST = 2  # nobody's penalty of this round is higher than seat 0's
OTHER_GOES_OUT = 3
OTHER_BLOWS = 4
EVENTS = 5
EVENT_NAMES = ("out", "blown", "last", "other out", "other blown")


@allocating
def set_table(policies):
    """Return an empty table with the policies of the seats on it, and an array for a result."""
    table = np.zeros(TABLE_SIZE, np.int64)
    seat_policies(policies, table)
    return table, np.zeros(RESULT_SIZE, np.int64)


@inlined
def seat_policies(policies, table):
    """Write the policies of the seats on the table."""
    for seat in range(policies.shape[0]):
        table[FAMILY + seat] = policies[seat, 0]
        table[PARAMETER + seat] = policies[seat, 1]
        table[BLOCK + seat] = policies[seat, 2]


@inlined
@for_all
def play_dealt(rules, tables, key, gamma, game, round_, table, seats, first, result):
    """Deal a round and play it."""
    start = sit_down(rules, tables.rolls, table, seats, key, gamma, game, round_)
    deal(rules, table, seats, start, gamma)
    all_in(table, seats)
    play_round(
        rules,
        tables,
        gamma,
        table,
        seats,
        seats - 1,
        FULL_ROW,
        first,
        AS_POLICY,
        False,
        False,
        result,
    )


@compiled
def play_first_rounds(rules, policies, tables, seed, first, games, tally):
    """Play first rounds. Measures: penalty of each seat; actions; went out; blown."""
    seats = policies.shape[0]
    table, result = set_table(policies)
    key, gamma = stream_of(seed)
    for game in range(first, first + games):
        play_dealt(rules, tables, key, gamma, game, 0, table, seats, 0, result)
        for seat in range(seats):
            count(tally, seat, table[PENALTY + seat])
        count(tally, seats, result[ACTIONS])
        count(tally, seats + 1, np.int64(result[ENDED] == WENT_OUT))
        count(tally, seats + 2, np.int64(result[ENDED] == BLEW))


@compiled
def deal_round(rules, rolls, table, seats, seed, game, round_):
    """Deal a round as hands on the table."""
    key, gamma = stream_of(seed)
    start = sit_down(rules, rolls, table, seats, key, gamma, game, round_)
    deal(rules, table, seats, start, gamma)


@inlined
def add_penalties(table, seats):
    """Add the penalties of the last round to the scores; return the highest score."""
    highest = 0
    for seat in range(seats):
        table[SCORE + seat] += table[PENALTY + seat]
        highest = max(highest, table[SCORE + seat])
    return highest


@compiled
def play_out(rules, tables, key, gamma, game, table, seats, played, starter, result):
    """Add the penalties of the last round and play rounds until the game ends.

    played: rounds played before this point. Returns the rounds of the game, or 0 if it does not end
    within MAX_ROUNDS.
    """
    while True:
        if add_penalties(table, seats) >= rules[transition.TARGET]:
            return played
        if played == MAX_ROUNDS:
            return 0
        play_dealt(rules, tables, key, gamma, game, played, table, seats, starter, result)
        starter = result[LAST_ACTOR]
        result[ALL_ACTIONS] += result[ACTIONS]
        played += 1


@compiled
def play_games(rules, policies, tables, seed, first, games, tally):
    """Play whole games.

    Measures: see `tally_layout.count_game`, then `tally_layout.count_details`.
    """
    seats = policies.shape[0]
    table, result = set_table(policies)
    key, gamma = stream_of(seed)
    for game in range(first, first + games):
        for seat in range(seats):
            table[SCORE + seat] = 0
            table[PENALTY + seat] = 0
        result[ALL_ACTIONS] = 0
        played = play_out(rules, tables, key, gamma, game, table, seats, 0, 0, result)
        count_game(tally, table, SCORE, seats, played)
        count_details(tally, 3 * seats + 2, result[ALL_ACTIONS], table, SCORE, seats)


@compiled
def play_from_scores(rules, policies, tables, seed, first, games, tally):
    """Play rounds from given scores, for match equity tables; seat 0 starts the first one.

    tables: see `from_scores.FromScoresTables`. tally: see `from_scores.note_scores`.
    """
    play = tables.play
    seats = policies.shape[0]
    table, result = set_table(policies)
    key, gamma = stream_of(seed)
    for game in range(first, first + games):
        take_scores(tables.starts, game, table, SCORE, seats)
        starter = 0
        played = 0
        while played < tables.most:
            play_dealt(rules, play, key, gamma, game, played, table, seats, starter, result)
            starter = result[LAST_ACTOR]
            played += 1
            if add_penalties(table, seats) >= rules[transition.TARGET]:
                break
        note_scores(tally, game, table, SCORE, seats, starter)


@inlined
def begin_with(rules, points, table, others, row, code, cards, result):
    """Carry out a root action of seat 0; return (others, row, whether the round continues)."""
    result[LAST_ACTOR] = 0
    result[ENDED_BY] = 0
    result[ENDED] = round_loop.ALL_QUIT
    hand = table[HAND + 0]
    if code == DO_QUIT:
        leave(table, 0, transition.quitting_cost(rules, points[kinds_of(hand)]))
        return others - 1, row, others > 0
    if code == DO_DISCARD:
        table[HAND + 0] = hand - cards
        if hand == cards:
            table[SCORE + 0] -= transition.out_token(rules, table[SCORE + 0], kinds_of(cards))
            result[ENDED] = WENT_OUT
        return others, row, hand != cards
    table[HAND + 0] = hand + (1 << 4 * cards)
    row &= ~(1 << cards)
    if transition.row_ends_round(rules, row):
        result[ENDED] = round_loop.ROW_EMPTY
        return others, row, False
    return others, row, True


@inlined
def change_of_scores(points, table, root, seats):
    """Set the missing penalties; return the round's change for seat 0, and the others' sum."""
    mine = 0
    rest = 0
    for seat in range(seats):
        if table[PENALTY + seat] < 0:
            table[PENALTY + seat] = points[kinds_of(table[HAND + seat])]
        change = table[PENALTY + seat] + table[SCORE + seat] - root[SCORE + seat]
        if seat == 0:
            mine = change
        else:
            rest += change
    return mine, rest


@inlined
def count_ways(table, seats, result, tally, layout, a):
    """Count how the round ended after root action a."""
    at = event_of(layout, a, 0)
    worst = 0
    for seat in range(1, seats):
        worst = max(worst, table[PENALTY + seat])
    mine = result[ENDED_BY] == 0
    tally[at + I_GO_OUT] += result[ENDED] == WENT_OUT and mine
    tally[at + I_BLOW] += result[ENDED] == BLEW and mine
    tally[at + I_AM_LAST] += table[PENALTY] >= worst
    tally[at + OTHER_GOES_OUT] += result[ENDED] == WENT_OUT and not mine
    tally[at + OTHER_BLOWS] += result[ENDED] == BLEW and not mine


@inlined
def play_after(rules, tables, key, gamma, game, a, seats, root, table, payoff, result, tally):
    """Play the round after root action a; write what it costs, and count how it ended.

    root: the table at the position.
    """
    play, actions, layout = tables.play, tables.actions, tables.layout
    result[LUCK] = 0
    for i in range(FAMILY):  # from there on a table has policies, and what they write down
        table[i] = root[i]
    sit_down(rules, play.rolls, table, seats, key, gamma, game, 0)
    others = tables.others
    row = tables.row
    goes_on = True
    begin = round_loop.ROLL
    seat = 0
    if actions[a, 0] != DO_ROLL:
        others, row, goes_on = begin_with(
            rules, play.points, table, others, row, actions[a, 0], actions[a, 1], result
        )
        begin = AS_POLICY
        seat = table[NEXT + 0]
    if goes_on:
        play_round(rules, play, gamma, table, seats, others, row, seat, begin, False, True, result)
    mine, rest = change_of_scores(play.points, table, root, seats)
    fraction = np.int64(mix(lane_start(key, gamma, game, 0, STUDY)) >> BELOW_A_PART)
    luck = (result[LUCK] + fraction) >> (LUCK_BITS - PART_BITS)
    payoff[POINTS, a] = mine * PARTS - luck
    payoff[MARGIN, a] = (mine * (seats - 1) - rest) * PARTS - luck * (seats - 1)
    count_ways(table, seats, result, tally, layout, a)
    tally[result_of(layout, a, table[PENALTY])] += 1


@compiled
def roll_out(rules, policies, tables, seed, first, games, tally):
    """Play the round of a position out after each root action, with common random numbers.

    tables: see `RolloutTables`. tally: see `RolloutLayout`; results are the penalty of seat 0.

    Payoffs in points, in 1 / PARTS, are luck-adjusted: minus the luck of the rolls of seat 0 (see
    `round_loop.play_round`), which has mean 0. A random number decides how it is rounded, so that
    the mean stays 0.
    """
    seats = policies.shape[0]
    table, result = set_table(policies)
    root, _ = set_table(policies)
    for i in range(FAMILY):
        root[i] = tables.root[i]
    payoff = np.zeros((OBJECTIVES, tables.actions.shape[0]), np.int64)
    room = new_room()
    key, gamma = stream_of(seed)
    for game in range(first, first + games):
        draw_scores(tables.starts, key, gamma, game, root, SCORE, seats)
        for a in range(payoff.shape[1]):
            play_after(
                rules, tables, key, gamma, game, a, seats, root, table, payoff, result, tally
            )
            if has_table(tables.equities):
                add_penalties(table, seats)
                find_chances(tables.equities, table, SCORE, seats, result[LAST_ACTOR], room)
                payoff[WINS, a] = room[CHANCE, 0]
        count_payoffs(tally, payoff)


@compiled
def roll_out_games(rules, policies, tables, seed, first, games, tally):
    """Do what `roll_out` does, and play each game to its end; tables, tally: as there."""
    seats = policies.shape[0]
    table, result = set_table(policies)
    root, _ = set_table(policies)
    for i in range(FAMILY):
        root[i] = tables.root[i]
    payoff = np.zeros((OBJECTIVES, tables.actions.shape[0]), np.int64)
    key, gamma = stream_of(seed)
    for game in range(first, first + games):
        draw_scores(tables.starts, key, gamma, game, root, SCORE, seats)
        for a in range(payoff.shape[1]):
            play_after(
                rules, tables, key, gamma, game, a, seats, root, table, payoff, result, tally
            )
            starter = result[LAST_ACTOR]
            rounds = play_out(
                rules, tables.play, key, gamma, game, table, seats, 1, starter, result
            )
            lowest, shared = lowest_score(table, SCORE, seats)
            tally[tables.layout.unended] += rounds == 0
            payoff[WINS, a] = WIN // shared * (table[SCORE + 0] == lowest)
        count_payoffs(tally, payoff)
