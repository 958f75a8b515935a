"""The chance to win a game of two players from the scores that a round leaves."""

from __future__ import annotations

import numpy as np

from lama_odds.games.dice.rules.ruleset import DiceRules
from lama_odds.games.interface.match_equity import MatchEquity

EVEN = 0.5  # chances to win are counted from here, so that they are zero-sum


def chance_to_win(
    rules: DiceRules, mine: np.ndarray, other: np.ndarray, table: MatchEquity | None
) -> np.ndarray:
    """Return a player's chance to win by both final scores; ties are shared.

    The player starts the next round. table: values scores below the target; without one they must
    not occur.
    """
    wins = np.where(mine < other, 1.0, np.where(mine == other, 0.5, 0.0))
    if table is None:
        return wins
    most = rules.target - 1
    inside = table.values[np.minimum(mine, most), np.minimum(other, most)]
    return np.where(np.maximum(mine, other) >= rules.target, wins, inside)
