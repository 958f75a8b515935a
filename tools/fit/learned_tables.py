"""At which tables `learned` learns No Prob-Lama: among itself, and with `planner` in a seat."""

from __future__ import annotations

import numpy as np

from lama_odds.games.noprob.engine.policy_kernels import FAMILY, LEARNED
from lama_odds.games.noprob.engine.tables import PlayTables
from lama_odds.games.noprob.game import GAME
from lama_odds.games.noprob.policies.catalogue import policy_rows, tables_of
from lama_odds.games.noprob.policies.learned import Weights, expanded
from lama_odds.games.noprob.rules.ruleset import NoprobRules

RULES = "noprob/starnberger"
PLANNER = "planner:chase=40,lead=6,deny=18,haste=6"
ITSELF = 0.5  # share of the rounds that `learned` plays against itself


def seatings(seats: int) -> list[tuple[np.ndarray, float]]:
    """Return in which seats `learned` plays and learns, and the share of the rounds."""
    found = [(np.ones(seats, dtype=np.bool_), ITSELF)]
    for other in reversed(range(seats)):
        found.append((np.arange(seats) != other, (1 - ITSELF) / seats))
    return found


def rows_of(plays: np.ndarray) -> np.ndarray:
    """Return the policies at a table, for compiled code. plays: in which seats `learned` does."""
    rows = policy_rows([GAME.policy(PLANNER)] * len(plays))
    rows[plays, FAMILY] = LEARNED
    return rows


def tables_with(rules: NoprobRules, seats: int, weights: Weights) -> PlayTables:
    """Return what policies play by if `learned` has these weights."""
    base = tables_of(rules, [GAME.policy(PLANNER)] * seats)
    return base._replace(learned=expanded(weights, rules))
