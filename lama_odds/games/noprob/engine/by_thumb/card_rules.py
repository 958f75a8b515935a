"""Decisions of cards of rules: what their player sees, when it ends the round, and where cards go.

Everything that a card speaks of lies open on the table, or its player has looked at it. A person
can count it: cards face down count the same each.
"""

from __future__ import annotations

import numpy as np

from lama_odds.games.noprob.engine.by_thumb.low_cards import FAR, NOWHERE, shown_total
from lama_odds.games.noprob.engine.foretelling import face_down
from lama_odds.games.noprob.engine.grids import (
    DRAW,
    PASS,
    PUT_AWAY,
    TAKE,
    change_of,
    last_hidden,
    seen_grid,
)
from lama_odds.games.noprob.engine.planner import PATIENCE
from lama_odds.games.noprob.rules.transition import (
    CELLS,
    DRAMA,
    HEIGHT,
    LAST,
    PILE,
    SCRATCH,
    STACK,
    TURNS,
    UP,
)
from lama_odds.games.shared.rule_cards import MOST_LINES, limit_of
from lama_odds.jit import compiled, for_all, given_or

BLOCK = 1  # column of a policy row: which block is that of the card
NEVER = np.int64(PASS)  # the answer where nobody plays a card

# What a card sees, in the order of `policies.card.LANGUAGE`.
DOWN = 0  # cards face down of the other player with the lowest total
FEWEST = 1  # the fewest that another has
TOTAL = 2  # own total, 0 if it is below
MOST = 99

# Beside its lines, the block of a card has a row with its numbers.
NUMBERS_ROW = MOST_LINES
HIDDEN = 0  # points of a card that is face down
TAKES = 1  # points that the top discard has to save to be taken
WORTH = 2  # index of the table of line worths
TURNS_UP = 3  # points that turning a card up saves by itself


@compiled
@for_all
def ends_by_card(tables, policies, table, seat, seats, cell, kind):
    """Return whether a card ends the round with a card of this kind in the last cell."""
    if table[TURNS] >= PATIENCE * seats:
        return True
    block = policies[seat, BLOCK]
    hidden = tables.cards[block, NUMBERS_ROW, HIDDEN]
    mine = shown_total(tables, table, seat, seat, cell, kind, hidden)
    lowest = np.int64(FAR)
    down = fewest = CELLS
    for step in range(1, seats):
        other = (seat + step) % seats
        total = shown_total(tables, table, other, seat, NOWHERE, 0, hidden)
        theirs = face_down(table[UP + other])
        fewest = min(fewest, theirs)
        if total < lowest:
            lowest, down = total, theirs
    table[SCRATCH + DOWN] = down
    table[SCRATCH + FEWEST] = fewest
    table[SCRATCH + TOTAL] = min(max(mine, 0), MOST)
    limit = limit_of(tables.cards, block, table, SCRATCH)
    return 0 <= limit <= lowest - mine


@compiled
@for_all
def best_of_card(tables, policies, table, seat, seats, kind):
    """Return the cell in which a card goes, and what that saves.

    Ending the round saves most; if a card does not want to end it, the last cell is left out.
    """
    numbers = tables.cards[policies[seat, BLOCK], NUMBERS_ROW]
    last_turn = table[LAST] >= 0
    up = table[UP + seat]
    closing = NOWHERE if last_turn else last_hidden(up)
    if closing != NOWHERE and ends_by_card(tables, policies, table, seat, seats, closing, kind):
        return closing, 1.0 * FAR
    which = 0 if last_turn else numbers[WORTH]
    grid = seen_grid(tables.spread, table, seat, seat)
    best = -2.0 * FAR
    chosen = 0
    for cell in range(CELLS):
        if cell == closing:
            continue
        saved = -change_of(
            tables.points, tables.worth, which, grid, cell, kind, 1.0 * numbers[HIDDEN]
        )
        if not last_turn:
            saved += numbers[TURNS_UP] * (1 - (up >> cell & 1))
        if saved > best:
            best = saved
            chosen = cell
    return chosen, best


@given_or("cards", NEVER)
@compiled
@for_all
def source_by_card(tables, policies, table, seat, seats):
    """Return where a card gets a card: the pile or the discards; or whether it passes."""
    takes = False
    if table[HEIGHT]:
        top = table[STACK + table[HEIGHT] - 1]
        if top < DRAMA:
            _, saved = best_of_card(tables, policies, table, seat, seats, top)
            takes = saved >= tables.cards[policies[seat, BLOCK], NUMBERS_ROW, TAKES]
    if table[PILE] == 0 and not takes:
        return PASS if table[LAST] >= 0 or table[HEIGHT] == 0 else TAKE
    return TAKE if takes else DRAW


@given_or("cards", NEVER)
@compiled
@for_all
def place_by_card(tables, policies, table, seat, seats, kind, drawn):
    """Return the cell for a number or a joker, or PUT_AWAY for one that was drawn."""
    cell, saved = best_of_card(tables, policies, table, seat, seats, kind)
    return PUT_AWAY if drawn and saved <= 0.0 else cell


@given_or("cards", NEVER)
@compiled
@for_all
def gift_by_card(tables, policies, table, seat, seats, kind):
    """Give a Drama to the lowest total of the others, a Karma to the highest."""
    numbers = tables.cards[policies[seat, BLOCK], NUMBERS_ROW]
    sign = 1 if kind == DRAMA else -1
    best = np.int64(FAR)
    chosen = 0
    for step in range(1, seats):
        other = (seat + step) % seats
        total = shown_total(tables, table, other, seat, NOWHERE, 0, numbers[HIDDEN])
        if sign * total < best:
            best = sign * total
            chosen = other
    return chosen
