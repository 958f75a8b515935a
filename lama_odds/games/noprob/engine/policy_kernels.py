"""Decisions of the policies in a turn, as compiled functions that see what their player can see.

RANDOM follows the reference. The other families have modules of their own.
"""

from __future__ import annotations

import numpy as np

from lama_odds.games.noprob.engine.grids import (
    DRAW,
    FAR,
    NOWHERE,
    PASS,
    PUT_AWAY,
    TAKE,
    change_of,
    last_hidden,
    low_gift,
    low_place,
    low_source,
    seen_grid,
    shown_total,
)
from lama_odds.games.noprob.engine.learned import (
    learned_costs,
    learned_gift,
    learned_place,
    learned_source,
)
from lama_odds.games.noprob.engine.planner import (
    PATIENCE,
    face_down,
    plan_costs,
    plan_gift,
    plan_place,
    plan_source,
)
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
from lama_odds.games.shared.families import UNKNOWN_FAMILY
from lama_odds.games.shared.rule_cards import MOST_LINES, limit_of
from lama_odds.jit import compiled, for_all, given_or, inlined
from lama_odds.luck.stream import below

# Decisions of cards of rules: what their player sees, when it ends the round, and where cards go.
#
# Everything that a card speaks of lies open on the table, or its player has looked at it. A person
# can count it: cards face down count the same each.

BLOCK = 1  # column of a policy row: which block is that of the card
NEVER = np.int64(PASS)  # the answer where nobody plays a card

# What a card sees, in the order of `policies.LANGUAGE`.
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


RANDOM = 0
PLANNER = 1
LEARNED = 2
LOW_CARDS = 3
CARD = 4
WITHOUT_COSTS = (RANDOM, LOW_CARDS, CARD)  # see `write_costs`

FAMILY = 0  # column of a policy row
AS_POLICY = -1  # of an action: what the policy of the seat chooses


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
    if family == LEARNED:
        return learned_source(tables, table, seat, seats), word
    if family == LOW_CARDS:
        return low_source(tables, policies, table, seat, seats), word
    if family == CARD:
        return source_by_card(tables, policies, table, seat, seats), word
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
    if family == LEARNED:
        if kind >= DRAMA:
            return learned_gift(tables, table, seat, seats, kind)
        return learned_place(tables, table, seat, seats, kind, drawn)
    if family == LOW_CARDS:
        if kind >= DRAMA:
            return low_gift(tables, table, seat, seats, kind)
        return low_place(tables, policies, table, seat, seats, kind, drawn)
    if family == CARD:
        if kind >= DRAMA:
            return gift_by_card(tables, policies, table, seat, seats, kind)
        return place_by_card(tables, policies, table, seat, seats, kind, drawn)
    if family != PLANNER:
        raise ValueError(UNKNOWN_FAMILY)
    if kind >= DRAMA:
        return plan_gift(points, spread, worth, table, seat, seats, kind)
    return plan_place(points, spread, worth, policies, table, seat, seats, kind, drawn)


@inlined
@for_all
def write_costs(tables, policies, table, seat, seats, kind, costs):
    """Write what a number or a joker costs a seat, as its policy values it; less is better.

    costs: float64[CELLS + 1], for each cell, and for PUT_AWAY. Costs of a turn compare with each
    other alone: each policy has a unit of its own. RANDOM, LOW_CARDS and CARD
    have no costs.
    """
    points, spread, worth = tables.points, tables.spread, tables.worth
    family = policies[seat, FAMILY]
    if family == LEARNED:
        learned_costs(tables, table, seat, seats, kind, costs)
    elif family == PLANNER:
        plan_costs(points, spread, worth, policies, table, seat, kind, costs)
    else:
        raise ValueError(UNKNOWN_FAMILY)
