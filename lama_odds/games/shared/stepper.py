"""A game on the luck of `simulate`, stopped wherever one seat decides: for another player there.

All other seats play their policies. Whatever that seat does, everybody goes on reading the same
lanes of luck, so a seat that always does the usual plays the game that `simulate` plays.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

from lama_odds.core.errors import LimitError
from lama_odds.core.policies import Policy
from lama_odds.games import registry
from lama_odds.games.interface.capabilities import needed
from lama_odds.games.interface.game import AnyGame
from lama_odds.games.interface.records import Record, SteppedGame
from lama_odds.games.interface.tally_layout import WIN
from lama_odds.games.shared.record import scores_after
from lama_odds.luck.stream import MAX_ROUNDS

AS_POLICY: None = None


class Line(ABC):
    """A game (or its first round, if not `whole`) as it goes on; a game says how in a subclass.

    state: the round, with ``seat`` to act, ``ended`` and ``last_actor``. usual: what the seat's own
    policy would do at the decision at hand. over: whether all is played.
    """

    module: ClassVar[Any]  # `record` of the game

    def __init__(
        self, rules: Any, policies: Sequence[Policy], seed: int, game: int, seat: int, whole: bool
    ) -> None:
        self.rules = rules
        self.policies = list(policies)
        self.luck = (seed, game)
        self.me = seat
        self.whole = whole
        self.scores = [0] * len(policies)
        self.number = -1
        self.over = False
        self.usual = ""
        self.planned: list[int] = []  # log entries: the usual action, and what follows it
        self.used = [0] * len(policies)  # words of its lane of draws or dice that each has read
        self.state: Any = None
        self._begin_round(0)
        self._advance()

    # What a game adds.

    @abstractmethod
    def dealt(self, first: int) -> Any:
        """The round `number` as it is dealt, seat `first` to start."""

    @abstractmethod
    def entries(self, begin: Any = AS_POLICY) -> list[int]:
        """The log of the round played on from here; begin: a first action that is not the usual."""

    @abstractmethod
    def replay(self, entry: int) -> None:
        """Carry out a logged action on `state`, the words it has read counted."""

    @abstractmethod
    def name_of(self, entry: int) -> str:
        """The action of a log entry as `advise` names it."""

    def next_first(self) -> int:
        """Who starts the next round; LimitError of a game whose first rounds only are followed."""
        raise LimitError(f"whole games of {self.rules.id} cannot be followed, first rounds can")

    @abstractmethod
    def act(self, action: str) -> None:
        """Carry out an action of the seat, and play on to its next decision."""

    def asks(self) -> bool:
        """Whether the seat, to act now with `planned` the usual, has anything to decide."""
        return True

    # What all games share.

    def position(self) -> Any:
        """What the seat knows at its decision."""
        record = Record(self.rules, len(self.policies), rounds=[self.state])
        return self.module.position_after(record)

    def result(self) -> int:
        """Once it is over: the penalty of the round, or the share of the win in 1 / WIN."""
        if not self.whole:
            return int(self.state.penalties[self.me])
        lowest = min(self.scores)
        return WIN // self.scores.count(lowest) * (self.scores[self.me] == lowest)

    def follow(self, entries: Sequence[int]) -> None:
        """Carry out what follows an action of the seat, to its next decision."""
        for entry in entries:
            if self.state.ended or self.state.seat == self.me:
                break
            self.replay(entry)
        self._advance()

    def _begin_round(self, first: int) -> None:
        self.number += 1
        if self.number == MAX_ROUNDS:
            raise LimitError(f"game {self.luck[1]} of seed {self.luck[0]} did not end")
        self.used = [0] * len(self.policies)
        self.state = self.dealt(first)

    def _advance(self) -> None:
        """Go on until the seat is to decide or all is over."""
        while not self.over:
            if self.state.ended:
                self._end_round()
                continue
            entries = self.entries()
            if not entries:
                raise LimitError(f"game {self.luck[1]} of seed {self.luck[0]} did not end")
            if self.state.seat == self.me:
                self.planned = entries
                if self.asks():
                    self.usual = self.name_of(entries[0])
                    return
                self.replay(entries.pop(0))
            for entry in entries:
                if self.state.ended or self.state.seat == self.me:
                    break
                self.replay(entry)

    def _end_round(self) -> None:
        """Count the round and begin the next one, if there is any."""
        if not self.whole:
            self.over = True
            return
        self.scores = [int(score) for score in scores_after(self.state)]
        self.over = max(self.scores) >= self.rules.target
        if not self.over:
            self._begin_round(self.next_first())


def line_of(
    game: AnyGame,
    rules: Any,
    policies: Sequence[Policy],
    seed: int,
    index: int,
    seat: int,
    whole: bool,
) -> SteppedGame:
    """The game `index` of a seed; LimitError for a game that has no such lines."""
    begin = needed(
        game.stepper(),
        lambda: (
            f"lines of play are there for {', '.join(registry.having('stepper'))}, "
            f"not for {game.name}"
        ),
    )
    return begin(rules, policies, seed, index, seat, whole)
