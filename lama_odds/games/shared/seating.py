"""The players still in a round, in turn order: rows of a table that card and dice games share."""

from __future__ import annotations

import numpy as np

from lama_odds.core.policy_numbers import BITS, MASK
from lama_odds.games.shared.meanfield_numbers import MOST_EVEN, PLAIN
from lama_odds.jit import inlined

COLUMNS = 8  # one for each seat: the entry of a seat is table[ROW + seat]
PENALTY = 1 * COLUMNS  # of the round; −1 for seats that are still in
NEXT = 3 * COLUMNS  # the next seat that is still in
BEFORE = 4 * COLUMNS  # the seat still in before this one
SETTLED = 99  # points by which quitting counts more or less if it settles the game


@inlined
def all_in(table, seats):
    """Seat everybody in order; nobody has quit."""
    for seat in range(seats):
        table[NEXT + seat] = seat + 1
        table[BEFORE + seat] = seat - 1
        table[PENALTY + seat] = -1
    table[NEXT + seats - 1] = 0
    table[BEFORE + 0] = seats - 1


@inlined
def leave(table, seat, penalty):
    """Take a seat out of the round: it has quit with this penalty."""
    table[PENALTY + seat] = penalty
    before = table[BEFORE + seat] & 7
    after = table[NEXT + seat] & 7
    table[NEXT + before] = after
    table[BEFORE + after] = before


@inlined
def lowest_other(table, score, seats, seat, with_quit):
    """Return the lowest score of the others; table[score:]: the scores.

    with_quit: whether penalties of players who quit this round count too.
    """
    lowest = np.int64(1) << 40
    for other in range(seats):
        if other != seat:
            has = table[score + other]
            if with_quit:
                has += max(table[PENALTY + other], 0)
            lowest = min(lowest, has)
    return lowest


@inlined
def leeway(parameter, table, score, seats, seat, open_cards):
    """Return the points by which a `meanfield` values quitting less than continuing, by its lead.

    parameter: the policy's, see `meanfield_numbers`. table[score:]: the scores. open_cards: whether
    the penalties of players who have quit are known, and count.
    """
    even = (parameter >> BITS & MASK) - MOST_EVEN
    ahead = parameter >> 2 * BITS & MASK
    behind = parameter >> 3 * BITS & MASK
    if ahead | behind == 0:
        return np.float32(even)
    lead = lowest_other(table, score, seats, seat, open_cards) - table[score + seat]
    slope = ahead if lead > 0 else behind
    return np.float32(10 * even + slope * lead) / np.float32(10)


@inlined
def settled_alone(parameter, mine, lowest, highest, target):
    """Return the leeway of a `meanfield` alone in the round if quitting settles the game.

    It quits if that surely wins, and never if that surely loses: negative. 0 if neither, and for
    a policy whose numbers are all 0, which plays for points. Arguments as of `at_the_end`.
    """
    if parameter == PLAIN or max(mine, highest) < target or mine == lowest:
        return np.float32(0)
    return np.float32(SETTLED if mine < lowest else -SETTLED)


@inlined
def at_the_end(parameter, mine, lowest, highest, target):
    """Return the points by which quitting is valued less (more, if negative) if the game would end.

    mine: the own score including the cost of quitting. lowest, highest: of the others, with their
    cards as they lie. target: the score at which the game ends.
    """
    if max(mine, highest) < target:
        return np.float32(0)
    if mine <= lowest:
        return np.float32(parameter >> 4 * BITS & MASK)
    return -np.float32(parameter >> 5 * BITS & MASK)
