"""What played rounds have taught LEARNED, and the totals at the end that it foretells.

A *stage* is the number of cards that a player has face down, and the fewest that anybody else has.
In each stage weights of the six lines of a grid foretell the total at the end of the round. There
are weights for the player's own grid as the player knows it, and others for grids as they are seen.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from lama_odds.games.noprob.engine.grids import expected_total, lines_worth, seen_grid
from lama_odds.games.noprob.rules.scoring import cells_of_lines
from lama_odds.games.noprob.rules.transition import (
    ALL_UP,
    BESIDE,
    CELLS,
    LAST,
    UNKNOWN,
    UP,
    kind_at,
)
from lama_odds.jit import for_all, inlined, small

STAGES = 100  # ten times the own cards face down, plus the fewest of anybody else
FAR = 1e6  # points: more than any total


class Learned(NamedTuple):
    """What was learned.

    own, theirs: float64[STAGES, 4096], points by the cards of a line, see `scoring`; an own grid as
    its player knows it, another as it is seen. share: float64[2, STAGES], of own grids and others,
    how much of the unseen cards' mean above the deck's each unknown card adds. chance:
    float64[STAGES, 2], slope and height of the logistic curve. mean: points of a card of the deck.
    by_card: float64[3, STAGES, 4096], `own` in other orders, see `by_card`. worth: float64[3,
    4096], what a line adds unchanged, in the same orders.
    """

    own: np.ndarray
    theirs: np.ndarray
    share: np.ndarray
    chance: np.ndarray
    mean: float
    by_card: np.ndarray
    worth: np.ndarray


def line_kinds() -> np.ndarray:
    """Return int64[4096], a number for each line: the same for the same cards in another order."""
    cells = np.sort(np.minimum(cells_of_lines(), UNKNOWN), axis=0)
    return np.unique(cells[0] << 8 | cells[1] << 4 | cells[2], return_inverse=True)[1]


def by_card(worth: np.ndarray) -> np.ndarray:
    """Return something of lines, [..., 4096], in three orders: [3, ..., 4096].

    In each the first, second or third card of a line comes last, so that what any card adds there
    stands side by side. See `apart` for the index.
    """
    cards = worth.reshape(*worth.shape[:-1], 16, 16, 16)  # the first card of a line comes last
    first = cards.ndim - 1
    orders = (cards, np.moveaxis(cards, first - 1, first), np.moveaxis(cards, first - 2, first))
    return np.stack([order.reshape(worth.shape) for order in orders])


@small
def apart(line, at):
    """Return the index of a line in an order of `by_card`."""
    below = line & (1 << 4 * at) - 1
    return line >> 4 * at & 15 | below << 4 | line >> 4 * at + 4 << 4 * at + 4


@small
def face_down(up):
    """Return the number of cards face down, from the mask of those face up."""
    down = ALL_UP & ~up
    down = (down & 0x155) + (down >> 1 & 0x55)
    down = (down & 0x133) + (down >> 2 & 0x33)
    return (down & 0xF) + (down >> 4 & 0xF) + (down >> 8 & 0xF)


@inlined
@for_all
def fewest_down(table, seat, seats, but):
    """Return the fewest cards that anybody has face down, except for two seats."""
    fewest = CELLS
    for other in range(seats):
        if other not in (seat, but):
            fewest = min(fewest, face_down(table[UP + other]))
    return fewest


@inlined
def unknown_in(grid):
    """Return the number of unknown cards of a grid."""
    count = 0
    for cell in range(CELLS):
        count += kind_at(grid, cell) == UNKNOWN
    return count


@inlined
@for_all
def foretold(weights, shares, stage, grid, mean):
    """Return the total of a grid at the end, without specials; mean: unseen above the deck's."""
    return lines_worth(weights, stage, grid) + shares[stage] * mean * unknown_in(grid)


@inlined
@for_all
def turns_to_come(table, seats):
    """Return how many seats will have a turn after this one."""
    return table[LAST] - 1 if table[LAST] >= 0 else seats - 1


@inlined
@for_all
def total_of_other(tables, table, other, seats, viewer, down, to_come, mean):
    """Return the foretold total of another seat after a turn of the viewer: twice.

    down: the viewer's cards face down after the turn; the second is with one card fewer. to_come:
    how many seats will have a turn yet.
    """
    if (other - viewer) % seats > to_come:
        total = expected_total(
            tables.points, tables.spread, tables.worth, table, other, viewer, mean
        )
        return total, total
    learned = tables.learned
    fewest = fewest_down(table, viewer, seats, other)
    base = 10 * face_down(table[UP + other])
    stage, less = base + min(down, fewest), base + min(max(down - 1, 0), fewest)
    grid = seen_grid(tables.spread, table, other, viewer)
    above = mean - learned.mean
    beside = table[BESIDE + other]
    total = beside + foretold(learned.theirs, learned.share[1], stage, grid, above)
    if less == stage:
        return total, total
    return total, beside + foretold(learned.theirs, learned.share[1], less, grid, above)


@inlined
@for_all
def lowest_of_others(tables, table, seats, viewer, down, to_come, mean):
    """Return the lowest foretold totals of the others, see `total_of_other`."""
    lowest = lowest_less = FAR
    for other in range(seats):
        if other != viewer:
            total, total_less = total_of_other(
                tables, table, other, seats, viewer, down, to_come, mean
            )
            lowest = min(lowest, total)
            lowest_less = min(lowest_less, total_less)
    return lowest, lowest_less
