"""One situation, several policies: let any policy decide the situations of a record.

A game offers a `capabilities.PolicyQuery`. Its players show what a policy would do in a situation
under a rule set, and all numbers that this depends on. Its reader of situations is an `Asking`.
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
    """Return how policies of a game decide situations; raise LimitError if they cannot."""
    return needed(
        game.policy_query(), lambda: f"single decisions of {game.name} cannot be put to policies"
    )


def same_basis(a: Player, b: Player) -> bool:
    """Return whether two players always decide alike because their numbers are equal."""
    return len(a.basis) == len(b.basis) and all(
        np.array_equal(one, other) for one, other in zip(a.basis, b.basis, strict=True)
    )


@compiled
def words_of(seed, game, count):
    """Return uint64[2, count]: two random words for each decision, from the lane STUDY."""
    key, gamma = stream_of(seed)
    start = lane_start(key, gamma, game, 0, STUDY)
    words = np.zeros((2, count), np.uint64)
    for i in range(count):
        words[0, i] = mix(start)
        words[1, i] = mix(start + gamma)
        start += gamma + gamma
    return words


class Asking(RecordReader):
    """Reads a record and keeps the wanted situations; a game adds `positions`.

    listener: called at each turn, before the turn is carried out.
    """

    def __init__(self, wanted: Wanted, listener: Listener | None = None) -> None:
        super().__init__()
        self.wanted = wanted
        self.listener = listener
        self.number = 0
        self.found: list[Situation] = []

    def positions(self, words: list[Part]) -> list[Callable[[], Any]]:
        """Return functions that make the position of each decision in a turn, before the turn."""
        raise NotImplementedError

    def turns_played(self) -> int:
        """Return the number of turns of the round so far; 0 if they do not count."""
        return 0

    def turn(self, words: list[Part]) -> None:
        """Keep the decisions of a turn, then carry it out."""
        makers = self.positions(words)
        if self.listener:
            self.listener(words, makers)
        for make in makers:
            if self.wanted(self.number):
                self.found.append(Situation(self.number, make(), self.turns_played()))
            self.number += 1
        super().turn(words)


def fewer_cards(a: tuple[int, ...], b: tuple[int, ...], names: tuple[str, ...]) -> str:
    """Return why a table of one rule set cannot occur under another, judging by the packs."""
    for name, there, here in zip(names, a, b, strict=True):
        if (there > 0) != (here > 0):
            return f"only one of the packs has cards {name}"
    for name, there, here in zip(names, a, b, strict=True):
        if there > here:
            return f"{there} cards {name} in play, {here} under the other rules"
    return ""
