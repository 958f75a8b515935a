"""PLANNER: values its grid and does what makes it cheapest (see `grids`).

Incomplete lines count what completing them would save, times a chance. Its numbers are in a policy
row.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from lama_odds.games.noprob.engine.grids import (
    DRAW,
    PASS,
    PUT_AWAY,
    TAKE,
    change_of,
    expected_total,
    last_hidden,
    lines_worth,
    mean_of,
    seen_grid,
    without_known,
)
from lama_odds.games.noprob.rules.transition import (
    ALL_UP,
    BESIDE,
    CELLS,
    DRAMA,
    HEIGHT,
    KINDS,
    LAST,
    PACK,
    PILE,
    REFILLED,
    STACK,
    TURNS,
    UNKNOWN,
    UP,
    cells_of_lines,
    kind_at,
    number_of,
)
from lama_odds.jit import for_all, inlined, small

# What played rounds have taught LEARNED, and the totals at the end that it foretells.
#
# A *stage* is the number of cards that a player has face down, and the fewest that anybody else
# has. In each stage weights of the six lines of a grid foretell the total at the end of the round.
# There are weights for the player's own grid as the player knows it, and others for grids as they
# are seen.

STAGES = 100  # ten times the own cards face down, plus the fewest of anybody else
FAR = 1e6  # points: more than any total


class Learned(NamedTuple):
    """What was learned.

    own, theirs: float64[STAGES, 4096], points by the cards of a line, see `scoring`; an own grid as
    its player knows it, another as it is seen. share: float64[2, STAGES], of own grids and others,
    how much of the unseen cards' mean above the deck's each unknown card adds. chance:
    float64[STAGES, 2], slope and height of the logistic curve. mean: points of a card of the deck.
    by_card: float64[3, STAGES, 4096], `own` in other orders, see `by_card`. worth: float64[3,
    4096], what a line adds unchanged, in the same orders. net: float32[rows, UNITS], a network that
    corrects the curve, see `learned`.
    """

    own: np.ndarray
    theirs: np.ndarray
    share: np.ndarray
    chance: np.ndarray
    mean: float
    by_card: np.ndarray
    worth: np.ndarray
    net: np.ndarray


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
    extra = table[BESIDE + other]
    total = extra + foretold(learned.theirs, learned.share[1], stage, grid, above)
    if less == stage:
        return total, total
    return total, extra + foretold(learned.theirs, learned.share[1], less, grid, above)


# Columns of a policy row, after the family.
WORTH = 1  # index of the table of line worths
LEAD = 2  # the round is ended only if the own total is this much below the lowest other
DENY = 3  # hundredths of the value of a discarded card for the next player
HASTE = 4  # tenths of a point for turning a card up
POLICY_COLUMNS = 5

NEVER = 1e6  # points: practically forbidden
PATIENCE = 50  # own turns; after them PLANNER ends the round, more urgently every turn
URGENCY = 0.2  # points for each turn


@inlined
@for_all
def urge(policies, table, seat, seats):
    """Return the points that turning a card up is worth by itself."""
    if table[LAST] >= 0:
        return 0.0
    late = max(table[TURNS] // seats - PATIENCE, 0)
    return policies[seat, HASTE] / 10.0 + URGENCY * late


@inlined
@for_all
def ending_cost(points, spread, worth, policies, table, seat, seats, mean):
    """Return NEVER if turning up the last card is against the policy's lead; otherwise 0.

    Lead: the seat's total before the card, compared to the lowest of the others.
    """
    if table[LAST] >= 0 or table[TURNS] >= PATIENCE * seats:
        return 0.0
    lowest = NEVER
    for other in range(seats):
        if other != seat:
            total = expected_total(points, spread, worth, table, other, seat, mean)
            lowest = min(lowest, total)
    mine = expected_total(points, spread, worth, table, seat, seat, mean)
    return 0.0 if mine + policies[seat, LEAD] <= lowest else NEVER


@inlined
@for_all
def best_cell(points, worth, which, grid, up, closing, cost, haste, kind, mean):
    """Return the best cell for a card and what it adds."""
    best = np.inf
    chosen = 0
    for cell in range(CELLS):
        change = change_of(points, worth, which, grid, cell, kind, mean)
        change -= haste * (1 - (up >> cell & 1))
        if cell == closing:
            change += cost
        if change < best:
            best = change
            chosen = cell
    return chosen, best


@inlined
@for_all
def horizon(policies, table, seat):
    """Return the index of the table of line worths: in a last turn incomplete lines count
    nothing.
    """
    return 0 if table[LAST] >= 0 else policies[seat, WORTH]


@inlined
def plan_source(points, spread, worth, policies, table, seat, seats):
    """PLANNER: draw, take the discard, or pass a last turn."""
    which = horizon(policies, table, seat)
    unseen = without_known(table, seat)
    mean = mean_of(points, unseen)
    grid = seen_grid(spread, table, seat, seat)
    up = table[UP + seat]
    haste = urge(policies, table, seat, seats)
    closing = last_hidden(up)
    cost = 0.0
    if closing >= 0:
        cost = ending_cost(points, spread, worth, policies, table, seat, seats, mean)
    taking = np.inf
    if table[HEIGHT]:
        top = table[STACK + table[HEIGHT] - 1]
        if top < DRAMA:
            _, taking = best_cell(points, worth, which, grid, up, closing, cost, haste, top, mean)
    if table[PILE] == 0:
        if table[HEIGHT] == 0 or (taking >= 0.0 and table[LAST] >= 0):
            return PASS
        return TAKE
    if taking == np.inf:
        return DRAW
    drawing = 0.0
    cards = 0
    for kind in range(KINDS):
        n = unseen >> 4 * kind & 15
        if table[REFILLED]:
            n = number_of(table[PACK], table[PACK + 1], kind)
        cards += n
        if n and kind < DRAMA:
            _, change = best_cell(points, worth, which, grid, up, closing, cost, haste, kind, mean)
            drawing += n * min(change, 0.0)
    return TAKE if taking * cards <= drawing else DRAW


@inlined
@for_all
def plan_place(points, spread, worth, policies, table, seat, seats, kind, drawn):
    """PLANNER: return the cell for a number or a joker, or PUT_AWAY for one that was drawn."""
    which = horizon(policies, table, seat)
    mean = mean_of(points, without_known(table, seat))
    grid = seen_grid(spread, table, seat, seat)
    up = table[UP + seat]
    haste = urge(policies, table, seat, seats)
    closing = last_hidden(up)
    cost = 0.0
    if closing >= 0:
        cost = ending_cost(points, spread, worth, policies, table, seat, seats, mean)
    deny = policies[seat, DENY] / 100.0
    follower = seat + 1 if seat + 1 < seats else 0
    denies = deny > 0.0 and table[LAST] != 1
    theirs = seen_grid(spread, table, follower, seat)
    best = np.inf
    chosen = PUT_AWAY
    if drawn:
        best = 0.0
        if denies:
            best = deny * gift_of(points, worth, theirs, kind, mean)
    for cell in range(CELLS):
        change = change_of(points, worth, which, grid, cell, kind, mean)
        change -= haste * (1 - (up >> cell & 1))
        if cell == closing:
            change += cost
        old = kind_at(grid, cell)
        if denies and old < DRAMA:
            change += deny * gift_of(points, worth, theirs, old, mean)
        if change < best:
            best = change
            chosen = cell
    return chosen


@inlined
@for_all
def plan_costs(points, spread, worth, policies, table, seat, kind, costs):
    """PLANNER: write what a number or a joker costs in each cell and put away: see `change_of`."""
    which = horizon(policies, table, seat)
    mean = mean_of(points, without_known(table, seat))
    grid = seen_grid(spread, table, seat, seat)
    for cell in range(CELLS):
        costs[cell] = change_of(points, worth, which, grid, cell, kind, mean)
    costs[PUT_AWAY] = 0.0


@inlined
def gift_of(points, worth, grid, kind, mean):
    """Return what a card on the discards would save a player with this grid."""
    _, change = best_cell(points, worth, 0, grid, 0, -1, 0.0, 0.0, kind, mean)
    return max(-change, 0.0)


@inlined
@for_all
def plan_gift(points, spread, worth, table, seat, seats, kind):
    """PLANNER: give a Drama to the lowest expected total of the others, a Karma to the highest."""
    mean = mean_of(points, without_known(table, seat))
    sign = 1.0 if kind == DRAMA else -1.0
    best = np.inf
    chosen = 0
    for step in range(1, seats):
        other = (seat + step) % seats
        total = sign * expected_total(points, spread, worth, table, other, seat, mean)
        if total < best:
            best = total
            chosen = other
    return chosen
