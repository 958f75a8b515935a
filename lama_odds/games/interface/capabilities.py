"""What only some games can do: small records that methods of a game's face return.

A game that lacks one returns None. `needed` turns that into one sentence for the user.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol, TypeVar, runtime_checkable

from lama_odds.core.errors import LimitError
from lama_odds.core.language import later, later_count, say, say_count
from lama_odds.core.notation import Part
from lama_odds.core.policies import Policy
from lama_odds.core.wording import listed

# A record as it was read, the situations in it, and the policies that can decide them.

# What follows the verb of a decision: nothing, a random event, or a choice.
NOTHING = "nothing"
LUCK = "luck"
CHOICE = "choice"

# Whether decision number i of a record is wanted, i counted from 0.
Wanted = Callable[[int], bool]
# Called with the words of a turn, and with functions that make the position of each decision.
Listener = Callable[[list[Part], list[Callable[[], Any]]], None]


class Table(Protocol):
    """The state of a game without rounds.

    seat: the one to act. points: by seat, without those of a turn that is not over.
    """

    seat: int

    @property
    def points(self) -> list[int]:
        """The points by seat."""

    @property
    def open_turn(self) -> bool:
        """Whether a turn has begun and is not over."""

    @property
    def over(self) -> bool:
        """Whether the game is over."""


@dataclass
class Record:
    """A record that was read: the rule set, the policies named, and its replayed rounds.

    final: what its line ``final`` says. outcome: the same for a finished game, even without that
    line; None before the end of the game, and while hidden cards are unknown. state: of a game
    without rounds, a `Table`. names: of the players, if there are any, ``-`` for none.
    start: llamas before the first round, of a game that was joined then.
    """

    rules: Any
    players: int
    policies: tuple[str, ...] = ()
    luck: tuple[int, int] | None = None
    rounds: list[Any] = field(default_factory=list)
    final: tuple[int, ...] | None = None
    outcome: tuple[int, ...] | None = None
    state: Any = None
    names: tuple[str, ...] = ()
    start: tuple[int, ...] = ()


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
    """Reads a record, at once or line by line; a copy of it reads on from the same place."""

    record: Any

    def read(self, text: str) -> Record:
        """Read and replay a record; raise ReadError with line and place."""

    def line(self, line: str) -> None:
        """Read a line after the first; raise an error if it cannot follow."""


class Player(Protocol):
    """A policy under a rule set."""

    @property
    def basis(self) -> tuple[Any, ...]:
        """Everything its decisions depend on besides the situation: numbers and arrays."""

    def decides(self, situation: Situation, word: int) -> str:
        """Return the action, in the agreed notation; word: the random word for a random policy."""


@runtime_checkable
class Expecting(Protocol):
    """A policy that values what it chooses from."""

    def expects(self, situation: Situation, action: str) -> tuple[str, float] | None:
        """Return an objective and what an action is worth in it; None if it does not value it."""


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


T = TypeVar("T")


def needed(offered: T | None, lacking: Callable[[], str]) -> T:
    """Return what a game offers; raise LimitError with the sentence `lacking` if that is None."""
    if offered is None:
        raise LimitError(lacking())
    return offered


@dataclass(frozen=True)
class TurnPlan:
    """How a turn may end, if a policy plays it on.

    chances: of each end, by its name among the actions of rollouts, after an action at a position
    of the turn. span: about how far two results of a game are apart at most, in points.
    """

    chances: Callable[[Any, str], Mapping[str, float]]
    span: float


@dataclass(frozen=True)
class Recorded:
    """How records of a game are split into decisions (for `review` and `play`).

    verbs: of a turn, each with what follows it (`records.NOTHING`, LUCK or CHOICE).
    reader: makes a reader, which reads a record at once or line by line.
    luck: the random events that a review separates from skill: a template, as `uncounted` is.
    shown_at_once: whether the player who decided sees the random event before anyone else moves.
    named: a choice in the agreed notation, from the position, the words of the turn and the place
    of its verb.
    ranked: values by seat that decide a finished game; the highest wins.
    uncounted: what a turn changes that its result leaves out, in a sentence.
    fewer: divides the number of games per decision, for games with long turns.
    standing: names of the statements with the score of each seat before a round.
    turn_plan: how a turn may end, from the rules, a position and the policy that plays it on; None
    if that is not known. A review then plays each end out once, instead of each action.
    results: words with which a turn begins that is known only by its result, without its dice.
    """

    verbs: Mapping[str, str]
    reader: Callable[[], LineReader]
    luck: str
    shown_at_once: bool = True
    named: Callable[[Any, Sequence[str], int], str] = as_written
    ranked: Callable[[Record], list[Any]] = lowest_wins
    uncounted: str = ""
    fewer: int = 1
    standing: tuple[str, ...] = ("scores",)
    turn_plan: Callable[[Any, Any, Policy], TurnPlan | None] = lambda rules, position, policy: None
    results: Sequence[str] = ()


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
    ) -> Any:
        """Return the game at the seat's first decision, a `shared.stepper.Line`."""


