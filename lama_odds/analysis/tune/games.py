"""The games of tuning as jobs: a candidate in each seat in turn, the others playing one policy.

Samples are sums over blocks of game indices, the same blocks for all candidates.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from lama_odds.analysis.tournament.job import points_name
from lama_odds.core.errors import LimitError
from lama_odds.core.estimate import Estimate
from lama_odds.core.policies import Policy
from lama_odds.games.interface.game import Game, P, R
from lama_odds.games.interface.tally_layout import WIN
from lama_odds.jit.job import Job, sharing
from lama_odds.statistics.intervals import variance_of

BLOCK = 64  # games of a seat; their sum over all seats is a sample


class Field:
    """Tables at which a candidate plays against the others. scale: of a block's sum to its mean."""

    def __init__(
        self, game: Game[R, P], rules: R, players: int, objective: str, against: Policy
    ) -> None:
        self.game, self.rules, self.players = game, rules, players
        self.against = against
        self.win = objective == "win"
        self.rounds = not self.win and game.has_rounds
        self.scale = BLOCK * players * (WIN if self.win else 1)

    @property
    def higher(self) -> bool:
        """Whether a higher payoff is better."""
        return self.win or not self.rounds

    def jobs(self, policy: Policy) -> list[tuple[Job, int]]:
        """For each seat of the candidate, the job and the row of the tally with its payoff."""
        found = []
        for seat in range(self.players):
            policies = [self.against] * self.players
            policies[seat] = policy
            job = self.game.simulation(self.rules, policies, self.rounds)
            name = "win" if self.win else points_name(job)
            row = next(at for at, m in enumerate(job.measures) if m.name == name and m.seat == seat)
            found.append((job, row))
        return found

    def seats(self, candidates: Sequence[Policy]) -> list[tuple[tuple[Any, ...], ...]]:
        """Of each candidate, for each seat: the job, its row, and that of games without an end."""
        found = [self.jobs(candidate) for candidate in candidates]
        jobs = iter(sharing(job for seats in found for job, _ in seats))
        return [
            tuple((next(jobs), row, _unfinished(job) if self.win else -1) for job, row in seats)
            for seats in found
        ]

    def race(self, seats: Sequence[Any], first: int, blocks: int) -> Job:
        """The job of a look. Its tally, int64[candidates, blocks], holds the sums of blocks.

        Games have to be played in whole blocks, from `first` on.
        """
        nothing = np.zeros(0, dtype=np.int64)
        return Job(play_race, nothing, nothing, (first, tuple(seats)), (len(seats), blocks))

    def measured(self, seats: Any) -> Job:
        """The job of one candidate. Its tally, int64[1, 2]: sum and sum of squares of blocks."""
        nothing = np.zeros(0, dtype=np.int64)
        return Job(play_measured, nothing, nothing, (seats,), (1, 2))

    def among(self, against: Policy) -> Field:
        """The same tables, the others playing something else."""
        objective = "win" if self.win else "points"
        return Field(self.game, self.rules, self.players, objective, against)

    def estimate(self, total: int, squares: int, blocks: int, several: int = 1) -> Estimate:
        """A mean over blocks with its 95 % interval (t distribution); n counts games.

        several: intervals that hold together.
        """
        from scipy import stats

        stderr = math.sqrt(variance_of(total, squares, blocks) / blocks) / self.scale
        mean = total / blocks / self.scale
        games = blocks * BLOCK * self.players
        return Estimate.normal(mean, stderr, games, float(stats.t.isf(0.025 / several, blocks - 1)))


def _unfinished(job: Job) -> int:
    """The row of the tally with games that did not end; −1 if there is none."""
    rows = (at for at, measure in enumerate(job.measures) if measure.name == "unfinished")
    return next(rows, -1)


def play_race(
    rules: Any, policies: Any, tables: Any, seed: int, first: int, count: int, tally: np.ndarray
) -> None:
    """The kernel of `Field.race`, in plain Python. tables: its first game, seats by candidate."""
    del rules, policies
    begin, candidates = tables
    at = (first - begin) // BLOCK
    for sums, seats in zip(tally, candidates, strict=True):
        sums[at : at + count // BLOCK] += _block_sums(seats, seed, first, count)


def play_measured(
    rules: Any, policies: Any, tables: Any, seed: int, first: int, count: int, tally: np.ndarray
) -> None:
    """The kernel of `Field.measured`, in plain Python. tables: the seats of the candidate."""
    del rules, policies
    sums = _block_sums(tables[0], seed, first, count)
    tally[0] += [sums.sum(), (sums * sums).sum()]


def _block_sums(seats: Any, seed: int, first: int, count: int) -> np.ndarray:
    """int64[blocks]: payoffs over all seats in each block. LimitError if a game did not end."""
    if count % BLOCK:
        raise ValueError(f"games {first} to {first + count - 1} are not whole blocks")
    sums = np.zeros(count // BLOCK, dtype=np.int64)
    for job, row, unfinished in seats:
        tally = np.zeros(job.shape, dtype=np.int64)
        if not count:  # the call that compiles
            job.play(seed, first, 0, tally)
        for block in range(len(sums)):
            tally[:] = 0
            start = first + block * BLOCK
            job.play(seed, start, BLOCK, tally)
            sums[block] += tally[row, 0]
            if unfinished >= 0 and tally[unfinished, 0]:
                raise LimitError("games do not end with these policies: none can be tuned")
    return sums
