"""LOW_CARDS: the threshold rules of a Skyjo program, as far as No Prob-Lama has such decisions.

Source: the first of the players in the public program SkyjoAI (github.com/Sorezar/SkyjoAI,
`ai/initial.py`, read in its version of 2025), described here in our own words. It takes the top
discard, or keeps a card that it has drawn, if it counts at most 4. If a row or column shows a card
of that number, it replaces the highest other card that is face up there. Otherwise it replaces the
highest card face up, if that counts at least 4 more, or else a card that is face down. With one
card left face down it ends the round only if its total is not above anybody else's, counting 2 for
each card face down. If not, it replaces its highest card that is face up.

What differs: Skyjo has columns of equal cards alone, which vanish. A Skyjo player who keeps nothing
uncovers a card; here nothing is uncovered. The program picks any card that is face down, this
policy the first one that it does not know. The program may put a card over a lower one to make a
pair. This policy does not, for two players could then exchange the same cards for ever. It keeps
jokers. Skyjo has no specials: here a Drama goes to the lowest of these totals, a Karma to the
highest.
"""

from __future__ import annotations

import numpy as np

from lama_odds.games.noprob.engine.grids import DRAW, PASS, PUT_AWAY, TAKE, last_hidden, seen_grid
from lama_odds.games.noprob.rules.scoring import score
from lama_odds.games.noprob.rules.transition import (
    BESIDE,
    CELLS,
    DRAMA,
    HEIGHT,
    KNOWN,
    LAST,
    NUMBERS,
    PILE,
    STACK,
    UNKNOWN,
    UP,
    kind_at,
    with_card,
)
from lama_odds.jit import compiled, for_all, given_or

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
        found = highest_shown(points, grid, up, cells, kind)
        if shows and found != NOWHERE and points[kind_at(grid, found)] > points[kind]:
            return found
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
