"""The kernels that `simulation` runs; all have the same signature and fill integer tallies.

``kernel(rules, policies, tables, seed, first, count, tally)`` plays the games with indices first to
first + count − 1 and adds to the tally. rules: int64 row of the rule set. policies: int64[seats,
3].
tables: see `tables.PlayTables`.
"""

from __future__ import annotations

import numpy as np

from lama_odds.games.interface.from_scores import draw_scores, note_scores, take_scores
from lama_odds.games.interface.match_equity import CHANCE, find_chances, has_table, new_room
from lama_odds.games.interface.tally_layout import (
    WIN,
    count,
    count_details,
    count_game,
    count_payoffs,
    event_of,
    lowest_score,
    result_of,
)
from lama_odds.games.lama.engine import policy_kernels
from lama_odds.games.lama.engine.beliefs import deal_hidden
from lama_odds.games.lama.engine.policy_kernels import PENALTY, PLACE, SCORE, SCRATCH
from lama_odds.games.lama.engine.round_loop import (
    ACTIONS,
    ALL_ACTIONS,
    ENDED,
    ENDED_BY,
    LAST_ACTOR,
    WENT_OUT,
    begin_game,
    begin_round,
    lay_root,
    play_dealt,
    play_round,
    set_table,
    sit_down,
)
from lama_odds.games.lama.rules import transition
from lama_odds.jit import compiled, inlined
from lama_odds.luck.stream import MAX_ROUNDS, stream_of

# Objectives of rollouts and the events counted for each action.
POINTS = 0
MARGIN = 1
WINS = 2
OBJECTIVES = 3
I_GO_OUT = 0
I_AM_LAST = 1  # nobody's penalty of this round is higher than seat 0's
OTHER_GOES_OUT = 2
EVENTS = 3
EVENT_NAMES = ("out", "last", "other out")


@compiled
def play_first_rounds(rules, policies, tables, seed, first, games, tally):
    """Play first rounds. Measures: penalty of each seat; actions; went out; blown (never)."""
    seats = policies.shape[0]
    table, result = set_table(policies)
    key, gamma = stream_of(seed)
    for game in range(first, first + games):
        begin_game(table, seats)
        play_dealt(rules, tables, key, gamma, game, 0, table, seats, 0, result)
        for seat in range(seats):
            count(tally, seat, table[PENALTY + seat])
        count(tally, seats, result[ACTIONS])
        count(tally, seats + 1, np.int64(result[ENDED] == WENT_OUT))
        count(tally, seats + 2, 0)


@compiled
def deal_round(rules, table, seats, seed, game, round_):
    """Deal a round, as hands and a top card on the table."""
    key, gamma = stream_of(seed)
    begin_round(rules, table, seats, key, gamma, game, round_)


@inlined
def add_penalties(table, seats):
    """Add the penalties of the last round to the scores; return the highest score."""
    highest = 0
    for seat in range(seats):
        table[SCORE + seat] += table[PENALTY + seat]
        highest = max(highest, table[SCORE + seat])
    return highest


@inlined
def next_starter(rules, seats, starter, result):
    """Return the seat that starts the round after one that `starter` has started."""
    return (starter + 1) % seats if rules[transition.ROTATE] else result[LAST_ACTOR]


@compiled
def play_out(rules, tables, key, gamma, game, table, seats, played, starter, result):
    """Add the penalties of the last round and play rounds until the game ends.

    played: rounds played before this point. starter: of the last round. Returns the rounds of the
    game, or 0 if it does not end within MAX_ROUNDS.
    """
    while True:
        if add_penalties(table, seats) >= rules[transition.TARGET]:
            return played
        if played == MAX_ROUNDS:
            return 0
        starter = next_starter(rules, seats, starter, result)
        play_dealt(rules, tables, key, gamma, game, played, table, seats, starter, result)
        result[ALL_ACTIONS] += result[ACTIONS]
        played += 1


@compiled
def play_games(rules, policies, tables, seed, first, games, tally):
    """Play whole games.

    measures: see `tally_layout.count_game`, then `tally_layout.count_details`.
    """
    seats = policies.shape[0]
    table, result = set_table(policies)
    key, gamma = stream_of(seed)
    for game in range(first, first + games):
        begin_game(table, seats)
        for seat in range(seats):
            table[PENALTY + seat] = 0
        result[LAST_ACTOR] = 0
        result[ALL_ACTIONS] = 0
        played = play_out(rules, tables, key, gamma, game, table, seats, 0, seats - 1, result)
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
        begin_game(table, seats)
        take_scores(tables.starts, game, table, SCORE, seats)
        starter = 0
        played = 0
        while played < tables.most:
            play_dealt(rules, play, key, gamma, game, played, table, seats, starter, result)
            starter = next_starter(rules, seats, starter, result)
            played += 1
            if add_penalties(table, seats) >= rules[transition.TARGET]:
                break
        note_scores(tally, game, table, SCORE, seats, starter)


