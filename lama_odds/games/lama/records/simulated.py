"""A simulated round or game as text."""

from __future__ import annotations

from collections.abc import Sequence

from lama_odds.core.policies import Policy
from lama_odds.games.lama.jobs.simulation import deal_of, simulation
from lama_odds.games.lama.records.record import write_record
from lama_odds.games.lama.rules.ruleset import LamaRules
from lama_odds.games.shared.measures import logged_game


def simulated_record(
    rules: LamaRules, policies: Sequence[Policy], seed: int, game: int, rounds: bool
) -> str:
    """Return a simulated round or game as text."""
    seats = len(policies)
    played, log = logged_game(simulation(rules, policies, rounds), seed, game, rounds)
    deals = [deal_of(rules, seats, seed, game, number) for number in range(played)]
    names = [policy.name for policy in policies]
    return write_record(rules, names, (seed, game), deals, log, not rounds)
