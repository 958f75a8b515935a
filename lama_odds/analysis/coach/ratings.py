"""What a review says about strength: whose errors are most like those of a seat.

data/ratings.json, written by `tools/publish ratings`, lists some policies and what a decision of
each loses on average, reviewed like any other game. A game has few decisions, so its mean may be
far from that average. The same reviews show how far, game by game, as decisions of one game are
not independent.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from lama_odds.core.data import data_json
from lama_odds.statistics.intervals import Z

RATINGS = "ratings.json"
SAME = 1e-9  # what adding up leaves of nothing


@dataclass(frozen=True)
class Rated:
    """A policy: what a decision of it loses on average, and how many were measured."""

    policy: str
    mean: float
    stderr: float
    decisions: int
    games: int

    def spread(self, decisions: int) -> float:
        """Standard error of the mean of this many decisions around `mean`, as far as known."""
        return self.stderr * math.sqrt(1 + self.decisions / decisions)

    def fits(self, mean: float, decisions: int) -> bool:
        """Whether its decisions may well lose that much on average."""
        return abs(mean - self.mean) <= Z * self.spread(decisions) + SAME


@dataclass(frozen=True)
class Rating:
    """A seat among the policies: the one nearest by `mean`, and all that fit, strongest first."""

    mean: float
    decisions: int
    nearest: Rated
    fits: tuple[Rated, ...]
    of: tuple[Rated, ...]

    def to_json(self) -> dict[str, Any]:
        """Names, and what was measured of each policy."""
        return {
            "nearest": self.nearest.policy,
            "fits": [rated.policy for rated in self.fits],
            "policies": [
                {
                    "policy": rated.policy,
                    "mean_error": rated.mean,
                    "stderr": rated.stderr,
                    "decisions": rated.decisions,
                    "games": rated.games,
                }
                for rated in self.of
            ],
        }


def objectives_measured(rules_id: str, players: int) -> tuple[str, ...]:
    """The objectives under which policies were measured for a rule set."""
    return tuple(data_json(RATINGS)["ratings"].get(rules_id, {}).get(str(players), {}))


def references(rules_id: str, players: int, objective: str) -> tuple[Rated, ...]:
    """The policies measured for a rule set, strongest first; none if it is not among them."""
    found = data_json(RATINGS)["ratings"]
    measured = found.get(rules_id, {}).get(str(players), {}).get(objective, [])
    return tuple(sorted((Rated(**entry) for entry in measured), key=lambda rated: rated.mean))


def rating(mean: float, decisions: int, of: Sequence[Rated]) -> Rating | None:
    """The rating of a mean error over `decisions`; None without decisions or policies."""
    if not decisions or not of:
        return None
    nearest = min(of, key=lambda rated: abs(mean - rated.mean))
    fits = tuple(rated for rated in of if rated.fits(mean, decisions))
    return Rating(mean, decisions, nearest, fits, tuple(of))


def measured(policy: str, errors: Sequence[Sequence[float]]) -> Rated:
    """A policy by what its decisions lost, game by game.

    The standard error is that of a ratio of sums over games.
    """
    games = [list(lost) for lost in errors if lost]
    decisions = sum(map(len, games))
    mean = sum(map(sum, games)) / decisions
    apart = sum((sum(lost) - mean * len(lost)) ** 2 for lost in games)
    few = len(games) / max(1, len(games) - 1)
    return Rated(policy, mean, math.sqrt(apart * few) / decisions, decisions, len(games))
