"""How often are intervals right? Repeated experiments on distributions that are known exactly.

An experiment draws a sample of n values, makes the interval, and looks whether it holds the true
mean. Samples are drawn as counts of each value (multinomial), so a hundred thousand experiments
take a second. Rates come with Wilson's interval of their own: a rate misses what it is held to only
if that interval leaves it out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from lama_odds.core.estimate import Estimate, exact
from lama_odds.statistics.equivalence import allowing_for_unmet, grouped_share, mean_of_blocks
from lama_odds.statistics.intervals import (
    anytime_mean,
    anytime_share,
    mean_of,
    mean_of_counts,
    ratio_of,
    share_of,
)
from lama_odds.statistics.race import next_check

FIXED = (0.945, 0.955)  # of an interval for one look
NOT_LESS = (0.945, 1.0)  # of what few values decide
RARE = 50  # values that count: with fewer, an interval rests on few
AT_LEAST = (0.95, 1.0)
AT_MOST = (0.0, 0.05)
ANY = (0.0, 1.0)  # shown, not held to anything
HOLDS, UNCLEAR, MISSES, SHOWN = "holds", "unclear", "misses", "–"


@dataclass(frozen=True)
class Rate:
    """How often something happened in a number of repeats.

    method: what was tried. what: coverage, false alarms. case: the situation. n: values in a
    sample, as text.
    aim: the rate should be between these. known: the rate itself, if it was computed.
    """

    method: str
    what: str
    case: str
    n: str
    count: float
    repeats: int
    aim: tuple[float, float]
    known: float | None = None

    @property
    def estimate(self) -> Estimate:
        """The rate, with its own 95 % interval."""
        return share_of(self.count, self.repeats) if self.known is None else exact(self.known)

    @property
    def verdict(self) -> str:
        """Whether the rate is within the aim.

        unclear: it is not, but it is within the rate's own error.
        """
        low, high = self.aim
        if self.aim == ANY:
            return SHOWN
        estimate = self.estimate
        if low <= estimate.value <= high:
            return HOLDS
        return MISSES if estimate.high < low or estimate.low > high else UNCLEAR


@dataclass(frozen=True)
class Truth:
    """A distribution: int64[k] values with their chances; unit: what one counts."""

    name: str
    values: np.ndarray
    chances: np.ndarray
    unit: float = 1.0

    @property
    def mean(self) -> float:
        """The true mean."""
        return self.unit * float(self.values @ self.chances) / float(self.chances.sum())

    def counts(self, rng: np.random.Generator, n: int, repeats: int) -> np.ndarray:
        """int64[repeats, k]: how often each value comes in a sample of n."""
        return rng.multinomial(n, self.chances / self.chances.sum(), size=repeats)

    def sums(self, rng: np.random.Generator, n: int, repeats: int) -> np.ndarray:
        """int64[repeats, 4]: sums, of squares, how many are not 0, of cubes, of samples of n."""
        values = self.values
        columns = np.stack([values, values**2, values != 0, values**3], axis=1)
        return self.counts(rng, n, repeats) @ columns.astype(np.int64)

    def added(self, size: int) -> Truth:
        """The distribution of the sum of `size` values."""
        low = int(self.values.min())
        dense = np.zeros(int(self.values.max()) - low + 1)
        np.add.at(dense, self.values - low, self.chances / self.chances.sum())
        total = dense
        for _ in range(size - 1):
            total = np.convolve(total, dense)
        support = np.flatnonzero(total > 1e-15)
        name = f"{self.name}, blocks of {size}"
        return Truth(name, support + size * low, total[support], self.unit)


def event(p: float, name: str = "") -> Truth:
    """Something that happens with this chance."""
    return Truth(name or f"an event of {100 * p:g} %", np.array([0, 1]), np.array([1 - p, p]))


def covers(interval: Estimate, true: float) -> bool:
    """Whether an interval holds a value, rounding apart."""
    slack = 1e-12 * max(1.0, abs(true))
    return interval.low - slack <= true <= interval.high + slack


def cover_means(truth: Truth, n: int, repeats: int, rng: np.random.Generator) -> Rate:
    """Coverage of the interval of a mean of n values; of counts if none is negative.

    The means of rare counts have few values: they are to be covered often enough.
    """
    counts = truth.values.min() >= 0
    interval = mean_of_counts if counts else mean_of
    held = sum(
        covers(interval(total, squares, n, truth.unit), truth.mean)
        for total, squares, *_ in truth.sums(rng, n, repeats).tolist()
    )
    expected = n * float(truth.chances @ (truth.values != 0)) / float(truth.chances.sum())
    aim = (NOT_LESS if expected < RARE else FIXED) if n >= 1_000 else ANY
    method = "mean of counts" if counts else "mean, normal"
    return Rate(method, "coverage", truth.name, f"{n}", held, repeats, aim)


def cover_ratios(
    case: str, pairs: np.ndarray, chances: np.ndarray, n: int, repeats: int, rng: Any
) -> Rate:
    """Coverage of the interval of a mean over values that come in groups.

    pairs: int64[k, 2], the sum of a group's values and their number, with the chances of each.
    """
    s, c = pairs.T
    columns = np.stack([s, s * s, s * c, c, c * c], axis=1)
    true, held = float(s @ chances) / float(c @ chances), 0
    for row in (rng.multinomial(n, chances, size=repeats) @ columns).tolist():
        held += covers(ratio_of(*row), true)
    aim = FIXED if n >= 1_000 else ANY
    return Rate("mean over decisions, ratio", "coverage", case, f"{n}", held, repeats, aim)


def cover_grouped(
    p: float, alike: float, groups: int, size: int, repeats: int, rng: np.random.Generator
) -> Rate:
    """Coverage of the interval of a share of values in groups of mean `size`, at least 2 each.

    The chance of a group's values is beta distributed with mean p, `alike` being their correlation.
    """
    held = 0
    a = p * (1 - alike) / alike
    for _ in range(repeats):
        counts = 2 + rng.poisson(size - 2, groups)
        hits = rng.binomial(counts, rng.beta(a, a * (1 - p) / p, groups))
        held += covers(grouped_share(hits, counts, 0.005).estimate, p)
    case = f"p = {p:g}, {alike:g} alike, {groups} groups of {size}"
    n, aim = f"{groups * size}", NOT_LESS
    return Rate("share in groups", "coverage", case, n, held, repeats, aim)


def cover_blocks(
    truth: Truth, n: int, size: int, repeats: int, rng: np.random.Generator, aim: Any = None
) -> Rate:
    """Coverage of the t interval of a paired difference, from n games in blocks of `size`.

    Where no block differs, a game is taken to change by the largest value at most.
    """
    held, samples = 0, n // size
    largest = truth.unit * float(np.abs(truth.values).max())
    for total, squares, differing, _ in truth.added(size).sums(rng, samples, repeats).tolist():
        estimate = mean_of_blocks(total, squares, samples, n, truth.unit, differing)
        estimate = allowing_for_unmet(estimate, largest)
        held += covers(estimate, truth.mean)
    aim = aim or (FIXED if n >= 1_000 else ANY)
    method = f"paired difference, t, blocks of {size}"
    return Rate(method, "coverage", truth.name, f"{n}", held, repeats, aim)


def share_coverage(n: int, p: float) -> float:
    """Coverage of Wilson's interval, added up over all counts."""
    from scipy.stats import binom

    held = [count for count in range(n + 1) if covers(share_of(count, n), p)]
    return float(binom.pmf(held, n, p).sum())


