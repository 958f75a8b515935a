"""The rules of a card, once, as compiled functions on packed state.

Values are stored in *places* 0 to 6, one byte each, in ascending order of their cost (see
`LamaRules.places`). So the most costly card of a hand is its highest bit. The rule set says which
place is which value.

- hand, cards: one int64, seven bytes of two counts. The high four bits of byte p count the plain
  cards of place p, the low four bits its special ones (plus cards, or the pink llama).
- kind of a card: the shift of its count, 8 p + 4 for a plain card, 8 p for a special one
- top: the place of the card on the discard pile (the pink llama's is the llama's)

Sources: rule book of lama/egmont ("Przebieg rundy", "Lama Party", "Lama Drama").
"""

from __future__ import annotations

import numpy as np

from lama_odds.games.shared.card_values import token_going_out
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
ROTATE = 8  # whether the start rotates; otherwise the last to act starts
LLAMA_PLACE = 9
SPECIALS = 10  # whether there are plus cards or pink llamas
PLAIN_PACK = 11  # the pack, see `pack_up`
SPECIAL_PACK = 12
CARDS = 13  # the whole deck, packed like a hand
QUIT_COST = 14  # points that quitting costs besides the cards
OUT_TOKEN = 15  # when going out returns a token, see `tokens.OUT_TOKENS`
RULES_COLUMNS = 16

# Decisions other than playing a card, which is written as its kind (a shift).
DRAW = -1
QUIT = -2

LOW_FOUR = 0x0F0F0F0F0F0F0F
ONES = 0x01010101010101
_GATHER = 0x0102040810204080
EVERY_PLACE = (1 << PLACES) - 1


@small
def places_of(hand):
    """Return the mask of the places of which a hand holds any card: bit p for place p."""
    held = (hand | hand >> 4) & LOW_FOUR
    return gathered((held + LOW_FOUR) >> 4 & ONES)


@small
def gathered(ones):
    """Return the mask of the bytes that contain one; the others must be zero."""
    return (ones * _GATHER) >> 56 & EVERY_PLACE


@small
def count_cards(hand):
    """Return the number of cards of a hand."""
    pairs = (hand & LOW_FOUR) + (hand >> 4 & LOW_FOUR)
    return (pairs * ONES) >> 48 & 0xFF


@small
def count_of(hand, kind):
    """Return the number of cards of a kind."""
    return hand >> kind & 15


@small
def penalty_of(rules, penalties, hand):
    """Return the points of a hand: each place once, the llamas as the rule set says.

    penalties: int64[256], by the mask of places of which plain or plus cards are held, plus 128 if
    a pink llama is.
    """
    at = 8 * rules[LLAMA_PLACE]
    pink = hand & 0xF << at
    llama_points = rules[EACH] * (hand >> at + PLAIN & 15)
    return penalties[places_of(hand ^ pink) | (pink != 0) << 7] + llama_points


@small
def quitting_cost(rules, penalties, hand):
    """Return the points that quitting with a hand costs."""
    return penalty_of(rules, penalties, hand) + rules[QUIT_COST]


@inlined
def dearest(cards):
    """Return the kind of the most costly card (plain before special) of a non-empty set."""
    return (63 - leading_zeros(cards)) & -4


@small
def place_of(kind):
    """Return the place of a card: the top after it is played."""
    return kind >> 3


@small
def same_as_top(cards, top):
    """Return those of some cards that have the value of the top."""
    return cards & 0xFF << 8 * top


@small
def is_plus(rules, kind):
    """Return whether the player of this card has another turn at once."""
    return (kind & PLAIN == 0) & (place_of(kind) != rules[LLAMA_PLACE])


@small
def pays(rules, kind):
    """Return whether playing this card pays a token to the drama pot and passes the drama on."""
    if place_of(kind) != rules[LLAMA_PLACE]:
        return False
    return kind & PLAIN != 0 or rules[PINK_DRAMA] != 0


@small
def out_token(rules, score, kind):
    """Return the token that going out with a card of this kind returns (0: none)."""
    llama = place_of(kind) == rules[LLAMA_PLACE]
    return token_going_out(rules[OUT_TOKEN], llama, score, rules[BLACK], rules[PINK])


# A pack is two words of seven bytes each, cumulated. Byte p of the plain word counts the plain
# cards of the places up to p. Byte p of the special word counts all plain cards, and the special
# ones of the places up to p. Comparing a number with all bytes at once gives its card.
_EACH = np.uint64(0x01010101010101)
_TOPS = np.uint64(0x80808080808080)
_SEVEN_BYTES = np.uint64(0xFFFFFFFFFFFFFF)
_8 = np.uint64(8)


def pack_up(plain: tuple[int, ...], special: tuple[int, ...]) -> tuple[int, int]:
    """Return the two words of a pack with these plain and special cards of each place."""
    first = sum(sum(plain[: p + 1]) << 8 * p for p in range(PLACES))
    second = sum((sum(plain) + sum(special[: p + 1])) << 8 * p for p in range(PLACES))
    return first, second


@inlined
def _beyond(word, x):
    """Return a word with a one in each byte of a cumulated word that is above x."""
    return ((x * _EACH + _TOPS - word) >> np.uint64(7) & _EACH) ^ _EACH


@inlined
def without_plain(word, x):
    """Return a word of a pack after card number x was taken out of the pack."""
    return word - _beyond(word, x)


@inlined
def taken(gone):
    """Return counts by place from a difference of cumulated words."""
    return (gone - (gone << _8)) & _SEVEN_BYTES


@inlined
def taken_after(gone, gone_plain):
    """Return the same for the special word: each of its bytes includes all plain cards taken."""
    return (gone - (gone << _8 | gone_plain >> np.uint64(48))) & _SEVEN_BYTES


@inlined
def take_card(plain, special, x):
    """Take card number x out of a pack; return (card, plain, special).

    card: a hand of one, or 0 if x is not below the number of cards.
    """
    first = _beyond(plain, x)
    second = _beyond(special, x)
    card = (first & ~(first << _8)) << np.uint64(4)
    card |= second & ~(second << _8 | first >> np.uint64(48))
    return np.int64(card), plain - first, special - second


@inlined
def take_plain(plain, x):
    """Take card number x out of a pack without special cards; return (card, plain)."""
    first = _beyond(plain, x)
    return np.int64((first & ~(first << _8)) << np.uint64(4)), plain - first
