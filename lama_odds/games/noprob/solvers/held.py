"""What the others' turns tell of cards that they know and have face down, as `odds` shows it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt

import numpy as np

from lama_odds.core.estimate import Estimate, exact
from lama_odds.core.policies import Policy
from lama_odds.games.interface.solution import Held, HeldByOthers
from lama_odds.games.noprob.rules.odds import cell_name
from lama_odds.games.noprob.rules.position import Position
from lama_odds.games.noprob.rules.ruleset import NoprobRules
from lama_odds.games.noprob.rules.transition import KINDS
from lama_odds.games.noprob.solvers.beliefs import SAMPLED, Beliefs, beliefs_of

ERRORS = 1.96  # on either side of what is sampled, for 95 %


def held_by_others(
    rules: NoprobRules, position: Position, policies: Sequence[Policy]
) -> HeldByOthers | None:
    """Return what the others' known cards probably are; None if nothing is inferred."""
    found = beliefs_of(rules, position, policies)
    if found is None:
        return None
    weights = np.diff(found.tables.upto, prepend=0.0)
    players = []
    for at, player in enumerate(found.players, 1):
        hands = found.tables.hands[:, at]
        kinds = {cell: hands >> 4 * cell & 15 for cell in player.cells}
        players.append(
            Held(
                opponent=at,
                cards=len(kinds),
                quit=False,
                holds=_chances(rules, found, weights, list(kinds.values())),
                can_play=None,
                models=dict(zip(found.models, player.shares, strict=True)),
                cells={
                    cell_name(cell): _chances(rules, found, weights, [there])
                    for cell, there in kinds.items()
                },
            )
        )
    return HeldByOthers(tuple(players), found.notes)


def _chances(
    rules: NoprobRules, found: Beliefs, weights: np.ndarray, cells: Sequence[np.ndarray]
) -> Mapping[str, Estimate]:
    """Return the chance of each kind in any of some cells, of kinds that may be there."""
    chances = {}
    for kind in range(KINDS):
        there = np.zeros(weights.size, dtype=bool)
        for kinds in cells:
            there |= kinds == kind
        chance = float(weights @ there)
        if chance:
            chances[rules.names[kind]] = _estimate(found, min(1.0, chance))
    return chances


def _estimate(found: Beliefs, chance: float) -> Estimate:
    """Return a chance: exact for these models, or with the error of deals at random."""
    if found.listed:
        return exact(chance)
    stderr = sqrt(chance * (1 - chance) / SAMPLED)
    near = Estimate.normal(chance, stderr, SAMPLED, ERRORS)
    return near.with_interval(max(0.0, near.low), min(1.0, near.high))