class Entries(Protocol):
    """Translates what you type in a game played along into the words of a record.

    letters: of the verbs.
    """

    letters: ClassVar[Mapping[str, str]]

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
    """How a game played along is shown. Texts are templates, see `core.language.later`.

    against, table: what you can type against policies and at a table, each with its meaning.
    prompts: the prompts for statements of the record that are entered: in order those before the
    first turn, and the penalties.
    middle: words of a position that everybody sees, each with its title.
    holds, score: what a player of a position (0: the one to decide) holds, and that player's
    standing in the game.
    hand: what the seat has in hand.
    unit: what rule sets' games are won by.
    tie_break: what decides between equal players.
    scores: whether the scores are shown after each round.
    hidden: verbs whose card only its player sees.
    told: how words of a turn are shown, if not as written; ``{what}`` is what follows,
    ``{player}`` the player whose seat follows.
    aimed: verbs of actions that end with the number of another player.
    many: verbs that may have many actions, and how these are shown as one.
    ended: why a round is over, by the word of the record.
    mine: your cards, if `holds` gives only their number.
    """

    against: Sequence[tuple[str, str]]
    table: Sequence[tuple[str, str]]
    holds: Callable[[Any, int], str]
    hand: Callable[[Any, Any], str]
    score: Callable[[Any, int], str] = lambda position, at: ""
    middle: Mapping[str, str] = field(default_factory=dict)
    prompts: Mapping[str, str] = field(default_factory=dict)
    unit: Callable[[Any], str] = lambda rules: "points"
    tie_break: str = ""
    scores: bool = False
    hidden: Sequence[str] = ()
    told: Mapping[str, str] = field(default_factory=dict)
    aimed: Sequence[str] = ()
    many: Mapping[str, str] = field(default_factory=dict)
    ended: Mapping[str, str] = field(default_factory=dict)
    mine: Callable[[Any], str] | None = None


