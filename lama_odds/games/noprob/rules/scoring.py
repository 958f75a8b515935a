"""The points of a grid: compiled, with the best use of the jokers.

A grid is one int64 of nine nibbles, the kind of card of each cell, row by row from the lowest bits.
A *line* is a row or column, twelve bits: its three nibbles. Source: rule book of noprob/starnberger
("Drillinge sammeln", "Joker einsetzen").
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from lama_odds.games.noprob.rules.transition import CELLS, JOKER, KINDS, NUMBERS, kind_at
from lama_odds.jit import for_all, small

LINES = 6
CODES = 1 << 12
ANY = -1  # value of a line of jokers
UNUSED = NUMBERS  # an unused row, among the values of a row


class ScoreTables(NamedTuple):
    """Tables by line: the sum of its cards outside lines (unknown ones 0), and its value if
    complete.

    sums: int64[4096]. lines: int64[4096], 0 for no line, ANY for jokers alone (0 if they are not a
    line).
    jokers: bool[4096], whether it has one. points: int64[16] by kind. highest: int64[1].
    """

    sums: np.ndarray
    lines: np.ndarray
    jokers: np.ndarray
    points: np.ndarray
    highest: np.ndarray


def score_tables(points: tuple[int, ...], triple_joker: bool) -> ScoreTables:
    """Return the tables of a rule set."""
    padded = np.array([*points, *[0] * (16 - len(points))], dtype=np.int64)
    cells = cells_of_lines()
    exist = (cells <= KINDS).all(axis=0)
    sums = padded[cells].sum(axis=0) * exist
    jokers = (cells == JOKER).any(axis=0) & exist
    lines = np.zeros(CODES, dtype=np.int64)
    for number in range(NUMBERS):
        of_it = ((cells == number) | (cells == JOKER)).all(axis=0) & (cells == number).any(axis=0)
        lines[of_it] = points[number]
    lines[(cells == JOKER).all(axis=0)] = ANY if triple_joker else 0
    return ScoreTables(sums, lines, jokers, padded, np.array([points[NUMBERS - 1]]))


def cells_of_lines() -> np.ndarray:
    """Return int64[3, 4096]: the three nibbles of each line."""
    return np.arange(CODES) >> 4 * np.arange(3)[:, None] & 15


@small
def row_of(grid, row):
    """Return the line of a row."""
    return grid >> 12 * row & 0xFFF


@small
def column_of(grid, column):
    """Return the line of a column."""
    at = grid >> 4 * column
    return at & 0xF | at >> 8 & 0xF0 | at >> 16 & 0xF00


@small
def line_of(grid, line):
    """Return the line with a number: rows 0 to 2, columns 3 to 5."""
    return row_of(grid, line) if line < 3 else column_of(grid, line - 3)


@small
def score(tables, grid):
    """Return the points of a grid with the best use of its jokers."""
    total = tables.sums[row_of(grid, 0)] + tables.sums[row_of(grid, 1)]
    total += tables.sums[row_of(grid, 2)]
    complete = 0
    for line in range(LINES):
        complete |= (tables.lines[line_of(grid, line)] != 0) << line
    return total if complete == 0 else _with_lines(tables, grid, total, complete)


@small
@for_all
def _with_lines(tables, grid, total, complete):
    """Return the points with complete lines (a mask); total: of all cards, counted one by one."""
    any_value = clashes = False  # clashes: row and column cross in a joker and differ
    for row in range(3):
        across = tables.lines[row_of(grid, row)]
        any_value = any_value or across == ANY
        for column in range(3):
            down = tables.lines[column_of(grid, column)]
            any_value = any_value or down == ANY
            joker = grid >> 4 * (3 * row + column) & 15 == JOKER
            clashes = clashes or (joker and across != 0 and down != 0 and across != down)
    if any_value or clashes:
        return total + _best_gain(tables, grid, any_value)
    return total + _gain_of(tables, grid, complete)


@small
@for_all
def _gain_of(tables, grid, used):
    """Return what complete lines (a mask) that do not clash add to the points of the cards."""
    gain = 0
    for line in range(LINES):
        if used >> line & 1:
            code = line_of(grid, line)
            gain -= tables.lines[code] + tables.sums[code]
    for row in range(3):
        if used >> row & 1:
            for column in range(3):
                if used >> 3 + column & 1:  # counted in both
                    gain += tables.points[grid >> 4 * (3 * row + column) & 15]
    return gain


@small
@for_all
def _best_gain(tables, grid, any_value):
    """Return the least that lines can add if some clash or have only jokers.

    All ways to use the rows are tried; then each column that agrees with them is used. A line's
    value is stored as its distance below the highest. A line of jokers alone has the highest value,
    or that of any other line.
    """
    highest = tables.highest[0]
    values = np.int64(any_value)
    for line in range(LINES):
        value = tables.lines[line_of(grid, line)]
        values |= np.int64(value > 0) << highest - value
    best = 0
    first, second, third = (
        _ways(tables.lines[row_of(grid, 0)], values, highest),
        _ways(tables.lines[row_of(grid, 1)], values, highest),
        _ways(tables.lines[row_of(grid, 2)], values, highest),
    )
    for one in range(UNUSED + 1):
        if first >> one & 1:
            for two in range(UNUSED + 1):
                if second >> two & 1:
                    for three in range(UNUSED + 1):
                        if third >> three & 1:
                            rows = one | two << 4 | three << 8
                            best = min(best, _gain_with(tables, grid, rows, highest))
    return best


@small
def _ways(value, values, highest):
    """Return a mask of the ways to use a row with this value, or not to.

    values: a mask, of all lines.
    """
    if value == 0:
        return 1 << UNUSED
    return (values if value == ANY else 1 << highest - value) | 1 << UNUSED


@small
def _gain_with(tables, grid, rows, highest):
    """Return what lines add with these uses of the rows (a nibble each), and columns that agree."""
    gain = 0
    for row in range(3):
        way = rows >> 4 * row & 15
        if way != UNUSED:
            gain -= highest - way + tables.sums[row_of(grid, row)]
    for column in range(3):
        value = tables.lines[column_of(grid, column)]
        if value:
            down = highest - value
            if value == ANY:  # that of the rows used
                down = min(rows & 15, rows >> 4 & 15, rows >> 8)
                down = 0 if down == UNUSED else down
            agrees = True
            rest = 0
            for row in range(3):
                way = rows >> 4 * row & 15
                card = grid >> 4 * (3 * row + column) & 15
                rest += tables.points[card] * (way == UNUSED)
                agrees = agrees and (way in (UNUSED, down) or card != JOKER)
            gain -= (highest - down + rest) * agrees
    return gain


def unpacked(grid: int) -> tuple[int, ...]:
    """Return the kinds by cell of a packed grid."""
    return tuple(int(kind_at(grid, cell)) for cell in range(CELLS))
