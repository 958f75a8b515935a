"""How far chances are off: against whole games from fresh random scores, with another seed.

The mean squared distance between chances and games has the games' own variance in it, which is
known and subtracted. What is left is the squared error of the chances, from sampling and fitting.
Advice takes a mean of chances, over what a round leaves, and compares such means. So their errors
are measured too: whole games are compared with the chances after their first round. Scores come in
pairs that are near each other, because what actions leave is near each other too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from lama_odds.analysis.score_rounds import PointsGame, job_from, played_blocks
from lama_odds.analysis.several_equity.whole_games import WonFrom, shares_of
from lama_odds.core.policies import Policy
from lama_odds.games.interface.from_scores import ONE_ROUND, WHOLE_GAMES
from lama_odds.games.interface.several_equity import SeveralEquity, chances_of

SURE = 1.645  # standard errors of a bound that holds with 95 %
NEAR = 10  # points by which the score of one player differs in a pair, at most


@dataclass(frozen=True)
class Off:
    """The error of chances: its mean square, and the standard error of that."""

    square: float
    error: float

    @property
    def rms(self) -> float:
        """The standard deviation, estimated."""
        return float(np.sqrt(max(0.0, self.square)))

    @property
    def most(self) -> float:
        """The standard deviation, at most, with 95 %."""
        return float(np.sqrt(max(0.0, self.square) + SURE * self.error))


def pairs_of_scores(target: int, players: int, pairs: int, seed: int) -> np.ndarray:
    """Return int64[2 · pairs, players]: random scores, then others near each of them.

    One player, as likely the first as any other, has another score.
    """
    random = np.random.default_rng(seed)
    first = random.integers(0, target, (pairs, players))
    second = first.copy()
    changed = random.integers(0, players, pairs)
    rows = np.arange(pairs)
    moved = first[rows, changed] + random.integers(-NEAR, NEAR + 1, pairs)
    second[rows, changed] = np.clip(moved, 0, target - 1)
    return np.concatenate([first, second])


@dataclass(frozen=True)
class Apart:
    """By how much chances are above what was won, float64[rows, seats], and the variances."""

    mean: np.ndarray
    variance: np.ndarray

    @property
    def off(self) -> Off:
        """The error of chances."""
        return _off(self.mean, self.variance)

    @property
    def of_differences(self) -> Off:
        """The error of differences within pairs, see `pairs_of_scores`."""
        first, second = np.split(self.mean, 2)
        variances = np.split(self.variance, 2)
        return _off(second - first, variances[0] + variances[1])


def before(chances: np.ndarray, won: WonFrom) -> Apart:
    """Compare chances at the scores of the rows, float64[rows, seats]."""
    return Apart(chances - won.won, won.variance)


def after_a_round(
    game: PointsGame,
    rules: Any,
    policy: Policy,
    table: SeveralEquity,
    starts: np.ndarray,
    games: int,
    seed: int,
    threads: int | None = None,
) -> Apart:
    """Compare the chances after the first round with the same games played to their end.

    games: from each row. Raises LimitError for games without an end.
    """
    rows, seats = starts.shape
    jobs = [
        job_from(game, rules, [policy] * seats, starts, most) for most in (ONE_ROUND, WHOLE_GAMES)
    ]
    sums, squares = np.zeros((rows, seats)), np.zeros((rows, seats))
    both = [played_blocks(job, seed, 0, rows * games, threads) for job in jobs]
    at = 0
    for (scores, starters), (ends, _) in zip(*both, strict=True):
        apart = chances_of(table, scores, starters) - shares_of(rules, policy, ends)
        row = np.arange(at, at + len(scores)) % rows
        for seat in range(seats):
            sums[:, seat] += np.bincount(row, apart[:, seat], rows)
            squares[:, seat] += np.bincount(row, apart[:, seat] ** 2, rows)
        at += len(scores)
    mean = sums / games
    return Apart(mean, (squares / games - mean**2) / (games - 1))


def _off(apart: np.ndarray, noise: np.ndarray) -> Off:
    # Rows are independent, their seats are not.
    square = (apart**2 - noise).mean(axis=1)
    return Off(float(square.mean()), float(square.std(ddof=1) / np.sqrt(len(square))))
