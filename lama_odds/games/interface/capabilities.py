"""What only some games can do: small records that a game hands out by methods of its face.

A game that lacks one hands out None. Who cannot go on then says so in one sentence, by `needed`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from lama_odds.core.errors import LimitError
from lama_odds.core.policies import Policy
from lama_odds.games.interface.records import (
    Listener,
    Player,
    Record,
    SituationReader,
    SteppedGame,
    Wanted,
    as_written,
    lowest_wins,
)

T = TypeVar("T")


def needed(found: T | None, lacking: Callable[[], str]) -> T:
    """What a game hands out; LimitError if that is None. lacking: the sentence that says so."""
    if found is None:
        raise LimitError(lacking())
    return found


@dataclass(frozen=True)
class Recorded:
    """Records of a game, taken apart decision by decision (`review`, `play`).

    verbs: of a turn, each with what follows it (`records.NOTHING`, LUCK or CHOICE). read: a record
    as read and replayed. luck: what of luck a review tells apart, in words. shown_at_once: whether
    luck shows at once to who decided, before anybody else moves. named: a choice in the agreed
    notation, from the position, the words of the turn and the place of its verb. ranked: of a game
    that is over, by seat what decides it; the highest wins. turn_points, turn_ends: where every
    turn is taken by itself, points by seat before each turn of a record and at its end, and the
    words that end a turn. fewer: so many times fewer games a decision, where turns are long.
    """

    verbs: Mapping[str, str]
    read: Callable[[str], Record]
    luck: str
    shown_at_once: bool = True
    named: Callable[[Any, Sequence[str], int], str] = as_written
    ranked: Callable[[Record], list[Any]] = lowest_wins
    turn_points: Callable[[str], list[list[int]]] | None = None
    turn_ends: tuple[str, ...] = ()
    fewer: int = 1


class MakePlayer(Protocol):
    """Makes the player of a policy under a rule set, for so many players."""

    def __call__(self, rules: Any, policy: Policy, players: int, /) -> Player:
        """The player."""


class MakeReader(Protocol):
    """Makes a reader of situations; the listener is called before a turn is carried out."""

    def __call__(self, wanted: Wanted, listener: Listener | None = None, /) -> SituationReader:
        """The reader."""


@dataclass(frozen=True)
class PolicyQuery:
    """Single situations of records, put to any policy.

    player, reader: see there. legal_actions: of a position under its rules. unlike: why situations
    of one rule set cannot be put to a player of another; empty if they can.
    """

    player: MakePlayer
    reader: MakeReader
    legal_actions: Callable[[Any, Any], list[str]]
    unlike: Callable[[Any, Any], str]


class Stepper(Protocol):
    """Begins the game of a seed and an index, stopped wherever one seat decides.

    whole: whether the game is played, or its first round.
    """

    def __call__(
        self,
        rules: Any,
        policies: Sequence[Policy],
        seed: int,
        game: int,
        seat: int,
        whole: bool,
        /,
    ) -> SteppedGame:
        """The game at the seat's first decision."""


class Entries(Protocol):
    """What is typed in a game played along, as the words that a record writes."""

    def cards_of(self, word: str) -> str | None:
        """Cards as a record writes them; None for what are none."""

    def record_words(self, state: Any, entry: Sequence[str]) -> list[str]:
        """The words that a record would write for an entry of the seat to act."""

    def action_words(self, state: Any, entry: Sequence[str]) -> list[str]:
        """The same, written in one way only, so that actions can be told by their words."""

    def deal_words(self, me: int, players: int, words: Sequence[str], dealt: int) -> list[str]:
        """The words of a deal that is told."""


@dataclass(frozen=True)
class OnScreen:
    """How a game played along is shown.

    against, table: what can be typed against policies and at a table, each with its meaning.
    prompts: what is asked for before anybody acts, by statement of the record. middle: words of a
    position that all see, each with what it is called. holds, score: of a position what a player
    (0: who decides) holds, and how the game stands for it. hand: what the seat has in hand. unit:
    what a rule set's games are won by. tie_break: what decides between equal ones. scores: whether
    they are told after each round. hides_draws: whether the others' draws are not shown.
    """

    against: Sequence[tuple[str, str]]
    table: Sequence[tuple[str, str]]
    middle: Mapping[str, str]
    holds: Callable[[Any, int], str]
    score: Callable[[Any, int], str]
    hand: Callable[[Any, Any], str]
    prompts: Mapping[str, str] = field(default_factory=dict)
    unit: Callable[[Any], str] = lambda rules: "points"
    tie_break: str = ""
    scores: bool = False
    hides_draws: bool = False


@dataclass(frozen=True)
class LiveRounds:
    """Rounds of a game played along.

    opening: the lines before the deal, from the record, the number of the round and who starts.
    dealt: the lines of the deal, from rules, players, seed, game index and number of the round.
    next_first: who starts the next round.
    """

    opening: Callable[[Record, int, int], list[str]]
    dealt: Callable[[Any, int, int, int, int], list[str]]
    next_first: Callable[[Record], int]


def never(record: Any) -> list[str]:
    """The words that end a turn by themselves, in a game where there are none."""
    del record
    return []


@dataclass(frozen=True)
class LivePlay:
    """A game played along, against policies or at a table (`play`).

    policy_turn: the line of a policy's turn, from record, policy, seed and the index of its luck.
    luck_of: what luck shows of an action, from record, action, seed and index; empty if nothing.
    final_of: what a game that is over comes to, None while it goes on. rounds: None for a game
    without rounds. closing: how a turn ends that can only end so. implied: by verb, a word that
    may go without saying where nothing else can follow. practice: positions for so many players
    that are solved or sampled in a way of their own, small ones.
    """

    legal_actions: Callable[[Any, Any], list[str]]
    policy_turn: Callable[[Any, Policy, int, int], str]
    luck_of: Callable[[Any, str, int, int], str]
    final_of: Callable[[Any], list[int] | None]
    rounds: LiveRounds | None
    entries: Entries
    on_screen: OnScreen
    practice: Callable[[int], Sequence[str]]
    closing: Callable[[Any], list[str]] = never
    implied: Mapping[str, str] = field(default_factory=dict)
