"""Intervals of differences that hold together, wherever the differences come from."""

from __future__ import annotations

from lama_odds.analysis.compare.answer import Row, largest_of
from lama_odds.core.estimate import Estimate
from lama_odds.statistics.equivalence import freedom, widening
from lama_odds.statistics.intervals import wilson
from lama_odds.statistics.ranking import critical_value


def wide(found: Estimate, intervals: int, differing: int, samples: int, largest: float) -> Estimate:
    """A difference with an interval that is one of several, as sweeps have it.

    differing: of the `samples` blocks of games. Where they are few the interval is wider, and where
    there are none, it allows for games that were not seen. largest: the most that a game changes.
    """
    if found.stderr == 0:
        if found.high == found.low:
            return found  # proven
        return found.with_half(largest * wilson(0.0, found.n, critical_value(intervals))[1])
    z = critical_value(intervals, freedom(differing, samples) + 1)
    return found.with_half(z * found.stderr * widening(differing, samples))


def wide_row(row: Row, intervals: int) -> Estimate:
    """The same for a row of a comparison."""
    largest = largest_of(row.measure, row.baseline)
    return wide(row.difference, intervals, row.differing, row.samples, largest)
