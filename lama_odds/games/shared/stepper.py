"""A game with the random numbers of `simulate` that stops whenever one seat, or some, decide.

That lets another player take the seat. All other seats play their policies, and every seat reads
the same lanes of random numbers whatever this one does. If the seat always takes the usual action,
the game is the one that `simulate` plays.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from lama_odds.core.errors import LimitError
from lama_odds.core.language import say
from lama_odds.core.policies import Policy
from lama_odds.games import registry
from lama_odds.games.interface.capabilities import Record, needed
from lama_odds.games.interface.game import AnyGame
from lama_odds.games.interface.tally_layout import WIN, count_game
from lama_odds.games.shared.record import scores_after
from lama_odds.luck.stream import MAX_ROUNDS

POLICY_DECIDES: None = None


def _endless(seed: int, game: int) -> str:
    return say("game {game} of seed {seed} did not end", game=game, seed=seed)


class Line(ABC):
    """A game (or its first round, if not `whole`) in progress; each game has a subclass.

    state: the round, with ``seat`` to act, ``ended`` and ``last_actor``.
    me: the seat whose result counts. stops: seats at whose decisions it stops.
    usual: what the policy of the seat to act would do now.
    only: actions after which the policies continue at once; empty: as after all of the position.
    over: whether everything is played.
    recalls: whether a position comes with the past of its round, if the game infers from it.
    scores: by seat, after the last round that was played. number: of the round, from 0.
    """

    module: ClassVar[Any]  # `record` of the game

    def __init__(
        self,
        rules: Any,
        policies: Sequence[Policy],
        seed: int,
        game: int,
        seat: int,
        whole: bool,
        also: Sequence[int] = (),
    ) -> None:
        self.rules = rules
        self.policies = list(policies)
        self.luck = (seed, game)
        self.me = seat
        self.stops = frozenset((seat, *also))
        self.whole = whole
        self.scores = [0] * len(policies)
        self.number = -1
        self.over = False
        self.recalls = False
        self.usual = ""
        self.only: tuple[str, ...] = ()
        self.planned: list[int] = []  # log entries: the usual action, and what follows it
        # number of words that each seat has read in its lane of draws or dice
        self.used = [0] * len(policies)
        self.state: Any = None
        self._begin_round(0)
        self._advance()

    # What a game adds.

    @abstractmethod
    def dealt(self, first: int) -> Any:
        """Return the round `number` as it is dealt; seat `first` starts."""

    @abstractmethod
    def entries(self, begin: Any = POLICY_DECIDES) -> list[int]:
        """Return the log of the rest of the round; begin: a first action other than the usual."""

    @abstractmethod
    def replay(self, entry: int) -> None:
        """Carry out a logged action on `state`, and count the random words it has read."""

    @abstractmethod
    def name_of(self, entry: int) -> str:
        """Return the action of a log entry as `advise` names it."""

    @abstractmethod
    def next_first(self) -> int:
        """Return the seat that starts the next round."""

    @abstractmethod
    def act(self, action: str) -> None:
        """Carry out an action of the seat, and play to its next decision."""

    def asks(self) -> bool:
        """Return whether the seat to act has anything to decide; `planned` is the usual action."""
        return True

    # What all games share.

    @property
    def seat(self) -> int:
        """Return the seat that decides."""
        return int(self.state.seat)

    @property
    def turns(self) -> int:
        """Return the turns of the round so far; 0 if they do not count."""
        return 0

    def position(self) -> Any:
        """What the seat knows at its decision."""
        return self.position_with_past()

    def position_with_past(self) -> Any:
        """The same, with the past of the round if the game infers from it."""
        record = Record(self.rules, len(self.policies), rounds=[self.state])
        return self.module.position_after(record)

    def hidden(self) -> tuple[int, ...] | None:
        """Return what the position hides from the seat, as `Effort.hidden`; empty: nothing.

        None: the game cannot play on from there.
        """
        return None

    @property
    def penalties(self) -> list[int]:
        """Return everybody's penalty of a round that is over."""
        return [int(penalty) for penalty in self.state.penalties]

    def result(self) -> int:
        """Return the result when it is over: the round's penalty, or the share of the win × WIN."""
        if not self.whole:
            return self.penalties[self.me]
        lowest = min(self.scores)
        return WIN // self.scores.count(lowest) * (self.scores[self.me] == lowest)

    def settled(self) -> bool:
        """Count the round that has ended; return whether the game has, too."""
        self.scores = [int(score) for score in scores_after(self.state)]
        return bool(max(self.scores) >= self.rules.target)

    @property
    def counted(self) -> int:
        """Return how many rows of the tally of `simulate` it counts."""
        return 3 * len(self.policies) + 2

    def count(self, tally: np.ndarray) -> None:
        """Count a whole game that is over, in the rows of `simulate`."""
        scores = np.array(self.scores, dtype=np.int64)
        count_game(tally, scores, 0, len(self.scores), self.number + 1)

    def follow(self, entries: Sequence[int]) -> None:
        """Carry out what follows an action of the seat, to its next decision."""
        for entry in entries:
            if self.state.ended or self.state.seat in self.stops:
                break
            self.replay(entry)
        self._advance()

    def _begin_round(self, first: int) -> None:
        self.number += 1
        if self.number == MAX_ROUNDS:
            raise LimitError(_endless(*self.luck))
        self.used = [0] * len(self.policies)
        self.state = self.dealt(first)

    def _advance(self) -> None:
        """Play until the seat has to decide or everything is over."""
        while not self.over:
            if self.state.ended:
                self._end_round()
                continue
            entries = self.entries()
            if not entries:
                raise LimitError(_endless(*self.luck))
            if self.state.seat in self.stops:
                self.planned = entries
                if self.asks():
                    self.usual = self.name_of(entries[0])
                    return
                self.replay(entries.pop(0))
            for entry in entries:
                if self.state.ended or self.state.seat in self.stops:
                    break
                self.replay(entry)

    def _end_round(self) -> None:
        """Count the round and begin the next one, if there is one."""
        if not self.whole:
            self.over = True
            return
        self.over = self.settled()
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
    also: Sequence[int] = (),
) -> Line:
    """Return the game `index` of a seed; also: seats at whose decisions it stops too.

    Raises LimitError if this game cannot be stepped through.
    """
    begin = needed(
        game.stepper(),
        lambda: (
            f"lines of play are there for {', '.join(registry.having('stepper'))}, "
            f"not for {game.name}"
        ),
    )
    line: Line = begin(rules, policies, seed, index, seat, whole, also)
    return line
