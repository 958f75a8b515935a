"""A simulated game as text."""

from __future__ import annotations

from collections.abc import Sequence

from lama_odds.core.policies import Policy
from lama_odds.games.pikomino.jobs.simulation import simulation
from lama_odds.games.pikomino.records.record import log_of, write_record
from lama_odds.games.pikomino.rules.ruleset import PikominoRules


def simulated_record(
    rules: PikominoRules, policies: Sequence[Policy], seed: int, game: int, rounds: bool
) -> str:
    """Return a simulated game as text."""
    job = simulation(rules, policies, rounds)
    names = [policy.name for policy in policies]
    return write_record(rules, names, (seed, game), log_of(job, seed, game))
