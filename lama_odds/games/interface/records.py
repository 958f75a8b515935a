"""A record as it was read, the situations in it, and who can be asked about them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from lama_odds.core.notation import Part

# What follows the verb of a decision: nothing, what luck brought, or what was chosen.
NOTHING = "nothing"
LUCK = "luck"
CHOICE = "choice"

# Whether decision number i of a record is looked at, i counted from 0.
Wanted = Callable[[int], bool]
# Called with the words of a turn and with what makes the position of each decision in it.
Listener = Callable[[list[Part], list[Callable[[], Any]]], None]


@dataclass
class Record:
    """A record read: the rule set, the policies named, and its rounds as replayed.

    final: what its line ``final`` says. outcome: the same of a game that is over, whether or not
    it has that line; None while the game goes on, or before hidden cards have been told.
    """

    rules: Any
    players: int
    policies: tuple[str, ...] = ()
    luck: tuple[int, int] | None = None
    rounds: list[Any] = field(default_factory=list)
    final: tuple[int, ...] | None = None
    outcome: tuple[int, ...] | None = None


@dataclass(frozen=True)
class Situation:
    """What a player knows when it decides.

    number: of the decision in its record, from 0. turns: played in the round, where that counts.
    """

    number: int
    position: Any
    turns: int = 0


class SituationReader(Protocol):
    """Reads a record and keeps the situations that are wanted."""

    number: int
    found: list[Situation]

    def read(self, text: str) -> Record:
        """Read and replay a record; ReadError with line and place."""


class Player(Protocol):
    """A policy as it plays under a rule set."""

    @property
    def basis(self) -> tuple[Any, ...]:
        """All that its decisions depend on besides the situation: numbers and arrays."""

    def decides(self, situation: Situation, word: int) -> str:
        """The action, in the agreed notation; word: of luck, for a policy that plays by chance."""


class SteppedGame(Protocol):
    """A game on the luck of `simulate`, stopped wherever one seat decides.

    over: whether all is played. usual: what the seat's own policy would do at the decision at hand.
    """

    over: bool
    usual: str

    def position(self) -> Any:
        """What the seat knows at its decision."""

    def act(self, action: str) -> None:
        """Carry out an action of the seat, and play on to its next decision."""

    def result(self) -> int:
        """Once it is over: the penalty of the round, or the share of the win in 1 / WIN."""


def as_written(position: Any, words: Sequence[str], at: int) -> str:
    """A choice as the record writes it: the verb at a place among the words, and what follows."""
    del position
    return f"{words[at]} {words[at + 1]}"


def lowest_wins(record: Record) -> list[Any]:
    """By seat what a game of penalties is decided by; the highest wins."""
    return [-mark for mark in record.outcome or ()]


def highest_wins(record: Record) -> list[Any]:
    """By seat what a game of gains is decided by; the highest wins."""
    return list(record.outcome or ())
