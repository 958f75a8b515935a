"""Chances to win by the scores between rounds, as kernels look them up in match equity tables.

Two players have a table of every pair of scores. Of more players it would be too large. They have a
small network instead, whose first layer is tables. Everybody's score has a row of numbers, and so
has what it means to all. A player's own row and the sum of the rows of all are added. What is
positive of it is weighted and summed: the logarithm of a strength. Chances are strengths divided by
their sum, as Harville (1973) has it. So they sum to 1, and players are treated alike except for
their turns.

All numbers are integers, and so are sums: any machine finds the same chances.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from lama_odds.games.interface.tally_layout import EQUITY, lowest_score
from lama_odds.jit import allocating, compiled, given_or, inlined

MOST_UNITS = 64  # of the network
STEPS = 512  # of a logarithm by 1
SMALLEST = 14  # the logarithm of a strength, below that of the strongest, from which on it is 0
POWERS = np.rint((1 << 30) * np.exp(-np.arange(SMALLEST * STEPS) / STEPS)).astype(np.int64)


class Several(NamedTuple):
    """Chances of more than two players.

    own, common: int32[players, target, units], by turns after the starter and by score: what is
    added for the player, and for all. weights: int32[units]. step: what is 1 / STEPS in the
    weighted sums. powers: int64, strengths by steps below the strongest.
    """

    own: np.ndarray
    common: np.ndarray
    weights: np.ndarray
    step: int
    powers: np.ndarray


class Equities(NamedTuple):
    """A match equity table for kernels.

    two: int64[target, target], in units of 1 / EQUITY: the chance of the player who starts, by its
    own and the other's score. It is of size 0 if the table is for more. several: None if not.
    """

    two: np.ndarray
    several: Several | None


PLAYED_ON = Equities(np.zeros((0, 0), dtype=np.int64), None)  # no table: games are played out
CHANCE, UNIT = range(2)  # the rows of a room


@inlined
def has_table(equities):
    """Return whether there is a table."""
    return equities.two.size > 0 or has_several(equities)


@given_or("several", False)
@inlined
def has_several(equities):
    """Return whether there is a table of more than two."""
    return equities.several.step > 0


@allocating
def new_room():
    """Return the array in which chances are worked out: chances by seat, sums by unit."""
    return np.zeros((2, MOST_UNITS), np.int64)


@inlined
def find_chances(equities, table, at, seats, starter, room):
    """Write everybody's chance to win by the scores table[at: at + seats], in 1 / EQUITY.

    starter: the seat that starts the next round. room: see `new_room`; row CHANCE is the result.
    """
    if equities.two.size:
        room[CHANCE, 0] = chance_of_two(equities.two, table, at, starter)
        room[CHANCE, 1] = EQUITY - room[CHANCE, 0]
    else:
        chances_of_several(equities, table, at, seats, starter, room)


@inlined
def chance_of_two(two, table, at, starter):
    """Return the chance that seat 0 of two wins."""
    mine = table[at]
    other = table[at + 1]
    if max(mine, other) >= two.shape[0]:
        return EQUITY * (mine < other) + EQUITY // 2 * (mine == other)
    if starter == 0:
        return two[mine, other]
    return EQUITY - two[other, mine]


@given_or("several", False)
@inlined
def chances_of_several(equities, table, at, seats, starter, room):
    """Write everybody's chance in `room`; return whether the game continues."""
    several = equities.several
    own, common, weights = several.own, several.common, several.weights
    highest = 0
    for seat in range(seats):
        highest = max(highest, table[at + seat])
    if highest >= own.shape[1]:
        lowest, shared = lowest_score(table, at, seats)
        for seat in range(seats):
            room[CHANCE, seat] = EQUITY // shared * (table[at + seat] == lowest)
        return False
    units = weights.size
    for unit in range(units):
        room[UNIT, unit] = 0
    for seat in range(seats):
        turn = (seat - starter) % seats
        for unit in range(units):
            room[UNIT, unit] += common[turn, table[at + seat], unit]
    for seat in range(seats):
        turn = (seat - starter) % seats
        logarithm = 0
        for unit in range(units):
            value = room[UNIT, unit] + own[turn, table[at + seat], unit]
            logarithm += max(value, 0) * weights[unit]
        room[CHANCE, seat] = logarithm
    share_chances(several, seats, room)
    return True


@inlined
def share_chances(several, seats, room):
    """Turn logarithms of strengths into chances."""
    powers = several.powers
    top = room[CHANCE, 0]
    for seat in range(1, seats):
        top = max(top, room[CHANCE, seat])
    total = 0
    for seat in range(seats):
        below = (top - room[CHANCE, seat]) // several.step
        room[CHANCE, seat] = powers[below] if below < powers.size else 0
        total += room[CHANCE, seat]
    for seat in range(seats):
        room[CHANCE, seat] = (EQUITY * room[CHANCE, seat] + total // 2) // total


@compiled
def chances_at(equities, scores, starters, found):
    """Write everybody's chance for each row of scores, in units of 1 / EQUITY."""
    seats = found.shape[1]
    room = new_room()
    for row in range(scores.shape[0]):
        find_chances(equities, scores[row], 0, seats, starters[row], room)
        for seat in range(seats):
            found[row, seat] = room[CHANCE, seat]
