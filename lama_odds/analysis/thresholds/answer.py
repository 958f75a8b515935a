"""What thresholds answer: rows of two actions by penalty and what else is seen, and limits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import lama_odds
from lama_odds.analysis.published_card import PublishedCard
from lama_odds.core.estimate import Estimate
from lama_odds.games.interface.jobs import Scale
from lama_odds.games.interface.solution import ThresholdTable

ALMOST = 1.2  # times the wanted half-width: sampling error of the pilot may widen it this far


@dataclass(frozen=True)
class Row:
    """A cell: keys (None: any), how often it occurs in a round, values by objective.

    values: of each objective the first action, the second, and what the second costs against the
    first (above 0: the first, quitting, is better). often: `met` with its error, which is between
    games; None where it was not sampled.
    """

    keys: Mapping[str, int | None]
    met: float
    n: int
    values: Mapping[str, tuple[Estimate, Estimate, Estimate]]
    often: Estimate | None = None

    def better(self, objective: str, actions: tuple[str, str]) -> str:
        """Which action is better, or that it is too close to call."""
        difference = self.values[objective][2]
        if difference.low > 0:
            return actions[0]
        return actions[1] if difference.high < 0 else "close"

    def to_json(self, actions: tuple[str, str]) -> dict[str, Any]:
        """Keys, then values by objective."""
        return {**self.keys, **self.values_json(actions)}

    def values_json(self, actions: tuple[str, str]) -> dict[str, Any]:
        """How often it occurs, and values by objective."""
        names = (*actions, "difference")
        values = {
            objective: {
                **{name: e.to_json() for name, e in zip(names, estimates, strict=True)},
                "better": self.better(objective, actions),
            }
            for objective, estimates in self.values.items()
        }
        often = {} if self.often is None else {"met_estimate": self.often.to_json()}
        return {"met": self.met, **often, "n": self.n, **values}


@dataclass(frozen=True)
class Limit:
    """Up to which penalty the first action, quitting, is better; −1: at none.

    keys: of the rows, without the penalty.
    at: the turning point by all rows together, of each objective.
    certain: the last penalty up to it at which the first action is clearly better.
    perhaps: the last penalty before the second action is clearly better.
    near: the last row up to `at` and the first beyond, in the first objective.
    met: how often such decisions occur in a game.
    """

    keys: Mapping[str, int | None]
    at: tuple[int, ...]
    certain: tuple[int, ...]
    perhaps: tuple[int, ...]
    near: tuple[Row, ...]
    met: float

    def to_json(self, objectives: Sequence[str], actions: tuple[str, str]) -> dict[str, Any]:
        """Keys, then the limits by objective."""
        limits = {
            objective: {
                "at": self.at[at],
                "certain": self.certain[at],
                "perhaps": self.perhaps[at],
                "decided": self.certain[at] == self.perhaps[at],
            }
            for at, objective in enumerate(objectives)
        }
        near = [row.to_json(actions) for row in self.near]
        return {**self.keys, "met": self.met, **limits, "near": near}


@dataclass(frozen=True)
class Precision:
    """Half-widths: the wanted one, and the widest of the rows that it is wanted for."""

    asked: float
    reached: float

    @property
    def met(self) -> bool:
        """Whether it was reached, apart from sampling error of the pilot."""
        return self.reached <= ALMOST * self.asked


@dataclass(frozen=True)
class Thresholds:
    """The answer: rows with fewer keys first, and exact decisions of the last player, if any.

    precision: None if the number of games was given.
    """

    rules: str
    players: int
    policy: str
    actions: tuple[str, str]
    decisions: str
    scale: Scale
    objectives: tuple[str, str]
    rows: tuple[Row, ...]
    tables: tuple[ThresholdTable, ...]
    games: int
    seed: int
    seconds: float
    interrupted: bool = False
    precision: Precision | None = None
    # Where rows are told apart by scores: points that are one class of them, and what follows.
    band: int | None = None
    limits: tuple[Limit, ...] = ()
    card: PublishedCard | None = None  # to win: the rule that was played
    version: str = field(default=lama_odds.__version__)
    variant: str = ""  # the name of the rule set in a file of variants

    @property
    def played(self) -> str:
        """What `games` counts."""
        return "rounds" if self.band is None else "games"

    def shown(self, penalty: int | None) -> int | None:
        """The first key as it is shown."""
        return None if penalty is None else self.scale.value(penalty)

    @property
    def label(self) -> str:
        """What the first key is."""
        return self.scale.label

    def keys_shown(self, row: Row) -> dict[str, int | None]:
        """The keys of a row, the first under its name."""
        return {
            **{self.label: self.shown(row.keys["penalty"])},
            **{name: value for name, value in row.keys.items() if name != "penalty"},
        }

    def to_json(self) -> dict[str, Any]:
        """One object; seconds are left out: the rest depends on the arguments alone."""
        return {
            "rules": self.rules,
            "players": self.players,
            "policy": self.policy,
            "actions": list(self.actions),
            "decisions": self.decisions,
            "games": self.games,
            "seed": self.seed,
            **({"precision": asdict(self.precision)} if self.precision else {}),
            **({"card": self.card.to_json()} if self.card else {}),
            "rows": [
                {**self.keys_shown(row), **row.values_json(self.actions)} for row in self.rows
            ],
            **{table.name: table.to_json() for table in self.tables},
            **{f"{table.name}_rule": table.rule for table in self.tables if table.rule},
            **self._by_score(),
            "version": self.version,
        }

    def _by_score(self) -> dict[str, Any]:
        """What an answer by scores has besides."""
        if self.band is None:
            return {}
        limits = [limit.to_json(self.objectives, self.actions) for limit in self.limits]
        return {"objective": self.objectives[0], "band": self.band, "limits": limits}


def reached_by(
    rows: Sequence[Row], objectives: Sequence[str], asked: float, slack: float = 0.0
) -> Precision | None:
    """The widest half-width of these rows; None if there are none.

    slack: rows whose half-width is no more than this part of their difference count as precise.
    """
    widest = 0.0
    for row in rows:
        for objective in objectives:
            difference = row.values[objective][2]
            half = (difference.high - difference.low) / 2
            if half > slack * abs(difference.value):
                widest = max(widest, half)
    return Precision(asked, widest) if rows else None
