"""Whole games from random scores: what everybody won, as shares."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from lama_odds.analysis.score_rounds import PointsGame, job_from, played_blocks
from lama_odds.core.errors import LimitError
from lama_odds.core.policies import Policy
from lama_odds.games.interface.from_scores import WHOLE_GAMES


@dataclass(frozen=True)
class WonFrom:
    """What was won from some scores; seat 0 starts the first round.

    starts: int64[rows, seats]. won: float64[rows, seats], mean share of the win, ties shared.
    squares: the mean of its square. games: from each row.
    """

    starts: np.ndarray
    won: np.ndarray
    squares: np.ndarray
    games: int

    @property
    def variance(self) -> np.ndarray:
        """float64[rows, seats]: of the mean."""
        return np.asarray((self.squares - self.won**2) / (self.games - 1))


def won_from(
    game: PointsGame,
    rules: Any,
    policy: Policy,
    starts: np.ndarray,
    games: int,
    seed: int,
    threads: int | None = None,
) -> WonFrom:
    """Play games of a policy from scores. games: from each row.

    Raises LimitError for games without an end.
    """
    rows, seats = starts.shape
    job = job_from(game, rules, [policy] * seats, starts, WHOLE_GAMES)
    won, squares = np.zeros((rows, seats)), np.zeros((rows, seats))
    at = 0
    for scores, _ in played_blocks(job, seed, 0, rows * games, threads):
        shares = shares_of(rules, policy, scores)
        row = np.arange(at, at + len(scores)) % rows
        for seat in range(seats):
            won[:, seat] += np.bincount(row, shares[:, seat], rows)
            squares[:, seat] += np.bincount(row, shares[:, seat] ** 2, rows)
        at += len(scores)
    return WonFrom(starts, won / games, squares / games, games)


def shares_of(rules: Any, policy: Policy, scores: np.ndarray) -> np.ndarray:
    """Return float64[games, seats], shares of the win by final scores.

    Raises LimitError for games without an end.
    """
    if scores.max(axis=1).min() < rules.target:
        raise LimitError(f"{policy.name} against itself never ends a game of {rules.id}")
    lowest = scores == scores.min(axis=1, keepdims=True)
    return np.asarray(lowest / lowest.sum(axis=1, keepdims=True))


def random_scores(target: int, players: int, rows: int, seed: int) -> np.ndarray:
    """Return int64[rows, players], scores below the target, each as likely as any other."""
    return np.random.default_rng(seed).integers(0, target, (rows, players))
