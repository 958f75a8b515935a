"""95 % intervals of means and shares: at fixed samples, at any time, of pairs; Holm's step."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from lama_odds.core.elementary import lgamma, log, log1p, normal_quantile
from lama_odds.core.estimate import Estimate

# Correct p-values for several tests at once: Holm (1979, Scand. J. Statistics 6, 65-70).


def holm(p_values: Sequence[float]) -> list[float]:
    """Return the corrected p-values, in the order given.

    Reject whatever has a corrected value of at most alpha. The chance of any false rejection is
    then at most alpha, whatever the dependence between the tests.

    Of m values, the smallest is multiplied by m, the next by m − 1, and so on. None becomes smaller
    than one before it, and none exceeds 1.
    """
    corrected = [0.0] * len(p_values)
    so_far = 0.0
    in_order = sorted(range(len(p_values)), key=p_values.__getitem__)
    for before, at in enumerate(in_order):
        so_far = max(so_far, (len(p_values) - before) * float(p_values[at]))
        corrected[at] = min(1.0, so_far)
    return corrected


Z = normal_quantile(0.975)


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
    estimate = mean_of(total, squares, n, unit)
    if n * int(squares) == int(total) ** 2:
        count, unmet = total / n, share_of(0, n).high
        low = estimate.value - unit * unmet * max(0.0, count - least)
        high = estimate.value + unit * unmet * (max(most, 2 * count) - count)
        return replace(estimate, stderr=(high - low) / (2 * Z), low=low, high=high)
    worth = max(1.0, int(total) ** 2 / int(squares))
    half = Z * estimate.stderr * math.sqrt(1 + Z * Z * (1 / worth - 1 / n))
    return estimate.with_half(half)


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


# Anytime-valid intervals (confidence sequences): they stay valid when stopping is optional.
#
# - Means and paired differences use the asymptotic confidence sequence of Waudby-Smith, Arbour,
#   Sinha, Kennedy & Ramdas. It has a Gaussian mixture boundary (2024, "Time-uniform central limit
#   theory and asymptotic confidence sequences", Annals of Statistics 52, theorem 2.2).
# - For bounded values the variance is regularized by unseen values, so that no mean is ever
#   certain.
#   This follows the empirical Bernstein sequences of Waudby-Smith & Ramdas (2024, Journal of the
#   Royal Statistical Society B 86, 1-27).
# - Shares and other values between 0 and 1 use the beta-binomial mixture, valid for any n (Robbins
#   1970; Howard, Ramdas, McAuliffe & Sekhon 2021, Annals of Statistics 49, section 3).

ALPHA = 0.05
TUNED_FOR = 200_000  # games at which the boundary is tightest; it is valid at all others too
FEWEST = 1_000  # below this the central limit theorem is not trusted
UNMET = 2  # unseen values that the variance allows for


def half_width(variance: float, n: int, alpha: float = ALPHA, tuned: int | None = None) -> float:
    """Return the half-width for the mean of n values with this sample variance, valid at all n.

    tuned: where it is narrowest compared with that for a fixed n (None: at TUNED_FOR).
    """
    if n < FEWEST:
        return math.inf
    rho2 = (-2 * log(alpha) + log(1 - 2 * log(alpha))) / (tuned or TUNED_FOR)
    spread = n * rho2 + 1
    return math.sqrt(variance * 2 * spread / (n * n * rho2) * log(math.sqrt(spread) / alpha))


def anytime_mean(
    total: int,
    squares: int,
    n: int,
    unit: float = 1.0,
    alpha: float = ALPHA,
    span: float = 1.0,
    tuned: int | None = None,
) -> Estimate:
    """Return the mean of n values from exact integer sums, with an anytime-valid interval.

    unit: what one count is worth. span: the largest distance between two values, in counts. Rare
    values may be unseen so far. So the variance is inflated as if UNMET values, a whole span away,
    had been seen too. tuned: see `half_width`.
    """
    value = unit * total / n
    variance = variance_of(total, squares, n)
    half = unit * half_width(variance + UNMET * span * span / n, n, alpha, tuned)
    return Estimate.from_half(value, unit * math.sqrt(variance / n), half, n)


def at_fixed(
    estimate: Estimate, looks: int = 1, alpha: float = ALPHA, tuned: int | None = None
) -> Estimate:
    """Return a mean of `anytime_mean` with the narrower interval for a fixed number of games.

    The interval is normal, with the same variance (inflated for unseen values).

    looks: the number of checkpoints at which sampling may have stopped; they share the error rate
    (Bonferroni).
    alpha, tuned: those of `anytime_mean`; the error rate before sharing.
    """
    z = normal_quantile(1 - alpha / looks / 2)
    narrower = z / math.sqrt(estimate.n) / half_width(1.0, estimate.n, alpha, tuned)
    half = narrower * (estimate.high - estimate.low) / 2
    return estimate.with_half(half)


def anytime_share(count: float, n: int, alpha: float = ALPHA) -> Estimate:
    """Return the share of n games (count may include parts of a game) with the beta-binomial
    sequence.
    """
    p = count / n
    stderr = math.sqrt(max(0.0, p * (1 - p) / n))
    mixture = _log_beta(0.5 + count, 0.5 + n - count) - _log_beta(0.5, 0.5)
    limit = log(1 / alpha)

    def excluded(q: float) -> bool:
        seen = (count * log(q) if count else 0.0) + ((n - count) * log1p(-q) if n > count else 0.0)
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


# Several actions with common random numbers: means, paired differences, and the best action.
#
# The input is exact integers: for k actions, the sums of their payoffs and the sums of products
# over the same games, int64[k, k + 1]. Column 0 has the sums.


@dataclass(frozen=True)
class Moments:
    """Sums and products of the payoffs of k actions over n games.

    unit: what one count is worth.
    span: the largest distance between payoffs, and between differences within a game, in counts.
    parts: whether payoffs between 0 and 1 are chances that were looked up, not whole wins.
    tuned: of the intervals of differences, see `half_width`.
    dropped: of actions that were played in the first games only, the moments of those games.
    """

    sums: np.ndarray
    n: int
    unit: float = 1.0
    share: bool = False
    span: float = 1.0
    parts: bool = False
    tuned: int | None = None
    dropped: Mapping[int, Moments] = field(default_factory=dict)

    def of_all(self, *actions: int) -> Moments:
        """Return the moments of the games in which these actions were all played."""
        dropped = [self.dropped[action] for action in actions if action in self.dropped]
        return min(dropped, key=lambda moments: moments.n, default=self)

    @property
    def totals(self) -> list[float]:
        """What each action comes to; one that was dropped is as far from the others as then."""
        totals: list[float] = self.sums[:, 0].tolist()
        still = next((a for a in range(len(totals)) if a not in self.dropped), 0)
        for action, then in self.dropped.items():
            behind = int(then.sums[action, 0]) - int(then.sums[still, 0])
            totals[action] = totals[still] + self.n / then.n * behind
        return totals

    def mean(self, action: int) -> Estimate:
        """Return the mean payoff of an action, with an anytime-valid interval.

        A share (payoffs between 0 and 1) has the interval for shares. Chances that were looked up
        vary far less than whole wins, for which that interval is made. They have the interval of a
        mean, cut at 0 and 1. The choice depends on how payoffs are made, never on the results.
        """
        if action in self.dropped:
            return self.dropped[action].mean(action)
        total = int(self.sums[action, 0])
        squares = int(self.sums[action, action + 1])
        mean = anytime_mean(total, squares, self.n, self.unit, span=self.span)
        if not self.share:
            return mean
        # A certain win is 1, whatever rounding makes of its many parts.
        value = min(mean.value, 1.0)
        if self.parts:
            low, high = max(0.0, mean.low), min(1.0, mean.high)
        else:
            wide = anytime_share(total * self.unit, self.n)
            low, high = wide.low, wide.high
        return Estimate.from_interval(value, mean.stderr, low, high, self.n)

    def difference(self, first: int, second: int, alpha: float = ALPHA) -> Estimate:
        """Return the mean of (payoff of first − payoff of second), game by game.

        Exactly 0 for one action.
        """
        if first == second:
            return Estimate.from_half(0.0, 0.0, 0.0, self.n)
        common = self.of_all(first, second)
        sums = common.sums
        total = int(sums[first, 0]) - int(sums[second, 0])
        squares = (
            int(sums[first, first + 1])
            + int(sums[second, second + 1])
            - 2 * int(sums[first, second + 1])
        )
        return anytime_mean(total, squares, common.n, self.unit, alpha, self.span, self.tuned)

    def best(self, lowest: bool) -> int:
        """Return the action with the best mean that was not dropped; the first one of equals."""
        totals = self.totals
        still = [action for action in range(len(totals)) if action not in self.dropped]
        return (min if lowest else max)(still, key=lambda action: totals[action])
