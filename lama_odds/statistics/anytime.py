"""Intervals that hold at every moment at once, so that one may stop when one likes.

- Means and paired differences: the asymptotic confidence sequence with a
  Gaussian mixture boundary of Waudby-Smith, Arbour, Sinha, Kennedy & Ramdas
  (2024), "Time-uniform central limit theory and asymptotic confidence
  sequences", Annals of Statistics 52, theorem 2.2. Of values that are bounded the variance is
  regularized by values not met, as in the empirical Bernstein sequences of Waudby-Smith & Ramdas
  (2024, Journal of the Royal Statistical Society B 86, 1-27), so that no mean is known for certain.
- Shares and other values between 0 and 1: the confidence sequence of the
  beta-binomial mixture (Robbins 1970; Howard, Ramdas, McAuliffe & Sekhon 2021,
  Annals of Statistics 49, section 3), valid for any n.
"""

from __future__ import annotations

import math
from math import lgamma
from statistics import NormalDist

from lama_odds.core.estimate import Estimate
from lama_odds.statistics.intervals import variance_of

ALPHA = 0.05
TUNED_FOR = 200_000  # games at which the boundary is tightest; it holds at all others too
FEWEST = 1_000  # below this the central limit is not trusted
UNMET = 2  # values not met that the variance allows for


def half_width(variance: float, n: int, alpha: float = ALPHA) -> float:
    """Half-width for the mean of n values with this sample variance, at all n at once."""
    if n < FEWEST:
        return math.inf
    rho2 = (-2 * math.log(alpha) + math.log(1 - 2 * math.log(alpha))) / TUNED_FOR
    spread = n * rho2 + 1
    return math.sqrt(variance * 2 * spread / (n * n * rho2) * math.log(math.sqrt(spread) / alpha))


def anytime_mean(
    total: int, squares: int, n: int, unit: float = 1.0, alpha: float = ALPHA, span: float = 1.0
) -> Estimate:
    """Mean of n values from exact integer sums; its interval survives optional stopping.

    span: by how much values can be apart, in counts. What is rare may not have come yet: the
    interval takes the variance as if UNMET values a whole span away had come as well.
    """
    value = unit * total / n
    variance = variance_of(total, squares, n)
    half = unit * half_width(variance + UNMET * span * span / n, n, alpha)
    return Estimate.from_half(value, unit * math.sqrt(variance / n), half, n)


def at_fixed(found: Estimate, looks: int = 1, alpha: float = ALPHA) -> Estimate:
    """A mean of `anytime_mean` with the narrower interval of a number of games fixed beforehand.

    It is normal, of the same variance (what has not come yet is allowed for too). looks: numbers of
    games that it may have been stopped at; they share the error rate (Bonferroni). alpha: that
    of `anytime_mean`, before sharing.
    """
    z = NormalDist().inv_cdf(1 - alpha / looks / 2)
    narrower = z / math.sqrt(found.n) / half_width(1.0, found.n, alpha)
    half = narrower * (found.high - found.low) / 2
    return found.with_half(half)


def anytime_share(count: float, n: int, alpha: float = ALPHA) -> Estimate:
    """Share of n games (count may hold parts of a game), with the beta-binomial sequence."""
    p = count / n
    stderr = math.sqrt(max(0.0, p * (1 - p) / n))
    mixture = _log_beta(0.5 + count, 0.5 + n - count) - _log_beta(0.5, 0.5)
    limit = math.log(1 / alpha)

    def excluded(q: float) -> bool:
        seen = (count * math.log(q) if count else 0.0) + (
            (n - count) * math.log1p(-q) if n > count else 0.0
        )
        return mixture - seen >= limit

    low = 0.0 if count <= 0 else _boundary(excluded, 0.0, p)
    high = 1.0 if count >= n else _boundary(excluded, 1.0, p)
    return Estimate.from_interval(p, stderr, low, high, n)


def _log_beta(a: float, b: float) -> float:
    return lgamma(a) + lgamma(b) - lgamma(a + b)


def _boundary(excluded: object, outside: float, inside: float) -> float:
    """Bisection between a value that is excluded and one that is not."""
    assert callable(excluded)
    for _ in range(60):
        middle = (outside + inside) / 2
        if middle in (0.0, 1.0) or excluded(middle):
            outside = middle
        else:
            inside = middle
    return outside
