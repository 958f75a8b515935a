"""LEARNED: does what gives the best chance to win the round, as played rounds have taught it.

A *stage* is the number of cards that a player has face down, and the fewest that anybody else has.
In each stage weights of the six lines of a grid foretell the total at the end of the round. There
are weights for the player's own grid as the player knows it, and others for grids as they are seen.
The lead so foretold, against the lowest total of the others, tells the chance to win, by a logistic
curve for each stage. An action is worth the chance after the turn. A draw is worth the mean over
the cards that may come.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from lama_odds.games.noprob.engine.grids import (
    DRAW,
    PASS,
    PUT_AWAY,
    TAKE,
    expected_total,
    lines_worth,
    mean_of,
    seen_grid,
    without_known,
)
from lama_odds.games.noprob.engine.planner import PATIENCE, gift_of
from lama_odds.games.noprob.rules.pile import number_of
from lama_odds.games.noprob.rules.scoring import cells_of_lines, column_of, row_of
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
    kind_at,
    with_card,
)
from lama_odds.jit import compiled, for_all, inlined, small

STAGES = 100  # ten times the own cards face down, plus the fewest of anybody else
FAR = 1e6  # points: more than any total
# Of the logarithm of the odds: what turning a card up is worth more after PATIENCE, times the
# square of the own turns since. So a round ends even if everybody is sure to lose by ending it.
URGENCY = 0.002
TIE = 1e-9  # differences that do not count
OFFER = 0.18  # of what a card on the discards saves the next player: how much it costs


class Learned(NamedTuple):
    """What was learned.

    own, theirs: float64[STAGES, 4096], points by the cards of a line, see `scoring`; an own grid as
    its player knows it, another as it is seen. share: float64[2, STAGES], of own grids and others,
    how much of the unseen cards' mean above the deck's each unknown card adds. chance:
    float64[STAGES, 2], slope and height of the logistic curve. mean: points of a card of the deck.
    """

    own: np.ndarray
    theirs: np.ndarray
    share: np.ndarray
    chance: np.ndarray
    mean: float


def line_kinds() -> np.ndarray:
    """Return int64[4096], a number for each line: the same for the same cards in another order."""
    cells = np.sort(np.minimum(cells_of_lines(), UNKNOWN), axis=0)
    return np.unique(cells[0] << 8 | cells[1] << 4 | cells[2], return_inverse=True)[1]


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
    """Return the foretold total of another seat after a turn of the viewer.

    down: the viewer's cards face down after it. to_come: how many seats will have a turn yet.
    """
    if (other - viewer) % seats > to_come:
        return expected_total(
            tables.points, tables.spread, tables.worth, table, other, viewer, mean
        )
    learned = tables.learned
    fewest = min(down, fewest_down(table, viewer, seats, other))
    stage = 10 * face_down(table[UP + other]) + fewest
    grid = seen_grid(tables.spread, table, other, viewer)
    above = mean - learned.mean
    return table[BESIDE + other] + foretold(learned.theirs, learned.share[1], stage, grid, above)


@inlined
@for_all
def lowest_of_others(tables, table, seats, viewer, down, to_come, mean):
    """Return the lowest foretold total of the others, see `total_of_other`."""
    lowest = FAR
    for other in range(seats):
        if other != viewer:
            total = total_of_other(tables, table, other, seats, viewer, down, to_come, mean)
            lowest = min(lowest, total)
    return lowest


@inlined
def chance_of(odds):
    """Return the chance with this logarithm of the odds."""
    return 1.0 / (1.0 + np.exp(-odds))


@inlined
@for_all
def view_of(tables, table, seat, seats):
    """Return what a turn of a seat is judged by, as numbers.

    They are the own grid, its cards face down and the fewest of anybody else. Then come two leads:
    the lowest foretold total of the others minus the own, now and with one card more face up.
    Last are the mean of the unseen cards above that of the deck, and what turning a card up is
    worth by itself.
    """
    learned = tables.learned
    mean = mean_of(tables.points, without_known(table, seat))
    above = mean - learned.mean
    grid = seen_grid(tables.spread, table, seat, seat)
    down = face_down(table[UP + seat])
    fewest = fewest_down(table, seat, seats, seat)
    to_come = turns_to_come(table, seats)
    stage = 10 * down + fewest
    less = max(stage - 10, 0)
    beside = table[BESIDE + seat]
    mine = foretold(learned.own, learned.share[0], stage, grid, above) + beside
    mine_less = foretold(learned.own, learned.share[0], less, grid, above) + beside
    theirs = lowest_of_others(tables, table, seats, seat, down, to_come, mean)
    theirs_less = lowest_of_others(tables, table, seats, seat, max(down - 1, 0), to_come, mean)
    late = URGENCY * max(table[TURNS] // seats - PATIENCE, 0) ** 2 if table[LAST] < 0 else 0.0
    return grid, down, fewest, theirs - mine, theirs_less - mine_less, above, late


@inlined
@for_all
def odds_as_it_is(tables, view, less):
    """Return the logarithm of the odds to win with an unchanged grid; less: off the lead."""
    _, down, fewest, lead, _, _, _ = view
    stage = 10 * down + fewest
    return tables.learned.chance[stage, 0] * (lead - less) + tables.learned.chance[stage, 1]


@inlined
@for_all
def without_cell(tables, view, up, cell):
    """Return what the odds with any card in a cell are made of.

    Slope and height, the lead if the lines through the cell counted nothing, the stage, and the
    lines with an empty cell.
    """
    learned, weights = tables.learned, tables.learned.own
    grid, down, fewest, lead, lead_less, above, late = view
    turned = 1 - (up >> cell & 1)
    stage = 10 * (down - turned) + fewest
    row, column = cell // 3, cell % 3
    ahead = lead_less if turned else lead
    ahead += weights[stage, row_of(grid, row)] + weights[stage, column_of(grid, column)]
    if kind_at(grid, cell) == UNKNOWN:
        ahead += learned.share[0, stage] * above
    height = learned.chance[stage, 1] + late * turned
    empty = with_card(grid, cell, 0)
    return (
        learned.chance[stage, 0], height, ahead, stage,
        row_of(empty, row), column_of(empty, column),
    )  # fmt: skip


@inlined
@for_all
def odds_with(tables, cell, rest, kind, offered):
    """Return the logarithm of the odds to win with a card in a cell, see `without_cell`."""
    slope, height, ahead, stage, row, column = rest
    weights = tables.learned.own
    lines = weights[stage, row | kind << 4 * (cell % 3)]
    lines += weights[stage, column | kind << 4 * (cell // 3)]
    return slope * (ahead - lines - offered) + height


@compiled
@for_all
def learned_source(tables, table, seat, seats):
    """LEARNED: draw, take the discard, or pass a last turn."""
    view = view_of(tables, table, seat, seats)
    up = table[UP + seat]
    passing = odds_as_it_is(tables, view, 0.0)
    best = np.full(KINDS, -FAR)  # by card, with the card in the best cell
    for cell in range(CELLS):
        rest = without_cell(tables, view, up, cell)
        for kind in range(DRAMA):
            best[kind] = max(best[kind], odds_with(tables, cell, rest, kind, 0.0))
    taking = -FAR
    if table[HEIGHT]:
        top = table[STACK + table[HEIGHT] - 1]
        if top < DRAMA:
            taking = best[top]
    if table[PILE] == 0:
        if table[HEIGHT] == 0 or (taking <= passing and table[LAST] >= 0):
            return PASS
        return TAKE
    if taking == -FAR:
        return DRAW
    unseen = without_known(table, seat)
    drawing = 0.0
    cards = 0
    special = odds_as_it_is(tables, view, -tables.points[DRAMA] / (seats - 1.0))
    best[DRAMA:] = special
    for kind in range(KINDS):
        n = unseen >> 4 * kind & 15
        if table[REFILLED]:
            n = number_of(table[PACK], table[PACK + 1], kind)
        cards += n
        if n:
            found = best[kind] if kind >= DRAMA else max(best[kind], passing)
            drawing += n * chance_of(found)
    return TAKE if chance_of(taking) * cards > drawing + TIE else DRAW


@compiled
@for_all
def learned_place(tables, table, seat, seats, kind, drawn):
    """LEARNED: return the cell for a number or a joker, or PUT_AWAY for one that was drawn."""
    view = view_of(tables, table, seat, seats)
    grid = view[0]
    up = table[UP + seat]
    follower = seat + 1 if seat + 1 < seats else 0
    theirs = seen_grid(tables.spread, table, follower, seat)
    mean = mean_of(tables.points, without_known(table, seat))
    given = np.full(UNKNOWN + 1, -1.0)  # what each card saves the next player, once it is needed
    if table[LAST] == 1:  # there is none
        given[:] = 0.0
    given[DRAMA:] = 0.0
    best = -2 * FAR
    chosen = PUT_AWAY
    if drawn:
        given[kind] = offered_by(tables, theirs, kind, mean, given)
        best = odds_as_it_is(tables, view, given[kind])
    for cell in range(CELLS):
        old = kind_at(grid, cell)
        given[old] = offered_by(tables, theirs, old, mean, given)
        rest = without_cell(tables, view, up, cell)
        odds = odds_with(tables, cell, rest, kind, given[old])
        if odds > best + TIE:
            best = odds
            chosen = cell
    return chosen


@inlined
@for_all
def offered_by(tables, theirs, kind, mean, given):
    """Return the points that a card on the discards costs; given: those known, −1 for others."""
    if given[kind] >= 0.0:
        return given[kind]
    return OFFER * gift_of(tables.points, tables.worth, theirs, kind, mean)


@compiled
@for_all
def learned_gift(tables, table, seat, seats, kind):
    """LEARNED: give a Drama to the lowest foretold total of the others, a Karma to the highest."""
    mean = mean_of(tables.points, without_known(table, seat))
    down = face_down(table[UP + seat])
    to_come = turns_to_come(table, seats)
    sign = 1.0 if kind == DRAMA else -1.0
    best = FAR
    chosen = 0
    for step in range(1, seats):
        other = (seat + step) % seats
        total = sign * total_of_other(tables, table, other, seats, seat, down, to_come, mean)
        if total < best - TIE:
            best = total
            chosen = other
    return chosen
