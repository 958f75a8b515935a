"""What a player's turns tell of cards that it has looked at and not turned up yet.

A player knows these cards, and nobody else does. A *hand* is a possibility for them: kinds of cards
in their cells. It has a weight for each model, which is a policy. A turn multiplies the weight by
the chance that the model takes this turn with these cards, softened: (1 - epsilon) times the
policy, plus epsilon times a choice at random. All hands are listed, so nothing is sampled.

A weight leaves out how many ways there are to deal the hand. That is a factor of all hands
together (see `solvers.beliefs`).
"""

from __future__ import annotations

import numpy as np

from lama_odds.games.noprob.engine.grids import DRAW, PASS
from lama_odds.games.noprob.engine.policy_kernels import FAMILY, RANDOM, choose_place, choose_source
from lama_odds.games.noprob.engine.round_loop import after_turn, lay_card, refill_or_end
from lama_odds.games.noprob.rules.pile import up_to
from lama_odds.games.noprob.rules.transition import (
    CELLS,
    DRAMA,
    GRID,
    HEIGHT,
    KNOWN,
    LAST,
    PACK,
    PILE,
    REFILLED,
    UNSEEN,
    UP,
    take_card,
    with_card,
)
from lama_odds.jit import compiled, for_all, inlined

LEAST = 1e-27  # of the largest weight of a model: what is lighter is left out

_11 = np.uint64(11)
_UNIT = 2.0**-53


@inlined
def begin_model(policies, models, m, table, seat, looked):
    """Seat a model; return how many hands it tells apart (0: at random). The last one is blind."""
    blind = m == models.shape[0]
    for column in range(policies.shape[1]):
        policies[seat, column] = models[0 if blind else m, column]
    table[KNOWN + seat] = table[UP + seat] if blind else table[UP + seat] | looked
    return policies[seat, FAMILY] != RANDOM, blind


@inlined
def weigh_source(tables, policies, models, trail, table, source, weights):
    """Multiply weights by the chances of drawing, taking or passing."""
    seat, seats, epsilon = trail.seat, policies.shape[0], trail.epsilon
    grid = table[GRID + seat]
    options = (table[PILE] > 0) + (table[HEIGHT] > 0) + (table[LAST] >= 0)
    even = 1.0 / max(options, 1)
    for m in range(models.shape[0] + 1):
        decides, blind = begin_model(policies, models, m, table, seat, trail.looked)
        chance = even
        for i in range(weights.shape[1]):
            if weights[m, i] == 0.0:
                continue
            if decides and not (blind and i):
                table[GRID + seat] = grid if blind else grid | trail.hands[i]
                chosen = choose_source(tables, policies, table, seat, seats, np.uint64(0))[0]
                chance = epsilon * even + (1.0 - epsilon) * (chosen == source)
            weights[m, i] *= chance
    table[GRID + seat] = grid


@inlined
def weigh_place(tables, policies, models, trail, table, kind, source, place, weights):
    """Multiply weights by the chances of what was done with a card."""
    seat, seats, epsilon = trail.seat, policies.shape[0], trail.epsilon
    grid = table[GRID + seat]
    drawn = source == DRAW
    even = 1.0 / (seats - 1 if kind >= DRAMA else CELLS + drawn)
    for m in range(models.shape[0] + 1):
        decides, blind = begin_model(policies, models, m, table, seat, trail.looked)
        chance = even
        for i in range(weights.shape[1]):
            if weights[m, i] == 0.0:
                continue
            if decides and not (blind and i):
                table[GRID + seat] = grid if blind else grid | trail.hands[i]
                chosen = choose_place(
                    tables, policies, table, seat, seats, kind, drawn, np.uint64(0)
                )
                chance = epsilon * even + (1.0 - epsilon) * (chosen == place)
            weights[m, i] *= chance
    table[GRID + seat] = grid


@inlined
def put_in_scale(weights, scales):
    """Divide the weights of each model by the largest, noted in scales; leave out the lightest."""
    for m in range(weights.shape[0]):
        largest = 0.0
        for i in range(weights.shape[1]):
            largest = max(largest, weights[m, i])
        scales[m] += np.log(largest)
        for i in range(weights.shape[1]):
            scaled = weights[m, i] / largest
            weights[m, i] = scaled if scaled >= LEAST else 0.0


@inlined
def get_this_card(table, kind, source):
    """Let a known card come from the pile or from the discards."""
    if source != DRAW:
        table[HEIGHT] -= 1
        return
    table[PILE] -= 1
    if table[REFILLED]:
        at = up_to(table[PACK], table[PACK + 1], kind) - 1
        _, table[PACK], table[PACK + 1] = take_card(table[PACK], table[PACK + 1], at)
    else:
        table[UNSEEN] -= 1 << 4 * kind


@compiled
def follow(rules, tables, policies, models, trail, table, weights, scales):
    """Follow a player through a round, turn by turn, as everybody has seen it.

    policies: int64[seats, columns], a row for each seat; that of the player is overwritten.
    models: int64[models, columns]. trail: see `TrailTables`. table: the round as it was dealt, with
    a 0 in each cell of a hand. weights: float64[models + 1, hands] of ones, scales: float64[models
    + 1] of zeros, both changed: the weights of each model, divided by the exponential of its
    scale. The last row is that of the first model, if it had looked at other cards.
    """
    seat, seats = trail.seat, policies.shape[0]
    for entry in trail.turns:
        actor, source, kind = entry & 15, entry >> 4 & 15, entry >> 8 & 15
        place, replaced = entry >> 12 & 15, entry >> 16
        if actor == seat:
            weigh_source(tables, policies, models, trail, table, source, weights)
        if source != PASS:
            get_this_card(table, kind, source)
            if actor == seat:
                weigh_place(tables, policies, models, trail, table, kind, source, place, weights)
                put_in_scale(weights, scales)
            if place < CELLS and kind < DRAMA:
                table[GRID + actor] = with_card(table[GRID + actor], place, replaced)
            lay_card(tables, table, actor, kind, place)
        after_turn(table, actor, seats)
        refill_or_end(rules, table)


@inlined
@for_all
def draw_hands(held, table, seats, word):
    """Put cards that the others have looked at into their cells, by a random word.

    They are taken out of the pack, and their players know them. held: see `HeldTables`.
    """
    lucky = np.float64(np.int64(word >> _11)) * _UNIT
    deal = 0
    high = held.upto.size - 1
    while deal < high:
        middle = (deal + high) // 2
        if lucky < held.upto[middle]:
            high = middle
        else:
            deal = middle + 1
    for seat in range(1, seats):
        table[GRID + seat] = table[GRID + seat] & ~held.cells[seat] | held.hands[deal, seat]
        table[KNOWN + seat] = table[UP + seat] | held.looked[seat]
    table[PACK] -= held.packs[deal, 0]
    table[PACK + 1] -= held.packs[deal, 1]
