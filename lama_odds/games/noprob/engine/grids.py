"""What a player sees of the grids on the table, and what they are worth with their present lines.

Cards count their points, unknown ones the mean of all unseen cards, and complete lines as in the
rules. Incomplete lines can count a part of what completing them would save.
"""

from __future__ import annotations

import numpy as np

from lama_odds.games.noprob.rules.scoring import CODES, cells_of_lines, column_of, row_of
from lama_odds.games.noprob.rules.transition import (
    ALL_UP,
    BESIDE,
    CELLS,
    GRID,
    JOKER,
    KINDS,
    KNOWN,
    NUMBERS,
    UNKNOWN,
    UNSEEN,
    UP,
    kind_at,
    with_card,
)
from lama_odds.jit import for_all, inlined

# Sources of a card, and a place beside the cells.
DRAW = 0
TAKE = 1
PASS = 2
PUT_AWAY = CELLS


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
    # Complete lines come below: three jokers may be none.
    chances = np.array([0.0, chase / 100, (chase / 100) ** 2, 0.0])
    worth = np.zeros(CODES)
    for number in range(NUMBERS):
        missing = ((cells != number) & (cells != JOKER)).sum(axis=0)
        worth = np.minimum(worth, -chances[missing] * (points[number] + cost))
    value = np.where(lines > 0, lines, points[NUMBERS - 1])
    worth = np.where(lines != 0, -value - cost, worth)
    worth[(cells > KINDS).any(axis=0)] = 0.0
    return worth


def pair_worth(points: tuple[int, ...], lines: np.ndarray) -> np.ndarray:
    """Return float64[4096]: as `line_worth` without a chase, but two alike count as one of them.

    A joker is like any number. It does not hold if the third card counts less than nothing.
    """
    worth = line_worth(points, lines, 0)
    cells = cells_of_lines()
    costs = np.array([*points, 1, 1])[cells]
    open_ = (lines == 0) & (cells <= KINDS).all(axis=0)
    for number in range(NUMBERS):
        alike = (cells == number) | (cells == JOKER)
        third = np.where(alike, 1, costs).min(axis=0)
        two = open_ & (alike.sum(axis=0) == 2) & (third > 0)
        worth = np.where(two, np.minimum(worth, -points[number]), worth)
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
def without_known(table, seat):
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
def last_hidden(up):
    """Return the only cell that is face down; −1 if there are more or none."""
    hidden = ALL_UP ^ up
    if hidden == 0 or hidden & (hidden - 1):
        return -1
    cell = 0
    while not hidden >> cell & 1:
        cell += 1
    return cell
