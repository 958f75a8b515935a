"""Fixed-sample 95 % intervals: normal for means, Wilson for shares."""

from __future__ import annotations

import math
from dataclasses import replace
from statistics import NormalDist

from lama_odds.core.estimate import Estimate

Z = NormalDist().inv_cdf(0.975)


def mean_of(total: int, squares: int, n: int, unit: float = 1.0) -> Estimate:
    """Mean of n values from their sum and sum of squares (exact integers), times `unit`.

    Standard error sqrt(s² / n) with the unbiased sample variance s²; normal interval.
    """
    if n == 0:
        raise ValueError("no games: nothing to estimate")
    value = unit * total / n
    stderr = unit * math.sqrt(variance_of(total, squares, n) / n)
    return Estimate.normal(value, stderr, n, Z)


def mean_of_counts(
    total: int, squares: int, n: int, unit: float = 1.0, least: float = 0.0, most: float = 1.0
) -> Estimate:
    """Mean of n counts, which are hardly ever negative: `mean_of`, wider where it rests on few.

    The counts are worth K = total² / squares equal ones (Kish 1965, Survey Sampling, 11.7); the
    error is taken as if z² more had been met, as far as n goes. For what is 0 or 1 this is about
    Wilson's interval, for what is met in most games the normal one. least, most: counts of a game
    are hardly ever beyond; they matter where none varied, as in a single game: then other counts
    may come as often as Wilson's interval for none of n allows, and have any of those values.
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
    """Unbiased sample variance, from exact integers (no cancellation)."""
    if n < 2:
        return 0.0
    return (n * int(squares) - int(total) ** 2) / (n * (n - 1))


def share_of(count: float, n: int) -> Estimate:
    """Share of n games with Wilson's score interval (Wilson 1927, JASA 22, 209-212).

    count may be a sum of parts of a game between 0 and 1 (shared wins); the
    interval then covers at least as often as for whole ones.
    """
    if n == 0:
        raise ValueError("no games: nothing to estimate")
    p = count / n
    weight = Z * Z / n
    centre = (p + weight / 2) / (1 + weight)
    half = Z * math.sqrt(p * (1 - p) / n + weight / (4 * n)) / (1 + weight)
    low = 0.0 if count == 0 else max(0.0, centre - half)
    high = 1.0 if count == n else min(1.0, centre + half)
    return Estimate.from_interval(p, math.sqrt(max(0.0, p * (1 - p) / n)), low, high, n)


def ratio_of(
    total: int, squares: int, products: int, counts: int, counts_squared: int, unit: float = 1.0
) -> Estimate:
    """Mean of values that come in groups (games), so many in each, with its normal interval.

    Of the groups' sums s and counts n: total and squares are the sums of s and s², products of
    s·n, counts and counts_squared of n and n². The error is that of a ratio of two means
    (linearized), so values of one group need not be independent. n of the estimate: values.
    """
    mean = total / counts
    # Integers first: whatever does not vary has no error at all.
    exactly = squares * counts**2 - 2 * total * counts * products + total**2 * counts_squared
    spread = exactly / counts**2
    stderr = math.sqrt(spread) / counts
    half = Z * unit * stderr
    value = unit * mean
    return Estimate.from_half(value, unit * stderr, half, counts)
