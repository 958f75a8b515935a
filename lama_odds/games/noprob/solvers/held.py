"""What the others' turns tell of cards that they know and have face down, as `odds` shows it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from lama_odds.core.estimate import Estimate
from lama_odds.core.policies import Policy
from lama_odds.games.interface.solution import Held, HeldByOthers
from lama_odds.games.noprob.rules.odds import cell_name
from lama_odds.games.noprob.rules.position import Position
from lama_odds.games.noprob.rules.ruleset import NoprobRules
from lama_odds.games.noprob.rules.transition import KINDS
from lama_odds.games.noprob.solvers.beliefs import SAMPLED, beliefs_of


def held_by_others(
    rules: NoprobRules, position: Position, policies: Sequence[Policy]
) -> HeldByOthers | None:
    """Return what the others' known cards probably are; None if nothing is inferred."""
    found = beliefs_of(rules, position, policies)
    if found is None:
        return None
    weights = np.diff(found.tables.upto, prepend=0.0)
    deals = 0 if found.listed else SAMPLED
    players = []
    for at, player in enumerate(found.players, 1):
        hands = found.tables.hands[:, at]
        kinds = {cell: hands >> 4 * cell & 15 for cell in player.cells}
        players.append(
            Held(
                opponent=at,
                cards=len(kinds),
                quit=False,
                holds=_chances(rules, deals, weights, list(kinds.values())),
                can_play=None,
                models=dict(zip(found.models, player.shares, strict=True)),
                cells={
                    cell_name(cell): _chances(rules, deals, weights, [there])
                    for cell, there in kinds.items()
                },
            )
        )
    return HeldByOthers(tuple(players), found.notes)


def _chances(
    rules: NoprobRules, deals: int, weights: np.ndarray, cells: Sequence[np.ndarray]
) -> Mapping[str, Estimate]:
    """Return the chance of each kind that may be in any of some cells.

    deals: how many were sampled; 0: all are listed.
    """
    chances = {}
    for kind in range(KINDS):
        there = np.zeros(weights.size, dtype=bool)
        for kinds in cells:
            there |= kinds == kind
        chance = float(weights @ there)
        if chance:
            chances[rules.names[kind]] = Estimate.share(chance, deals)
    return chances
