"""What each other player probably holds, as `odds` shows it."""

from __future__ import annotations

from collections.abc import Sequence

from lama_odds.core.policies import Policy
from lama_odds.games.interface.solution import Held, HeldByOthers
from lama_odds.games.lama.rules.position import Position
from lama_odds.games.lama.rules.ruleset import KINDS, NAMES, LamaRules
from lama_odds.games.lama.solvers.beliefs import beliefs_of


def held_by_others(
    rules: LamaRules, position: Position, policies: Sequence[Policy]
) -> HeldByOthers | None:
    """Return what the others probably hold, by what they did; None if nobody else has acted."""
    found = beliefs_of(rules, position, policies)
    if found is None:
        return None
    kinds = [kind for kind in range(KINDS) if rules.deck[kind]]
    playable = int(rules.playable[rules.places[position.top // 2]])
    chances = found.holding([*(0xF << rules.shifts[kind] for kind in kinds), playable])
    players = []
    for at, (other, shares) in enumerate(zip(position.opponents, found.shares, strict=True)):
        *held, plays = map(found.estimate, chances[at])
        players.append(
            Held(
                opponent=at + 1,
                cards=other.cards,
                quit=other.quit,
                holds={NAMES[kind]: chance for kind, chance in zip(kinds, held, strict=True)},
                can_play=None if other.quit else plays,
                models=dict(zip(found.models, shares, strict=True)),
            )
        )
    return HeldByOthers(tuple(players), found.notes)
