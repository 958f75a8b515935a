"""Decisions of the policies in a turn, as compiled functions that see what their player can see.

RANDOM follows the reference. PLANNER values its grid and does what makes it cheapest. Cards count
their points, unknown ones the mean of all unseen cards, and complete lines as in the rules.
Incomplete lines count what completing them would save, times a chance (see `line_worth`). Its
numbers are in a policy row.
"""

from __future__ import annotations

import numpy as np

from lama_odds.games.noprob.rules.pile import number_of
from lama_odds.games.noprob.rules.scoring import CODES, cells_of_lines, column_of, row_of
from lama_odds.games.noprob.rules.transition import (
    ALL_UP,
    BESIDE,
    CELLS,
    DRAMA,
    GRID,
    HEIGHT,
    JOKER,
    KINDS,
    KNOWN,
    LAST,
    NUMBERS,
    PACK,
    PILE,
    REFILLED,
    STACK,
    TURNS,
    UNKNOWN,
    UNSEEN,
    UP,
    kind_at,
    with_card,
)
from lama_odds.games.shared.families import UNKNOWN_FAMILY
from lama_odds.jit import for_all, inlined
from lama_odds.luck.stream import below

RANDOM = 0
PLANNER = 1

# Columns of a policy row.
FAMILY = 0
WORTH = 1  # index of the table of line worths
LEAD = 2  # the round is ended only if the own total is this much below the lowest other
DENY = 3  # hundredths of the value of a discarded card for the next player
HASTE = 4  # tenths of a point for turning a card up
POLICY_COLUMNS = 5

# Sources of a card, and a place beside the cells.
DRAW = 0
TAKE = 1
PASS = 2
PUT_AWAY = CELLS
AS_POLICY = -1

NEVER = 1e6  # points: practically forbidden
PATIENCE = 50  # own turns; after them PLANNER ends the round, more urgently every turn
URGENCY = 0.2  # points for each turn


def spread_masks() -> np.ndarray:
    """Return int64[512]: nine nibbles, all ones where the mask of cells has a one."""
    return np.array(
        [sum(15 << 4 * cell for cell in range(CELLS) if mask >> cell & 1) for mask in range(512)],
        dtype=np.int64,
    )


def line_worth(points: tuple[int, ...], lines: np.ndarray, chase: int) -> np.ndarray:
    """Return float64[4096]: what a line adds to the points of its cards, counted by itself.

    lines: values of complete lines. A line that lacks one card counts `chase` hundredths of what
    completing it would save, one that lacks two cards the square of that share.
    """
    mean = sum(points[:NUMBERS]) / NUMBERS  # an unknown card that would have to be replaced
    cells = cells_of_lines()
    costs = np.array([*points, mean, 0.0])[cells]
    cost = costs[0] + costs[1] + costs[2]
    chances = np.array([1.0, chase / 100, (chase / 100) ** 2, 0.0])
    worth = np.zeros(CODES)
    for number in range(NUMBERS):
        missing = ((cells != number) & (cells != JOKER)).sum(axis=0)
        worth = np.minimum(worth, -chances[missing] * (points[number] + cost))
    value = np.where(lines > 0, lines, points[NUMBERS - 1])
    worth = np.where(lines != 0, -value - cost, worth)
    worth[(cells > KINDS).any(axis=0)] = 0.0
    return worth


@inlined
@for_all
def seen_grid(spread, table, seat, viewer):
    """Return the grid of a seat as another sees it, unknown cards as UNKNOWN."""
    known = table[UP + seat]
    if seat == viewer:
        known |= table[KNOWN + seat]
    hidden = spread[ALL_UP ^ known]
    return table[GRID + seat] & ~hidden | hidden & 0xEEEEEEEEE


@inlined
@for_all
def without_known(spread, table, seat):
    """Return the cards of each kind that a seat has never seen, a nibble each."""
    unseen = table[UNSEEN]
    only_mine = table[KNOWN + seat] & ~table[UP + seat]
    for cell in range(CELLS):
        if only_mine >> cell & 1:
            unseen -= 1 << 4 * kind_at(table[GRID + seat], cell)
    return unseen


