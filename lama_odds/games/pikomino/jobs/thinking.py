"""The jobs of games in which one seat looks a turn further ahead than `learned`."""

from __future__ import annotations

from collections.abc import Sequence

from lama_odds.core.errors import LimitError
from lama_odds.core.policies import Policy
from lama_odds.games.interface.jobs import ThinkingJob
from lama_odds.games.pikomino.engine import thinking
from lama_odds.games.pikomino.engine.policy_kernels import LEARNED
from lama_odds.games.pikomino.engine.tables import ThinkingTables
from lama_odds.games.pikomino.policies.catalogue import policy_rows, tables_of
from lama_odds.games.pikomino.rules.ruleset import PikominoRules
from lama_odds.jit.job import Job


def thinking_job(rules: PikominoRules, policies: Sequence[Policy], seat: int) -> ThinkingJob:
    """Return the games in which a seat looks ahead; raise LimitError for other policies."""
    if any(policy.family.code != LEARNED for policy in policies):
        raise LimitError("in pikomino only a player of learned can look a turn further ahead")
    job = Job(
        thinking.think_games,
        rules.columns,
        policy_rows(policies),
        ThinkingTables(tables_of(rules, policies), seat),
        (thinking.ROWS, 2),
    )
    return ThinkingJob(
        job,
        thought=thinking.THOUGHT,
        usual=thinking.USUAL,
        promised=thinking.PROMISED,
        decisions=thinking.TURNS,
        departed=thinking.OTHERWISE,
        unfinished=thinking.NO_END,
    )
