"""What only some games can do: small records that methods of a game's face return.

A game that lacks one returns None. `needed` turns that into one sentence for the user.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from lama_odds.core.errors import LimitError
from lama_odds.core.policies import Policy
from lama_odds.games.interface.records import (
    LineReader,
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
    """Return what a game offers; raise LimitError with the sentence `lacking` if that is None."""
    if found is None:
        raise LimitError(lacking())
    return found


@dataclass(frozen=True)
class Recorded:
    """How records of a game are split into decisions (for `review` and `play`).

    verbs: of a turn, each with what follows it (`records.NOTHING`, LUCK or CHOICE).
    read: reads and replays a record.
    luck: the random events that a review separates from skill, in words.
    shown_at_once: whether the player who decided sees the random event before anyone else moves.
    named: a choice in the agreed notation, from the position, the words of the turn and the place
    of its verb.
    ranked: values by seat that decide a finished game; the highest wins.
    turn_points, turn_ends: for games reviewed turn by turn, the points by seat before each turn and
    at its end, and the words that end a turn.
    fewer: divides the number of games per decision, for games with long turns.
    standing: names of the statements with the score of each seat before a round.
    reader: makes a reader that `read` uses, which reads line by line; None if there is none.
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
    standing: tuple[str, ...] = ("scores",)
    reader: Callable[[], LineReader] | None = None


class MakePlayer(Protocol):
    """Makes the player of a policy under a rule set, for a number of players."""

    def __call__(self, rules: Any, policy: Policy, players: int, /) -> Player:
        """Return the player."""


class MakeReader(Protocol):
    """Makes a reader of situations; it calls the listener before each turn is carried out."""

    def __call__(self, wanted: Wanted, listener: Listener | None = None, /) -> SituationReader:
        """Return the reader."""


@dataclass(frozen=True)
class PolicyQuery:
    """How single situations of records are shown to any policy.

    player, reader: functions that make them. legal_actions: of a position under its rules.
    unlike: why a player of one rule set cannot decide situations of another; empty if it can.
    in_parts: whether another decision of the turn follows that at a position.
    """

    player: MakePlayer
    reader: MakeReader
    legal_actions: Callable[[Any, Any], list[str]]
    unlike: Callable[[Any, Any], str]
    in_parts: Callable[[Any], bool] = lambda position: False


class Stepper(Protocol):
    """Begins the game of a seed and an index; it stops whenever one seat decides.

    whole: whether the whole game is played, or its first round. also: seats at whose decisions it
    stops too.
    """

    def __call__(
        self,
        rules: Any,
        policies: Sequence[Policy],
        seed: int,
        game: int,
        seat: int,
        whole: bool,
        also: Sequence[int],
        /,
    ) -> SteppedGame:
        """Return the game at the seat's first decision."""


class Entries(Protocol):
    """Translates what you type in a game played along into the words of a record."""

    def cards_of(self, word: str) -> str | None:
        """Return cards in a record's notation; None for text that is not cards."""

    def record_words(self, state: Any, entry: Sequence[str]) -> list[str]:
        """Return the words of a record for an entry of the seat to act."""

    def action_words(self, state: Any, entry: Sequence[str]) -> list[str]:
        """Return these words in a single form, so that equal actions have equal words."""

    def deal_words(self, me: int, players: int, words: Sequence[str], dealt: int) -> list[str]:
        """Return the words for a deal that you type."""


@dataclass(frozen=True)
class OnScreen:
    """How a game played along is shown.

    against, table: what you can type against policies and at a table, each with its meaning.
    prompts: the prompts for statements of the record that come before a turn.
    middle: words of a position that everybody sees, each with its title.
    holds, score: what a player of a position (0: the one to decide) holds, and that player's
    standing in the game.
    hand: what the seat has in hand.
    unit: what rule sets' games are won by.
    tie_break: what decides between equal players.
    scores: whether the scores are shown after each round.
    hides_draws: whether the others' draws are hidden.
    mine: your cards, if `holds` gives only their number.
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
    mine: Callable[[Any], str] | None = None


@dataclass(frozen=True)
class LiveRounds:
    """Rounds of a game played along.

    opening: the lines before the deal, from the record, the number of the round and the starting
    seat.
    dealt: the lines of the deal, from rules, players, seed, game index and number of the round.
    next_first: the seat that starts the next round.
    """

    opening: Callable[[Record, int, int], list[str]]
    dealt: Callable[[Any, int, int, int, int], list[str]]
    next_first: Callable[[Record], int]


@dataclass(frozen=True)
class Follows:
    """What may follow a verb, for pages on which entries are tapped instead of typed.

    takes: what it is called: card, cards, dice, face, tile, place, places, player.
    options: what may follow; empty if legal actions name it.
    dice: the largest number of options together; 0: exactly one option.
    rolls: all combinations of the dice, if not every one is possible.
    then: what may have to follow an option.
    dealt: the number of cards in a deal; hands: of this number of players.
    copies: the number of cards of each option in a deal.
    places: where these cards lie, if an entry names it.
    """

    takes: str
    options: Sequence[str] = ()
    dice: int = 0
    rolls: Sequence[str] = ()
    then: Follows | None = None
    dealt: int = 0
    hands: int = 1
    copies: Mapping[str, int] = field(default_factory=dict)
    places: Sequence[str] = ()


def never(record: Any) -> list[str]:
    """Return the words that end a turn by themselves: none, in this game."""
    del record
    return []


def no_doubt(rules: Any, words: Sequence[str]) -> str:
    """Return what contradicts an assumption: nothing, in this game."""
    del rules, words
    return ""


@dataclass(frozen=True)
class LivePlay:
    """How a game is played along, against policies or at a table (`play`).

    policy_turn: the line of a policy's turn, from record, policy, seed and the index of its random
    numbers.
    luck_of: what random numbers show after an action, from record, action, seed and index; empty if
    nothing.
    final_of: the result of a finished game; None before its end.
    rounds: None for a game without rounds.
    closing: the words of a turn's only possible end.
    implied: by verb, a word that you may leave out because nothing else can follow.
    practice: small positions for a number of players, for practice of methods other than rollouts.
    tapped: by verb, and by statement before a turn, what can follow, from the rules and the number
    of players; None if entries can only be typed.
    seen_by: what a seat knows while another acts, in a game with hidden cards. It changes the
    record.
    doubt: what contradicts an assumption in the words of a turn that was entered; empty if nothing.
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
    tapped: Callable[[Any, int], Mapping[str, Follows]] | None = None
    seen_by: Callable[[Record, int], Any] | None = None
    doubt: Callable[[Any, Sequence[str]], str] = no_doubt
