"""Fixed-sample 95 % intervals: normal for means, Wilson for shares."""

from __future__ import annotations

import math
from dataclasses import replace
from statistics import NormalDist

from lama_odds.core.estimate import Estimate

Z = NormalDist().inv_cdf(0.975)


def mean_of(total: int, squares: int, n: int, unit: float = 1.0) -> Estimate:
    """Return the mean of n values from exact integer sums of values and squares, times `unit`.

    The standard error is sqrt(s² / n) with the unbiased sample variance s². The interval is normal.
    Raises ValueError if n is 0.
    """
    if n == 0:
        raise ValueError("no games: nothing to estimate")
    value = unit * total / n
    stderr = unit * math.sqrt(variance_of(total, squares, n) / n)
    return Estimate.normal(value, stderr, n, Z)


def mean_of_counts(
    total: int, squares: int, n: int, unit: float = 1.0, least: float = 0.0, most: float = 1.0
) -> Estimate:
    """Return the mean of n counts, which are rarely negative: `mean_of`, but wider for rare counts.

    The counts are worth K = total² / squares equal ones (Kish 1965, Survey Sampling, 11.7). The
    error is computed as if z² more had occurred, up to n. For values 0 and 1 this is about Wilson's
    interval. For counts that occur in most games it is the normal one.

    least, most: the usual range of a game's count. They matter if no count varies, as in a single
    game. Then other counts may be as frequent as Wilson's interval for 0 of n allows, with any of
    these values.
    """
    found = mean_of(total, squares, n, unit)
    if n * int(squares) == int(total) ** 2:
        met, unmet = total / n, share_of(0, n).high
        low = found.value - unit * unmet * max(0.0, met - least)
        high = found.value + unit * unmet * (max(most, 2 * met) - met)
        return replace(found, stderr=(high - low) / (2 * Z), low=low, high=high)
    worth = max(1.0, int(total) ** 2 / int(squares))
    half = Z * found.stderr * math.sqrt(1 + Z * Z * (1 / worth - 1 / n))
    return found.with_half(half)


def variance_of(total: int, squares: int, n: int) -> float:
    """Return the unbiased sample variance, from exact integers (no cancellation)."""
    if n < 2:
        return 0.0
    return (n * int(squares) - int(total) ** 2) / (n * (n - 1))


def share_of(count: float, n: int) -> Estimate:
    """Return the share of n games with Wilson's score interval (Wilson 1927, JASA 22, 209-212).

    count may be a sum of parts of a game between 0 and 1 (shared wins). The interval then covers
    the truth at least as often as for whole ones. Raises ValueError if n is 0.
    """
    if n == 0:
        raise ValueError("no games: nothing to estimate")
    p = count / n
    low, high = wilson(p, n, Z)
    return Estimate.from_interval(p, math.sqrt(max(0.0, p * (1 - p) / n)), low, high, n)


def wilson(p: float, n: float, z: float) -> tuple[float, float]:
    """Return Wilson's score interval of a share p of n values (Wilson 1927, JASA 22, 209-212).

    n: the effective number of values, which need not be whole. z: the critical value, for example
    1.96. The limits are those of the p₀ for which |p − p₀| = z · sqrt(p₀ (1 − p₀) / n).
    """
    weight = z * z / n
    centre = (p + weight / 2) / (1 + weight)
    half = z * math.sqrt(p * (1 - p) / n + weight / (4 * n)) / (1 + weight)
    low = 0.0 if p == 0 else max(0.0, centre - half)
    high = 1.0 if p == 1 else min(1.0, centre + half)
    return low, high


def ratio_of(
    total: int, squares: int, products: int, counts: int, counts_squared: int, unit: float = 1.0
) -> Estimate:
    """Return the mean of values that come in groups (games), with its normal interval.

    total, squares: sums of s and s², where s is a group's sum.
    products: the sum of s·n, where n is a group's number of values.
    counts, counts_squared: sums of n and n².
    unit: what one count is worth.

    The error is that of a ratio of two means (linearized), so values of one group need not be
    independent. The estimate's n is the number of values.
    """
    mean = total / counts
    # Integers first: a mean that does not vary has exactly no error.
    exactly = squares * counts**2 - 2 * total * counts * products + total**2 * counts_squared
    spread = exactly / counts**2
    stderr = math.sqrt(spread) / counts
    half = Z * unit * stderr
    value = unit * mean
    return Estimate.from_half(value, unit * stderr, half, counts)
