"""Rounds played from given scores, a block at a time, and what rounds of two players leave."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

import numpy as np

from lama_odds.core.errors import LimitError
from lama_odds.core.policies import Policy
from lama_odds.games.interface.from_scores import (
    BLOCK,
    ONE_ROUND,
    SCORE_BITS,
    in_order,
    read_scores,
)
from lama_odds.jit.job import Job
from lama_odds.simulation.run import run


class PointsGame(Protocol):
    """A game of points that can be played from given scores."""

    def rounds_from(
        self, rules: Any, policies: Sequence[Policy], starts: np.ndarray, most: int
    ) -> Job | None:
        """Rounds from given scores, see `Game.rounds_from`."""

    def most_points(self, rules: Any) -> int:
        """The highest number of points that a round can cost."""


def job_from(
    game: PointsGame, rules: Any, policies: Sequence[Policy], starts: np.ndarray, most: int
) -> Job:
    """The job of games from these scores; raises LimitError where scores can become too high."""
    seats = len(policies)
    if rules.target + game.most_points(rules) >= 1 << SCORE_BITS // seats:
        raise LimitError(f"{rules.id}: scores are too high for a table of {seats} players")
    job = game.rounds_from(rules, policies, starts, most)
    assert job is not None, "only games with rounds of points come here"
    return job


def noted_blocks(
    job: Job, seed: int, first: int, games: int, threads: int | None
) -> Iterator[np.ndarray]:
    """Play games of such a job, and yield what their kernel notes of a block at a time.

    Raises KeyboardInterrupt if it is stopped.
    """
    for start in range(first, first + games, BLOCK):
        count = min(BLOCK, first + games - start)
        played = run(job, seed, count, first=start, threads=threads)
        if played.interrupted:
            raise KeyboardInterrupt
        yield in_order(played.tally, start, count)


def played_blocks(
    job: Job, seed: int, first: int, games: int, threads: int | None
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Do the same, and yield scores and starters; see `read_scores`."""
    for noted in noted_blocks(job, seed, first, games, threads):
        yield read_scores(noted, len(job.policies))


def left_by_two(
    game: PointsGame,
    rules: Any,
    policies: Sequence[Policy],
    score: int,
    rounds: int,
    seed: int,
    first: int,
    threads: int | None = None,
) -> np.ndarray:
    """What rounds of two players leave that the first one starts with a score.

    Returns int64[target, highest, highest, 2]: by the score of the other, both scores after the
    round, and the starter of the next one. rounds: from each score of the other. first: index of
    the first one, a multiple of the target.
    """
    target = rules.target
    shape = (target, *[target + game.most_points(rules)] * 2, 2)
    starts = np.array([[score, other] for other in range(target)], dtype=np.int64)
    job = job_from(game, rules, policies, starts, ONE_ROUND)
    left = np.zeros(np.prod(shape), dtype=np.int64)
    at = first
    for scores, starters in played_blocks(job, seed, first, target * rounds, threads):
        others = np.arange(at, at + len(scores)) % target
        places = np.ravel_multi_index((others, *scores.T, starters), shape)
        left += np.bincount(places, minlength=len(left))
        at += len(scores)
    return left.reshape(shape)
