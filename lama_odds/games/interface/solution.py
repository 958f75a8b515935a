"""Exact answers of games: values of actions, and tables beside thresholds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from lama_odds.core.estimate import EXACT, Estimate


@dataclass(frozen=True)
class ThresholdTable:
    """Figures to show beside thresholds: rows of plain values and estimates, by column.

    made: how, in words.
    across: a column whose values become columns of a text (see `ForkTable`).
    rule: the table as a rule of thumb, in sentences.
    terms: what its words mean, a line each.
    """

    name: str
    title: str
    rows: tuple[Mapping[str, Any], ...]
    made: str = EXACT
    across: str = ""
    rule: str = ""
    terms: tuple[str, ...] = ()

    def to_json(self) -> list[dict[str, Any]]:
        """Return the rows."""
        return [
            {k: v.to_json() if isinstance(v, Estimate) else v for k, v in row.items()}
            for row in self.rows
        ]


@dataclass(frozen=True)
class Valued:
    """An action with its exact value in every known objective, and its chances.

    What takes long, and is not the value in the objective of the question, may be a `later.Later`.
    """

    action: str
    values: Mapping[str, Estimate]
    chances: Mapping[str, Estimate] = field(default_factory=dict)


@dataclass(frozen=True)
class Solution:
    """What could be solved: all actions, and the assumptions behind their values.

    complete: whether other objectives and chances are solved too; otherwise they are sampled.
    then: by action, the best follow-up.
    apart: None if the values are exact. Otherwise they were learned, and their differences are
    correct within this; their own intervals say what is known of them.
    """

    actions: tuple[Valued, ...]
    assumptions: tuple[str, ...]
    complete: bool = True
    then: Mapping[str, str] = field(default_factory=dict)
    apart: float | None = None


@dataclass(frozen=True)
class OddsInWords:
    """What happens next as one would say it, with the rows that support it.

    finding, lines: sentences in which the name of a chance in braces stands for its number, as in
    ``You blow it with {blown}.``. heads: of columns. rows: texts, and chances as numbers.
    """

    finding: str
    heads: tuple[str, ...] = ()
    rows: tuple[tuple[str | float, ...], ...] = ()
    lines: tuple[str, ...] = ()


@dataclass(frozen=True)
class Held:
    """What another player probably holds, by what everybody did in the round.

    opponent: 1 is next in turn order. holds: the chance of at least one card of each kind.
    can_play: the chance of a card that can be played now; None for a player who has quit. models:
    by name of a policy, how likely the player is like it. cells: in a game of grids, the chances of
    each kind by cell that is face down and known to the player; `cards` counts these cells.
    """

    opponent: int
    cards: int
    quit: bool
    holds: Mapping[str, Estimate]
    can_play: Estimate | None
    models: Mapping[str, float]
    cells: Mapping[str, Mapping[str, Estimate]] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return its keys; can_play and cells are missing where there are none."""
        cells = {name: _json_of(chances) for name, chances in self.cells.items()}
        return {
            "opponent": self.opponent,
            "cards": self.cards,
            "quit": self.quit,
            **({} if self.can_play is None else {"can_play": self.can_play.to_json()}),
            "holds": _json_of(self.holds),
            **({"cells": cells} if cells else {}),
            "models": dict(self.models),
        }


def _json_of(chances: Mapping[str, Estimate]) -> dict[str, Any]:
    return {name: chance.to_json() for name, chance in chances.items()}


@dataclass(frozen=True)
class HeldByOthers:
    """What all others probably hold; made: how that is found, in words, a sentence each."""

    players: tuple[Held, ...]
    made: tuple[str, ...]
