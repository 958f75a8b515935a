"""What happens when these policies play: rounds or whole games, counted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import lama_odds
from lama_odds.analysis.search import games_of
from lama_odds.core.errors import LimitError
from lama_odds.core.estimate import Estimate
from lama_odds.core.plain import plain
from lama_odds.core.policies import Policy
from lama_odds.games.interface.game import Game, P, R
from lama_odds.jit.job import Job, Measure
from lama_odds.simulation.run import USUAL, Play, default_threads
from lama_odds.statistics.intervals import mean_of, mean_of_counts, share_of


@dataclass(frozen=True)
class Simulated:
    """Measures by seat and for the whole table. records: of the first games, if wanted."""

    rules: str
    players: int
    rounds: bool
    policies: tuple[str, ...]
    seats: tuple[dict[str, Estimate], ...]
    table: dict[str, Estimate]
    games: int
    seed: int
    threads: int
    seconds: float
    interrupted: bool = False
    records: tuple[str, ...] = ()
    version: str = field(default=lama_odds.__version__)
    variant: str = ""  # the name of the rule set in a file of variants

    def to_json(self) -> dict[str, Any]:
        """The agreed keys."""
        seats = [
            {"seat": seat, "policy": self.policies[seat], **plain(measures)}
            for seat, measures in enumerate(self.seats)
        ]
        return {
            "rules": self.rules,
            "players": self.players,
            "games": self.games,
            "seed": self.seed,
            "threads": self.threads,
            "seconds": self.seconds,
            "games_per_second": self.games / self.seconds if self.seconds else 0.0,
            "seats": seats,
            **plain(self.table),
            "version": self.version,
        }


def simulate(
    game: Game[R, P],
    rules: R,
    policies: Sequence[Policy],
    games: int,
    *,
    rounds: bool = False,
    play: Play = USUAL,
) -> Simulated:
    """Play games (or first rounds) of these policies, one a seat.

    Raises LimitError if a game does not end within the rounds that random numbers are numbered for.
    """
    job = games_of(game, rules, policies, rounds)

    def figures(tally: np.ndarray, games: int) -> Mapping[str, Any]:
        return {
            m.name if m.seat is None else f"{m.name} seat {m.seat}": estimate.to_json()
            for m, estimate in _estimates(job, tally, games)
        }

    played = play.run(job, games, figures=figures)
    if played.games == 0:
        raise LimitError("stopped before the first game was played")
    seats: list[dict[str, Estimate]] = [{} for _ in policies]
    table: dict[str, Estimate] = {}
    for measure, estimate in _estimates(job, played.tally, played.games):
        if measure.name == "unfinished":
            if estimate.value > 0:
                raise LimitError(
                    f"a share of {estimate.value:.3g} of the games did not end: "
                    "nobody reaches the target with these policies"
                )
        elif measure.seat is None:
            table[measure.name] = estimate
        else:
            seats[measure.seat][measure.name] = estimate
    return Simulated(
        rules=rules.id,
        players=len(policies),
        rounds=rounds,
        policies=tuple(policy.name for policy in policies),
        seats=tuple(seats),
        table=table,
        games=played.games,
        seed=play.seed,
        threads=play.threads or default_threads(),
        seconds=played.seconds,
        interrupted=played.interrupted,
    )


def _estimates(job: Job, tally: np.ndarray, games: int) -> list[tuple[Measure, Estimate]]:
    found = []
    for measure, (total, squares) in zip(job.measures, tally.tolist(), strict=True):
        if measure.share:
            estimate = share_of(total * measure.unit, games)
            if measure.unit != 1.0:
                # Shared wins vary less than whole ones.
                spread = mean_of(total, squares, games, measure.unit).stderr
                low, high = estimate.low, estimate.high
                estimate = Estimate.from_interval(estimate.value, spread, low, high, games)
        else:
            bounds = measure.least, measure.most
            estimate = mean_of_counts(total, squares, games, measure.unit, *bounds)
        found.append((measure, estimate))
    return found
