"""The value of rolling for a player whose discards and takes are fixed.

`roll_backup` has it for the best choices. Here each choice has a cost of the player's own, in any
unit: the player leaves what costs least, whatever it is worth. Of discards that cost the same it is
the one that comes first in `policy_kernels.chosen_discard`, of takes the lowest kind.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from lama_odds.games.dice.engine.roll_backup import RollTables, rank_takes
from lama_odds.jit import allocating, inlined


class Chosen(NamedTuple):
    """Scratch of `add_chosen_matches`.

    cards: int64[sets], the cards of each matched set, packed as a hand.
    reach: int64[sets], the place after discarding a set; −1 if there are fewer cards.
    least: float64[sets, layers], what the chosen discard within a set costs.
    picked: int64[sets, layers], the set that is discarded.
    """

    cards: np.ndarray
    reach: np.ndarray
    least: np.ndarray
    picked: np.ndarray


@allocating
def chosen_scratch(tables, layers):
    """Return scratch for this number of layers."""
    sets = tables.stem.size
    cards = np.zeros(sets, np.int64)
    for found in range(1, sets):
        more = np.int64(tables.copies[found]) << 4 * np.int64(tables.last[found])
        cards[found] = cards[tables.stem[found]] + more
    reach = np.zeros(sets, np.int64)
    return Chosen(cards, reach, np.zeros((sets, layers)), np.zeros((sets, layers), np.int64))


@inlined
def add_chosen_matches(tables: RollTables, worth, costs, here, digits, steps, mask, scratch, total):
    """Add to total[layers] the rolls that match, each with the discard that costs least.

    costs: [places, layers], what it costs to leave a situation. See `roll_backup.add_matches`.
    """
    cards, reach, least, picked = scratch
    reach[0] = here
    for entry in range(tables.first[mask], tables.first[mask + 1]):
        found = tables.sets[entry]
        kind = tables.last[found]
        step = steps[kind, digits[kind], tables.copies[found]]
        place = reach[tables.stem[found]]
        place = place + step if step != 0 and place >= 0 else -1
        reach[found] = place
        weight = tables.weights[entry]
        for layer in range(total.size):
            best = np.int64(0)
            cost = np.inf
            if place >= 0:
                best = np.int64(found)
                cost = np.float64(costs[place, layer])
            for i in range(tables.smaller.shape[1]):
                less = tables.smaller[found, i]
                if less == 0:
                    break
                value = least[less, layer]
                other = picked[less, layer]
                if value < cost or (value == cost and cards[other] > cards[best]):
                    cost = value
                    best = other
            least[found, layer] = cost
            picked[found, layer] = best
            if weight > 0.0:
                total[layer] += weight * worth[reach[best], layer]


@inlined
def add_chosen_misses(
    tables: RollTables, worth, costs, here, digits, takes, mask, row, blown, order, total
):
    """Add to total[layers] the rolls that match nothing: the take of least cost, or blown[layers].

    See `roll_backup.add_misses`.
    """
    for layer in range(total.size):
        shown = mask
        for at in range(rank_takes(costs, here, digits, takes, mask, row, layer, order)):
            kind = np.int64(order[1, at])
            more = shown | 1 << kind
            chance = tables.avoiding[shown] - tables.avoiding[more]
            total[layer] += chance * worth[here + takes[kind, digits[kind]], layer]
            shown = more
        total[layer] += tables.avoiding[shown] * blown[layer]
