"""One situation, several policies: the decisions of a record, put to any policy again.

A game hands out a `capabilities.PolicyQuery`: its players (a policy under a rule set: what it would
do in a situation, and all numbers that this depends on) and its reader of situations, an `Asking`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from lama_odds.core.notation import Part
from lama_odds.games.interface.capabilities import PolicyQuery, needed
from lama_odds.games.interface.game import AnyGame
from lama_odds.games.interface.records import Listener, Player, Situation, Wanted
from lama_odds.games.shared.record import RecordReader
from lama_odds.jit import compiled
from lama_odds.luck.stream import STUDY, lane_start, mix, stream_of


def query_of(game: AnyGame) -> PolicyQuery:
    """How situations are put to the policies of a game; LimitError if they cannot be."""
    return needed(
        game.policy_query(), lambda: f"single decisions of {game.name} are not asked about"
    )


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
