"""Decisions of `learned`: what its player sees on the table, and what two networks make of it.

Everything lies open: all hands, the row, and all scores. The first layer of a network adds up a row
of weights for each thing that is seen. A second layer of few numbers leads to one result. Of the
first network this is how much better it is to roll than to quit. Of the other it is how good cards
and a row are to leave, beside others. Both are in tenths of a chance to win the game.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from lama_odds.core.reading import data_bytes
from lama_odds.games.dice.engine.tables import (
    BLOCK,
    HAND,
    MAX_SEATS,
    PARAMETER,
    PENALTY,
    SCORE,
    SCRATCH,
    SCRATCH_SIZE,
)
from lama_odds.games.dice.rules.transition import FULL_ROW, KINDS, count_of, kinds_of
from lama_odds.games.shared import shipped_weights
from lama_odds.jit import compiled, inlined
from lama_odds.jit.arrays import array_of

FIRST, SECOND = 32, 16  # numbers of the two layers
NONE, SURE = np.float32(0), np.float32(1)

# What is told apart: cards of a kind, sets of kinds, cards of a hand, penalties, scores.
MOST, SETS, CARDS, PENALTIES, SCORES = 4, FULL_ROW + 1, 14, 32, 80
FEWEST = 7  # cards of another player still in
FARTHEST = 40  # points between two scores
LEADS = 2 * FARTHEST + 1
NEAR = 20  # points between two totals, beside how near the end of the game is
CLEAR = 13  # points with which its player rolls anyway, unless alone
HIGHS = (28, 32, 36, 40)  # scores from which the end of the game is nearer
OTHERS = MAX_SEATS - 1
_ONES = 0x1111111

# Where the rows of each kind begin.
HELD = KINDS * 2 * MOST
TWICE = HELD + SETS
IN_ROW = TWICE + SETS
NEAR_OUT = IN_ROW + SETS
SCORE_OF = NEAR_OUT + CARDS * FEWEST * MAX_SEATS
TOTAL = SCORE_OF + SCORES
HIGHEST = TOTAL + SCORES
MARGIN = HIGHEST + SCORES
LEAD = MARGIN + LEADS
AT_END = LEAD + LEADS
NOTHING = AT_END + (2 * NEAR + 1) * (len(HIGHS) + 1)
# Of each other player: the kinds, or the penalty of a player who has quit; cards; score; total.
OTHER = NOTHING + 1
OF_CARDS = SETS + PENALTIES
OF_SCORE = OF_CARDS + CARDS
OF_LEAD = OF_SCORE + SCORES
OF_TOTAL = OF_LEAD + LEADS
OF_OTHER = OF_TOTAL + LEADS
ROWS = OTHER + OTHERS * OF_OTHER
GROUP = 4
MOST_ROWS = 44  # of a situation

# A network in one array, float32[NET_SIZE, FIRST]: rows, second layer, result, constants. A policy
# has two of them. Those of several policies follow each other, and a policy's parameter is the
# number of its own.
SECOND_AT = ROWS
EACH = FIRST // SECOND  # rows of the second layer in one of the array
RESULT_AT = SECOND_AT + SECOND
NET_SIZE = RESULT_AT + 2
TO_ROLL, TO_LEAVE, BOTH = 0, NET_SIZE, 2 * NET_SIZE  # where the two networks begin and end

# Where the layers are on the table, behind the rows: places of float32, two in that of an int64.
LAYER_AT = 2 * (SCRATCH + MOST_ROWS)
NEXT_AT = LAYER_AT + FIRST
assert NEXT_AT + SECOND <= 2 * (SCRATCH + SCRATCH_SIZE)


class Net(NamedTuple):
    """A network.

    rows: float32[ROWS, FIRST]. second: float32[FIRST, SECOND]. results: float32[1, SECOND].
    constants: float32[SECOND + 1], what is added to the second layer, and to the result.
    """

    rows: np.ndarray
    second: np.ndarray
    results: np.ndarray
    constants: np.ndarray


def laid_out(nets: tuple[Net, Net]) -> np.ndarray:
    """Return both networks as compiled functions read them, float32[2 * NET_SIZE, FIRST]."""
    weights = np.zeros((2, NET_SIZE, FIRST), np.float32)
    for net, into in zip(nets, weights, strict=True):
        into[:ROWS] = net.rows
        into[SECOND_AT:RESULT_AT] = net.second.reshape(SECOND, FIRST)
        into[RESULT_AT, :SECOND] = net.results
        into[RESULT_AT + 1, : SECOND + 1] = net.constants
    return weights.reshape(BOTH, FIRST)


# The networks as shipped in data/dice: for each number of players, both in one file.

MANIFEST = "dice/learned.json"
SHAPES = 2 * ((ROWS, FIRST), (FIRST, SECOND), (1, SECOND), (SECOND + 1,))  # as in `Net`
NOBODY = np.zeros((0, FIRST), np.float32)  # where nobody plays it


def learned(rules_id: str, players: int) -> np.ndarray:
    """Return the networks for a rule set and number of players, see `laid_out`.

    Raises ReadError if there are none.
    """
    return _read(*shipped_weights.file_of(MANIFEST, rules_id, players))


@cache
def _read(path: str, digest: str) -> np.ndarray:
    parts = shipped_weights.split(array_of(data_bytes(path, digest)), SHAPES)
    return laid_out((Net(*parts[:4]), Net(*parts[4:])))


# What they make of a situation.


@inlined
def size_of(hand):
    """Return the number of cards in a packed hand."""
    pairs = (hand & 0x0F0F0F0F) + (hand >> 4 & 0x0F0F0F0F)
    return (pairs * 0x01010101 >> 24) & 0xFF


@inlined
def within(number, farthest):
    """Return the place of a number among those from -farthest to farthest."""
    return max(min(number, farthest), -farthest) + farthest


@inlined
def write_other(points, table, number, other, mine, total, at):
    """Write the rows of another player from place `at`; return the score with the cards' points.

    number: of the player, in turn order from 0. mine, total: the own score, without and with the
    points of the own cards.
    """
    begin = OTHER + number * OF_OTHER
    penalty = table[PENALTY + other]
    if penalty < 0:
        kinds = kinds_of(table[HAND + other])
        penalty = points[kinds]
        table[at] = begin + kinds
        table[at + 1] = begin + OF_CARDS + min(size_of(table[HAND + other]), CARDS - 1)
    else:
        table[at] = begin + SETS + min(penalty, PENALTIES - 1)
        table[at + 1] = begin + OF_CARDS
    score = table[SCORE + other]
    table[at + 2] = begin + OF_SCORE + min(score, SCORES - 1)
    table[at + 3] = begin + OF_LEAD + within(score - mine, FARTHEST)
    table[at + 4] = begin + OF_TOTAL + within(score + penalty - total, FARTHEST)
    return score + penalty


@inlined
def write_rows(points, hand, row, others, table, seat):
    """Write the rows of a seat's situation from place SCRATCH on; return their number.

    hand: packed, of the seat. others: those still in.
    """
    at = SCRATCH
    for kind in range(KINDS):
        count = min(count_of(hand, kind), MOST - 1)
        table[at + kind] = (kind * MOST + count) * 2 + (row >> kind & 1)
    at += KINDS
    kinds = kinds_of(hand)
    mine = table[SCORE + seat]
    total = mine + points[kinds]
    players = table[BLOCK + seat]
    fewest = np.int64(FEWEST - 1)
    highest = np.int64(0)
    lowest = np.int64(999)
    least = np.int64(999)
    other = seat
    for number in range(players - 1):
        other += 1
        if other == players:
            other = 0
        after = write_other(points, table, number, other, mine, total, at)
        at += 5
        highest = max(highest, after)
        lowest = min(lowest, after)
        least = min(least, table[SCORE + other])
        if table[PENALTY + other] < 0:
            fewest = min(fewest, size_of(table[HAND + other]))
    near = np.int64(0)
    for high in HIGHS:
        near += max(highest, total) >= high
    cards = min(size_of(hand), CARDS - 1)
    table[at] = HELD + kinds
    table[at + 1] = TWICE + kinds_of((hand >> 1 | hand >> 2 | hand >> 3) & _ONES)
    table[at + 2] = IN_ROW + row
    table[at + 3] = NEAR_OUT + (cards * FEWEST + fewest) * MAX_SEATS + others
    table[at + 4] = SCORE_OF + min(mine, SCORES - 1)
    table[at + 5] = TOTAL + min(total, SCORES - 1)
    table[at + 6] = HIGHEST + min(highest, SCORES - 1)
    table[at + 7] = MARGIN + within(lowest - total, FARTHEST)
    table[at + 8] = LEAD + within(least - mine, FARTHEST)
    table[at + 9] = AT_END + near * (2 * NEAR + 1) + within(lowest - total, NEAR)
    at += 10
    while (at - SCRATCH) % GROUP:
        table[at] = NOTHING
        at += 1
    return at - SCRATCH


@inlined
def result_of(nets, net, number, table, seen):
    """Return the result of a network; number: of rows on the table. seen: the table as float32."""
    for x in range(FIRST):
        seen[LAYER_AT + x] = NONE
    for at in range(SCRATCH, SCRATCH + number, GROUP):
        a, b, c, d = (
            net + table[at],
            net + table[at + 1],
            net + table[at + 2],
            net + table[at + 3],
        )
        for x in range(FIRST):
            seen[LAYER_AT + x] += nets[a, x] + nets[b, x] + nets[c, x] + nets[d, x]
    at = net + RESULT_AT
    for y in range(SECOND):
        seen[NEXT_AT + y] = nets[at + 1, y]
    for x in range(0, FIRST, 2 * EACH):
        a, b = max(seen[LAYER_AT + x], NONE), max(seen[LAYER_AT + x + 1], NONE)
        c, d = max(seen[LAYER_AT + x + 2], NONE), max(seen[LAYER_AT + x + 3], NONE)
        here = net + SECOND_AT + x // EACH
        for y in range(SECOND):
            seen[NEXT_AT + y] += (
                a * nets[here, y] + b * nets[here, SECOND + y]
                + c * nets[here + 1, y] + d * nets[here + 1, SECOND + y]
            )  # fmt: skip
    total = nets[at + 1, SECOND]
    for y in range(SECOND):
        total += max(seen[NEXT_AT + y], NONE) * nets[at, y]
    return total


@compiled
def gain_of_rolling(nets, points, hand, row, others, table, seat):
    """Return how much better it is for a seat to roll than to quit."""
    if others > 0 and points[kinds_of(hand)] >= CLEAR:
        return SURE
    number = write_rows(points, hand, row, others, table, seat)
    net = BOTH * table[PARAMETER + seat] + TO_ROLL
    return result_of(nets, net, number, table, table.view(np.float32))


@compiled
def cost_of_leaving(nets, points, hand, row, others, table, seat):
    """Return what it costs a seat to leave itself this hand and row, beside other choices."""
    number = write_rows(points, hand, row, others, table, seat)
    net = BOTH * table[PARAMETER + seat] + TO_LEAVE
    return -result_of(nets, net, number, table, table.view(np.float32))
