"""Measures of rule sets and their differences, from the sums that `simulation.blocks` keeps.

If two rule sets did not differ in any game, the difference is 0 as far as was seen. Its bound
comes from games that have not occurred yet, and from the most that a game can change.
"""

from __future__ import annotations

import math

import numpy as np

from lama_odds.analysis.compare.measures import Compared
from lama_odds.core.estimate import Estimate
from lama_odds.statistics.equivalence import allowing_for_unmet, mean_of_blocks
from lama_odds.statistics.intervals import Z, share_of, wilson

# Some measures have no upper limit, as games may never end. For these, the most that a game can
# change is assumed to be the mean plus some standard deviations of a game: as if a very large one
# became 0.
SPREADS = 3
Pair = tuple[int, int]


def value_of(
    measure: Compared, sums: np.ndarray, variant: int, samples: int, games: int
) -> Estimate:
    """A measure of one variant; shares with Wilson's interval. sums: int64[k, 1 + 3 k]."""
    total, squares = int(sums[variant, 0]), int(sums[variant, variant + 1])
    mean = mean_of_blocks(total, squares, samples, games, measure.scale)
    if not measure.share:
        return bounded(measure, mean, samples, Z)
    wilson = share_of(total * measure.scale, games)
    found = mean.with_interval(wilson.low, wilson.high)
    return with_error(found, measure.error_of({variant: 1}), Z, 1.0)


def with_error(found: Estimate, error: float, z: float, most: float = 0.0) -> Estimate:
    """An estimate with an error besides that of its games. z: standard errors of its interval.

    most: the highest value, where 0 is the lowest; 0: there are no limits.
    """
    if not error:
        return found
    low = found.value - math.hypot(found.value - found.low, z * error)
    high = found.value + math.hypot(found.high - found.value, z * error)
    if most:
        low, high = max(0.0, low), min(most, high)
    stderr = math.hypot(found.stderr, error)
    return Estimate.from_interval(found.value, stderr, low, high, found.n)


def bounded(measure: Compared, found: Estimate, samples: int, z: float) -> Estimate:
    """A mean of a bounded measure: its interval stays within the bounds.

    That of equal games allows for others that were not met.
    """
    if not measure.most:
        return found
    low, high = found.low, found.high
    if not found.stderr:
        half = measure.most * wilson(0.0, samples, z)[1]
        low, high = found.value - half, found.value + half
    return found.with_interval(max(0.0, low), min(measure.most, high))


def moments_of(sums: np.ndarray, pair: Pair) -> tuple[int, int, int, int]:
    """Of the second variant of a pair minus the first: sums of blocks, of squares and of cubes,
    and how many blocks are not 0."""
    (a, b), k = pair, len(sums)
    total = int(sums[b, 0]) - int(sums[a, 0])
    squares = int(sums[a, a + 1]) + int(sums[b, b + 1]) - 2 * int(sums[a, b + 1])
    return total, squares, int(sums[b, 1 + 2 * k + a]), int(sums[a, 1 + k + b])


def difference_of(
    measure: Compared, sums: np.ndarray, pair: Pair, samples: int, games: int
) -> Estimate:
    """The second variant of a pair minus the first, block by block."""
    total, squares, _, differing = moments_of(sums, pair)
    found = mean_of_blocks(total, squares, samples, games, measure.scale, differing)
    baseline = value_of(measure, sums, pair[0], samples, games)
    sampled = allowing_for_unmet(found, largest_of(measure, baseline))
    return with_error(sampled, fixed_error(measure, pair), Z)


def fixed_error(measure: Compared, pair: Pair) -> float:
    """The part of a difference's error that more games do not reduce."""
    return measure.error_of({pair[0]: -1, pair[1]: 1})


def largest_of(measure: Compared, value: Estimate) -> float:
    """The most that a game can change in a measure. value: that of the baseline.

    It is 1 for a share. For others it is a guess (see SPREADS), and at least what one counts.
    """
    if measure.share:
        return 1.0
    spread = value.stderr * math.sqrt(value.n)
    return max(measure.scale, abs(value.value) + SPREADS * spread)
