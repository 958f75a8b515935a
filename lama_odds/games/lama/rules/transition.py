"""The rules of a card, once, as compiled functions on packed state.

Values are kept in *places* 0 to 6, one byte each, in ascending order of what a
card of that value costs (see `LamaRules.places`), so that the dearest card of a
hand is its highest bit; the rule set says which place is which value.

- hand, cards: one int64, seven bytes of two counts: the high four bits of byte p
  count the plain cards of place p, the low four bits its special ones (the plus
  cards of a number; for the llama the pink llama)
- kind of a card: the shift of its count, 8 p + 4 for a plain card, 8 p for a special one
- top: the place of the card on the discard pile (the pink llama's is the llama's)

Sources: rule book of lama/egmont ("Przebieg rundy", "Lama Party", "Lama Drama").
"""

from __future__ import annotations

import numpy as np

from lama_odds.jit import inlined, leading_zeros, small

PLACES = 7
PLAIN = 4  # added to the shift of a place for its plain cards

# Columns of the rules row.
DECK = 0  # number of cards
DEALT = 1
TARGET = 2
BLACK = 3
PINK = 4  # value of a 20-point token, 0: none in play
DRAMA = 5  # tokens on the pot from which the drama runs, 0: no drama
PINK_DRAMA = 6  # whether the pink llama counts for the drama
EACH = 7  # points of every llama, 0: all together (then in the penalties table)
ROTATE = 8  # whether the start rotates; else the last to act starts
LLAMA_PLACE = 9
SPECIALS = 10  # whether there are plus cards or pink llamas
PLAIN_PACK = 11  # the pack, see `pack_up`
SPECIAL_PACK = 12
CARDS = 13  # the whole deck, packed like a hand
RULES_COLUMNS = 14

# Decisions besides playing a card, which is written as its kind (a shift).
DRAW = -1
QUIT = -2

LOW_FOUR = 0x0F0F0F0F0F0F0F
ONES = 0x01010101010101
_GATHER = 0x0102040810204080
EVERY_PLACE = (1 << PLACES) - 1


@small
def places_of(hand):
    """Mask of the places of which a hand holds any card: bit p for place p."""
    held = (hand | hand >> 4) & LOW_FOUR
    return gathered((held + LOW_FOUR) >> 4 & ONES)


@small
def gathered(ones):
    """Mask of the bytes that hold a one, the others being zero."""
    return (ones * _GATHER) >> 56 & EVERY_PLACE


@small
def count_cards(hand):
    """Number of cards of a hand."""
    pairs = (hand & LOW_FOUR) + (hand >> 4 & LOW_FOUR)
    return (pairs * ONES) >> 48 & 0xFF


@small
def count_of(hand, kind):
    """Number of cards of a kind."""
    return hand >> kind & 15


@small
def penalty_of(rules, penalties, hand):
    """Points of a hand: each place once, the llamas as the rule set says.

    penalties: int64[256], by the mask of places of which plain or plus cards are held, plus 128
    if a pink llama is.
    """
    at = 8 * rules[LLAMA_PLACE]
    pink = hand & 0xF << at
    each = rules[EACH] * (hand >> at + PLAIN & 15)
    return penalties[places_of(hand ^ pink) | (pink != 0) << 7] + each


@inlined
def dearest(cards):
    """Kind of the dearest card (plain before special) of a non-empty set."""
    return (63 - leading_zeros(cards)) & -4


@small
def place_of(kind):
    """Place of a card: the top after it is played."""
    return kind >> 3


@small
def same_as_top(cards, top):
    """Those of some cards that have the value of the top."""
    return cards & 0xFF << 8 * top


@small
def is_plus(rules, kind):
    """Whether who plays this card has another turn at once."""
    return (kind & PLAIN == 0) & (place_of(kind) != rules[LLAMA_PLACE])


@small
def pays(rules, kind):
    """Whether playing this card puts a token on the drama pot and lets the drama pass on."""
    if place_of(kind) != rules[LLAMA_PLACE]:
        return False
    return kind & PLAIN != 0 or rules[PINK_DRAMA] != 0


# A pack is two words of seven bytes each, cumulated: byte p of the plain word counts the plain
# cards of the places up to p; byte p of the special word all plain cards and the special ones of
# the places up to p. Comparing a number with all bytes at once tells which card it is.
_EACH = np.uint64(0x01010101010101)
_TOPS = np.uint64(0x80808080808080)
_SEVEN_BYTES = np.uint64(0xFFFFFFFFFFFFFF)
_8 = np.uint64(8)


def pack_up(plain: tuple[int, ...], special: tuple[int, ...]) -> tuple[int, int]:
    """The two words of a pack with so many plain and special cards of each place."""
    first = sum(sum(plain[: p + 1]) << 8 * p for p in range(PLACES))
    second = sum((sum(plain) + sum(special[: p + 1])) << 8 * p for p in range(PLACES))
    return first, second


@inlined
def _beyond(word, x):
    """One in each byte of a cumulated word that is above x."""
    return ((x * _EACH + _TOPS - word) >> np.uint64(7) & _EACH) ^ _EACH


@inlined
def without_plain(word, x):
    """A word of a pack once card number x has been taken out of the pack."""
    return word - _beyond(word, x)


@inlined
def taken(gone):
    """Counts by place out of a difference of cumulated words."""
    return (gone - (gone << _8)) & _SEVEN_BYTES


@inlined
def taken_after(gone, gone_plain):
    """The same for the special word: all plain cards taken are in each of its bytes."""
    return (gone - (gone << _8 | gone_plain >> np.uint64(48))) & _SEVEN_BYTES


@inlined
def take_card(plain, special, x):
    """Take card number x out of a pack; returns (card, plain, special).

    card: a hand of one, or 0 if x is not below the number of cards.
    """
    first = _beyond(plain, x)
    second = _beyond(special, x)
    card = (first & ~(first << _8)) << np.uint64(4)
    card |= second & ~(second << _8 | first >> np.uint64(48))
    return np.int64(card), plain - first, special - second


@inlined
def take_plain(plain, x):
    """The same for a pack without special cards: (card, plain)."""
    first = _beyond(plain, x)
    return np.int64((first & ~(first << _8)) << np.uint64(4)), plain - first
