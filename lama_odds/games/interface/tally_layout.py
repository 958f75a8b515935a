"""Integer tallies that the kernels of all games fill: their layout, and their readers.

Kernels add with the compiled functions here; solvers and analysis read with the classes here. No
other module knows a place in a tally by its number.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from lama_odds.jit import for_all, inlined
from lama_odds.luck.stream import below, mix

# A whole win, so that a tie of two to seven is a whole number of shares.
WIN = 420
# A chance to win in steps of 1e-5, as kernels add up chances of a match equity table.
EQUITY = 240 * WIN
# A point has 2**PART_BITS parts where rollouts are luck-adjusted.
PART_BITS = 4
PARTS = 1 << PART_BITS


@inlined
def count(tally, measure, x):
    """Add x to a measure: a tally row is (sum of x, sum of x squared)."""
    tally[measure, 0] += x
    tally[measure, 1] += x * x


@inlined
@for_all
def lowest_score(table, at, seats):
    """Return the lowest of the scores table[at: at + seats] and how many players share it."""
    lowest = table[at]
    shared = 0
    for seat in range(seats):
        lowest = min(lowest, table[at + seat])
    for seat in range(seats):
        shared += table[at + seat] == lowest
    return lowest, shared


@inlined
def count_game(tally, table, at, seats, played):
    """Count a game that has ended; the lowest score wins.

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
    """Count a game in detail, in the rows from `at` on if there are such rows.

    Measures: actions of the game; spread, the highest score minus the lowest.
    """
    if tally.shape[0] > at:
        lowest = table[scores]
        highest = lowest
        for seat in range(1, seats):
            lowest = min(lowest, table[scores + seat])
            highest = max(highest, table[scores + seat])
        count(tally, at, actions)
        count(tally, at + 1, highest - lowest)


class RolloutLayout(NamedTuple):
    """The layout of the tally of rollouts of a position; see `rollout_layout`.

    - From 0, for each objective: int64[actions, actions + 1], the sums of the actions' payoffs,
      then those of their products, action by action (see `count_payoffs`).
    - From events_at: int64[actions, events], counts of events.
    - From results_at: int64[actions, results], counts of results; each game has one.
    - From counters_at: the game's own counters.
    - At unended: games without an end.
    """

    objectives: int
    actions: int
    events: int
    results: int
    events_at: int
    results_at: int
    counters_at: int
    unended: int

    @property
    def shape(self) -> tuple[int]:
        """The shape of the tally."""
        return (self.unended + 1,)


def rollout_layout(
    objectives: int, actions: int, events: int, results: int = 0, counters: int = 0
) -> RolloutLayout:
    """Return the layout for these numbers; counters: all of the game's own."""
    events_at = objectives * actions * (actions + 1)
    results_at = events_at + actions * events
    counters_at = results_at + actions * results
    return RolloutLayout(
        objectives,
        actions,
        events,
        results,
        events_at,
        results_at,
        counters_at,
        counters_at + counters,
    )


@dataclass(frozen=True)
class RolloutTally:
    """A reader of the tally of rollouts."""

    layout: RolloutLayout
    tally: np.ndarray

    @property
    def sums(self) -> np.ndarray:
        """int64[objectives, k, k + 1]: sums and sums of products of the k actions' payoffs."""
        k = self.layout.actions
        return self.tally[: self.layout.events_at].reshape(self.layout.objectives, k, k + 1)

    @property
    def events(self) -> np.ndarray:
        """int64[k, events]: the number of games with each event, by action."""
        counts = self.tally[self.layout.events_at : self.layout.results_at]
        return counts.reshape(self.layout.actions, self.layout.events)

    @property
    def results(self) -> np.ndarray:
        """int64[k, results]: the number of games with each result, by action."""
        counts = self.tally[self.layout.results_at : self.layout.counters_at]
        return counts.reshape(self.layout.actions, self.layout.results)

    @property
    def counters(self) -> np.ndarray:
        """The game's own counters."""
        return self.tally[self.layout.counters_at : self.layout.unended]

    @property
    def unended(self) -> int:
        """The number of games without an end."""
        return int(self.tally[self.layout.unended])


@inlined
@for_all
def event_of(layout, action, event):
    """Return where in the tally an event after an action is counted."""
    return layout.events_at + action * layout.events + event


