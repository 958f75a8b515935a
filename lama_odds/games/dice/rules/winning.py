"""The chance to win a game of two players from the scores that a round leaves."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np

from lama_odds.games.dice.rules.ruleset import DiceRules
from lama_odds.games.interface.match_equity import MatchEquity

ERRORS = NormalDist().inv_cdf(0.975)  # standard errors on either side of an entry: 95 %
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


def table_error(rules: DiceRules, table: MatchEquity, mine: np.ndarray, other: np.ndarray) -> float:
    """Return the most that the table's sampling error may do, at 95 % for each of its entries.

    mine, other: final scores that can occur.
    """
    first, second = np.unique(mine), np.unique(other)
    first, second = first[first < rules.target], second[second < rules.target]
    if not first.size or not second.size:
        return 0.0
    errors = table.stderr[np.ix_(first, second)].max(), table.stderr[np.ix_(second, first)].max()
    return float(ERRORS * max(errors))


def valued_by_table(rules: DiceRules, table: MatchEquity, bound: float) -> str:
    """Return in words what scores below the target rest on; bound: see `table_error`."""
    return (
        f"scores below {rules.target} are valued by the match equity table of {table.policy}; its "
        f"sampling error changes no value by more than {100 * bound:.2g} percentage points"
    )
