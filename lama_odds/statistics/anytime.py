"""Anytime-valid intervals (confidence sequences): they stay valid when stopping is optional.

- Means and paired differences use the asymptotic confidence sequence of Waudby-Smith, Arbour,
  Sinha, Kennedy & Ramdas. It has a Gaussian mixture boundary (2024, "Time-uniform central limit
  theory and asymptotic confidence sequences", Annals of Statistics 52, theorem 2.2).
- For bounded values the variance is regularized by unseen values, so that no mean is ever certain.
  This follows the empirical Bernstein sequences of Waudby-Smith & Ramdas (2024, Journal of the
  Royal Statistical Society B 86, 1-27).
- Shares and other values between 0 and 1 use the beta-binomial mixture, valid for any n (Robbins
  1970; Howard, Ramdas, McAuliffe & Sekhon 2021, Annals of Statistics 49, section 3).
"""

from __future__ import annotations

import math
from math import lgamma
from statistics import NormalDist

from lama_odds.core.estimate import Estimate
from lama_odds.statistics.intervals import variance_of

ALPHA = 0.05
TUNED_FOR = 200_000  # games at which the boundary is tightest; it is valid at all others too
FEWEST = 1_000  # below this the central limit theorem is not trusted
UNMET = 2  # unseen values that the variance allows for


def half_width(variance: float, n: int, alpha: float = ALPHA) -> float:
    """Return the half-width for the mean of n values with this sample variance, valid at all n."""
    if n < FEWEST:
        return math.inf
    rho2 = (-2 * math.log(alpha) + math.log(1 - 2 * math.log(alpha))) / TUNED_FOR
    spread = n * rho2 + 1
    return math.sqrt(variance * 2 * spread / (n * n * rho2) * math.log(math.sqrt(spread) / alpha))


def anytime_mean(
    total: int, squares: int, n: int, unit: float = 1.0, alpha: float = ALPHA, span: float = 1.0
) -> Estimate:
    """Return the mean of n values from exact integer sums, with an anytime-valid interval.

    unit: what one count is worth. span: the largest distance between two values, in counts. Rare
    values may be unseen so far. So the variance is inflated as if UNMET values, a whole span away,
    had been seen too.
    """
    value = unit * total / n
    variance = variance_of(total, squares, n)
    half = unit * half_width(variance + UNMET * span * span / n, n, alpha)
    return Estimate.from_half(value, unit * math.sqrt(variance / n), half, n)


def at_fixed(found: Estimate, looks: int = 1, alpha: float = ALPHA) -> Estimate:
    """Return a mean of `anytime_mean` with the narrower interval for a fixed number of games.

    The interval is normal, with the same variance (inflated for unseen values).

    looks: the number of checkpoints at which sampling may have stopped; they share the error rate
    (Bonferroni).
    alpha: the error rate of `anytime_mean`, before sharing.
    """
    z = NormalDist().inv_cdf(1 - alpha / looks / 2)
    narrower = z / math.sqrt(found.n) / half_width(1.0, found.n, alpha)
    half = narrower * (found.high - found.low) / 2
    return found.with_half(half)


def anytime_share(count: float, n: int, alpha: float = ALPHA) -> Estimate:
    """Return the share of n games (count may include parts of a game) with the beta-binomial
    sequence.
    """
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
    """Bisect between a value that is excluded and one that is not."""
    assert callable(excluded)
    for _ in range(60):
        middle = (outside + inside) / 2
        if middle in (0.0, 1.0) or excluded(middle):
            outside = middle
        else:
            inside = middle
    return outside
