"""Decisions played out both ways, as jobs for thresholds."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lama_odds.core.policies import Policy
from lama_odds.games.dice.engine import paired_decisions, paired_games
from lama_odds.games.dice.engine.tables import ForkGameTables, ForkRoundTables
from lama_odds.games.dice.policies.catalogue import policy_rows, tables_of
from lama_odds.games.dice.rules.ruleset import DiceRules
from lama_odds.games.interface.jobs import ForkJob
from lama_odds.games.interface.tally_layout import CERTAIN, FORK_COLUMNS, WIN
from lama_odds.games.shared.score_bands import OBJECTIVES as GAME_OBJECTIVES
from lama_odds.games.shared.score_bands import bands_of, cell_keys
from lama_odds.jit.job import Job

FORKED = "with others still in"


def forks(rules: DiceRules, policies: Sequence[Policy], chances: np.ndarray) -> ForkJob:
    """Return decisions to roll or to quit, played out both ways."""
    keys = paired_decisions.cell_keys(rules.most_points)
    job = Job(
        paired_decisions.fork_rounds,
        rules.columns,
        policy_rows(policies),
        ForkRoundTables(tables_of(rules, policies, tokens=False), chances),
        (len(keys), FORK_COLUMNS),
    )
    return ForkJob(job, keys, ("quit", "roll"), 1 / (len(policies) - 1), FORKED)


def game_forks(
    rules: DiceRules, policies: Sequence[Policy], chances: np.ndarray | None, band: int
) -> ForkJob:
    """Return the same decisions, played out to the end of the game."""
    keys = cell_keys(rules.most_points, rules.target, band)
    if chances is None:
        chances = np.full(len(keys), CERTAIN, dtype=np.int64)
    job = Job(
        paired_games.fork_games,
        rules.columns,
        policy_rows(policies),
        ForkGameTables(tables_of(rules, policies), chances, band, bands_of(rules.target, band)),
        (len(keys) + 1, FORK_COLUMNS),
    )
    return ForkJob(
        job, keys, ("quit", "roll"), 1.0, FORKED, objectives=GAME_OBJECTIVES, unit=1 / WIN
    )