@inlined
def change_of_scores(table, root, seats):
    """Return the round's change for seat 0, and the others' sum."""
    mine = 0
    rest = 0
    for seat in range(seats):
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
    out = result[ENDED] == WENT_OUT
    mine = result[ENDED_BY] == 0
    tally[at + I_GO_OUT] += out and mine
    tally[at + I_AM_LAST] += table[PENALTY] >= worst
    tally[at + OTHER_GOES_OUT] += out and not mine


@inlined
def lay_hidden(rules, tables, key, gamma, game, seats, dealt):
    """Set the table up as at the position, and deal what is hidden there."""
    lay_root(dealt, tables.root)
    draw_scores(tables.starts, key, gamma, game, dealt, SCORE, seats)
    start = sit_down(dealt, seats, key, gamma, game, 0)
    deal_hidden(
        rules, tables.play, dealt, tables.counts, seats, tables.quitters, tables.held, start, gamma
    )


@inlined
def play_after(rules, tables, gamma, game, a, seats, dealt, table, payoff, result, tally):
    """Play the round after root action a; write what it costs, and count how it ended.

    Returns who started it.
    """
    root, layout = tables.root, tables.layout
    # This repeats `starts.play_from`: calling it makes a rollout slower.
    for i in range(SCRATCH):
        table[i] = dealt[i]
    play_round(
        rules, tables.play, gamma, table, seats, tables.others, 0, tables.actions[a], False, result
    )
    drawn = root[PLACE + policy_kernels.PILE] - table[PLACE + policy_kernels.PILE]
    tally[layout.counters_at + a * (rules[transition.DECK] + 1) + drawn] += 1
    mine, rest = change_of_scores(table, dealt, seats)
    payoff[POINTS, a] = mine
    payoff[MARGIN, a] = mine * (seats - 1) - rest
    count_ways(table, seats, result, tally, layout, a)
    tally[result_of(layout, a, table[PENALTY])] += 1
    return tables.starter if tables.starter >= 0 else game % seats


@compiled
def roll_out(rules, policies, tables, seed, first, games, tally):
    """Play the round of a position out after each root action, with the same redraw.

    tables: see `RolloutTables`. tally: see `RolloutLayout`; results are the penalty of seat 0, and
    the game's counters are [k, deck + 1] by the cards drawn in a round. Random numbers are common
    to all actions.
    """
    seats = policies.shape[0]
    table, result = set_table(policies)
    dealt, _ = set_table(policies)
    payoff = np.zeros((OBJECTIVES, tables.actions.size), np.int64)
    room = new_room()
    key, gamma = stream_of(seed)
    for game in range(first, first + games):
        lay_hidden(rules, tables, key, gamma, game, seats, dealt)
        for a in range(payoff.shape[1]):
            starter = play_after(
                rules, tables, gamma, game, a, seats, dealt, table, payoff, result, tally
            )
            if has_table(tables.equities):
                add_penalties(table, seats)
                starter = next_starter(rules, seats, starter, result)
                find_chances(tables.equities, table, SCORE, seats, starter, room)
                payoff[WINS, a] = room[CHANCE, 0]
        count_payoffs(tally, payoff)


@compiled
def roll_out_games(rules, policies, tables, seed, first, games, tally):
    """Do what `roll_out` does, and play each game to its end; tables, tally: as there."""
    seats = policies.shape[0]
    table, result = set_table(policies)
    dealt, _ = set_table(policies)
    payoff = np.zeros((OBJECTIVES, tables.actions.size), np.int64)
    key, gamma = stream_of(seed)
    for game in range(first, first + games):
        lay_hidden(rules, tables, key, gamma, game, seats, dealt)
        for a in range(payoff.shape[1]):
            starter = play_after(
                rules, tables, gamma, game, a, seats, dealt, table, payoff, result, tally
            )
            rounds = play_out(
                rules, tables.play, key, gamma, game, table, seats, 1, starter, result
            )
            lowest, shared = lowest_score(table, SCORE, seats)
            tally[tables.layout.unended] += rounds == 0
            payoff[WINS, a] = WIN // shared * (table[SCORE + 0] == lowest)
        count_payoffs(tally, payoff)
