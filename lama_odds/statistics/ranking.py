"""Who is best of several, from paired samples: simultaneous intervals, ranks, games to tell apart.

The samples are sums over blocks of games, all quantities counted on the same games. Intervals of a
family hold all at once with 95 %: each at the level of Šidák (1967, Journal of the American
Statistical Association 62, 626-633), whose inequality holds however normal means depend on each
other. Two are separated if the interval of their difference leaves out 0, and ranks say no more
than the separations do (Mogstad, Romano, Shaikh & Wilhelm 2024, Review of Economic Studies 91,
476-518), so with a chance of 95 % no rank is wrong.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from lama_odds.core.estimate import Estimate
from lama_odds.statistics.equivalence import ALPHA, POWER, mean_of_blocks

FEW = 10  # wins (or losses) by which the spread of a share is not known yet


@dataclass(frozen=True)
class Blocks:
    """Sums over blocks of games of several quantities.

    sums: int64[q, q + 1], column 0 the totals, then the sums over blocks of the products of the
    blocks' sums. games: in all blocks together; samples: number of blocks, all of one size.
    """

    sums: np.ndarray
    games: int
    samples: int

    def mean(self, quantity: int, unit: float) -> Estimate:
        """Mean of a game, with its standard error and the interval for it alone."""
        total, squares = int(self.sums[quantity, 0]), int(self.sums[quantity, quantity + 1])
        return mean_of_blocks(total, squares, self.samples, self.games, unit)

    def difference(self, first: int, second: int, unit: float) -> Estimate:
        """The same of first − second, game by game."""
        total = int(self.sums[first, 0]) - int(self.sums[second, 0])
        squares = (
            int(self.sums[first, first + 1])
            + int(self.sums[second, second + 1])
            - 2 * int(self.sums[first, second + 1])
        )
        return mean_of_blocks(total, squares, self.samples, self.games, unit)


@lru_cache
def level(comparisons: int, alpha: float = ALPHA) -> float:
    """Error rate of each of so many intervals that are all right with a chance of 1 − alpha."""
    return -math.expm1(math.log1p(-alpha) / comparisons)


@lru_cache
def critical_value(comparisons: int, samples: int | None = None) -> float:
    """Half-width of each of so many intervals in standard errors; samples None: very many."""
    from scipy.stats import norm, t

    tail = level(comparisons) / 2
    return float(norm.isf(tail) if samples is None else t.isf(tail, samples - 1))


def simultaneous_mean(found: Estimate, comparisons: int, samples: int) -> Estimate:
    """A mean with the interval of one of so many.

    What never varied is known to z² / n: about Wilson's interval for a share of 0 in n games.
    """
    z = critical_value(comparisons, samples)
    half = z * found.stderr if found.stderr else z * z / found.n
    return found.with_half(half)


def simultaneous_share(found: Estimate, comparisons: int, samples: int) -> Estimate:
    """A share with the interval of one of so many: Wilson's, on as many games as it is worth.

    A mean share p of standard error s is worth p (1 − p) / s² independent games (Korn & Graubard
    1998, Survey Methodology 24, 193-201). As long as there were few wins or few losses the games
    themselves are taken, which is never too many: no mean of shares varies more than whole wins.
    """
    if found.stderr == 0:
        sure = simultaneous_mean(found, comparisons, samples)
        return sure.with_interval(max(0.0, sure.low), min(1.0, sure.high))
    from scipy.stats import norm
    from statsmodels.stats.proportion import proportion_confint

    p, n = found.value, found.n
    spread = p * (1 - p)
    worth = spread / found.stderr**2 if spread * n >= FEW else float(n)
    alpha = 2 * float(norm.sf(critical_value(comparisons, samples)))
    low, high = proportion_confint(p * worth, worth, alpha, method="wilson")
    return found.with_interval(min(p, float(low)), max(p, float(high)))


def games_for(precision: float, stderr: float, games: int, comparisons: int) -> int:
    """Games that give shares a half-width in a family of so many, from the error of a pilot.

    stderr: the largest of `games` games. Shares near 0 or 1 are allowed for (see FEW).
    """
    z = critical_value(comparisons)
    usual = games * (z * stderr / precision) ** 2
    rare = z * math.sqrt(FEW + z * z / 4) / precision
    return math.ceil(max(usual, rare))


def is_separated(difference: Estimate) -> bool:
    """Whether the interval leaves out 0."""
    return difference.low > 0 or difference.high < 0


def games_to_separate(difference: Estimate, comparisons: int) -> int | None:
    """Games that would separate two with a chance of POWER, were the difference as it looks.

    difference: one of so many. None if it is 0: then no number would.
    """
    from scipy.stats import norm

    if difference.value == 0:
        return None
    z = critical_value(comparisons)
    errors = (z + float(norm.ppf(POWER))) * difference.stderr / abs(difference.value)
    constant = z * z / abs(difference.value)  # if it never varied
    return math.ceil(difference.n * errors**2 if difference.stderr else constant)


def ranks(better: Sequence[Sequence[bool]]) -> list[tuple[int, int]]:
    """Best and worst rank that each can have; better[i][j]: i is known to be better than j."""
    k = len(better)
    return [
        (1 + sum(bool(better[j][i]) for j in range(k)), k - sum(bool(b) for b in better[i]))
        for i in range(k)
    ]