@dataclass(frozen=True)
class LiveRounds:
    """Rounds of a game played along.

    opening: the lines before the deal, from the record, the number of the round and the starting
    seat.
    dealt: the lines of the deal, from rules, players, seed, game index and number of the round.
    next_first: the seat that starts the next round.
    counting: calls what counts a round under a rule set, so that it is compiled.
    unknown: what a game that is joined under way has besides the scores; empty for nothing.
    """

    opening: Callable[[Record, int, int], list[str]]
    dealt: Callable[[Any, int, int, int, int], list[str]]
    next_first: Callable[[Record], int]
    counting: Callable[[Any], object] = lambda rules: None
    unknown: Callable[[Any], str] = lambda rules: ""


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

    luck_of: what random numbers show after an action, from record, action, seed and index; empty if
    nothing.
    policy_turn: the line of a policy's turn, from record, policy, seed and the index of its random
    numbers; None if a policy decides action by action (`PolicyQuery`).
    rounds: None for a game without rounds.
    shows: by verb, the random event that is entered with it at a table: card, dice.
    closing: the words of a turn's only possible end.
    implied: by verb, a word that you may leave out because nothing else can follow.
    practice: small positions for a number of players, for practice of methods other than rollouts.
    tapped: by verb, and by statement before a turn, what can follow, from the rules and the number
    of players; None if entries can only be typed.
    seen_by: what a seat knows while another acts, in a game with hidden cards. It changes the
    record.
    doubt: what contradicts an assumption in the words of a turn that was entered; empty if nothing.
    by_itself: words of a turn that follow from those before them.
    results: from the state before a turn of unknown dice, what it may come to, in words of a
    record. Each has the seat that a tile comes from, or None.
    """

    luck_of: Callable[[Any, str, int, int], str]
    entries: Entries
    on_screen: OnScreen
    policy_turn: Callable[[Any, Policy, int, int], str] | None = None
    practice: Callable[[int], Sequence[str]] = lambda players: ()
    rounds: LiveRounds | None = None
    shows: Mapping[str, str] = field(default_factory=dict)
    closing: Callable[[Any], list[str]] = never
    implied: Mapping[str, str] = field(default_factory=dict)
    tapped: Callable[[Any, int], Mapping[str, Follows]] | None = None
    seen_by: Callable[[Record, int], Any] | None = None
    doubt: Callable[[Any, Sequence[str]], str] = no_doubt
    by_itself: Sequence[str] = ()
    results: Callable[[Any], Mapping[str, int | None]] = lambda state: {}


# What of a position is a guess, with other values that it may well have.

SIZES = 6  # a hand of more cards counts like one of this number


@dataclass(frozen=True)
class Guessed:
    """A number of a position that is a guess, and the same position with other values of it.

    what: is a guess, in words. when: a value in words, such as ``somebody holds {}``. unit: what
    is counted, CARDS or POINTS.
    values: in order. positions: one for each. at: the place of the position itself.
    whole: whether there is no value below the first or between two, and the last one stands for all
    that are higher. Otherwise each stands for what lies around it.
    assumed: whether only a value that is sure to change the verdict counts; so it is where nothing
    was written with the number.
    """

    what: str
    when: str
    unit: str
    values: tuple[int, ...]
    positions: tuple[Any, ...]
    at: int
    whole: bool = False
    assumed: bool = False

    @property
    def counted(self) -> str:
        """What the values count, in words."""
        return say("{counted}", counted=self.when.format(say(COUNTED[self.unit])))

    def label(self, place: int) -> str:
        """Return a value in short."""
        last = place == len(self.values) - 1
        return f"{self.values[place]}{'+' if self.whole and last else ''}"

    def one(self, place: int) -> str:
        """Return a value in words."""
        return self.when.format(self._about(self._amount(self.values[place])))

    def said(self, first: int, last: int) -> str:
        """Return the values from one place to another, in words; they are not all of them."""
        low, high = self.values[first], self.values[last]
        if last == len(self.values) - 1:
            return self.when.format(say("{amount} or more", amount=self._about(self._amount(low))))
        if first == last and (self.whole or first):
            return self.one(first)
        if self.whole:
            if last == first + 1:
                shown = say("{first} or {last}", first=low, last=high)
            else:
                shown = say("{low} to {high}", low=low, high=high)
            return self.when.format(self._amount(high, shown))
        amount = self._about(self._amount(high))
        return self.when.format(amount if first else say("{amount} or fewer", amount=amount))

    def _amount(self, value: int, shown: str = "") -> str:
        return say_count(*COUNTS[self.unit], value, n=shown or value)

    def _about(self, amount: str) -> str:
        return amount if self.whole else say("about {amount}", amount=amount)


# What a number that is a guess counts, and the same without the number.
CARDS, POINTS = "cards", "points"
COUNTS = {
    CARDS: later_count("{n} card", "{n} cards"),
    POINTS: later_count("{n} point", "{n} points"),
}
COUNTED = {CARDS: later("… cards"), POINTS: later("… points")}


def guessed_from(
    tried: Mapping[int, Any],
    position: Any,
    possible: Callable[[Any], bool],
    words: tuple[str, str],
    unit: str = CARDS,
    whole: bool = False,
    assumed: bool = False,
) -> Guessed | None:
    """Return the values that are possible; None if only that of the position is.

    tried: positions by value, that of the position itself among them. words: `what` and `when`.
    """
    kept = {
        value: other
        for value, other in sorted(tried.items())
        if other is position or possible(other)
    }
    if len(kept) == 1:
        return None
    positions = tuple(kept.values())
    return Guessed(*words, unit, tuple(kept), positions, positions.index(position), whole, assumed)


def fewest_held(
    sizes: Mapping[int, int], resized: Callable[[dict[int, int]], Any], position: Any
) -> dict[int, Any]:
    """Return positions by the fewest cards in a hand that is a guess, the last for all beyond.

    sizes: guesses by seat. The other hands that are a guess keep theirs, or have as many.
    """
    fewest = min(sizes.values())
    holder = min(seat for seat, size in sizes.items() if size == fewest)
    positions = {fewest: position}
    for value in (*range(1, SIZES), max(SIZES, fewest)):
        others = {seat: max(value, size) for seat, size in sizes.items()}
        positions.setdefault(value, resized(others | {holder: value}))
    return positions


def hands_in_words(seats: Sequence[int], everybody: bool) -> tuple[str, str]:
    """Return `what` and `when` for the hands of these seats; everybody: whether they are all."""
    who = named(seats)
    if len(seats) == 1:
        what = say("the hand size of {who} is a guess", who=who)
        return what, say("{who} holds {amount}", who=who, amount="{}")
    if everybody:
        return say("the hand sizes are a guess"), say("somebody holds {amount}", amount="{}")
    what = say("the hand sizes of {who} are a guess", who=who)
    return what, say("one of {who} holds {amount}", who=who, amount="{}")


def around(number: int, least: int, most: int) -> tuple[int, int]:
    """Return the lowest and the highest value of a number that is roughly known."""
    margin = max(3, -(-number // 2))
    return max(least, number - margin), min(most, number + margin)


def named(seats: Sequence[int]) -> str:
    """Return other players in words, by their places after you, who are player 1."""
    if len(seats) > 1:
        return say("players {numbers}", numbers=listed([str(1 + seat) for seat in seats]))
    return say("the player to your left") if seats[0] == 1 else say("player {n}", n=1 + seats[0])
