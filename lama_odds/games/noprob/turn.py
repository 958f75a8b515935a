"""The cards of No Prob-Lama and the table of a round, once, as compiled functions on packed state.

Kinds of cards: the eight numbers ascending, the three negative values, joker, Drama, Karma. A
grid is nine nibbles (see `scoring`); what lies face up and what its owner knows are masks of
cells. Rule book of noprob/starnberger ("Spielverlauf").
"""

from __future__ import annotations

import numpy as np

from lama_odds.kernels import inlined

NUMBERS = 8
JOKER = 11
DRAMA = 12
KARMA = 13
KINDS = 14
UNKNOWN = 14  # in a grid as somebody sees it
CELLS = 9
ALL_UP = (1 << CELLS) - 1
MAX_SEATS = 6
MAX_CARDS = NUMBERS * 15 + (KINDS - NUMBERS) * 15

# Columns of the rules row.
TARGET = 0
TARGET_MANY = 1
FOUR_ROUNDS = 2  # how many rounds, 0: the game is to llamas
REFILL = 3
ANY_TIE = 4
PEEKED = 5  # mask of the cells looked at
SPECIAL = 6
CARDS = 7
NUMBERS_PACK = 8  # see `pack_up`
OTHERS_PACK = 9
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
PACK = LLAMAS + MAX_SEATS  # two words of the pile, see `pack_up`
PILE = PACK + 2  # number of its cards
HEIGHT = PILE + 1  # number of discards
UNSEEN = HEIGHT + 1  # cards of each kind that have never lain open, a nibble each
REFILLED = UNSEEN + 1  # whether the pile has been made of discards
LAST = REFILLED + 1  # last turns to come, −1 before anybody has all cards face up
TURNS = LAST + 1
ENDED = TURNS + 1  # see below
CLOSER = ENDED + 1  # the first seat with all cards face up, −1 for none
TARGET_NOW = CLOSER + 1
HELD = TARGET_NOW + 1  # where a study has stopped: the card got, its source, the seat
HELD_SOURCE = HELD + 1
HELD_BY = HELD_SOURCE + 1
STACK = 64  # the discards, the top last
TABLE_SIZE = STACK + MAX_CARDS

# How a round ended.
DONE = 1
EMPTY = 2
ABANDONED = 3
PAUSED = 4  # a study: somebody could end the round with the card got

# A pack is two words of bytes, each cumulated: byte k of the first counts the cards of the first
# k + 1 numbers, byte k of the second those of the first k + 1 other kinds. Comparing a number
# with all bytes at once tells which card it is; no byte is above 127.
_ONES = np.uint64(0x0101010101010101)
_TOPS = np.uint64(0x8080808080808080)
_OTHER_ONES = np.uint64(0x010101010101)
_OTHER_TOPS = np.uint64(0x808080808080)
_MOST = 127


def pack_up(counts: tuple[int, ...]) -> tuple[int, int]:
    """The two words of a pack with so many cards of each kind."""
    numbers, others = counts[:NUMBERS], counts[NUMBERS:]
    first = sum(sum(numbers[: at + 1]) << 8 * at for at in range(len(numbers)))
    second = sum(sum(others[: at + 1]) << 8 * at for at in range(len(others)))
    return first, second


@inlined
def take_card(numbers, others, x):
    """Take card number x out of a sorted pack of more than x: (kind, numbers, others)."""
    held = np.int64(numbers >> np.uint64(56))
    first = np.uint64(min(x, _MOST))
    beyond = ((first * _ONES + _TOPS - numbers) >> np.uint64(7) & _ONES) ^ _ONES
    rest = np.uint64(max(x - held, 0))
    after = (
        (rest * _OTHER_ONES + _OTHER_TOPS - others) >> np.uint64(7) & _OTHER_ONES
    ) ^ _OTHER_ONES
    after *= np.uint64(x >= held)
    low = NUMBERS - np.int64(beyond * _ONES >> np.uint64(56))
    high = KINDS - np.int64(after * _OTHER_ONES << np.uint64(16) >> np.uint64(56))
    kind = low if x < held else high
    return kind, numbers - beyond, others - after


@inlined
def kind_at(grid, cell):
    """The card in a cell."""
    return grid >> 4 * cell & 15


@inlined
def with_card(grid, cell, kind):
    """A grid with another card in a cell."""
    return grid & ~(15 << 4 * cell) | kind << 4 * cell


@inlined
def push(table, kind):
    """Put a card on the discards."""
    table[STACK + table[HEIGHT]] = kind
    table[HEIGHT] += 1


@inlined
def refill(table):
    """Make the pile of all discards but the top one."""
    height = table[HEIGHT]
    numbers = np.uint64(0)
    others = np.uint64(0)
    for at in range(height - 1):
        kind = table[STACK + at]
        if kind < NUMBERS:
            numbers += _ONES << np.uint64(8 * kind)
        else:
            others += _OTHER_ONES << np.uint64(8 * (kind - NUMBERS))
    table[PACK] = np.int64(numbers)
    table[PACK + 1] = np.int64(others & np.uint64(0xFFFFFFFFFFFF))
    table[PILE] = max(height - 1, 0)
    if height > 1:
        table[STACK] = table[STACK + height - 1]
        table[HEIGHT] = 1
        table[REFILLED] = 1