def cover_shares(p: float, n: int, repeats: int, rng: np.random.Generator) -> tuple[Rate, Rate]:
    """Coverage of Wilson's interval: added up, and in experiments, which must agree with it."""
    known = share_coverage(n, p)
    held = sum(covers(share_of(count, n), p) for count in rng.binomial(n, p, repeats).tolist())
    spread = 4 * (known * (1 - known) / repeats) ** 0.5 + 1e-9
    near = (known - spread, known + spread)
    case = f"p = {p:g}"
    return (
        Rate("share, Wilson", "coverage, added up", case, f"{n}", 0, 0, ANY, known),
        Rate("share, Wilson", "coverage, beside that", case, f"{n}", held, repeats, near),
    )


def mean_share_coverage(n: int, points: int = 400) -> Rate:
    """Coverage of Wilson's interval, on average over all p."""
    grid = (np.arange(points) + 0.5) / points
    known = float(np.mean([share_coverage(n, float(p)) for p in grid]))
    case = "mean over all p"
    return Rate("share, Wilson", "coverage, added up", case, f"{n}", 0, 0, FIXED, known)


def checkpoints(most: int) -> list[int]:
    """Return the checkpoints of a race, up to this many games."""
    looks = [next_check(0)]
    while (following := next_check(looks[-1])) <= most:
        looks.append(following)
    return looks


@lru_cache(1 << 20)
def _share_interval(count: int, n: int) -> tuple[float, float]:
    share = anytime_share(count, n)
    return share.low, share.high


def stay_in(truth: Truth, looks: Sequence[int], repeats: int, rng: np.random.Generator) -> Rate:
    """How often the anytime-valid interval of a mean holds the truth at every look."""
    held = np.ones(repeats, dtype=bool)
    sums = np.zeros((repeats, 4), dtype=np.int64)
    span = float(truth.values.max() - truth.values.min())
    for before, n in zip([0, *looks], looks, strict=False):
        sums += truth.sums(rng, n - before, repeats)
        for at in np.flatnonzero(held):
            total, squares = int(sums[at, 0]), int(sums[at, 1])
            estimate = anytime_mean(total, squares, n, truth.unit, span=span)
            held[at] = covers(estimate, truth.mean)
    return _never_left("mean, anytime", truth.name, looks, held, AT_LEAST)


def stay_in_shares(p: float, looks: Sequence[int], repeats: int, rng: np.random.Generator) -> Rate:
    """The same of the beta-binomial sequence for shares."""
    held = np.ones(repeats, dtype=bool)
    counts = np.zeros(repeats, dtype=np.int64)
    for before, n in zip([0, *looks], looks, strict=False):
        counts += rng.binomial(n - before, p, repeats)
        for at in np.flatnonzero(held):
            low, high = _share_interval(int(counts[at]), n)
            held[at] = low <= p <= high
    return _never_left("share, anytime", f"p = {p:g}", looks, held, AT_LEAST)


def _never_left(
    method: str, case: str, looks: Sequence[int], held: np.ndarray, aim: tuple[float, float]
) -> Rate:
    n = f"{looks[0]} to {looks[-1]}, {len(looks)} looks"
    return Rate(method, "never left", case, n, int(held.sum()), len(held), aim)
