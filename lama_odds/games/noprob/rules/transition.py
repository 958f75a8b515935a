"""The cards of No Prob-Lama and the table of a round, as compiled functions on packed state.

Kinds of cards: the eight numbers ascending, the three negative values, joker, Drama, Karma. A grid
is nine nibbles (see `scoring`). Masks of cells say what is face up and what its owner knows.
Source: rule book of noprob/starnberger ("Spielverlauf").
"""

from __future__ import annotations

from lama_odds.games.noprob.rules.pile import count_above, one_more
from lama_odds.jit import inlined, small

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
