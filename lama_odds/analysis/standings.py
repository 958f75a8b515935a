"""Who is ahead at these scores? Chances of everybody at a table, from the match equity tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations_with_replacement
from typing import Any

import lama_odds
from lama_odds.core.errors import ReadError
from lama_odds.core.estimate import Estimate
from lama_odds.core.plain import Plain
from lama_odds.core.policies import Policy
from lama_odds.games.interface.match_equity import (
    SEVERAL_FOLDERS,
    MatchEquity,
    SeveralEquity,
    manifest,
    table_for,
)
from lama_odds.games.interface.rounds_won import RoundsWonEquity
from lama_odds.statistics.intervals import Z

STEPS = 4  # between the scores of the rows, unless scores are given


@dataclass(frozen=True)
class Standings(Plain):
    """The answer to "who is ahead?" at some scores.

    rows: scores of the players in their order of turns; the first starts the next round.
    """

    KEYS = (
        "rules players policy=table.policy rounds=table.rounds seed=table.seed table=chances "
        "version"
    )

    rules: str
    players: int
    table: MatchEquity | SeveralEquity
    rows: tuple[tuple[int, ...], ...]
    version: str = field(default=lama_odds.__version__)
    variant: str = ""  # the name of the rule set in a file of variants

    @property
    def target(self) -> int:
        """The score that ends a game."""
        table = self.table
        return len(table.values) if isinstance(table, MatchEquity) else table.target

    def win(self, scores: Sequence[int]) -> tuple[Estimate, ...]:
        """Everybody's chance to win; the first one starts the next round."""
        table = self.table
        if isinstance(table, MatchEquity):
            value = float(table.values[scores[0], scores[1]])
            stderr = float(table.stderr[scores[0], scores[1]])
            return tuple(_chance(x, stderr, table.rounds) for x in (value, 1 - value))
        return tuple(_chance(float(x), table.stderr, table.rounds) for x in table.chances(scores))

    @property
    def chances(self) -> list[dict[str, Any]]:
        """The chances at the scores of each row; n: rounds that the table was made of."""
        return [{"scores": row, "win": self.win(row)} for row in self.rows]


def _chance(value: float, stderr: float, rounds: int) -> Estimate:
    low, high = max(0.0, value - Z * stderr), min(1.0, value + Z * stderr)
    return Estimate.from_interval(value, stderr, low, high, rounds)


def standings(
    rules: Any, policy: Policy, players: int, scores: Sequence[int] | None = None
) -> Standings:
    """The chances at these scores, or at every few scores, from a shipped table.

    scores: below the target, of the player who starts the next round first. Raises ReadError for
    other scores, and for players without a table.
    """
    table = table_for(rules.id, [policy] * players)
    if isinstance(table, RoundsWonEquity):
        raise ReadError(f"{rules.id} is won by rounds: it has no match equity table by scores")
    if table is None:
        raise ReadError(
            f"{rules.id}: there is no match equity table of {players} players of {policy.name}, "
            f"expected the best policy of {_those_with(players)}"
        )
    if scores is None:
        return Standings(rules.id, players, table, few_scores(rules.target, players))
    if len(scores) != players:
        raise ReadError(f"scores of {len(scores)} players found, expected {players}")
    for score in scores:
        if not 0 <= score < rules.target:
            raise ReadError(
                f"score {score} found, expected 0 to {rules.target - 1}: more end the game"
            )
    return Standings(rules.id, players, table, (tuple(scores),))


def few_scores(target: int, players: int) -> tuple[tuple[int, ...], ...]:
    """Return every few scores of the first player, each with such scores of the others, rising."""
    step = max(1, target // STEPS)
    some = sorted({*range(0, target, step), target - 1})
    return tuple(
        (mine, *others)
        for mine in some
        for others in combinations_with_replacement(some, players - 1)
    )


def _those_with(players: int) -> str:
    """The rule sets that have a table for this number of players, in words."""
    found = {
        name
        for folder in SEVERAL_FOLDERS
        for name, each in manifest(folder)["tables"].items()
        if str(players) in each
    }
    return ", ".join(sorted(found)) or "none"
