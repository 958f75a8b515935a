"""How far chances are off: against whole games from fresh random scores, with another seed.

The mean squared distance between chances and games has the games' own variance in it, which is
known and subtracted. What is left is the squared error of the chances, from sampling and fitting.
Scores come in pairs that are near each other: of the differences between actions, much of the error
cancels.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lama_odds.analysis.several_equity.whole_games import WonFrom

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
        return float(np.sqrt(max(0.0, self.square + SURE * self.error)))


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


def how_far_off(chances: np.ndarray, won: WonFrom) -> Off:
    """Compare chances, float64[rows, seats], with what was won from there."""
    return _off(chances - won.won, won.variance)


def how_far_apart(chances: np.ndarray, won: WonFrom) -> Off:
    """Compare differences within pairs, see `pairs_of_scores`."""
    (first, second), noise = np.split(chances - won.won, 2), np.split(won.variance, 2)
    return _off(second - first, noise[0] + noise[1])


def _off(apart: np.ndarray, noise: np.ndarray) -> Off:
    # Rows are independent, their seats are not.
    square = (apart**2 - noise).mean(axis=1)
    return Off(float(square.mean()), float(square.std(ddof=1) / np.sqrt(len(square))))
