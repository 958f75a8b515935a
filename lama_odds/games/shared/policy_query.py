"""One situation, several policies: the decisions of a record, put to any policy again.

Each game has a `policy_query` with a `Player` (a policy under a rule set: what it would do in a
situation, and all numbers that this depends on), a `Reader` of situations, `legal_actions` of a
position and `unlike` (why situations of one rule set cannot be put to a player of another).
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Protocol

import numpy as np

from lama_odds.core.notation import Part
from lama_odds.games.shared.record import RecordReader
from lama_odds.jit import compiled
from lama_odds.luck.stream import STUDY, lane_start, mix, stream_of

# Whether decision number i of a record is looked at, i counted from 0.
Wanted = Callable[[int], bool]
# Called with the words of a turn and with what makes the position of each decision in it.
Listener = Callable[[list[Part], list[Callable[[], Any]]], None]


@dataclass(frozen=True)
class Situation:
    """What a player knows when it decides.

    number: of the decision in its record, from 0. turns: played in the round, where that counts.
    """

    number: int
    position: Any
    turns: int = 0


class Player(Protocol):
    """A policy as it plays under a rule set."""

    @property
    def basis(self) -> tuple[Any, ...]:
        """All that its decisions depend on besides the situation: numbers and arrays."""

    def decides(self, situation: Situation, word: int) -> str:
        """The action, in the agreed notation; word: of luck, for a policy that plays by chance."""


def module_of(game: str) -> ModuleType:
    """The module `policy_query` of a game."""
    return importlib.import_module(f"lama_odds.games.{game}.records.policy_query")


def same_basis(a: Player, b: Player) -> bool:
    """Whether two players decide alike, whatever the situation, because their numbers are alike."""
    return len(a.basis) == len(b.basis) and all(
        np.array_equal(one, other) for one, other in zip(a.basis, b.basis, strict=True)
    )


@compiled
def words_of(seed, game, count):
    """uint64[2, count]: two words of luck for each decision of a game, from its lane STUDY."""
    key, gamma = stream_of(seed)
    start = lane_start(key, gamma, game, 0, STUDY)
    words = np.zeros((2, count), np.uint64)
    for i in range(count):
        words[0, i] = mix(start)
        words[1, i] = mix(start + gamma)
        start += gamma + gamma
    return words


class Asking(RecordReader):
    """Reads a record and keeps the situations that are wanted; a game adds `positions`.

    listener: is called at each turn, before the turn is carried out.
    """

    def __init__(self, wanted: Wanted, listener: Listener | None = None) -> None:
        super().__init__()
        self.wanted = wanted
        self.listener = listener
        self.number = 0
        self.found: list[Situation] = []

    def positions(self, words: list[Part]) -> list[Callable[[], Any]]:
        """Of each decision in a turn, before it is carried out: what makes its position."""
        raise NotImplementedError

    def turns_played(self) -> int:
        """Turns of the round so far; 0 where they do not count."""
        return 0

    def turn(self, words: list[Part]) -> None:
        """Keep what is decided in a turn, then carry it out."""
        makers = self.positions(words)
        if self.listener:
            self.listener(words, makers)
        for make in makers:
            if self.wanted(self.number):
                self.found.append(Situation(self.number, make(), self.turns_played()))
            self.number += 1
        super().turn(words)


def fewer_cards(a: tuple[int, ...], b: tuple[int, ...], names: tuple[str, ...]) -> str:
    """Why what lies on the table under one rule set could not under another, by their packs."""
    for name, there, here in zip(names, a, b, strict=True):
        if (there > 0) != (here > 0):
            return f"only one of the packs has cards {name}"
    for name, there, here in zip(names, a, b, strict=True):
        if there > here:
            return f"{there} cards {name} in play, {here} under the other rules"
    return ""
