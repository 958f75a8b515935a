"""What a player sees of the grids on the table, and what they are worth with their present lines.

Cards count their points, unknown ones the mean of all unseen cards, and complete lines as in the
rules. Incomplete lines can count a part of what completing them would save.
"""

from __future__ import annotations

import numpy as np

from lama_odds.games.noprob.rules.transition import (
    ALL_UP,
    BESIDE,
    CELLS,
    CODES,
    DRAMA,
    GRID,
    HEIGHT,
    JOKER,
    KINDS,
    KNOWN,
    LAST,
    NUMBERS,
    PILE,
    STACK,
    UNKNOWN,
    UNSEEN,
    UP,
    cells_of_lines,
    column_of,
    kind_at,
    row_of,
    score,
    with_card,
)
from lama_odds.jit import compiled, for_all, given_or, inlined

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


# LOW_CARDS: the threshold rules of a Skyjo program, as far as No Prob-Lama has such decisions.
#
# Source: the first of the players in the public program SkyjoAI (github.com/Sorezar/SkyjoAI,
# `ai/initial.py`, read in its version of 2025), described here in our own words. It takes the top
# discard, or keeps a card that it has drawn, if it counts at most 4. If a row or column shows a
# card of that number, it replaces the highest other card that is face up there. Otherwise it
# replaces the highest card face up, if that counts at least 4 more, or else a card that is face
# down. With one card left face down it ends the round only if its total is not above anybody
# else's, counting 2 for each card face down. If not, it replaces its highest card that is face up.
#
# What differs: Skyjo has columns of equal cards alone, which vanish. A Skyjo player who keeps
# nothing uncovers a card; here nothing is uncovered. The program picks any card that is face down,
# this policy the first one that it does not know. The program may put a card over a lower one to
# make a pair. This policy does not, for two players could then exchange the same cards for ever. It
# keeps jokers. Skyjo has no specials: here a Drama goes to the lowest of these totals, a Karma to
# the highest.

MOST = 1  # column of a policy row: the most points of a card that it keeps
HIDDEN = 2  # points of a card that is face down
NEVER = np.int64(PASS)  # the answer where nobody plays LOW_CARDS
CLEARLY = 4  # points more of the card that is replaced
NOWHERE = -1
FAR = 1_000_000


@compiled
@for_all
def shown_total(tables, table, seat, viewer, cell, kind, hidden):
    """Return a seat's total as another sees it.

    cell, kind: with this card there; NOWHERE: with those that are there. hidden: points of a card
    that the other does not know.
    """
    grid = seen_grid(tables.spread, table, seat, viewer)
    if cell != NOWHERE:
        grid = with_card(grid, cell, kind)
    total = score(tables.scoring, grid) + table[BESIDE + seat]
    for at in range(CELLS):
        total += hidden * (kind_at(grid, at) == UNKNOWN)
    return total


@compiled
@for_all
def ends_well(tables, table, seat, seats, cell, kind):
    """Return whether the total with a card in the last cell is not above anybody else's."""
    hidden = tables.low[0]
    mine = shown_total(tables, table, seat, seat, cell, kind, hidden)
    for other in range(seats):
        if other != seat and shown_total(tables, table, other, seat, NOWHERE, 0, hidden) < mine:
            return False
    return True


@compiled
@for_all
def highest_shown(points, grid, up, cells, kind):
    """Return the cell of the highest card face up among some cells (a mask) but of this kind."""
    best = -FAR
    chosen = NOWHERE
    for cell in range(CELLS):
        old = kind_at(grid, cell)
        if up & cells & 1 << cell and old != kind and points[old] > best:
            best = points[old]
            chosen = cell
    return chosen


@compiled
@for_all
def in_line(points, grid, up, kind):
    """Return the cell to replace in the first line that shows a number; NOWHERE without any."""
    if kind >= NUMBERS:
        return NOWHERE
    for line in range(6):
        cells = 0b111 << 3 * line if line < 3 else 0b1001001 << line - 3
        shows = False
        for cell in range(CELLS):
            shows = shows or (up & cells & 1 << cell and kind_at(grid, cell) == kind)
        highest = highest_shown(points, grid, up, cells, kind)
        if shows and highest != NOWHERE and points[kind_at(grid, highest)] > points[kind]:
            return highest
    return NOWHERE


@given_or("low", NEVER)
@compiled
@for_all
def low_source(tables, policies, table, seat, seats):
    """LOW_CARDS: draw, take the discard, or pass a last turn."""
    takes = False
    if table[HEIGHT]:
        top = table[STACK + table[HEIGHT] - 1]
        takes = top < DRAMA and tables.points[top] <= policies[seat, MOST]
        closing = last_hidden(table[UP + seat])
        if takes and table[LAST] < 0 and closing >= 0:
            takes = ends_well(tables, table, seat, seats, closing, top)
    if table[PILE] == 0 and not takes:
        return PASS if table[LAST] >= 0 or table[HEIGHT] == 0 else TAKE
    return TAKE if takes else DRAW


@given_or("low", NEVER)
@compiled
@for_all
def low_place(tables, policies, table, seat, seats, kind, drawn):
    """LOW_CARDS: return the cell for a number or a joker, or PUT_AWAY for one that was drawn."""
    points, up = tables.points, table[UP + seat]
    if drawn and points[kind] > policies[seat, MOST]:
        return PUT_AWAY
    grid = seen_grid(tables.spread, table, seat, seat)
    highest = highest_shown(points, grid, up, (1 << CELLS) - 1, UNKNOWN)
    closing = last_hidden(up)
    if closing >= 0 and table[LAST] < 0:
        if ends_well(tables, table, seat, seats, closing, kind):
            return closing
        return PUT_AWAY if drawn and points[kind_at(grid, highest)] <= points[kind] else highest
    chosen = in_line(points, grid, up, kind)
    if chosen != NOWHERE:
        return chosen
    if highest != NOWHERE and points[kind_at(grid, highest)] - points[kind] >= CLEARLY:
        return highest
    known = table[KNOWN + seat] | up
    for mask in (known, up):
        for cell in range(CELLS):
            if not mask >> cell & 1:
                return cell
    return highest


@given_or("low", NEVER)
@compiled
@for_all
def low_gift(tables, table, seat, seats, kind):
    """LOW_CARDS: give a Drama to the lowest total of the others, a Karma to the highest."""
    sign = 1 if kind == DRAMA else -1
    best = FAR
    chosen = 0
    for step in range(1, seats):
        other = (seat + step) % seats
        total = sign * shown_total(tables, table, other, seat, NOWHERE, 0, tables.low[0])
        if total < best:
            best = total
            chosen = other
    return chosen
