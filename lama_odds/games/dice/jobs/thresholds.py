"""Decisions played out both ways, as jobs for thresholds."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lama_odds.core.policies import Policy
from lama_odds.games.dice.engine import paired_decisions, paired_games
from lama_odds.games.dice.engine.tables import ForkGameTables, ForkRoundTables
from lama_odds.games.dice.policies.catalogue import policy_rows, tables_of
from lama_odds.games.dice.rules.ruleset import DiceRules
from lama_odds.games.interface.from_scores import AS_GIVEN
from lama_odds.games.interface.jobs import ForkJob
from lama_odds.games.interface.match_equity import RoundsToWin
from lama_odds.games.interface.score_chances import PLAYED_ON
from lama_odds.games.interface.tally_layout import CERTAIN, EQUITY, FORK_COLUMNS, WIN
from lama_odds.games.shared.score_bands import OBJECTIVES, bands_of, cell_keys, with_scores
from lama_odds.jit.job import Job

FORKED = "with others still in"


def forks(
    rules: DiceRules,
    policies: Sequence[Policy],
    chances: np.ndarray,
    worth: RoundsToWin | None = None,
) -> ForkJob:
    """Return decisions to roll or to quit, played out both ways: first rounds for points, or with
    `worth` rounds of games, for winning them.
    """
    cells = paired_decisions.cells_of(rules.most_points)
    keys = cells if worth is None else with_scores(cells, rules.most_points, rules.target)
    tables = ForkRoundTables(
        tables_of(rules, policies, tokens=worth is not None),
        chances,
        AS_GIVEN if worth is None else worth.starting.rows,
        PLAYED_ON if worth is None else worth.table.counted,
        0 if worth is None else len(cells),
    )
    kernel, rows = paired_decisions.fork_rounds, policy_rows(policies)
    job = Job(kernel, rules.columns, rows, tables, (len(keys), FORK_COLUMNS))
    if worth is None:
        return ForkJob(job, keys, ("quit", "roll"), 1 / (len(policies) - 1), FORKED)
    return ForkJob(job, keys, ("quit", "roll"), 1.0, FORKED, objectives=OBJECTIVES, unit=1 / EQUITY)


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
    return ForkJob(job, keys, ("quit", "roll"), 1.0, FORKED, objectives=OBJECTIVES, unit=1 / WIN)
