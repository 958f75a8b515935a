"""Decisions of the policies in a turn, as compiled functions that see what their player can see.

RANDOM follows the reference. The other families have modules of their own.
"""

from __future__ import annotations

import numpy as np

from lama_odds.games.noprob.engine.by_thumb.card_rules import (
    gift_by_card,
    place_by_card,
    source_by_card,
)
from lama_odds.games.noprob.engine.by_thumb.low_cards import low_gift, low_place, low_source
from lama_odds.games.noprob.engine.grids import PASS
from lama_odds.games.noprob.engine.learned import (
    learned_costs,
    learned_gift,
    learned_place,
    learned_source,
)
from lama_odds.games.noprob.engine.planner import plan_costs, plan_gift, plan_place, plan_source
from lama_odds.games.noprob.rules.transition import CELLS, DRAMA, HEIGHT, PILE
from lama_odds.games.shared.families import UNKNOWN_FAMILY
from lama_odds.jit import for_all, inlined
from lama_odds.luck.stream import below

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
