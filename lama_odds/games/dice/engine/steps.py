"""What the shared drivers need of Lama Dice: forks, logs, actions of a position.

Names and arguments are those that `games.shared.drivers` asks for.
"""

from __future__ import annotations

import numpy as np

from lama_odds.games.dice.engine.round_loop import (
    ALL_QUIT,
    AS_POLICY,
    BLEW,
    ENDED,
    ENDED_BY,
    LAST_ACTOR,
    LUCK,
    LUCK_BITS,
    OTHERS_IN,
    PAUSED,
    QUIT,
    RESUME,
    ROLL,
    ROW_EMPTY,
    ROW_LEFT,
    WENT_OUT,
    begin_round,
    copy_table,
    play_round,
    sit_down,
)
from lama_odds.games.dice.engine.tables import FAMILY, HAND, NEXT, PENALTY, SCORE, PlayTables
from lama_odds.games.dice.rules import transition
from lama_odds.games.dice.rules.transition import FULL_ROW, kinds_of, quitting_cost
from lama_odds.games.interface.from_scores import draw_scores
from lama_odds.games.interface.tally_layout import (
    PART_BITS,
    PARTS,
    add_fork,
    event_of,
    result_of,
)
from lama_odds.games.shared.drivers import MARGIN, POINTS
from lama_odds.games.shared.seating import MAX_SEATS, leave
from lama_odds.jit import allocating, inlined
from lama_odds.luck.stream import STUDY, lane_start, mix

TARGET = transition.TARGET


@inlined
def next_starter(rules, seats, starter, result):
    """Return the seat that starts the round after one that `starter` has started."""
    return result[LAST_ACTOR]


# Decisions to roll or to quit while others are still in, played out both ways.

OF_A_PENALTY = MAX_SEATS  # cells: all together, then by the number of others still in


@inlined
def begin_forks(rules, tables, table, seats, key, gamma, game, round_, starter, result):
    """Deal a round, which `play_to_fork` begins."""
    begin_round(rules, tables, table, seats, key, gamma, game, round_)
    result[LAST_ACTOR] = starter
    result[OTHERS_IN] = seats - 1
    result[ROW_LEFT] = FULL_ROW
    result[ENDED] = ALL_QUIT


@inlined
def play_to_fork(rules, tables, gamma, table, seats, result):
    """Play a round on, as the policies decide; return whether another decision comes up."""
    begin = RESUME if result[ENDED] == PAUSED else AS_POLICY
    play_round(
        rules, tables, gamma, table, seats, result[OTHERS_IN], result[ROW_LEFT],
        result[LAST_ACTOR], begin, True, False, result,
    )  # fmt: skip
    return result[ENDED] == PAUSED


@inlined
def cost_of(rules, tables, hand):
    """Return the penalty of a hand."""
    return tables.points[kinds_of(hand)]


@inlined
def play_fork(rules, tables, gamma, table, seats, action, result, branch, branch_result):
    """Play a copy of the round to its end, first quitting (action 0) or rolling."""
    copy_table(table, branch)
    seat, others, begin = result[LAST_ACTOR], result[OTHERS_IN], ROLL
    if action == 0:
        leave(branch, seat, quitting_cost(rules, cost_of(rules, tables, table[HAND + seat])))
        seat, others, begin = table[NEXT + seat], others - 1, AS_POLICY
    play_round(
        rules, tables, gamma, branch, seats, others, result[ROW_LEFT], seat, begin, False, False,
        branch_result,
    )  # fmt: skip


@inlined
def add_forks(open_cells, touched, table, penalty, result, payoffs):
    """Add a fork to the cells of its penalty."""
    cell = OF_A_PENALTY * penalty
    add_fork(open_cells, touched, cell, payoffs[0], payoffs[1])
    add_fork(open_cells, touched, cell + result[OTHERS_IN], payoffs[0], payoffs[1])


def cells_of(most_points: int) -> list[dict[str, int | None]]:
    """Return the meaning of each cell but those by scores: penalty, others still in (None: any)."""
    return [
        {"penalty": penalty, "others": others or None}
        for penalty in range(most_points + 1)
        for others in range(OF_A_PENALTY)
    ]


# What a watched game logs, see `round_loop.log_turn`.

LOGGED_ACTION = 0xF0
LOGGED_QUIT = QUIT << 4


@allocating
def with_log(tables, log):
    """Return tables with another log."""
    return PlayTables(
        tables.rolls, tables.points, tables.values, tables.ranks, tables.copied, tables.cards,
        tables.learned, log,
    )  # fmt: skip


# Positions that are played out after each action.

# Root actions: [code, cards or kind].
DO_QUIT = 0
DO_ROLL = 1
DO_DISCARD = 2
DO_TAKE = 3

# Below a part of a point, a random number decides how luck is rounded.
BELOW_A_PART = np.uint64(64 - LUCK_BITS + PART_BITS)
# Events counted for each action.
I_GO_OUT = 0
I_BLOW = 1
I_AM_LAST = 2  # nobody's penalty of this round is higher than seat 0's
OTHER_GOES_OUT = 3
OTHER_BLOWS = 4
EVENTS = 5
EVENT_NAMES = ("out", "blown", "last", "other out", "other blown")


@inlined
def starter_of(tables, game, seats):
    """Return who has started the round of a position; no rule of these asks for it."""
    return 0


@inlined
def lay_position(rules, tables, key, gamma, game, seats, root):
    """Draw the scores of a game, if they are drawn: all else on the table is known."""
    draw_scores(tables.starts, key, gamma, game, root, SCORE, seats)


@inlined
def begin_with(rules, points, table, others, row, code, cards, result):
    """Carry out a root action of seat 0; return (others, row, whether the round continues)."""
    result[LAST_ACTOR] = 0
    result[ENDED_BY] = 0
    result[ENDED] = ALL_QUIT
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
        result[ENDED] = ROW_EMPTY
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

    Payoffs in points, in 1 / PARTS, are luck-adjusted: minus the luck of the rolls of seat 0 (see
    `round_loop.play_round`), which has mean 0. A random number decides how it is rounded, so that
    the mean stays 0.
    """
    play, actions, layout = tables.play, tables.actions, tables.layout
    result[LUCK] = 0
    for i in range(FAMILY):  # from there on a table has policies, and what they write down
        table[i] = root[i]
    sit_down(rules, play.rolls, table, seats, key, gamma, game, 0)
    others = tables.others
    row = tables.row
    goes_on = True
    begin = ROLL
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
