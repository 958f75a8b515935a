"""Is a mean difference certain, is it negligible, or is that open? With Holm's correction.

Difference from 0: a two-sided t test. Negligible: two one-sided t tests at ±δ (Schuirmann 1987,
Journal of Pharmacokinetics and Biopharmaceutics 15, 657-680). Both families of tests are
corrected by Holm (1979, Scandinavian Journal of Statistics 6, 65-70), each keeping its error
rate over all differences that are judged together.

Where few samples differ at all, the variance is not known yet, and a t test says too much. The
samples that differ are then the sample that counts: they give the degrees of freedom, and the
error is widened as if 2 z² more differed, as far as others do not (z² alone is about the score
interval for a rare event of one size; sizes that were not met yet take the rest). On few samples
nothing is said to differ. What no sample showed may come yet: it is bounded by how often it can
have been missed, times the most that a game can change. Skewness takes from one tail of a
two-sided test what it gives to the other, about; in one-sided tests the t statistic is transformed
as by Hall (1992, Journal of the Royal Statistical Society B 54, 221-228), which takes the skewness
out of it and, unlike the correction of Johnson (1978, JASA 73, 536-544), keeps the order. See
docs/explanation/intervals.md.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from statistics import NormalDist
from typing import Protocol

from lama_odds.core.estimate import Estimate
from lama_odds.statistics.intervals import Z, share_of, variance_of

ALPHA = 0.05
FEW_DIFFER = 50  # samples: on so few, the sizes of differences are not known well enough
POWER = 0.8  # with which the games said to be missing would settle it
TOO_FEW = 10  # samples: on fewer that differ, nothing is said about how many games are missing
MOST_GAMES = 1e12  # nor are more than these said to be
NEAR = 0.01  # so exactly, relative
LEAST_VARIANCE = 0.25  # of what was found, when a mean that is less by luck takes it down too
DIFFERS, SAME, UNDECIDED = "differs", "same", "undecided"


@dataclass(frozen=True)
class Difference:
    """A mean difference with its δ. samples: paired samples that the error comes from.

    differing: how many of them differ at all (None: all). largest: what a game can change at most
    (None: not known, so that what no sample showed cannot be called negligible). skewness: of the
    samples. An exact estimate is taken as it is.
    """

    estimate: Estimate
    samples: int
    delta: float
    differing: int | None = None
    largest: float | None = None
    skewness: float = 0.0

    @property
    def p(self) -> float:
        """Of no difference."""
        return p_of_difference(self)

    @property
    def p_same(self) -> float:
        """Of a difference of δ or more."""
        return p_of_equivalence(self)

    def missing(self, alpha: float) -> int | None:
        """Games more that would settle it at this level, see `games_missing`."""
        return games_missing(self, alpha)

    @property
    def freedom(self) -> int:
        """Degrees of freedom of its error."""
        return freedom(self.differing, self.samples)

    @property
    def stderr(self) -> float:
        """The standard error, wider where few samples differ."""
        return self.estimate.stderr * widening(self.differing, self.samples)

    @property
    def stderr_at_delta(self) -> float:
        """The same if the difference were δ: not less than events of the size met would give.

        Events of mean square m that make up δ of a game vary by δ √m / n (the score test of a
        rate); without this, few events by luck would seem to vary too little.
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
        """Where no sample varies: the part of all games that must be otherwise to make it ±δ.

        0 if it is that already; 1 or more if not even all games could; None if it is not known.
        """
        size = abs(self.estimate.value)
        if self.estimate.method == "exact":
            return float(size == 0 or size < self.delta)
        if size >= self.delta:
            return 0.0
        if self.largest is None:
            return None
        # Games of the size met do not help: they are at least as large as that.
        return (self.delta - size) / max(self.largest - size, self.delta - size)


@lru_cache(1 << 12)
def half_in_errors(freedom: int) -> float:
    """Half-width of a 95 % t interval in standard errors."""
    from scipy.stats import t

    return float(t.isf(ALPHA / 2, freedom))


def freedom(differing: int | None, samples: int) -> int:
    """Degrees of freedom: of the samples that differ, where some do (None: all)."""
    return max(1, (differing or samples) - 1)


def widening(differing: int | None, samples: int) -> float:
    """By what the error grows where so many samples differ: 1 if all (or none) do."""
    if not differing:
        return 1.0
    return math.sqrt(1 + 2 * Z * Z * (1 / differing - 1 / samples))


def skewness_of(total: int, squares: int, cubes: int, samples: int) -> float:
    """Skewness of samples from exact sums of them, their squares and cubes; 0 if none vary."""
    spread = samples * squares - total**2  # samples² times the variance
    if spread <= 0:
        return 0.0
    third = samples**2 * cubes - 3 * samples * total * squares + 2 * total**3
    return float(third / spread**1.5)


def without_skewness(error: float, skewness: float, samples: int) -> float:
    """Hall's transform of a t statistic; error: the statistic itself, in standard errors.

    With u = error / √n and the skewness g: √n (u + g u² / 3 + g² u³ / 27 + g / (6 n)).
    """
    root = math.sqrt(samples)
    u, g = error / root, skewness
    return root * (u + g * u * u / 3 + g * g * u**3 / 27 + g / (6 * samples))


def rests_on_few(differing: int | None, samples: int) -> bool:
    """Whether a difference comes from few samples, while most do not differ."""
    return differing is not None and 0 < differing <= FEW_DIFFER and 2 * differing < samples


