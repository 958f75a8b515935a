"""Decisions of `copy`: a sum of weights that were fitted to solved rounds of two players.

A situation is described by digits. There is one for each kind: how many either player holds, and
whether it is in the row. Others are for penalties, numbers of cards, and scores. A feature is up to
three of the digits together, with one weight for each of their values. So a decision is a few dozen
look-ups (an n-tuple network: Lucas, "Learning to play Othello with n-tuple systems", 2008).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from lama_odds.games.dice.rules.transition import KINDS, count_of, kinds_of
from lama_odds.games.shared.seating import COLUMNS
from lama_odds.jit import compiled, inlined

# Values of each digit; a digit that would be larger has its highest value.
PENALTIES, CARDS, SCORES, BANDS = 32, 14, 40, 8
SIZES = (
    *[32] * KINDS,
    PENALTIES, PENALTIES, PENALTIES, CARDS, CARDS, SCORES, SCORES, SCORES, BANDS**2,
    PENALTIES // 2, 1,
)  # fmt: skip
# Names of the digits after those of the kinds. Those of the player to decide come first, then those
# of the other; then the lead, bands of both scores, and half of the other's penalty.
MINE, THEIRS, ROW, MY_CARDS, THEIR_CARDS, MY_SCORE, THEIR_SCORE, LEAD, BAND = range(7, 16)
HALF_THEIRS, NOTHING = 16, 17
DIGITS = len(SIZES)
# Where digits are written on the table of a round, behind its rows.
DIGITS_AT = 11 * COLUMNS

_CARDS_BITS = 28  # of a packed hand
_SCORE_BITS = 12


class Net(NamedTuple):
    """Features and weights.

    features: int64[features, 6]; three digits, where its weights start, and the sizes of the
    second and the third digit.
    weights: float32.
    """

    features: np.ndarray
    weights: np.ndarray


class Copied(NamedTuple):
    """What `copy` reads.

    rolling: how much better it is to roll than to quit. deciding: what a situation costs the player
    who decides.
    """

    rolling: Net
    deciding: Net


_NO_NET = Net(np.zeros((0, 6), dtype=np.int64), np.zeros(1, dtype=np.float32))
NOT_COPIED = Copied(_NO_NET, _NO_NET)  # for tables where nobody plays `copy`


@inlined
def against(theirs, mine, other):
    """Pack what `copy` sees of the other player: the cards, and both scores."""
    return theirs | mine << _CARDS_BITS | other << _CARDS_BITS + _SCORE_BITS


@inlined
def theirs_of(seen):
    """Return the other's packed cards."""
    return seen & (1 << _CARDS_BITS) - 1


@inlined
def turned(seen, hand):
    """Pack the same as the other player sees it, who plays against this hand."""
    mine = seen >> _CARDS_BITS & (1 << _SCORE_BITS) - 1
    other = seen >> _CARDS_BITS + _SCORE_BITS
    return against(hand, other, mine)


@inlined
def cards_of(hand):
    """Return the number of cards of a packed hand."""
    cards = 0
    for kind in range(KINDS):
        cards += count_of(hand, kind)
    return cards


@inlined
def kind_digit(hand, theirs, row, kind):
    """Return the digit of a kind: up to three cards of either player, and the row."""
    mine, other = min(count_of(hand, kind), 3), min(count_of(theirs, kind), 3)
    return mine << 3 | other << 1 | row >> kind & 1


@inlined
def write_digits(points, hand, seen, row, digits, at):
    """Write all digits of a situation from place `at` of an array; seen: see `against`."""
    theirs = theirs_of(seen)
    my_score = min(seen >> _CARDS_BITS & (1 << _SCORE_BITS) - 1, SCORES - 1)
    their_score = min(seen >> _CARDS_BITS + _SCORE_BITS, SCORES - 1)
    for kind in range(KINDS):
        digits[at + kind] = kind_digit(hand, theirs, row, kind)
    other = min(points[kinds_of(theirs)], PENALTIES - 1)
    bands = my_score * BANDS // SCORES, their_score * BANDS // SCORES
    digits[at + MINE] = min(points[kinds_of(hand)], PENALTIES - 1)
    digits[at + THEIRS] = other
    digits[at + ROW] = min(points[row], PENALTIES - 1)
    digits[at + MY_CARDS] = min(cards_of(hand), CARDS - 1)
    digits[at + THEIR_CARDS] = min(cards_of(theirs), CARDS - 1)
    digits[at + MY_SCORE] = my_score
    digits[at + THEIR_SCORE] = their_score
    digits[at + LEAD] = min(max(my_score - their_score + SCORES // 2, 0), SCORES - 1)
    digits[at + BAND] = bands[0] * BANDS + bands[1]
    digits[at + HALF_THEIRS] = other // 2
    digits[at + NOTHING] = 0


@inlined
def summed(net, points, hand, seen, row, table):
    """Return the sum of the weights of a situation; digits are written on the table."""
    write_digits(points, hand, seen, row, table, DIGITS_AT)
    features = net.features
    total = np.float32(0)
    for number in range(features.shape[0]):
        at = table[DIGITS_AT + features[number, 0]]
        at = at * features[number, 4] + table[DIGITS_AT + features[number, 1]]
        at = at * features[number, 5] + table[DIGITS_AT + features[number, 2]]
        total += net.weights[features[number, 3] + at]
    return total


@compiled
def fill_digits(points, hands, others, rows, scores, digits):
    """Write the digits of many situations, for fitting: int64[situations, DIGITS].

    scores: int64[situations, 2], of the player who decides and of the other.
    """
    for number in range(hands.size):
        seen = against(others[number], scores[number, 0], scores[number, 1])
        write_digits(points, hands[number], seen, rows[number], digits[number], 0)
