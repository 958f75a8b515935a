"""Judge mean differences with Holm's correction: different, equivalent or undecided.

A two-sided t test compares the difference with 0. Two one-sided t tests at ±δ test for equivalence
(Schuirmann 1987, Journal of Pharmacokinetics and Biopharmaceutics 15, 657-680). Each family of
tests is corrected by Holm's method, over all differences that are judged together.

If few samples differ at all, the variance is not known yet, and a t test would claim too much:

- The samples that differ give the degrees of freedom.
- The error is widened as if 2 z² more samples differed, if there are that many others. Half of
  that, z², gives about the score interval for a rare event of one size; the rest allows for unseen
  sizes.
- With very few samples no difference is claimed.
- An unseen change may still come. The bound is how often it can have been missed, times the most
  that a game can change.

Skewness moves error from one tail of a two-sided test to the other. For one-sided tests the t
statistic is transformed by the method of Hall (1992, Journal of the Royal Statistical Society B 54,
221-228). It removes the skewness and keeps the order, which the correction of Johnson (1978, JASA
73, 536-544) does not. See docs/explanation/intervals.md.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Protocol

import numpy as np

from lama_odds.core.elementary import normal_cdf, normal_quantile
from lama_odds.core.estimate import Estimate
from lama_odds.statistics.intervals import Z, holm, ratio_of, share_of, variance_of, wilson

ALPHA = 0.05
FEW_DIFFER = 50  # samples: with fewer, the sizes of differences are not known well enough
POWER = 0.8  # with which the missing games would settle it
TOO_FEW = 10  # samples that differ: with fewer, no number of missing games is given
MOST_GAMES = 1e12  # the largest number of missing games that is given
NEAR = 0.01  # relative precision of that number
LEAST_VARIANCE = 0.25  # of the variance found, because a smaller mean also has a smaller variance
DIFFERS, SAME, UNDECIDED = "differs", "same", "undecided"


@dataclass(frozen=True)
class Difference:
    """A mean difference with its equivalence margin δ.

    samples: number of paired samples behind the error.
    differing: how many of them differ at all (None: all).
    largest: the most that a game can change; None if it is not known, and then unseen changes
    cannot be called negligible.
    skewness: of the samples. fixed: the part of the error that more games do not reduce.

    An exact estimate is used without a test.
    """

    estimate: Estimate
    samples: int
    delta: float
    differing: int | None = None
    largest: float | None = None
    skewness: float = 0.0
    fixed: float = 0.0

    @property
    def p(self) -> float:
        """The p-value of no difference."""
        return p_of_difference(self)

    @property
    def p_same(self) -> float:
        """The p-value of a difference of δ or more."""
        return p_of_equivalence(self)

    def missing(self, alpha: float) -> int | None:
        """Return how many more games would settle it at this level, see `games_missing`."""
        return games_missing(self, alpha)

    @property
    def freedom(self) -> int:
        """The degrees of freedom of its error."""
        return freedom(self.differing, self.samples)

    @property
    def stderr(self) -> float:
        """The standard error, wider if few samples differ."""
        return self.estimate.stderr * widening(self.differing, self.samples)

    @property
    def stderr_at_delta(self) -> float:
        """The standard error if the difference were δ: at least what such events give.

        If events of mean square m make up δ per game, the error is δ √m / n (the score test of a
        rate). Without this bound, a few events that are equal by chance would seem to vary too
        little.
        """
        if not self.differing:
            return self.stderr
        at_delta = self.delta * self.estimate.stderr / math.sqrt(self.differing)
        return max(self.stderr, math.sqrt(at_delta))

    @property
    def rare(self) -> bool:
        """Whether it rests on few samples."""
        return rests_on_few(self.differing, self.samples)

    @property
    def unmet(self) -> float | None:
        """If no sample varies: the share of games that must change to make the difference ±δ.

        0 if it is ±δ already; 1 or more if not even all games could; None if it is not known.
        """
        size = abs(self.estimate.value)
        if self.estimate.method == "exact":
            return float(size == 0 or size < self.delta)
        if size >= self.delta:
            return 0.0
        if self.largest is None:
            return None
        # Games of the observed size do not help: they are at least as large as that.
        return (self.delta - size) / max(self.largest - size, self.delta - size)


@lru_cache(1 << 12)
def half_in_errors(freedom: int) -> float:
    """Return the half-width of a 95 % t interval, in standard errors."""
    from scipy.stats import t

    return float(t.isf(ALPHA / 2, freedom))


def freedom(differing: int | None, samples: int) -> int:
    """Return the degrees of freedom: of the samples that differ, if some do (None: all)."""
    return max(1, (differing or samples) - 1)


def widening(differing: int | None, samples: int) -> float:
    """Return the factor on the error if this many samples differ: 1 if all (or none) do."""
    if not differing:
        return 1.0
    return math.sqrt(1 + 2 * Z * Z * (1 / differing - 1 / samples))


def skewness_of(total: int, squares: int, cubes: int, samples: int) -> float:
    """Return the skewness from exact sums of samples, squares and cubes; 0 if none vary."""
    spread = samples * squares - total**2  # samples² times the variance
    if spread <= 0:
        return 0.0
    third = samples**2 * cubes - 3 * samples * total * squares + 2 * total**3
    return float(third / spread**1.5)


def without_skewness(error: float, skewness: float, samples: int) -> float:
    """Return Hall's transform of a t statistic; error: the statistic itself, in standard errors.

    With u = error / √n and the skewness g: √n (u + g u² / 3 + g² u³ / 27 + g / (6 n)).
    """
    root = math.sqrt(samples)
    u, g = error / root, skewness
    return root * (u + g * u * u / 3 + g * g * u**3 / 27 + g / (6 * samples))


def rests_on_few(differing: int | None, samples: int) -> bool:
    """Return whether a difference comes from few samples while most do not differ."""
    return differing is not None and 0 < differing <= FEW_DIFFER and 2 * differing < samples


@dataclass(frozen=True)
class Judged:
    """A verdict. p, p_same: corrected p-values, of no difference and of one of δ or more.

    more: about how many more games would settle it. It is None if it is settled, or if no number
    would.
    """

    verdict: str
    p: float
    p_same: float
    more: int | None = None


def mean_of_blocks(
    total: int,
    squares: int,
    samples: int,
    games: int,
    unit: float = 1.0,
    differing: int | None = None,
) -> Estimate:
    """Return the mean per game from sums over equal blocks of games, with its t interval.

    total, squares: exact integer sums of the blocks' sums, and of their squares.
    samples: number of blocks. games: number of games in all blocks together.
    unit: what one count is worth.
    differing: blocks that are not 0, for the interval of a difference, see `widening` (None: all).
    """
    value = unit * total / games
    stderr = abs(unit) * math.sqrt(samples * variance_of(total, squares, samples)) / games
    half = half_in_errors(freedom(differing, samples)) * stderr * widening(differing, samples)
    return Estimate.from_half(value, stderr, half, games)


def allowing_for_unmet(estimate: Estimate, largest: float) -> Estimate:
    """Return an estimate with an interval even if no sample varies.

    largest: the most that a game can change. Each game could have an unseen change of that size;
    Wilson's interval for 0 of n games bounds how often.
    """
    if estimate.stderr > 0 or estimate.method == "exact":
        return estimate
    half = (largest + abs(estimate.value)) * share_of(0, estimate.n).high
    return estimate.with_half(half)


def p_of_difference(difference: Difference) -> float:
    """Return the two-sided p-value of the t test for no difference.

    A difference that never varies has 1 if it is 0, otherwise 0. One that rests on few samples has
    1.
    """
    from scipy.special import stdtr

    estimate = difference.estimate
    if difference.rare:
        return 1.0
    if estimate.stderr == 0:
        return float(estimate.value == 0)
    return float(2 * stdtr(difference.freedom, -abs(estimate.value) / difference.stderr))


def p_of_equivalence(difference: Difference) -> float:
    """Return the larger p-value of the one-sided t tests for differences of at least ±δ.

    If no sample varies, it is the chance of missing all games that a difference of δ needs. It is 1
    if the largest change of a game is not known.
    """
    from scipy.special import stdtr

    estimate, delta, error = difference.estimate, difference.delta, difference.stderr_at_delta
    if estimate.stderr == 0:
        part = difference.unmet
        return 1.0 if part is None else float((1 - part) ** max(1, estimate.n))
    below, above = (
        without_skewness((estimate.value - limit) / error, difference.skewness, difference.samples)
        for limit in (delta, -delta)
    )
    return float(stdtr(difference.freedom, max(below, -above)))


class Tested(Protocol):
    """What `judge` needs: p-values of no difference, and of a difference of δ or more."""

    @property
    def p(self) -> float:
        """The p-value of no difference."""

    @property
    def p_same(self) -> float:
        """The p-value of a difference of δ or more."""

    def missing(self, alpha: float) -> int | None:
        """Return how many more games would settle it at this level."""


def judge(differences: Sequence[Tested], alpha: float = ALPHA) -> list[Judged]:
    """Return a verdict on each difference, all of them judged together.

    ``same``: within ±δ; a small difference may be certain too, which p shows. ``differs``: not 0,
    and not known to be within ±δ. Over all differences, the chance of any false ``differs`` is at
    most alpha, and so is that of any false ``same``.
    """
    p, p_same = holm([d.p for d in differences]), holm([d.p_same for d in differences])
    judged = []
    for difference, differs, same in zip(differences, p, p_same, strict=True):
        if same <= alpha:
            judged.append(Judged(SAME, differs, same))
        elif differs <= alpha:
            judged.append(Judged(DIFFERS, differs, same))
        else:
            more = difference.missing(alpha / len(differences))
            judged.append(Judged(UNDECIDED, differs, same, more))
    return judged


def games_missing(difference: Difference, alpha: float) -> int | None:
    """Return how many more games would settle a difference at level alpha, if it is as it looks.

    They would do so with a chance of about POWER, by the same tests. The number is at least a
    block. It is None if no number would settle it, or if too few samples differ to judge.
    """
    estimate = difference.estimate
    if estimate.stderr == 0:
        part = difference.unmet
        if not part or part >= 1:
            return None
        factor = math.log(alpha) / math.log1p(-part) / estimate.n
    elif difference.differing is not None and difference.differing < TOO_FEW:
        return None
    else:
        factor = _factor(difference, alpha)
    if estimate.n * factor > MOST_GAMES:
        return None
    block = max(1, estimate.n // difference.samples)
    return block * math.ceil(estimate.n * max(factor - 1, NEAR) / block)


def _factor(difference: Difference, alpha: float) -> float:
    """Return the factor on the games that settles it; infinite if that is beyond MOST_GAMES."""
    low, high = 1.0, 2.0
    while not _settles(difference, high, alpha):
        low, high = high, 2 * high
        if difference.estimate.n * low > MOST_GAMES:
            return math.inf
    while high - low > NEAR * (low - 1 + NEAR):
        middle = (low + high) / 2
        low, high = (low, middle) if _settles(difference, middle, alpha) else (middle, high)
    return high


def _settles(difference: Difference, factor: float, alpha: float) -> bool:
    """Return whether `factor` times as many games like these settle it with a chance of POWER."""
    observed = difference.estimate
    sampled = math.sqrt(max(0.0, observed.stderr**2 - difference.fixed**2))
    error = math.hypot(sampled / math.sqrt(factor), difference.fixed)
    samples = round(factor * difference.samples)
    expected = None if difference.differing is None else factor * difference.differing
    size = abs(observed.value)
    skewness = math.copysign(1, observed.value) * difference.skewness

    def moved(spare: float) -> Difference:
        """Return the difference with a mean `spare` errors higher.

        Skewed variance grows with it.
        """
        variance = max(1 + spare * skewness / math.sqrt(samples), LEAST_VARIANCE)
        estimate = replace(
            observed,
            value=size + spare * error,
            stderr=error * math.sqrt(variance),
            n=round(factor * observed.n),
        )
        differing = None if expected is None else round(expected)
        return replace(
            difference, estimate=estimate, samples=samples, differing=differing, skewness=skewness
        )

    spare = normal_quantile(POWER)
    surely = None if expected is None else round(expected - spare * math.sqrt(expected))
    if (
        size > spare * error
        and not rests_on_few(surely, samples)
        and p_of_difference(moved(-spare)) <= alpha
    ):
        return True
    # To be within ±δ it must keep away from both bounds.
    spare = normal_quantile((1 + POWER) / 2)
    return max(p_of_equivalence(moved(side * spare)) for side in (1, -1)) <= alpha


# Estimate a share of values that come in groups, such as decisions in games.
#
# The error is that of a ratio of two means over groups, so values of a group need not be
# independent. The interval is Wilson's, with the effective number of values (Korn & Graubard 1998,
# Survey Methodology 24, 193-201).
#
# The error is wider if few groups have values that count, as in `equivalence`. With very few such
# groups, their values come in clumps of the observed size, and twice that size is allowed for. With
# none, clumps of a tenth of a group are allowed for.

FEW = 10  # groups: with fewer, the spread between groups is not known
# With few groups, clumps may be CLUMPS times as large as those observed. If none was observed, one
# value or TENTH of a group, whichever is more, takes their place.
CLUMPS = 2
TENTH = 0.1


@dataclass(frozen=True)
class GroupedShare:
    """A share with its equivalence margin δ; `judge` decides whether it is 0, below δ or above.

    estimate: the share; n is the number of values.
    found: values that count, in `met` groups.
    worth: effective number of independent values.
    """

    estimate: Estimate
    found: int
    met: int
    worth: float
    delta: float

    @property
    def p(self) -> float:
        """The p-value of a share of 0: a single value refutes it."""
        return 0.0 if self.found else 1.0

    @property
    def p_same(self) -> float:
        """The p-value of a share of δ or more: a score test, or the chance to miss all values."""
        if not 0 < self.delta < 1:
            return float(self.delta < 1)
        if not self.found:
            return float((1 - self.delta) ** self.worth)
        error = math.sqrt(self.delta * (1 - self.delta) / self.worth)
        return normal_cdf((self.estimate.value - self.delta) / error)

    def missing(self, alpha: float) -> int | None:
        """Return None: the number of games alone does not decide how many decisions there are."""
        return None


def grouped_share(hits: np.ndarray, counts: np.ndarray, delta: float) -> GroupedShare:
    """Return the share of values that count, from the counts of each group.

    hits, counts: int64[groups], values that count and all values. delta: the equivalence margin.
    Raises ValueError if there are no values.
    """
    if not counts.sum():
        raise ValueError("no decisions: nothing to estimate")
    sums = [int(np.sum(x)) for x in (hits, hits**2, hits * counts, counts, counts**2)]
    share = ratio_of(*sums)
    with_hits = int(np.count_nonzero(hits))
    # Groups of unequal size are worth fewer equal ones, by the formula of Kish (1965).
    groups = sums[3] ** 2 / sums[4]
    p, n = share.value, sums[3]
    z = half_in_errors(freedom(None, len(counts)))
    if with_hits >= FEW and share.stderr > 0:
        error = share.stderr * widening(with_hits, len(counts))
        worth = max(groups, p * (1 - p) / error**2)
        z = half_in_errors(freedom(with_hits, len(counts)))
    elif with_hits:
        worth = max(groups, n * sums[0] / (CLUMPS * sums[1]))
    else:
        worth = max(groups, n / max(CLUMPS, TENTH * n / groups))
    low, high = wilson(p, worth, z)
    interval = share.with_interval(min(p, low), max(p, high))
    return GroupedShare(interval, sums[0], with_hits, worth, delta)
