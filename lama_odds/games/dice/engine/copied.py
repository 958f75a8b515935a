"""Decisions of `copy`: a sum of weights that were fitted to solved rounds of two players.

A situation is described by digits. There is one for each kind: how many either player holds, and
whether it is in the row. Others are for penalties, numbers of cards, and scores. A feature is up to
three of the digits together, with one weight for each of their values. So a decision is a few dozen
look-ups (an n-tuple network: Lucas, "Learning to play Othello with n-tuple systems", 2008).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from lama_odds.games.dice.engine.table_rows import HAND, SCORE, SCRATCH
from lama_odds.games.dice.rules.transition import KINDS, count_of, kinds_of
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
def write_digits(points, hand, theirs, row, mine, other, digits, at):
    """Write all digits of a situation from place `at` of an array.

    hand, theirs: packed cards of the player who decides and of the other. mine, other: their
    scores.
    """
    mine, other = min(mine, SCORES - 1), min(other, SCORES - 1)
    for kind in range(KINDS):
        digits[at + kind] = kind_digit(hand, theirs, row, kind)
    penalty = min(points[kinds_of(theirs)], PENALTIES - 1)
    digits[at + MINE] = min(points[kinds_of(hand)], PENALTIES - 1)
    digits[at + THEIRS] = penalty
    digits[at + ROW] = min(points[row], PENALTIES - 1)
    digits[at + MY_CARDS] = min(cards_of(hand), CARDS - 1)
    digits[at + THEIR_CARDS] = min(cards_of(theirs), CARDS - 1)
    digits[at + MY_SCORE] = mine
    digits[at + THEIR_SCORE] = other
    digits[at + LEAD] = min(max(mine - other + SCORES // 2, 0), SCORES - 1)
    digits[at + BAND] = mine * BANDS // SCORES * BANDS + other * BANDS // SCORES
    digits[at + HALF_THEIRS] = penalty // 2
    digits[at + NOTHING] = 0


@inlined
def summed(net, table):
    """Return the sum of the weights of the situation whose digits are written on the table."""
    features = net.features
    total = np.float32(0)
    for number in range(features.shape[0]):
        at = table[SCRATCH + features[number, 0]]
        at = at * features[number, 4] + table[SCRATCH + features[number, 1]]
        at = at * features[number, 5] + table[SCRATCH + features[number, 2]]
        total += net.weights[features[number, 3] + at]
    return total


# The other player of two has seat 1 - seat.


@compiled
def rolling(copied, points, hand, row, table, seat):
    """Return how much better it is for a seat to roll than to quit."""
    other = 1 - seat
    mine, theirs = table[SCORE + seat], table[SCORE + other]
    write_digits(points, hand, table[HAND + other], row, mine, theirs, table, SCRATCH)
    return summed(copied.rolling, table)


@compiled
def passing(copied, points, hand, row, table, seat):
    """Return what a seat expects to lose if it passes on this hand and row, up to a constant."""
    other = 1 - seat
    mine, theirs = table[SCORE + seat], table[SCORE + other]
    write_digits(points, table[HAND + other], hand, row, theirs, mine, table, SCRATCH)
    return -summed(copied.deciding, table)


@compiled
def fill_digits(points, hands, others, rows, scores, digits):
    """Write the digits of many situations, for fitting: int64[situations, DIGITS].

    scores: int64[situations, 2], of the player who decides and of the other.
    """
    for number in range(hands.size):
        mine, other = scores[number, 0], scores[number, 1]
        write_digits(
            points, hands[number], others[number], rows[number], mine, other, digits[number], 0
        )
