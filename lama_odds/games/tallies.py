"""Integer tallies that the kernels of all games fill, and how a game's end is counted."""

from __future__ import annotations

from lama_odds.kernels import inlined

# A whole win, so that a tie of two to seven is a whole number of shares.
WIN = 420


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
