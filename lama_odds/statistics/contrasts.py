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
    k = len(columns)
    matrix = [
        [Fraction(sum(a * b for a, b in zip(one, other, strict=True))) for other in columns]
        for one in columns
    ]
    unit = [Fraction(int(row == at)) for row in range(k)]
    solved = _solve(matrix, unit)
    if solved is None:
        return None
    rows = [
        sum((solved[j] * column[row] for j, column in enumerate(columns)), Fraction(0))
        for row in range(len(columns[0]))
    ]
    divisor = lcm(*(weight.denominator for weight in rows))
    return Contrast(tuple(int(weight * divisor) for weight in rows), divisor)


def _solve(matrix: list[list[Fraction]], right: list[Fraction]) -> list[Fraction] | None:
    """Return the solution of a symmetric system by elimination; None if it has not exactly one."""
    size = len(matrix)
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for at in range(size):
        pivot = next((row for row in range(at, size) if rows[row][at]), None)
        if pivot is None:
            return None
        rows[at], rows[pivot] = rows[pivot], rows[at]
        lead = rows[at][at]
        rows[at] = [value / lead for value in rows[at]]
        for row in range(size):
            if row != at and rows[row][at]:
                factor = rows[row][at]
                rows[row] = [a - factor * b for a, b in zip(rows[row], rows[at], strict=True)]
    return [row[-1] for row in rows]
