"""Exact answers: the two-player game, the turn that scores most, and chances of a turn.

The two-player game is solved by value iteration (Neller & Presser, "Optimal play of the dice game
Pig", The UMAP Journal 25(1), 2004). Pairs of scores are solved in the order of their sum, the
highest first, because only a bust leads from a pair of scores back to the same ones.
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from lama_odds.core.policies import Policy
from lama_odds.jit.job import Logged
from lama_odds.jit.store import kept
from lama_odds_pig.engine import OPTIMAL, rolled, solve_game
from lama_odds_pig.rules import Rules


@lru_cache(maxsize=4)
def wins(rules: Rules) -> np.ndarray:
    """Return the table of `solve_game`, kept on disk."""
    return kept(__name__, [rules.columns], lambda: solve_game(rules.columns))


def turn_to_win(rules: Rules, mine: int, other: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the chances to win of rolling and of holding, by points of the turn."""
    holding = 1 - wins(rules)[other, mine:]
    return rolled(rules.columns, holding, np.ones(rules.sides), holding[0]), holding


def turn_for_points(rules: Rules, room: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean points of the turn for both. room: points that win the game."""
    points = np.arange(room + rules.sides, dtype=float)
    return rolled(rules.columns, points[:room], points[room:], 0.0), points[:room]


def safe_chances(rules: Rules, rolls_on: np.ndarray | list[bool]) -> np.ndarray:
    """Return float64[points]: the chance that a turn does not bust on its way to these points.

    rolls_on: bool[points], whether the player rolls again there; beyond them the turn is over.
    """
    holding = np.where(rolls_on, -1.0, 1.0)
    return np.asarray(rolled(rules.columns, holding, np.ones(rules.sides), 0.0))


@lru_cache(maxsize=4)
def optimal_rolls(rules: Rules) -> np.ndarray:
    """Return bool[target, target, target]: whether rolling wins more, by both scores and the
    turn.
    """
    found = np.zeros((rules.target,) * 3, dtype=np.bool_)
    for mine, other in np.ndindex(rules.target, rules.target):
        rolling, holding = turn_to_win(rules, mine, other)
        found[mine, other, : rolling.size] = rolling > holding
    return found


def arrays(rules: Rules, policies: Sequence[Policy]) -> tuple[np.ndarray, np.ndarray, Logged]:
    """Return what kernels read: rules, policies, and where `optimal` rolls again if it plays."""
    rows = np.array([(policy.family.code, policy.parameter) for policy in policies])
    rolls = optimal_rolls(rules) if OPTIMAL in rows[:, 0] else np.zeros((0, 0, 0), dtype=np.bool_)
    return rules.columns, rows, Logged(rolls, np.zeros(0, dtype=np.int64))
