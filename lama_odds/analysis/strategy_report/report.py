"""What a strategy report is about, how much is played for it, and how its sections put numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from lama_odds.analysis.strategy_report.by_game.amounts import MOST_GAMES, amounts_of
from lama_odds.games.interface.game import AnyGame

# How many games are played for what, from the wanted half-width in points.
DEFAULT_PRECISION = 0.05
QUICK_PRECISION = 0.25
GAMES_AT_DEFAULT = 400_000
FEWEST_GAMES = 400
COMPARED_PART = 0.4  # of the games, for each rule set compared
LEAGUE_PART = 0.75  # of the games, for all tables of the league
SHOWN_PART = 40_000  # games at most whose single results are kept


@dataclass(frozen=True)
class Budget:
    """How much is played. precision: half-width in points, from which the games follow."""

    precision: float

    def games(self, game: str) -> int:
        """Games or rounds of a simulation of a game."""
        part = amounts_of(game).part
        games = part * GAMES_AT_DEFAULT * (DEFAULT_PRECISION / self.precision) ** 2
        return min(MOST_GAMES, max(FEWEST_GAMES, round(games / FEWEST_GAMES) * FEWEST_GAMES))


@dataclass(frozen=True)
class Ask:
    """What a report is about, and with how much it is answered."""

    game: AnyGame
    rules: Any
    players: int
    budget: Budget
    seed: int = 0
    threads: int | None = None

    @property
    def words(self) -> list[str]:
        """The words of a command that name it."""
        return [str(self.rules.id)]

    @property
    def question(self) -> dict[str, Any]:
        """What the games of a run depend on besides rules, players, precision and seed."""
        return {}

    @property
    def intro(self) -> str:
        """What the page is for."""
        return (
            f"What to do and what it is worth, with {self.players} players. Each section says "
            "whether its numbers are exact or sampled. Sampled numbers come from games between "
            "simulated players; ± and shaded bands are 95 % intervals."
        )

    @property
    def intro_md(self) -> str:
        """The same for a page in Markdown, whose title names the players."""
        return (
            "What to do and what it is worth. Sampled numbers come from games between simulated "
            "players; ± and shaded bands are 95 % intervals."
        )

    @property
    def games(self) -> int:
        """Games or rounds of a simulation."""
        return self.budget.games(self.game.name)

    @property
    def precision(self) -> float:
        """Half-width in points of thresholds, coarser where there are fewer games."""
        return self.budget.precision / math.sqrt(amounts_of(self.game.name).part)
