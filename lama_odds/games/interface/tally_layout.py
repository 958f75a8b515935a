"""Integer tallies that the kernels of all games fill, and how a game's end is counted."""

from __future__ import annotations

import numpy as np

from lama_odds.jit import inlined
from lama_odds.luck.stream import below, mix

# A whole win, so that a tie of two to seven is a whole number of shares.
WIN = 420
# A chance to win as kernels count those of a match equity table: in steps of 1e-5.
EQUITY = 240 * WIN


@inlined
def count(tally, measure, x):
    """Add x to a measure: a tally row is (sum of x, sum of x squared)."""
    tally[measure, 0] += x
    tally[measure, 1] += x * x


@inlined
def lowest_score(table, at, seats):
    """The lowest of the scores table[at: at + seats] and how many share it."""
    lowest = table[at]
    shared = 0
    for seat in range(seats):
        lowest = min(lowest, table[at + seat])
    for seat in range(seats):
        shared += table[at + seat] == lowest
    return lowest, shared


@inlined
def equity_after(equities, table, at, starter):
    """The chance to win of seat 0 of two, in units of 1 / EQUITY, from the scores of a round's end.

    equities: int64[target, target], that of who starts, by the own and the other's score.
    table[at: at + 2]: the scores. starter: seat that starts the next round.
    """
    mine = table[at]
    other = table[at + 1]
    if max(mine, other) >= equities.shape[0]:
        return EQUITY * (mine < other) + EQUITY // 2 * (mine == other)
    if starter == 0:
        return equities[mine, other]
    return EQUITY - equities[other, mine]


@inlined
def count_game(tally, table, at, seats, played):
    """Count a game that has ended, lowest score winning.

    Measures: win, outright, score of each seat; rounds; games without an end.
    """
    lowest, shared = lowest_score(table, at, seats)
    for seat in range(seats):
        won = table[at + seat] == lowest
        count(tally, seat, WIN // shared * won)
        count(tally, seats + seat, won and shared == 1)
        count(tally, 2 * seats + seat, table[at + seat])
    count(tally, 3 * seats, played)
    count(tally, 3 * seats + 1, played == 0)


@inlined
def count_details(tally, at, actions, table, scores, seats):
    """Count what is asked of a game in detail, in the rows from `at` on if there are such.

    Measures: actions of the game; spread, the highest score less the lowest.
    """
    if tally.shape[0] > at:
        lowest = table[scores]
        highest = lowest
        for seat in range(1, seats):
            lowest = min(lowest, table[scores + seat])
            highest = max(highest, table[scores + seat])
        count(tally, at, actions)
        count(tally, at + 1, highest - lowest)


@inlined
def count_payoffs(tally, payoff):
    """Add a game of rollouts to a tally, from its start on.

    payoff: int64[objectives, k]. For each objective the sums of the k actions'
    payoffs and of their products, action by action: [k, k + 1], column 0 the sums.
    """
    at = 0
    k = payoff.shape[1]
    for objective in range(payoff.shape[0]):
        for a in range(k):
            tally[at] += payoff[objective, a]
            at += 1
            for b in range(k):
                tally[at] += payoff[objective, a] * payoff[objective, b]
                at += 1


# Columns of a table of forks: a decision at which both actions were played out. Of each cell: the
# decisions, and the sums over games that errors need, decisions of one game not being independent.
# n: decisions of a game in the cell; f, s, d: sums of the payoffs of the first and the second
# action and of second − first. After the sums of n and n², for each objective those of:
FORKS = 0
FORKS_SQUARED = 1
F, F_SQUARED, F_FORKS, D, D_SQUARED, D_FORKS, S_SQUARED = range(2, 9)
FORK_OBJECTIVES = 2
PER_OBJECTIVE = 7
FORK_COLUMNS = 2 + PER_OBJECTIVE * FORK_OBJECTIVES
OPEN_COLUMNS = 1 + 2 * FORK_OBJECTIVES  # n, then f and d of each objective, of the game at hand
CERTAIN = 65_536


@inlined
def forks_here(chances, penalty, lane, gamma, number):
    """Whether decision number `number` of a round is played out both ways.

    chances: int64[penalties], how many of CERTAIN decisions with this penalty are. lane: where
    the round's lane of forks begins.
    """
    return below(mix(lane + gamma * np.uint64(number)), CERTAIN) < chances[penalty]


@inlined
def add_fork(open_cells, touched, cell, first, second):
    """Count a decision in a cell; first, second: payoffs of both actions by objective.

    open_cells: int64[cells, OPEN_COLUMNS], the sums of the game at hand; touched: the cells with
    any, after their number.
    """
    if open_cells[cell, 0] == 0:
        touched[0] += 1
        touched[touched[0]] = cell
    open_cells[cell, 0] += 1
    for objective in range(FORK_OBJECTIVES):
        open_cells[cell, 1 + 2 * objective] += first[objective]
        open_cells[cell, 2 + 2 * objective] += second[objective] - first[objective]


@inlined
def close_forks(tally, open_cells, touched):
    """Add the sums of a game to the table, and begin anew."""
    for i in range(1, touched[0] + 1):
        cell = touched[i]
        n = open_cells[cell, 0]
        tally[cell, FORKS] += n
        tally[cell, FORKS_SQUARED] += n * n
        for objective in range(FORK_OBJECTIVES):
            f = open_cells[cell, 1 + 2 * objective]
            d = open_cells[cell, 2 + 2 * objective]
            at = PER_OBJECTIVE * objective
            tally[cell, F + at] += f
            tally[cell, F_SQUARED + at] += f * f
            tally[cell, F_FORKS + at] += f * n
            tally[cell, D + at] += d
            tally[cell, D_SQUARED + at] += d * d
            tally[cell, D_FORKS + at] += d * n
            tally[cell, S_SQUARED + at] += (f + d) * (f + d)
        for column in range(OPEN_COLUMNS):
            open_cells[cell, column] = 0
    touched[0] = 0