@inlined
def result_of(layout, action, result):
    """Return where in the tally a result after an action is counted."""
    return layout.results_at + action * layout.results + result


@inlined
def count_payoffs(tally, payoff):
    """Add a game of rollouts to a tally, from its start.

    payoff: int64[objectives, k]; see `RolloutLayout`.
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


# Columns of a row of differences: situations, sum and sum of squares.
DIFFERENCE_COLUMNS = 3


# Columns of a table of forks. A fork is a decision at which both actions were played out. Each cell
# has the number of decisions and the sums over games that errors need, because decisions of one
# game are not independent. For a game, n is the number of its decisions in the cell. FIRST, SECOND
# and DIFFERENCE are the sums of the payoffs of the first and the second action, and of second −
# first. SQUARED is the sum of squares; FORKS after a name is the sum of products with n. After the
# columns of n there are PER_OBJECTIVE columns for each objective:
FORKS = 0
FORKS_SQUARED = 1
FIRST = 2
FIRST_SQUARED = 3
FIRST_FORKS = 4
DIFFERENCE = 5
DIFFERENCE_SQUARED = 6
DIFFERENCE_FORKS = 7
SECOND_SQUARED = 8
FORK_OBJECTIVES = 2
PER_OBJECTIVE = 7
FORK_COLUMNS = 2 + PER_OBJECTIVE * FORK_OBJECTIVES
# Columns of the sums of the current game: n, then first and difference of each objective.
OPEN_FIRST = 1
OPEN_DIFFERENCE = 2
OPEN_PER_OBJECTIVE = 2
OPEN_COLUMNS = 1 + OPEN_PER_OBJECTIVE * FORK_OBJECTIVES
CERTAIN = 65_536


class RatioSums(NamedTuple):
    """Sums over games of a payoff x and of the decisions n, as `intervals.ratio_of` needs them."""

    total: int
    squares: int
    products: int
    decisions: int
    decisions_squared: int


@dataclass(frozen=True)
class ForkCell:
    """A reader of a cell in a table of forks. cell: int64[FORK_COLUMNS]."""

    cell: np.ndarray

    @property
    def decisions(self) -> int:
        """The decisions in it."""
        return int(self.cell[FORKS])

    @property
    def decisions_squared(self) -> int:
        """The sum over games of the squared number of decisions."""
        return int(self.cell[FORKS_SQUARED])

    def first(self, objective: int) -> RatioSums:
        """Return the sums of the first action."""
        return self._sums(objective, (FIRST,), FIRST_SQUARED, (FIRST_FORKS,))

    def second(self, objective: int) -> RatioSums:
        """Return the sums of the second action."""
        total, products = (FIRST, DIFFERENCE), (FIRST_FORKS, DIFFERENCE_FORKS)
        return self._sums(objective, total, SECOND_SQUARED, products)

    def difference(self, objective: int) -> RatioSums:
        """Return the sums of second − first."""
        return self._sums(objective, (DIFFERENCE,), DIFFERENCE_SQUARED, (DIFFERENCE_FORKS,))

    def _sums(
        self, objective: int, total: tuple[int, ...], squares: int, products: tuple[int, ...]
    ) -> RatioSums:
        own = self.cell[PER_OBJECTIVE * objective :]
        return RatioSums(
            sum(int(own[column]) for column in total),
            int(own[squares]),
            sum(int(own[column]) for column in products),
            self.decisions,
            self.decisions_squared,
        )


def decisions_of(tally: np.ndarray) -> np.ndarray:
    """Return the decisions in each cell of a table of forks."""
    return tally[..., FORKS]


def unended_of(tally: np.ndarray) -> int:
    """Return the number of games without an end, from a table with a row for them."""
    return int(tally[-1, FORKS])


def as_one_game(sums: np.ndarray) -> np.ndarray:
    """Return the rows that cells add to a table if all their decisions come from one game.

    sums: int64[cells, FORK_COLUMNS].
    """
    rows = np.zeros_like(sums)
    n = sums[:, FORKS]
    rows[:, FORKS] = n
    rows[:, FORKS_SQUARED] = n * n
    for objective in range(FORK_OBJECTIVES):
        at = PER_OBJECTIVE * objective
        first, difference = sums[:, FIRST + at], sums[:, DIFFERENCE + at]
        for column, value in (
            (FIRST, first),
            (FIRST_SQUARED, first * first),
            (FIRST_FORKS, first * n),
            (DIFFERENCE, difference),
            (DIFFERENCE_SQUARED, difference * difference),
            (DIFFERENCE_FORKS, difference * n),
            (SECOND_SQUARED, (first + difference) ** 2),
        ):
            rows[:, column + at] = value
    return rows


@inlined
def count_unended(tally, unended):
    """Count games without an end, in the row after the cells of a table of forks."""
    tally[tally.shape[0] - 1, FORKS] += unended


@inlined
def forks_here(chances, penalty, lane, gamma, number):
    """Return whether decision number `number` of a round is played out both ways.

    chances: int64[penalties], how many of CERTAIN decisions with this penalty are. lane: the start
    of the round's lane for forks.
    """
    return below(mix(lane + gamma * np.uint64(number)), CERTAIN) < chances[penalty]


@inlined
def add_fork(open_cells, touched, cell, first, second):
    """Count a decision in a cell; first, second: payoffs of both actions by objective.

    open_cells: int64[cells, OPEN_COLUMNS], the sums of the current game. touched: the number of
    cells with any, then the cells.
    """
    if open_cells[cell, 0] == 0:
        touched[0] += 1
        touched[touched[0]] = cell
    open_cells[cell, 0] += 1
    for objective in range(FORK_OBJECTIVES):
        at = OPEN_PER_OBJECTIVE * objective
        open_cells[cell, OPEN_FIRST + at] += first[objective]
        open_cells[cell, OPEN_DIFFERENCE + at] += second[objective] - first[objective]


@inlined
def close_forks(tally, open_cells, touched):
    """Add the sums of a game to the table, and reset them."""
    for i in range(1, touched[0] + 1):
        cell = touched[i]
        n = open_cells[cell, 0]
        tally[cell, FORKS] += n
        tally[cell, FORKS_SQUARED] += n * n
        for objective in range(FORK_OBJECTIVES):
            f = open_cells[cell, OPEN_FIRST + OPEN_PER_OBJECTIVE * objective]
            d = open_cells[cell, OPEN_DIFFERENCE + OPEN_PER_OBJECTIVE * objective]
            at = PER_OBJECTIVE * objective
            tally[cell, FIRST + at] += f
            tally[cell, FIRST_SQUARED + at] += f * f
            tally[cell, FIRST_FORKS + at] += f * n
            tally[cell, DIFFERENCE + at] += d
            tally[cell, DIFFERENCE_SQUARED + at] += d * d
            tally[cell, DIFFERENCE_FORKS + at] += d * n
            tally[cell, SECOND_SQUARED + at] += (f + d) * (f + d)
        for column in range(OPEN_COLUMNS):
            open_cells[cell, column] = 0
    touched[0] = 0


# The tally of cards in hand: situations that are continued with other hands.


def hands_size(hands: int) -> int:
    """Return how much of a tally `hands` hands take that are played in the same situations."""
    return 1 + hands * (hands + 1)


@inlined
def count_difference(tally, row, difference):
    """Count a situation in a row of differences, from the start of a tally."""
    at = DIFFERENCE_COLUMNS * row
    tally[at] += 1
    tally[at + 1] += difference
    tally[at + 2] += difference * difference


@inlined
def count_hands(tally, at, points, count):
    """Count a situation played with several hands, in the part of a tally that begins at `at`."""
    tally[at] += 1
    for i in range(count):
        at += 1
        tally[at] += points[i]
        for j in range(count):
            at += 1
            tally[at] += points[i] * points[j]


@dataclass(frozen=True)
class HandTally:
    """A reader of the tally of situations that are continued with other hands."""

    tally: np.ndarray

    def row(self, at: int) -> np.ndarray:
        """Return row `at` of differences: situations, sum and sum of squares."""
        return self.tally[DIFFERENCE_COLUMNS * at : DIFFERENCE_COLUMNS * (at + 1)]

    def situations(self, at: int) -> int:
        """Return the number of situations played with the hands whose part begins at `at`."""
        return int(self.tally[at])

    def sums(self, at: int, hands: int) -> np.ndarray:
        """Return int64[hands, hands + 1]: sums of points, and of products by pairs of hands."""
        return self.tally[at + 1 : at + hands_size(hands)].reshape(hands, hands + 1)
