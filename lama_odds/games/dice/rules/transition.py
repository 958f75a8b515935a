"""The rules of a turn of Lama Dice, once, as compiled functions on packed state.

Kinds are numbered 0 to 5 for the values 1 to 6, and 6 for the llama.

- hand: one int64, the count of kind k in the four bits from 4k on
- row, kinds: a seven-bit mask, bit k for kind k
- roll: one int64 of the rolls table (see `pack_roll`): the kinds shown by up to five dice, their
  counts packed like a hand, their mask, and whether all are llamas

Sources: rule books of dice/amigo ("Rolling", "The End of a Round") and dice/egmont ("Rzucić
kostką", "Koniec rundy").
"""

from __future__ import annotations

from lama_odds.games.shared.card_values import token_going_out
from lama_odds.jit import small

KINDS = 7
LLAMA = 6
FULL_ROW = (1 << KINDS) - 1
MAX_DICE = 5

# What a roll leads to, in the order in which the rule books check it.
LLAMAS = 0
MATCH = 1
MISS = 2
BLOWN = 3

# Columns of the rules row.
ROLLS = 0
DICE = 1
DEALT = 2
TARGET = 3
BLACK = 4
PINK = 5
EMPTY_ROW_ENDS = 6
LLAMA_SAFE_ALONE = 7
DECK = 8
CUMULATIVE = 9
QUIT_COST = 10  # points that quitting costs besides the cards
OUT_TOKEN = 11  # when going out returns a token, see `tokens.OUT_TOKENS`
RULES_COLUMNS = 12

# Fields of a packed roll.
_COUNTS_AT = 20
_MASK_AT = 48
_ALL_LLAMAS_AT = 55
_HAND_BITS = (1 << 4 * KINDS) - 1
_EIGHTS = 0x8888888  # eight cards of each kind, packed like a hand


def pack_roll(kinds: tuple[int, ...]) -> int:
    """Return one entry of the rolls table for the faces `kinds` in dice order."""
    shown = sum(kind << 4 * die for die, kind in enumerate(kinds))
    counts = sum(1 << 4 * kind for kind in kinds)
    mask = 0
    for kind in kinds:
        mask |= 1 << kind
    all_llamas = int(all(kind == LLAMA for kind in kinds))
    return shown | counts << _COUNTS_AT | mask << _MASK_AT | all_llamas << _ALL_LLAMAS_AT


def pack_deck(counts: tuple[int, ...]) -> int:
    """Return the cards of each kind, cumulated, one byte each: byte k counts the kinds up to k."""
    return sum(sum(counts[: kind + 1]) << 8 * kind for kind in range(KINDS))


@small
def kinds_of(hand):
    """Return the mask of the kinds held.

    Of each kind one bit is left. They are brought together in pairs, and a multiplication shifts
    each pair to its place.
    """
    some = hand | hand >> 1
    some = (some | some >> 2) & 0x1111111
    pairs = (some | some >> 3) & 0x3030303
    return pairs * 0x1041040 >> 24 & FULL_ROW


@small
def count_of(hand, kind):
    """Return the number of cards of a kind in a hand (or of dice in packed counts)."""
    return hand >> 4 * kind & 15


@small
def roll_counts(roll):
    """Return the dice of a roll counted by kind, packed like a hand."""
    return roll >> _COUNTS_AT & _HAND_BITS


@small
def roll_kinds(roll):
    """Return the mask of the kinds that a roll shows."""
    return roll >> _MASK_AT & FULL_ROW


@small
def all_llamas(roll):
    """Return whether every die shows a llama."""
    return roll >> _ALL_LLAMAS_AT & 1


@small
def roll_case(rules, kinds, row, roll, alone):
    """Return LLAMAS, MATCH, MISS or BLOWN for the holder of `kinds`.

    alone: whether all other players have quit. Three llamas come first. See `last_llamas_blown`.
    """
    if all_llamas(roll):
        if alone and last_llamas_blown(rules, kinds):
            return BLOWN
        return LLAMAS
    shown = roll_kinds(roll)
    if shown & kinds:
        return MATCH
    if shown & row and not alone:
        return MISS
    return BLOWN


@small
def last_llamas_blown(rules, kinds):
    """Whether three llamas are blown for the last player: `llama_safe_alone` is off, none held."""
    return rules[LLAMA_SAFE_ALONE] == 0 and kinds >> LLAMA & 1 == 0


@small
def quitting_cost(rules, penalty):
    """The points that quitting costs with cards of this penalty."""
    return penalty + rules[QUIT_COST]


@small
def out_token(rules, score, kinds):
    """The token that going out returns (0: none); kinds: of the cards discarded last."""
    llama = kinds >> LLAMA & 1 != 0
    return token_going_out(rules[OUT_TOKEN], llama, score, rules[BLACK], rules[PINK])


@small
def row_ends_round(rules, row):
    """Whether the round ends by taking the last card, after which the row is this."""
    return row == 0 and rules[EMPTY_ROW_ENDS] != 0


@small
def blown_kinds(kinds, row):
    """The kinds that a player holds after blowing it: the llama row is added to the own cards."""
    return kinds | row


@small
def most_discarded(hand, roll):
    """Return all cards that a roll allows you to discard, packed like a hand.

    Of each kind that is the number held or the number of dice, whichever is lower. The kinds are
    compared all at once: what is held, plus eight, minus the dice is at least eight if the hand has
    enough cards of the kind. Nobody throws more than seven dice, so more cards count as seven.
    """
    shown = roll_counts(roll)
    eights = hand & _EIGHTS
    held = hand ^ eights | eights - (eights >> 3)
    enough = (held | _EIGHTS) - shown & _EIGHTS
    return held ^ (held ^ shown) & enough - (enough >> 3)


@small
def discard_options(most):
    """Return the number of distinct non-empty discards within `most` (from `most_discarded`)."""
    options = 1
    while most:
        options *= (most & 15) + 1
        most >>= 4
    return options - 1


@small
def discard_option(most, choice):
    """Return discard number `choice` (from 1): mixed radix, the lowest kind counting fastest."""
    chosen = 0
    at = 0
    while most >> at:
        radix = (most >> at & 15) + 1
        chosen |= choice % radix << at
        choice //= radix
        at += 4
    return chosen


@small
def row_cards(row):
    """Return one card of each kind of a mask, packed as a hand."""
    cards = (row | row << 12) & 0x7000F
    cards = (cards | cards << 6) & 0x1030303
    return (cards | cards << 3) & 0x1111111


@small
def lowest_kind(mask):
    """Return the lowest kind of a non-empty mask (the llama is the highest)."""
    # For each power of two the bits 5 to 7 of its product with 23 are another number r, and nibble
    # r of the constant is the kind.
    return 0x56304210 >> ((mask & -mask) * 23 >> 3 & 28) & 15
