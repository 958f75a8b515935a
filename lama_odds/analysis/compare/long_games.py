"""What is a long game? One with more actions than a threshold, which comes from a pilot.

The threshold is LONGER times the median of the pilot, so it has an error of its own. More games of
an answer do not reduce it. The pilot plays the same games for every rule set, so differences have
less of it than two shares.

The error of a share is found where it is made. The limits of the median are ranks of the sorted
pilot, ERRORS standard errors on either side of the middle. Lengths are whole numbers, so nearer
limits are often equal. The shares of longer games at both limits say how much the share can be
wrong. For the covariances between rule sets, it is linear in the part of games that
are above the median.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from lama_odds.core.policies import Policy
from lama_odds.games.interface.game import AnyGame
from lama_odds.luck.stream import MAX_GAMES

LONG = "long games"
LONGER = 1.5  # times the median: a long game
ERRORS = 3.0


@dataclass(frozen=True)
class Pilot:
    """The number of actions of each game of a pilot, in the order of the games."""

    lengths: np.ndarray

    @property
    def longer(self) -> int:
        """A game with more actions is long."""
        return _threshold(float(np.median(self.lengths)))

    @property
    def above(self) -> np.ndarray:
        """For each game 1 if it is above the median, else 0."""
        return np.where(self.lengths > np.median(self.lengths), 1.0, 0.0)

    @property
    def slope(self) -> float:
        """How fast the share of long games falls as the rank of the median rises, from 0 to 1."""
        number = len(self.lengths)
        ranked = np.sort(self.lengths)
        apart = ERRORS * math.sqrt(number) / 2
        low = ranked[max(0, math.floor(number / 2 - apart))]
        high = ranked[min(number - 1, math.ceil(number / 2 + apart))]
        shares = [float(np.mean(self.lengths > _threshold(float(end)))) for end in (low, high)]
        return (shares[0] - shares[1]) * number / (2 * apart)


def _threshold(median: float) -> int:
    return int(LONGER * median)


def pilot_of(game: AnyGame, rules: Any, policy: Policy, players: int) -> Pilot:
    """Play the pilot: the same games every time, which no answer counts."""
    job = game.simulation(rules, [policy] * players, False).detailed()
    names = [measure.name for measure in job.measures]
    row = names.index("length" if "length" in names else "turns")
    first = MAX_GAMES - game.pilot
    return Pilot(np.array([job.play(0, first + at, 1)[row, 0] for at in range(game.pilot)]))


def covariances(pilots: Sequence[Pilot]) -> tuple[tuple[float, ...], ...]:
    """Return the covariances of the shares' errors that come from the medians."""
    above = np.array([pilot.above for pilot in pilots])
    slopes = np.array([pilot.slope for pilot in pilots])
    found = np.cov(above).reshape(len(pilots), len(pilots)) / above.shape[1]
    return tuple(tuple(map(float, row)) for row in found * np.outer(slopes, slopes))