@dataclass(frozen=True)
class Judged:
    """A verdict. p, p_same: corrected, of no difference and of one of δ or more.

    more: about how many more games would settle it; None if it is settled, or if none would.
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
    """Mean of a game from sums over equal blocks of games, with its t interval.

    total, squares: sums (exact integers) of the blocks' sums and of their squares; samples:
    number of blocks; games: in all blocks together; unit: what one counts; differing: blocks
    that are not 0, for the interval of a difference, see `widening` (None: all).
    """
    value = unit * total / games
    stderr = abs(unit) * math.sqrt(samples * variance_of(total, squares, samples)) / games
    half = half_in_errors(freedom(differing, samples)) * stderr * widening(differing, samples)
    return Estimate.from_half(value, stderr, half, games)


def allowing_for_unmet(found: Estimate, largest: float) -> Estimate:
    """An estimate with an interval, if no sample varies; largest: what a game can change at most.

    Wilson's for what has not come in so many games, each of which could change by that.
    """
    if found.stderr > 0 or found.method == "exact":
        return found
    half = (largest + abs(found.value)) * share_of(0, found.n).high
    return found.with_half(half)


def p_of_difference(difference: Difference) -> float:
    """Two-sided p of the t test for no difference. What never varies: 1 if it is 0, else 0.

    1 as well if it rests on few samples.
    """
    from scipy.special import stdtr

    found = difference.estimate
    if difference.rare:
        return 1.0
    if found.stderr == 0:
        return float(found.value == 0)
    return float(2 * stdtr(difference.freedom, -abs(found.value) / difference.stderr))


def p_of_equivalence(difference: Difference) -> float:
    """Larger p of the one-sided t tests for a difference of at least δ, and of at most −δ.

    Where no sample varies: the chance to have met none of the games that a difference of δ takes,
    1 if the largest change of a game is not known.
    """
    from scipy.special import stdtr

    found, delta, error = difference.estimate, difference.delta, difference.stderr_at_delta
    if found.stderr == 0:
        part = difference.unmet
        return 1.0 if part is None else float((1 - part) ** max(1, found.n))
    below, above = (
        without_skewness((found.value - limit) / error, difference.skewness, difference.samples)
        for limit in (delta, -delta)
    )
    return float(stdtr(difference.freedom, max(below, -above)))


class Tested(Protocol):
    """What is judged: p of no difference, p_same of one of δ or more."""

    @property
    def p(self) -> float:
        """Of no difference."""

    @property
    def p_same(self) -> float:
        """Of a difference of δ or more."""

    def missing(self, alpha: float) -> int | None:
        """Games more that would settle it at this level."""


def judge(differences: Sequence[Tested], alpha: float = ALPHA) -> list[Judged]:
    """A verdict on each difference, all of them judged together.

    ``same``: within ±δ (then a small difference may be certain too: p tells). ``differs``: from
    0, and not known to be within ±δ. Over all differences the chance of any false ``differs`` is
    at most alpha, and so is that of any false ``same``.
    """
    from statsmodels.stats.multitest import multipletests

    if not differences:
        return []
    p = multipletests([d.p for d in differences], alpha, "holm")[1]
    p_same = multipletests([d.p_same for d in differences], alpha, "holm")[1]
    judged = []
    for difference, differs, same in zip(differences, p.tolist(), p_same.tolist(), strict=True):
        if same <= alpha:
            judged.append(Judged(SAME, differs, same))
        elif differs <= alpha:
            judged.append(Judged(DIFFERS, differs, same))
        else:
            more = difference.missing(alpha / len(differences))
            judged.append(Judged(UNDECIDED, differs, same, more))
    return judged


def games_missing(difference: Difference, alpha: float) -> int | None:
    """Games more that would settle a difference at level alpha, were it just as it looks.

    With a chance of about POWER, by the same tests. At least a block of games; None if none
    would, or if too few samples differ to tell.
    """
    found = difference.estimate
    if found.stderr == 0:
        part = difference.unmet
        if not part or part >= 1:
            return None
        factor = math.log(alpha) / math.log1p(-part) / found.n
    elif difference.differing is not None and difference.differing < TOO_FEW:
        return None
    else:
        factor = _factor(difference, alpha)
    if found.n * factor > MOST_GAMES:
        return None
    block = max(1, found.n // difference.samples)
    return block * math.ceil(found.n * max(factor - 1, NEAR) / block)


def _factor(difference: Difference, alpha: float) -> float:
    """By how much more games would settle it; infinite if that is beyond MOST_GAMES."""
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
    """Whether so many times as many games like those met settle it with a chance of POWER."""
    found, normal = difference.estimate, NormalDist()
    error = found.stderr / math.sqrt(factor)
    samples = round(factor * difference.samples)
    met = None if difference.differing is None else factor * difference.differing
    size = abs(found.value)
    skewness = math.copysign(1, found.value) * difference.skewness

    def moved(spare: float) -> Difference:
        """With a mean so many errors higher; the variance goes with it, as far as it is skewed."""
        variance = max(1 + spare * skewness / math.sqrt(samples), LEAST_VARIANCE)
        estimate = replace(
            found,
            value=size + spare * error,
            stderr=error * math.sqrt(variance),
            n=round(factor * found.n),
        )
        differing = None if met is None else round(met)
        return replace(
            difference, estimate=estimate, samples=samples, differing=differing, skewness=skewness
        )

    spare = normal.inv_cdf(POWER)
    surely = None if met is None else round(met - spare * math.sqrt(met))
    if (
        size > spare * error
        and not rests_on_few(surely, samples)
        and p_of_difference(moved(-spare)) <= alpha
    ):
        return True
    # To be within ±δ it must keep from both.
    spare = normal.inv_cdf((1 + POWER) / 2)
    return max(p_of_equivalence(moved(side * spare)) for side in (1, -1)) <= alpha
