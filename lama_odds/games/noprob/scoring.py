"""What a grid costs: compiled, with the best use of the jokers.

A grid is one int64 of nine nibbles, the kind of card of each cell, row by row from the lowest
bits. A *line* is a row or column, twelve bits: its three nibbles. Rule book of
noprob/starnberger ("Drillinge sammeln", "Joker einsetzen").
"""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

import numpy as np

from lama_odds.games.noprob.turn import JOKER, KINDS, NUMBERS, UNKNOWN
from lama_odds.kernels import allocating, inlined

LINES = 6
CODES = 1 << 12
ANY = -1  # value of a line of jokers


class ScoreTables(NamedTuple):
    """By line: sum of its cards outside lines (unknown ones 0), its value if it is complete.

    sums: int64[4096]. lines: int64[4096], 0 for no line, ANY for jokers alone (0 if they are
    none). jokers: bool[4096], whether one is in it. points: int64[16] by kind. highest: int64[1].
    """

    sums: np.ndarray
    lines: np.ndarray
    jokers: np.ndarray
    points: np.ndarray
    highest: np.ndarray


def score_tables(points: tuple[int, ...], triple_joker: bool) -> ScoreTables:
    """The tables of a rule set."""
    sums = np.zeros(CODES, dtype=np.int64)
    lines = np.zeros(CODES, dtype=np.int64)
    jokers = np.zeros(CODES, dtype=np.bool_)
    for kinds in product(range(KINDS + 1), repeat=3):
        code = sum(kind << 4 * at for at, kind in enumerate(kinds))
        sums[code] = sum(points[kind] for kind in kinds if kind != UNKNOWN)
        jokers[code] = JOKER in kinds
        others = {kind for kind in kinds if kind != JOKER}
        if not others:
            lines[code] = ANY if triple_joker else 0
        elif len(others) == 1 and min(others) < NUMBERS:
            lines[code] = points[min(others)]
    padded = np.array([*points, *[0] * (16 - len(points))], dtype=np.int64)
    return ScoreTables(sums, lines, jokers, padded, np.array([points[NUMBERS - 1]]))


@inlined
def row_of(grid, row):
    """The line of a row."""
    return grid >> 12 * row & 0xFFF


@inlined
def column_of(grid, column):
    """The line of a column."""
    at = grid >> 4 * column
    return at & 0xF | at >> 8 & 0xF0 | at >> 16 & 0xF00


@inlined
def line_of(grid, line):
    """The line with a number: rows 0 to 2, columns 3 to 5."""
    return row_of(grid, line) if line < 3 else column_of(grid, line - 3)


@inlined
def score(tables, grid):
    """Points of a grid whose jokers are used as well as can be."""
    total = tables.sums[row_of(grid, 0)] + tables.sums[row_of(grid, 1)]
    total += tables.sums[row_of(grid, 2)]
    complete = 0
    for line in range(LINES):
        complete |= (tables.lines[line_of(grid, line)] != 0) << line
    return total if complete == 0 else _with_lines(tables, grid, total, complete)


@inlined
def _with_lines(tables, grid, total, complete):
    """The same where lines are complete (a mask); total: of all cards, counted one by one."""
    any_value = False
    clashes = 0  # nine bits: row and column cross in a joker and have different values
    rest = complete
    for row in range(3):
        across = tables.lines[row_of(grid, row)]
        any_value = any_value or across == ANY
        for column in range(3):
            down = tables.lines[column_of(grid, column)]
            any_value = any_value or down == ANY
            joker = grid >> 4 * (3 * row + column) & 15 == JOKER
            differ = joker and across != 0 and down != 0 and across != down
            clashes |= differ << 3 * row + column
    if any_value:
        return total + _best_gain(tables, grid)
    if clashes == 0:
        return total + _gain_of(tables, grid, complete)
    best = 0
    while rest:  # every way to use some of the lines
        if not _clash(clashes, rest):
            best = min(best, _gain_of(tables, grid, rest))
        rest = rest - 1 & complete
    return total + best


@inlined
def _clash(clashes, used):
    """Whether two used lines clash."""
    columns = used >> 3
    found = 0
    for row in range(3):
        found |= (clashes >> 3 * row & columns) * (used >> row & 1)
    return found != 0


@inlined
def _gain_of(tables, grid, used):
    """What using some complete lines (a mask) adds to the points of the cards."""
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


@inlined
def _gain(tables, grid, values):
    """What lines with these values (0: not used) add to the points of the cards."""
    gain = 0
    covered = 0
    for line in range(LINES):
        if values[line]:
            gain -= values[line]
            covered |= 7 << 3 * line if line < 3 else 0x49 << line - 3
    for cell in range(9):
        if covered >> cell & 1:
            gain -= tables.points[grid >> 4 * cell & 15]
    return gain


@allocating
def _best_gain(tables, grid):
    """The least that lines can add if one is of jokers alone: every way to use or leave each.

    Lines that cross in a joker need the same value. A line of jokers alone has the highest, or
    that of any other line.
    """
    best = 0
    values = np.zeros(LINES, np.int64)
    for line in range(LINES):
        values[line] = tables.lines[line_of(grid, line)]
    used = np.zeros(LINES, np.int64)
    choice = np.zeros(LINES, np.int64)
    while True:
        for line in range(LINES):
            used[line] = 0
            if choice[line] == 1:
                used[line] = tables.highest[0] if values[line] == ANY else values[line]
            elif choice[line] > 1:
                used[line] = max(values[choice[line] - 2], 0)
        if _agree(grid, used):
            best = min(best, _gain(tables, grid, used))
        line = 0
        while line < LINES:
            choice[line] += 1
            most = 0
            if values[line]:
                most = LINES + 1 if values[line] == ANY else 1
            if choice[line] <= most:
                break
            choice[line] = 0
            line += 1
        if line == LINES:
            return best


@inlined
def _agree(grid, used):
    """Whether all used lines that cross in a joker have the same value."""
    for row in range(3):
        for column in range(3):
            joker = grid >> 4 * (3 * row + column) & 15 == JOKER
            across, down = used[row], used[3 + column]
            if joker and across and down and across != down:
                return False
    return True
