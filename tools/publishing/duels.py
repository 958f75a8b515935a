"""How often one player of a policy wins among players of another one, in every seat as often."""

from __future__ import annotations

from typing import Any

from lama_odds.core.estimate import Estimate
from lama_odds.core.policies import Policy
from lama_odds.games.interface.game import Game
from lama_odds.games.interface.tally_layout import WIN
from lama_odds.simulation.run import run
from lama_odds.statistics.intervals import Z


def seatings(mine: Policy, other: Policy, players: int) -> list[list[Policy]]:
    """Return one policy in every seat among another one."""
    return [[mine if at == seat else other for at in range(players)] for seat in range(players)]


def won(
    game: Game[Any, Any],
    rules: Any,
    seated: list[list[Policy]],
    games: int,
    seeds: list[int],
    threads: int | None,
) -> Estimate:
    """Return how often the first policy of `seatings` wins; games, and a seed, for each seat."""
    total = squares = 0
    for seat, policies in enumerate(seated):
        job = game.simulation(rules, policies, False)
        tally = run(job, seeds[seat], games, threads=threads).tally
        total += int(tally[seat, 0])
        squares += int(tally[seat, 1])
    n = games * len(seated)
    mean = total / WIN / n
    return Estimate.normal(mean, ((squares / WIN**2 / n - mean**2) / n) ** 0.5, n, Z)
