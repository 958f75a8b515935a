"""The cards of No Prob-Lama, the table of a round and its scores, compiled.

Kinds of cards: the eight numbers ascending, the three negative values, joker, Drama, Karma. A grid
is nine nibbles (see `scoring`). Masks of cells say what is face up and what its owner knows.
Source: rule book of noprob/starnberger ("Spielverlauf").
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np

from lama_odds.jit import for_all, inlined, small
from lama_odds.jit.deferred import named_by_compiled

# The cards of a pile, sorted: cumulated counts of each kind, a byte each, in two words.
#
# Byte k counts the cards of the kinds 0 to k; bytes after the last kind are 0. Comparing a number
# with all bytes at once tells which card it is, and subtracting the result takes that card out
# (see `byte_counts`).

HALF = 8  # bytes of a word

_ONES = np.uint64(0x0101010101010101)
_OTHER_ONES = np.uint64(0x0000010101010101)  # of the kinds 8 to 13


def pack_up(counts: Sequence[int]) -> np.ndarray:
    """Return int64[2]: the words of a pile with these counts, at most 255 cards in all."""
    words = [0, 0]
    for kind, total in enumerate(accumulate(counts)):
        words[kind // HALF] |= total << 8 * (kind % HALF)
    return np.array(words, dtype=np.uint64).view(np.int64)


def _count_above() -> Any:
    from lama_odds.games.noprob.rules import byte_counts

    return byte_counts.count_above


# count_above(first, second, x), for compiled functions only: how many bytes of a pile's two words
# are above the lowest byte of x. It also returns both words, with one less in each of those bytes.
count_above = named_by_compiled(_count_above)


@inlined
@for_all
def one_more(first, second, kind):
    """Return the words of a pile with one more card."""
    if kind < HALF:
        return first + np.int64(_ONES << np.uint64(8 * kind)), second + np.int64(_OTHER_ONES)
    added = _OTHER_ONES << np.uint64(8 * (kind - HALF)) & np.uint64(0xFFFFFFFFFFFF)
    return first, second + np.int64(added)


@inlined
def up_to(first, second, kind):
    """Return how many cards there are of the kinds 0 to `kind`."""
    word, at = (first, kind) if kind < HALF else (second, kind - HALF)
    return word >> 8 * at & 0xFF


@inlined
def number_of(first, second, kind):
    """Return how many cards of a kind there are."""
    return up_to(first, second, kind) - (up_to(first, second, kind - 1) if kind else 0)


NUMBERS = 8
JOKER = 11
DRAMA = 12
KINDS = 14
UNKNOWN = 14  # in a grid as another player sees it
CELLS = 9
ALL_UP = (1 << CELLS) - 1
MAX_SEATS = 6
MAX_CARDS = NUMBERS * 15 + (KINDS - NUMBERS) * 15

# Columns of the rules row.
TARGET = 0
TARGET_MANY = 1
FOUR_ROUNDS = 2  # number of rounds; 0: the game is to llamas
REFILL = 3
ANY_TIE = 4
PEEKED = 5  # mask of the cells looked at
SPECIAL = 6
CARDS = 7
PILE_PACK = 8  # two words, see `pile.pack_up`
DECK = 10  # cards of each kind, a nibble each
RULES_COLUMNS = 11

# Places of a table, int64[TABLE_SIZE]; the first ones hold an entry for each seat.
GRID = 0
UP = GRID + MAX_SEATS
KNOWN = UP + MAX_SEATS  # cells face up or known to the owner
BESIDE = KNOWN + MAX_SEATS  # points of the specials beside the grid
PENALTY = BESIDE + MAX_SEATS
SCORE = PENALTY + MAX_SEATS
LLAMAS = SCORE + MAX_SEATS
PACK = LLAMAS + MAX_SEATS  # two words of the pile, see `pile`
PILE = PACK + 2  # number of its cards
HEIGHT = PILE + 1  # number of discards
UNSEEN = HEIGHT + 1  # cards of each kind that were never open, a nibble each
REFILLED = UNSEEN + 1  # whether the pile has been made of discards
LAST = REFILLED + 1  # last turns to come, −1 before a player has all cards face up
TURNS = LAST + 1
ENDED = TURNS + 1  # see below
CLOSER = ENDED + 1  # the first seat with all cards face up, −1 for none
TARGET_NOW = CLOSER + 1
HELD = TARGET_NOW + 1  # where a study has stopped: the card in hand, its source, the seat
HELD_SOURCE = HELD + 1
HELD_BY = HELD_SOURCE + 1
PLAYED = HELD_BY + 1  # turns of the game, in rounds that have ended
SCRATCH = PLAYED + 1  # what a card of rules sees
STACK = 64  # the discards, the top last
TABLE_SIZE = STACK + MAX_CARDS

# How a round ended.
DONE = 1
EMPTY = 2
ABANDONED = 3
PAUSED = 4  # a study: see `round_loop.NOWHERE`


@inlined
def take_card(first, second, x):
    """Take card number x out of a sorted pile of more than x: (kind, both words of the rest)."""
    above, first, second = count_above(first, second, x)
    return KINDS - above, first, second


@small
def kind_at(grid, cell):
    """Return the card in a cell."""
    return grid >> 4 * cell & 15


@small
def with_card(grid, cell, kind):
    """Return a grid with another card in a cell."""
    return grid & ~(15 << 4 * cell) | kind << 4 * cell


@inlined
def push(table, kind):
    """Put a card on the discards."""
    table[STACK + (table[HEIGHT] & 255)] = kind
    table[HEIGHT] += 1


@inlined
def refill(table):
    """Make the pile of all discards except the top one."""
    height = table[HEIGHT]
    first = second = 0
    for at in range(height - 1):
        first, second = one_more(first, second, table[STACK + at])
    table[PACK] = first
    table[PACK + 1] = second
    table[PILE] = max(height - 1, 0)
    if height > 1:
        table[STACK] = table[STACK + height - 1]
        table[HEIGHT] = 1
        table[REFILLED] = 1


# The points of a grid: compiled, with the best use of the jokers.
#
# A grid is one int64 of nine nibbles, the kind of card of each cell, row by row from the lowest
# bits. A *line* is a row or column, twelve bits: its three nibbles. Source: rule book of
# noprob/starnberger ("Drillinge sammeln", "Joker einsetzen").

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
