"""Which policy was trained for a rule set and a number of players, if one was."""

from __future__ import annotations

from lama_odds.games.lama.policies import equilibrium, learned
from lama_odds.games.shared.shipped_weights import LEARNED, suits

EQUILIBRIUM = "equilibrium"


def trained_for(rules_id: str, players: int) -> str | None:
    """Return the name of the trained policy that can play there, without loading it."""
    if equilibrium.suits(rules_id, players):
        return EQUILIBRIUM
    return LEARNED if suits(learned.MANIFEST, rules_id, players) else None
