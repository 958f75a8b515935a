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
from fractions import Fraction
from functools import lru_cache
from math import lcm

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


def simultaneous_mean(estimate: Estimate, comparisons: int, samples: int) -> Estimate:
    """Return a mean with a simultaneous interval, one of `comparisons`.

    If no sample varied, the error is z² / n: about Wilson's interval for a share of 0 in n games.
    """
    z = critical_value(comparisons, samples)
    half = z * estimate.stderr if estimate.stderr else z * z / estimate.n
    return estimate.with_half(half)


def simultaneous_share(estimate: Estimate, comparisons: int, samples: int) -> Estimate:
    """Return a share with a simultaneous interval: Wilson's, with the effective number of games.

    A mean share p of standard error s is worth p (1 − p) / s² independent games (Korn & Graubard
    1998, Survey Methodology 24, 193-201). With few wins or few losses the number of games is used
    instead. That is never too many: no mean of shares varies more than whole wins.
    """
    if estimate.stderr == 0:
        sure = simultaneous_mean(estimate, comparisons, samples)
        return sure.with_interval(max(0.0, sure.low), min(1.0, sure.high))
    p, n = estimate.value, estimate.n
    spread = p * (1 - p)
    worth = spread / estimate.stderr**2 if spread * n >= FEW else float(n)
    low, high = wilson(p, worth, critical_value(comparisons, samples))
    return estimate.with_interval(min(p, low), max(p, high))


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
    """Return how many games separate two with a chance of POWER, if the difference is the true one.

    difference: one of `comparisons`. Returns None if it is 0: then no number would.
    """
    from scipy.special import ndtri

    if difference.value == 0:
        return None
    z = critical_value(comparisons)
    errors = (z + float(ndtri(POWER))) * difference.stderr / abs(difference.value)
    constant = z * z / abs(difference.value)  # if it never varied
    return math.ceil(difference.n * errors**2 if difference.stderr else constant)


def ranks(better: Sequence[Sequence[bool]]) -> list[tuple[int, int]]:
    """Return the best and worst rank that each can have; better[i][j]: i is known to beat j."""
    k = len(better)
    return [
        (1 + sum(bool(better[j][i]) for j in range(k)), k - sum(bool(b) for b in better[i]))
        for i in range(k)
    ]


# Least squares across variants that share their games: exact weights, and errors that count it.
#
# A coefficient of a least squares fit is a weighted sum of the variants' means, and the weights
# come from the values of the options alone. The same weights give the coefficient of each block of
# common games. Blocks are independent, so the spread of these coefficients gives the error of their
# mean, whatever the variants have in common.
#
# All variants have the same weight, whatever their variance. So what is estimated does not depend
# on the sample: the least squares line through the true means at the given values.
#
# Weights are fractions, so the same question has the same bits on every machine.


@dataclass(frozen=True)
class Contrast:
    """A weighted sum of variants: whole weights, one for each, and what they are divided by."""

    weights: tuple[int, ...]
    divisor: int

    def moments(self, sums: np.ndarray) -> tuple[int, int]:
        """Return the sum over blocks and the sum of squares, before the division.

        sums: int64[k, 1 + k or more]. Column 0 has the sums over blocks of each variant, the next k
        the sums of products with each variant.
        """
        used = [at for at, weight in enumerate(self.weights) if weight]
        total = sum(self.weights[at] * int(sums[at, 0]) for at in used)
        squares = sum(
            self.weights[a] * sum(self.weights[b] * int(sums[a, 1 + b]) for b in used) for a in used
        )
        return total, squares

    @property
    def size(self) -> float:
        """The sum of the weights without their signs: the most that a change of 1 can make."""
        return sum(map(abs, self.weights)) / self.divisor


def coefficient(columns: Sequence[Sequence[int | Fraction]], at: int) -> Contrast | None:
    """Return the least squares coefficient of a column, as a contrast of the rows.

    columns: of the design, all of the same length. None if the others determine the column.
    """
    contrasts = coefficients(columns, [at])
    return contrasts[0] if contrasts else None


def coefficients(
    columns: Sequence[Sequence[int | Fraction]], places: Sequence[int]
) -> list[Contrast] | None:
    """Return the coefficients of several columns at once, as `coefficient` does for one."""
    matrix = [
        [Fraction(sum(a * b for a, b in zip(one, other, strict=True))) for other in columns]
        for one in columns
    ]
    units = [[Fraction(int(row == at)) for at in places] for row in range(len(columns))]
    solved = _solve(matrix, units)
    if solved is None:
        return None
    return [_contrast(columns, [row[place] for row in solved]) for place in range(len(places))]


def _contrast(columns: Sequence[Sequence[int | Fraction]], factors: Sequence[Fraction]) -> Contrast:
    """Return the sum of columns times factors as a contrast."""
    used = [(factor, column) for factor, column in zip(factors, columns, strict=True) if factor]
    rows = [
        sum((factor * column[row] for factor, column in used if column[row]), Fraction(0))
        for row in range(len(columns[0]))
    ]
    divisor = lcm(*(weight.denominator for weight in rows))
    return Contrast(tuple(int(weight * divisor) for weight in rows), divisor)


def _solve(
    matrix: list[list[Fraction]], right: list[list[Fraction]]
) -> list[list[Fraction]] | None:
    """Return the solutions of a symmetric system by elimination; None if it has not exactly one.

    right: a row for each equation, a column for each right side; so are the solutions.
    """
    size = len(matrix)
    rows = [[*row, *values] for row, values in zip(matrix, right, strict=True)]
    for at in range(size):
        pivot = next((row for row in range(at, size) if rows[row][at]), None)
        if pivot is None:
            return None
        rows[at], rows[pivot] = rows[pivot], rows[at]
        lead = rows[at][at]
        rows[at] = [value / lead if value else value for value in rows[at]]
        for row in range(size):
            if row != at and rows[row][at]:
                factor = rows[row][at]
                rows[row] = [
                    a - factor * b if b else a for a, b in zip(rows[row], rows[at], strict=True)
                ]
    return [row[size:] for row in rows]
