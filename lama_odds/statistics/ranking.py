"""Rank several quantities from paired samples: simultaneous intervals and possible ranks.

The samples are sums over blocks of games; all quantities are counted on the same games. Intervals
of a family are simultaneous (95 % family-wise). Each has the level of Šidák (1967, Journal of the
American Statistical Association 62, 626-633), which is valid for any dependence of normal means.

Two quantities are separated if the interval of their difference excludes 0. Ranks claim no more
than the separations do (Mogstad, Romano, Shaikh & Wilhelm 2024, Review of Economic Studies 91,
476-518). So all ranks are right with a chance of 95 %.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from lama_odds.core.estimate import Estimate
from lama_odds.statistics.equivalence import ALPHA, POWER, mean_of_blocks
from lama_odds.statistics.intervals import wilson

FEW = 10  # wins (or losses): with fewer, the spread of a share is not known yet


@dataclass(frozen=True)
class Blocks:
    """Sums over blocks of games of several quantities.

    sums: int64[q, q + 1]; column 0 has the totals, the others the sums of products of the blocks'
    sums.
    games: number of games in all blocks together.
    samples: number of blocks, all of the same size.
    """

    sums: np.ndarray
    games: int
    samples: int

    def mean(self, quantity: int, unit: float) -> Estimate:
        """Return the mean per game, with its standard error and the interval for it alone."""
        total, squares = int(self.sums[quantity, 0]), int(self.sums[quantity, quantity + 1])
        return mean_of_blocks(total, squares, self.samples, self.games, unit)

    def difference(self, first: int, second: int, unit: float) -> Estimate:
        """Return the mean of first − second, game by game."""
        total = int(self.sums[first, 0]) - int(self.sums[second, 0])
        squares = (
            int(self.sums[first, first + 1])
            + int(self.sums[second, second + 1])
            - 2 * int(self.sums[first, second + 1])
        )
        return mean_of_blocks(total, squares, self.samples, self.games, unit)


@lru_cache
def level(comparisons: int, alpha: float = ALPHA) -> float:
    """Return the error rate of each of several intervals; alpha: of all together."""
    return -math.expm1(math.log1p(-alpha) / comparisons)


@lru_cache
def critical_value(comparisons: int, samples: int | None = None) -> float:
    """Return the half-width of simultaneous intervals, in standard errors.

    Samples None: very many.
    """
    from scipy.stats import norm, t

    tail = level(comparisons) / 2
    return float(norm.isf(tail) if samples is None else t.isf(tail, samples - 1))


def simultaneous_mean(found: Estimate, comparisons: int, samples: int) -> Estimate:
    """Return a mean with a simultaneous interval, one of `comparisons`.

    If no sample varied, the error is z² / n: about Wilson's interval for a share of 0 in n games.
    """
    z = critical_value(comparisons, samples)
    half = z * found.stderr if found.stderr else z * z / found.n
    return found.with_half(half)


def simultaneous_share(found: Estimate, comparisons: int, samples: int) -> Estimate:
    """Return a share with a simultaneous interval: Wilson's, with the effective number of games.

    A mean share p of standard error s is worth p (1 − p) / s² independent games (Korn & Graubard
    1998, Survey Methodology 24, 193-201). With few wins or few losses the number of games is used
    instead. That is never too many: no mean of shares varies more than whole wins.
    """
    if found.stderr == 0:
        sure = simultaneous_mean(found, comparisons, samples)
        return sure.with_interval(max(0.0, sure.low), min(1.0, sure.high))
    p, n = found.value, found.n
    spread = p * (1 - p)
    worth = spread / found.stderr**2 if spread * n >= FEW else float(n)
    low, high = wilson(p, worth, critical_value(comparisons, samples))
    return found.with_interval(min(p, low), max(p, high))


def games_for(precision: float, stderr: float, games: int, comparisons: int) -> int:
    """Return the games that give shares this half-width, from the error of a pilot run.

    precision: the half-width. stderr: the largest standard error after `games` games. comparisons:
    the number of simultaneous intervals. Shares near 0 or 1 are allowed for (see FEW).
    """
    z = critical_value(comparisons)
    usual = games * (z * stderr / precision) ** 2
    rare = z * math.sqrt(FEW + z * z / 4) / precision
    return math.ceil(max(usual, rare))


def is_separated(difference: Estimate) -> bool:
    """Return whether the interval excludes 0."""
    return difference.low > 0 or difference.high < 0


def games_to_separate(difference: Estimate, comparisons: int) -> int | None:
    """Return the games that would separate two with a chance of POWER, if they differ as it looks.

    difference: one of `comparisons`. Returns None if it is 0: then no number would.
    """
    from scipy.stats import norm

    if difference.value == 0:
        return None
    z = critical_value(comparisons)
    errors = (z + float(norm.ppf(POWER))) * difference.stderr / abs(difference.value)
    constant = z * z / abs(difference.value)  # if it never varied
    return math.ceil(difference.n * errors**2 if difference.stderr else constant)


def ranks(better: Sequence[Sequence[bool]]) -> list[tuple[int, int]]:
    """Return the best and worst rank that each can have; better[i][j]: i is known to beat j."""
    k = len(better)
    return [
        (1 + sum(bool(better[j][i]) for j in range(k)), k - sum(bool(b) for b in better[i]))
        for i in range(k)
    ]