@inlined
def mean_of(points, counts):
    """Return the mean points of cards counted by kind, a nibble each; 0 without cards."""
    cards = 0
    total = 0
    for kind in range(KINDS):
        n = counts >> 4 * kind & 15
        cards += n
        total += n * points[kind]
    return total / cards if cards else 0.0


@inlined
def lines_worth(worth, which, grid):
    """Return what the six lines of a grid add to its cards, each by itself."""
    total = 0.0
    for at in range(3):
        total += worth[which, row_of(grid, at)] + worth[which, column_of(grid, at)]
    return total


@inlined
@for_all
def expected_total(points, spread, worth, table, seat, viewer, mean):
    """Return the expected points of a seat as another sees it, with its present lines."""
    grid = seen_grid(spread, table, seat, viewer)
    total = lines_worth(worth, 0, grid) + table[BESIDE + seat]
    for cell in range(CELLS):
        kind = kind_at(grid, cell)
        total += mean if kind == UNKNOWN else points[kind]
    return total


@inlined
@for_all
def change_of(points, worth, which, grid, cell, kind, mean):
    """Return what a card in a cell adds to the points of a grid, including incomplete lines."""
    old = kind_at(grid, cell)
    after = with_card(grid, cell, kind)
    row, column = cell // 3, cell % 3
    change = points[kind] - (mean if old == UNKNOWN else points[old])
    change += worth[which, row_of(after, row)] - worth[which, row_of(grid, row)]
    return change + worth[which, column_of(after, column)] - worth[which, column_of(grid, column)]


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
def last_hidden(up):
    """Return the only cell that is face down; −1 if there are more or none."""
    hidden = ALL_UP ^ up
    if hidden == 0 or hidden & (hidden - 1):
        return -1
    cell = 0
    while not hidden >> cell & 1:
        cell += 1
    return cell


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
    unseen = without_known(spread, table, seat)
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
    mean = mean_of(points, without_known(spread, table, seat))
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
def gift_of(points, worth, grid, kind, mean):
    """Return what a card on the discards would save a player with this grid."""
    _, change = best_cell(points, worth, 0, grid, 0, -1, 0.0, 0.0, kind, mean)
    return max(-change, 0.0)


@inlined
@for_all
def plan_gift(points, spread, worth, table, seat, seats, kind):
    """PLANNER: give a Drama to the lowest expected total of the others, a Karma to the highest."""
    mean = mean_of(points, without_known(spread, table, seat))
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


@inlined
def random_source(table, word):
    """RANDOM: choose evenly between pile and discards; return the source and the word left."""
    if table[PILE] == 0 and table[HEIGHT] == 0:
        return PASS, word
    both = table[PILE] > 0 and table[HEIGHT] > 0
    # Half of the words each: what `below` would do with two.
    number = np.int64(word >> np.uint64(63)) if both else np.int64(table[PILE] == 0)
    return number, word << np.uint64(both)


@inlined
def choose_source(tables, policies, table, seat, seats, word):
    """Return where a seat's policy gets its card, or PASS; also return the word left."""
    family = policies[seat, FAMILY]
    if family == RANDOM:
        return random_source(table, word)
    if family != PLANNER:
        raise ValueError(UNKNOWN_FAMILY)
    return plan_source(
        tables.points, tables.spread, tables.worth, policies, table, seat, seats
    ), word


@inlined
@for_all
def choose_place(tables, policies, table, seat, seats, kind, drawn, word):
    """Return what a seat's policy does with a card: a cell, PUT_AWAY, or the seat that gets a
    special.
    """
    points, spread, worth = tables.points, tables.spread, tables.worth
    family = policies[seat, FAMILY]
    if family == RANDOM:
        if kind >= DRAMA:
            return (seat + 1 + below(word, seats - 1)) % seats
        return below(word, CELLS + drawn)
    if family != PLANNER:
        raise ValueError(UNKNOWN_FAMILY)
    if kind >= DRAMA:
        return plan_gift(points, spread, worth, table, seat, seats, kind)
    return plan_place(points, spread, worth, policies, table, seat, seats, kind, drawn)
