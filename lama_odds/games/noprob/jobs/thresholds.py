"""Decisions played out both ways, as jobs for thresholds."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lama_odds.core.errors import ReadError
from lama_odds.core.policies import Policy
from lama_odds.games.interface.jobs import ForkJob, Scale
from lama_odds.games.interface.tally_layout import FORK_COLUMNS
from lama_odds.games.noprob.engine import paired_decisions
from lama_odds.games.noprob.engine.policy_kernels import WITHOUT_COSTS
from lama_odds.games.noprob.engine.tables import ForkTables
from lama_odds.games.noprob.jobs.studies import tables_beside
from lama_odds.games.noprob.policies.catalogue import policy_rows, tables_of
from lama_odds.games.noprob.rules.ruleset import NoprobRules
from lama_odds.jit.job import Job

LEAD = Scale(
    "lead",
    paired_decisions.STEP * paired_decisions.MIDDLE,
    -paired_decisions.STEP,
    paired_decisions.LEADS - 1,
    "points by which your expected total, with the card in the last cell, is below the lowest "
    f"of the others', in steps of {paired_decisions.STEP}",
)


def forks(rules: NoprobRules, policies: Sequence[Policy], chances: np.ndarray) -> ForkJob | None:
    """Return decisions with one card face down, to end the round or not, played out both ways."""
    for policy in policies:
        if policy.family.code in WITHOUT_COSTS:
            raise ReadError(
                f"thresholds are for policies that value their cards, not {policy.family.name}"
            )
    keys = paired_decisions.cell_keys()
    job = Job(
        paired_decisions.fork_rounds,
        rules.columns,
        policy_rows(policies),
        ForkTables(tables_of(rules, policies), chances),
        (len(keys), FORK_COLUMNS),
    )
    return ForkJob(
        job,
        keys,
        ("end", "go on"),
        1.0,
        "with one own card face down and a card that fits best there",
        LEAD,
        ("points", "round lost"),
        most=paired_decisions.MOST_ROUNDS // len(policies),
        beside=tables_beside(rules, policies),
    )
