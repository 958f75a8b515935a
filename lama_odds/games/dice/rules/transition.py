"""The rules of a turn of Lama Dice, once, as compiled functions on packed state.

Kinds are numbered 0 to 5 for the values 1 to 6, and 6 for the llama.

- hand: one int64, the count of kind k in the four bits from 4k on
- row, kinds: a seven-bit mask, bit k for kind k
- roll: one int64 of the rolls table (see `pack_roll`): the kinds shown by up to
  five dice, their counts packed like a hand, their mask, and whether all are llamas

Sources: rule books of dice/amigo ("Rolling", "The End of a Round") and
dice/egmont ("Rzucić kostką", "Koniec rundy").
"""

from __future__ import annotations

from lama_odds.jit import inlined

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
RULES_COLUMNS = 10

# Fields of a packed roll.
_COUNTS_AT = 20
_MASK_AT = 48
_ALL_LLAMAS_AT = 55
_HAND_BITS = (1 << 4 * KINDS) - 1


def pack_roll(kinds: tuple[int, ...]) -> int:
    """One entry of the rolls table: what the dice show, as `kinds` in dice order."""
    shown = sum(kind << 4 * die for die, kind in enumerate(kinds))
    counts = sum(1 << 4 * kind for kind in kinds)
    mask = 0
    for kind in kinds:
        mask |= 1 << kind
    all_llamas = int(all(kind == LLAMA for kind in kinds))
    return shown | counts << _COUNTS_AT | mask << _MASK_AT | all_llamas << _ALL_LLAMAS_AT


def pack_deck(counts: tuple[int, ...]) -> int:
    """Cards of each kind, cumulated, one byte each: byte k counts the kinds up to k."""
    return sum(sum(counts[: kind + 1]) << 8 * kind for kind in range(KINDS))


@inlined
def kinds_of(hand):
    """Mask of the kinds held: gathers the non-zero nibbles with two multiplications."""
    held = (hand | hand >> 1 | hand >> 2 | hand >> 3) & 0x1111111
    low = ((held & 0x1111) * 0x249 >> 9) & 0xF
    high = ((held >> 16) * 0x49 >> 6) & 0x7
    return low | high << 4


@inlined
def count_of(hand, kind):
    """Number of cards of a kind in a hand (or of dice in packed counts)."""
    return hand >> 4 * kind & 15


@inlined
def roll_counts(roll):
    """The dice of a roll counted by kind, packed like a hand."""
    return roll >> _COUNTS_AT & _HAND_BITS


@inlined
def roll_kinds(roll):
    """Mask of the kinds that a roll shows."""
    return roll >> _MASK_AT & FULL_ROW


@inlined
def all_llamas(roll):
    """Whether every die shows a llama."""
    return roll >> _ALL_LLAMAS_AT & 1


@inlined
def roll_case(rules, kinds, row, roll, alone):
    """LLAMAS, MATCH, MISS or BLOWN: what this roll means for the holder of `kinds`.

    alone: whether all other players have quit. Three llamas come first.
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


@inlined
def last_llamas_blown(rules, kinds):
    """Whether three llamas are blown for the last player: `llama_safe_alone` is off, none held."""
    return rules[LLAMA_SAFE_ALONE] == 0 and kinds >> LLAMA & 1 == 0


@inlined
def row_ends_round(rules, row):
    """Whether the round ends by taking the last card, after which the row is this."""
    return row == 0 and rules[EMPTY_ROW_ENDS] != 0


@inlined
def blown_kinds(kinds, row):
    """The kinds that somebody is left with who blows it: the llama row comes to the own cards."""
    return kinds | row


@inlined
def most_discarded(dice, hand, roll):
    """All cards that a roll allows to discard, packed like a hand."""
    left = hand
    if dice == 3:
        for die in range(3):  # of known length, for the compiler's sake
            left = without_match(left, roll, die)
    else:
        for die in range(dice):
            left = without_match(left, roll, die)
    return hand - left


@inlined
def without_match(hand, roll, die):
    """The hand less a card of the kind that a die shows, if it is held."""
    at = 4 * (roll >> 4 * die & 15)
    return hand - (((hand >> at & 15) != 0) << at)


@inlined
def discard_options(most):
    """Number of distinct non-empty discards within `most` (from `most_discarded`)."""
    options = 1
    while most:
        options *= (most & 15) + 1
        most >>= 4
    return options - 1


@inlined
def discard_option(most, choice):
    """Discard number `choice` (from 1 on): mixed radix, the lowest kind counting fastest."""
    chosen = 0
    at = 0
    while most >> at:
        radix = (most >> at & 15) + 1
        chosen |= choice % radix << at
        choice //= radix
        at += 4
    return chosen


@inlined
def row_cards(row):
    """One card of each kind of a mask, packed as a hand."""
    cards = 0
    kind = 0
    while row >> kind:
        cards |= (row >> kind & 1) << 4 * kind
        kind += 1
    return cards


@inlined
def lowest_kind(mask):
    """Lowest kind of a non-empty mask (the llama is the highest)."""
    # The powers of two are distinct modulo 11: nibble r of the number is the k with 2**k % 11 == r.
    return 0x56300420100 >> 4 * ((mask & -mask) % 11) & 15
