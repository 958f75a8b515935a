"""A record as it was read, the situations in it, and the policies that can decide them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from lama_odds.core.notation import Part

# What follows the verb of a decision: nothing, a random event, or a choice.
NOTHING = "nothing"
LUCK = "luck"
CHOICE = "choice"

# Whether decision number i of a record is wanted, i counted from 0.
Wanted = Callable[[int], bool]
# Called with the words of a turn, and with functions that make the position of each decision.
Listener = Callable[[list[Part], list[Callable[[], Any]]], None]


@dataclass
class Record:
    """A record that was read: the rule set, the policies named, and its replayed rounds.

    final: what its line ``final`` says. outcome: the same for a finished game, even without that
    line; None before the end of the game, and while hidden cards are unknown.
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

    number: of the decision in its record, from 0. turns: turns played in the round, if they count.
    """

    number: int
    position: Any
    turns: int = 0


class SituationReader(Protocol):
    """Reads a record and keeps the wanted situations."""

    number: int
    found: list[Situation]

    def read(self, text: str) -> Record:
        """Read and replay a record; raise ReadError with line and place."""


class LineReader(Protocol):
    """Reads a record line by line; a copy of it reads on from the same place."""

    record: Record | None

    def line(self, line: str) -> None:
        """Read a line after the first; raise an error if it cannot follow."""


class Player(Protocol):
    """A policy under a rule set."""

    @property
    def basis(self) -> tuple[Any, ...]:
        """Everything its decisions depend on besides the situation: numbers and arrays."""

    def decides(self, situation: Situation, word: int) -> str:
        """Return the action, in the agreed notation; word: the random word for a random policy."""


class SteppedGame(Protocol):
    """A game with the random numbers of `simulate`, stopped whenever one seat decides, or some do.

    over: whether everything is played. usual: what the seat's own policy would do now. only:
    actions after which the policies continue at once; empty: as after all of the position.
    recalls: whether a position comes with the past of its round, if the game infers hidden cards
    from it. penalties: by seat, of a round that is over. scores: by seat, after the last round
    that was played. number: of the round, from 0.
    """

    over: bool
    recalls: bool
    usual: str
    only: tuple[str, ...]
    scores: list[int]
    number: int

    @property
    def seat(self) -> int:
        """The seat that decides."""

    @property
    def turns(self) -> int:
        """The turns of the round so far, if they count."""

    @property
    def penalties(self) -> list[int]:
        """Everybody's penalty of a round that is over."""

    def position(self) -> Any:
        """What the seat knows at its decision."""

    def act(self, action: str) -> None:
        """Carry out an action of the seat, and play to its next decision."""

    def result(self) -> int:
        """Return the result when it is over: the round's penalty, or the share of the win × WIN."""

    @property
    def counted(self) -> int:
        """How many rows of the tally of `simulate` it counts."""

    def count(self, tally: np.ndarray) -> None:
        """Count a whole game that is over, in the rows of `simulate`."""


def as_written(position: Any, words: Sequence[str], at: int) -> str:
    """Return a choice as the record writes it: the verb at a place and what follows it."""
    del position
    return f"{words[at]} {words[at + 1]}"


def lowest_wins(record: Record) -> list[Any]:
    """Return, by seat, what decides a game with penalties; the highest value wins."""
    return [-mark for mark in record.outcome or ()]


def highest_wins(record: Record) -> list[Any]:
    """Return, by seat, what decides a game with gains; the highest value wins."""
    return list(record.outcome or ())
