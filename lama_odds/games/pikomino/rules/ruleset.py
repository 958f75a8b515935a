"""The rule sets of Pikomino: frozen values; every field cites its source."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np

from lama_odds.core.notation import Part
from lama_odds.core.rulesets import Option, format_rules, read_rules, refuse_senseless
from lama_odds.games.pikomino.rules import board
from lama_odds.games.pikomino.rules.turn_tables import FACES, TurnTables, turn_tables

NAMES = "12345W"

_BOOK = "egmont"


def read_worms(part: Part) -> tuple[int, ...]:
    """Return worms on the tiles, written as ``1.2.3.4``: as many groups of tiles, ascending."""
    values = tuple(piece.integer("option worms") for piece in part.split("."))
    if not all(1 <= value <= 20 for value in values) or len(values) > 24:
        raise part.fail("up to 24 numbers from 1 to 20 between dots", what="option worms")
    return values


OPTIONS: dict[str, Option] = {
    "dice": Option("number", "number of dice", _BOOK, 1, 8),
    "flip_without_tile": Option(
        "switch",
        "a bust turns the highest tile over even if the player had none to lose",
        "other editions; not in egmont",
    ),
    "low": Option("number", "number on the lowest tile", _BOOK, 1, 60),
    "no_steal": Option(
        "switch",
        "no tile can be taken from another player's stack",
        "a house rule",
    ),
    "short": Option(
        "switch",
        "the tile that goes back is turned over even if it is the highest",
        "a shorter game; not in egmont",
    ),
    "tiles": Option("number", "number of tiles", _BOOK, 1, 24),
    "worm_value": Option("number", "what a worm counts", _BOOK, 1, 10),
    "worms": Option(
        "text",
        "worms on the tiles, ascending, each for an equal share of them",
        _BOOK,
        read=read_worms,
        write=lambda worms: ".".join(map(str, worms)),
    ),
}

EDITIONS: dict[str, dict[str, Any]] = {
    "egmont": {
        "dice": 8,
        "flip_without_tile": False,
        "low": 21,
        "no_steal": False,
        "short": False,
        "tiles": 16,
        "worm_value": 5,
        "worms": (1, 2, 3, 4),
    },
}

ABOUT = {"egmont": "Polish rules, tiles 21 to 36"}


@dataclass(frozen=True)
class PikominoRules:
    """A rule set of Pikomino; the fields are the options."""

    edition: str
    dice: int
    flip_without_tile: bool
    low: int
    no_steal: bool
    short: bool
    tiles: int
    worm_value: int
    worms: tuple[int, ...]

    @cached_property
    def id(self) -> str:
        """The canonical id, which reads back as this rule set."""
        return format_rules("pikomino", self.edition, self.values, EDITIONS, OPTIONS)

    @property
    def values(self) -> dict[str, Any]:
        """The options by name."""
        return {f.name: getattr(self, f.name) for f in fields(self) if f.name != "edition"}

    @property
    def players(self) -> range:
        """The numbers of players."""
        return range(2, 8)

    @property
    def numbers(self) -> range:
        """The numbers on the tiles."""
        return range(self.low, self.low + self.tiles)

    @cached_property
    def face_values(self) -> tuple[int, ...]:
        """What each face counts, the worm last."""
        return (*range(1, FACES), self.worm_value)

    @cached_property
    def worm_table(self) -> np.ndarray:
        """int64[tiles]: worms on each tile."""
        groups = len(self.worms)
        return np.array(
            [self.worms[at * groups // self.tiles] for at in range(self.tiles)], dtype=np.int64
        )

    def worms_on(self, number: int) -> int:
        """Return the worms on the tile with a number."""
        return int(self.worm_table[number - self.low])

    @cached_property
    def tables(self) -> TurnTables:
        """What the solver of a turn needs of the dice."""
        return turn_tables(self.dice, self.face_values)

    @cached_property
    def columns(self) -> np.ndarray:
        """int64[RULES_COLUMNS]: the numbers that the compiled functions read."""
        row = np.zeros(board.RULES_COLUMNS, dtype=np.int64)
        row[board.DICE] = self.dice
        row[board.LOW] = self.low
        row[board.TILES] = self.tiles
        row[board.FLIP_WITHOUT_TILE] = self.flip_without_tile
        row[board.SHORT] = self.short
        row[board.NO_STEAL] = self.no_steal
        row[board.WORM_VALUE] = self.worm_value
        return row

    def total(self, kept: tuple[int, ...]) -> int:
        """Return the total of kept dice, counted by face."""
        return sum(n * value for n, value in zip(kept, self.face_values, strict=True))


def parse_rules(text: str) -> PikominoRules:
    """Return the rule set of an id; raise ReadError with the place of a wrong part."""
    edition, values, _ = read_rules(text, EDITIONS, OPTIONS)
    rules = PikominoRules(edition=edition, **values)
    refuse_senseless(text, _senseless(rules))
    return rules


def _senseless(rules: PikominoRules) -> list[tuple[str, str]]:
    """Return options that contradict the rest, with the reason."""
    best = rules.dice * max(rules.face_values)
    if rules.low > best:
        changed = [n for n in ("low", "dice") if rules.values[n] != EDITIONS[rules.edition][n]]
        return [(changed[0], f"{rules.dice} dice make {best} at most, the lowest is {rules.low}")]
    return []
