"""Least squares across variants that share their games: exact weights, and errors that count it.

A coefficient of a least squares fit is a weighted sum of the variants' means, and the weights come
from the values of the options alone. The same weights give the coefficient of each block of common
games. Blocks are independent, so the spread of these coefficients gives the error of their mean,
whatever the variants have in common.

All variants have the same weight, whatever their variance. So what is estimated does not depend on
the sample: the least squares line through the true means at the given values.

Weights are fractions, so the same question has the same bits on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import numpy as np


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
    found = coefficients(columns, [at])
    return found[0] if found else None


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
