"""How measures depend on options: slopes and steps, from the sums of common games.

`statistics.contrasts` says how. The other options are held alike: each of their values has a level
of its own in the fit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import prod

import numpy as np

from lama_odds.analysis.compare.measures import Compared
from lama_odds.analysis.compare.paired_differences import largest_of, value_of, with_error
from lama_odds.analysis.sweep.answer import Step, Trend
from lama_odds.analysis.sweep.grid import Axis, Grid
from lama_odds.core.estimate import Estimate, exact
from lama_odds.statistics.contrasts import Contrast, coefficient, coefficients
from lama_odds.statistics.equivalence import (
    freedom,
    mean_of_blocks,
    rests_on_few,
    widening,
)
from lama_odds.statistics.intervals import wilson
from lama_odds.statistics.ranking import critical_value

Pairs = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Fit:
    """The contrasts of an option: its slope, and each step to the next value.

    pairs: of variants that differ in this option alone.
    """

    axis: Axis
    slope: Contrast
    steps: tuple[tuple[int, Contrast], ...]
    pairs: Pairs

    @property
    def intervals(self) -> int:
        """How many numbers it gives for a measure."""
        return 1 + len(self.steps)


@dataclass(frozen=True)
class Sums:
    """What was played: the tally of one measure, and how much it is of.

    alike: whether all variants play the same games as far as this measure goes.
    """

    measure: Compared
    sums: np.ndarray
    samples: int
    games: int
    alike: bool


def fits_of(grid: Grid) -> tuple[Fit, ...]:
    """The contrasts of every option that the variants can tell from the others.

    Text with more than two values has no order, and so no trend.
    """
    found = []
    for at, axis in enumerate(grid.axes):
        if axis.unordered:
            continue
        others = [[1] * len(grid.cells)]
        for other in range(len(grid.axes)):
            others += _levels(grid, other) if other != at else ()
        values = [
            cell.at[at] if axis.kind == "text" else int(axis.values[cell.at[at]])
            for cell in grid.cells
        ]
        slope = coefficient([values, *others], 0)
        if slope is not None:
            steps = _steps(grid, at, others) if len(axis.values) > 2 else ()
            found.append(Fit(axis, slope, tuple(enumerate(steps)), _pairs(grid, at)))
    return tuple(found)


def _steps(grid: Grid, axis: int, others: Sequence[Sequence[int]]) -> Sequence[Contrast]:
    """The steps from each value of an option to the next; none if they cannot be told apart.

    Where every combination is there, a step is the difference of two means. Then no system is
    solved, which takes long for many values.
    """
    number = len(grid.axes[axis].values)
    if {cell.at[axis] for cell in grid.cells} != set(range(number)):
        return ()
    if len(grid.cells) == prod(len(each.values) for each in grid.axes):
        return [_between(grid, axis, place) for place in range(number - 1)]
    rises = list(_rises(grid, axis))
    return coefficients([*rises, *others], range(len(rises))) or ()


def _between(grid: Grid, axis: int, place: int) -> Contrast:
    """The mean at the value after a place, minus the mean at it."""
    signs = [int(cell.at[axis] == place + 1) - int(cell.at[axis] == place) for cell in grid.cells]
    return Contrast(tuple(signs), signs.count(1))


def _pairs(grid: Grid, axis: int) -> Pairs:
    """The pairs of variants that differ in one option alone; of all variants if there are none."""
    every = list(combinations(range(len(grid.cells)), 2))
    alone = [
        pair
        for pair in every
        if all(
            grid.cells[pair[0]].at[other] == grid.cells[pair[1]].at[other]
            for other in range(len(grid.axes))
            if other != axis
        )
    ]
    return tuple(alone or every)


def _levels(grid: Grid, axis: int) -> Iterator[list[int]]:
    """A column for each value of an option that occurs, but the first."""
    there = sorted({cell.at[axis] for cell in grid.cells})
    for place in there[1:]:
        yield [int(cell.at[axis] == place) for cell in grid.cells]


def _rises(grid: Grid, axis: int) -> Iterator[list[int]]:
    """Columns whose coefficients are the steps from each value to the next."""
    for place in range(1, len(grid.axes[axis].values)):
        yield [int(cell.at[axis] >= place) for cell in grid.cells]


def trends_of(fits: Sequence[Fit], played: Sequence[Sums], intervals: int) -> tuple[Trend, ...]:
    """The trends of all measures along all options, each interval one of `intervals`."""
    found = []
    for fit in fits:
        values = fit.axis.values
        for one in played:
            steps = tuple(
                Step(values[at], values[at + 1], estimate(step, one, intervals, fit.pairs))
                for at, step in fit.steps
            )
            slope = estimate(fit.slope, one, intervals, fit.pairs)
            found.append(Trend(fit.axis.option, one.measure, slope, steps, _rare(one, fit.pairs)))
    return tuple(found)


def from_mean(played: Sums, at: int, intervals: int) -> Estimate:
    """A variant minus the mean of all."""
    k = len(played.sums)
    contrast = Contrast(tuple(k * (at == other) - 1 for other in range(k)), k)
    return estimate(contrast, played, intervals, tuple((at, other) for other in range(k)))


def estimate(contrast: Contrast, played: Sums, intervals: int, pairs: Pairs) -> Estimate:
    """A contrast with its simultaneous interval; exactly 0 if all variants play alike.

    pairs: of variants whose differences it is made of.

    The error is that of the contrast of each block of common games, see `statistics.contrasts`.
    Where few blocks differ, or none, the interval is wider, as for the differences of `compare`.
    """
    if played.alike:
        return exact(0.0)
    total, squares = contrast.moments(played.sums)
    scale = played.measure.scale / contrast.divisor
    samples, games = played.samples, played.games
    found = mean_of_blocks(total, squares, samples, games, scale)
    error = played.measure.error_of(
        {at: weight / contrast.divisor for at, weight in enumerate(contrast.weights) if weight}
    )
    differing = _differing(played, pairs)
    z = critical_value(intervals, freedom(differing, samples) + 1)
    if found.stderr:
        sampled = found.with_half(z * found.stderr * widening(differing, samples))
        return with_error(sampled, error, z)
    baseline = value_of(played.measure, played.sums, 0, samples, games)
    largest = contrast.size * largest_of(played.measure, baseline)
    unmet = found.with_half((largest + abs(found.value)) * wilson(0.0, games, z)[1])
    return with_error(unmet, error, z)


def _differing(played: Sums, pairs: Pairs) -> int:
    """In how many blocks two variants differ, of the pair that differs most often."""
    k = len(played.sums)
    return max(int(played.sums[a, 1 + k + b]) for a, b in pairs)


def _rare(played: Sums, pairs: Pairs) -> bool:
    return not played.alike and rests_on_few(_differing(played, pairs), played.samples)
