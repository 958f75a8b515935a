"""A simulated round or game as text."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from lama_odds.core.policies import Policy
from lama_odds.games.noprob.jobs.simulation import deal_of, simulation
from lama_odds.games.noprob.records.record import write_record
from lama_odds.games.noprob.rules.ruleset import NoprobRules
from lama_odds.games.shared.measures import logged_game


def simulated_record(
    rules: NoprobRules, policies: Sequence[Policy], seed: int, game: int, rounds: bool
) -> str:
    """Return a simulated round or game as text."""
    seats = len(policies)
    _, log = logged_game(simulation(rules, policies, rounds), seed, game, rounds)
    names = [policy.name for policy in policies]
    deals = partial(deal_of, rules, seats, seed, game)
    return write_record(rules, names, (seed, game), deals, log, not rounds)
