"""The decisions of a record, one by one: the player, the choice, and what was known then.

A line of a turn contains both choices of a player and random events: ``0 roll 244 discard 24`` is
two decisions, to roll and what to discard. The game's `capabilities.Recorded` explains its words.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from lama_odds.core.errors import ReadError
from lama_odds.core.language import say
from lama_odds.core.notation import Part
from lama_odds.core.wording import thousands, with_unit
from lama_odds.games.interface.capabilities import (
    CHOICE,
    LUCK,
    NOTHING,
    Listener,
    Player,
    PolicyQuery,
    Record,
    Recorded,
    Situation,
    Wanted,
    needed,
)
from lama_odds.games.interface.game import AnyGame
from lama_odds.games.shared.record import (
    HIDDEN,
    RecordReader,
    Refused,
    first_record,
    read_of_rules,
    scores_after,
)
from lama_odds.jit import compiled
from lama_odds.luck.stream import STUDY, lane_start, mix, stream_of

# A round as one player sees it, and the hidden points that are entered at its end.


class Told(ABC):
    """What rounds with hidden cards share; a mixin before the game's `Round`.

    viewer: the seat whose cards are known. told: penalties by seat, once they have been entered.
    """

    viewer: int | None
    told: list[int] | None = None

    @abstractmethod
    def possible(self, seat: int) -> tuple[int, int]:
        """Return the least and the most points that a seat can have, by what is known."""

    @property
    def penalties(self) -> list[int]:
        """Return the points of each seat; raise Refused before they have been entered."""
        if self.told is None:
            raise Refused(say("the penalties of all seats come first: hidden cards were in play"))
        return self.told

    def tell(self, penalties: list[int]) -> None:
        """Store the points of all hands; raise Refused if they are impossible."""
        if self.told is not None:
            raise Refused(say("the penalties of this round have been given already"))
        for seat, points in enumerate(penalties):
            least, most = self.possible(seat)
            if least == most != points:
                raise Refused(
                    say(
                        "seat {seat} has {least}, not {points}",
                        seat=seat,
                        least=with_unit(least),
                        points=points,
                    )
                )
            if not least <= points <= most:
                raise Refused(
                    say(
                        "seat {seat} cannot have {points}: {least} to {most}",
                        seat=seat,
                        points=with_unit(points),
                        least=least,
                        most=most,
                    )
                )
        self.told = list(penalties)


def viewer_of(words: list[Part]) -> int | None:
    """Return the only seat whose cards are in a deal; None if all are.

    Raises ReadError if cards of several players, or of all, are hidden.
    """
    if all(word.text != HIDDEN for word in words[1:]):
        return None
    known = [seat for seat, word in enumerate(words[1:]) if word.text != HIDDEN]
    if len(known) != 1:
        raise words[0].fail(
            say("the cards of one seat, {mark} for each other, or those of all", mark=HIDDEN)
        )
    return known[0]


# One situation, several policies: let any policy decide the situations of a record.
#
# A game offers a `capabilities.PolicyQuery`. Its players show what a policy would do in a situation
# under a rule set, and all numbers that this depends on. Its reader of situations is an `Asking`.


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
        """Keep the decisions of a turn, then carry it out; one known by its result has none."""
        known = len(words) < 2 or words[1].text not in self.results
        makers = self.positions(words) if known else []
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


# Turns of a record whose decisions can be read: some hundred times those of a long game.
MOST_TURNS = 50_000


@dataclass(frozen=True)
class Decision:
    """A decision of a record.

    line: of the record, from 1. round, turn: numbers from 0, of the record.
    seat: the player who decided. chosen: the action as `advise` names it.
    rolled: whether a random event followed at once, and what it showed.
    position: what the seat knew.
    lines: of the whole record. words: of its line, as far as they come before the decision.
    """

    line: int
    round: int
    turn: int
    seat: int
    chosen: str
    rolled: str
    position: Any
    lines: Sequence[str] = field(default=(), repr=False, compare=False)
    words: int = 0

    @property
    def before(self) -> str:
        """The record up to the decision."""
        lines = list(self.lines[: self.line - 1])
        if self.words > 1:
            lines.append(" ".join(self.lines[self.line - 1].split()[: self.words]))
        return "\n".join(lines)


def read_record(game: AnyGame, text: str) -> Record:
    """Return a record that was read and replayed; raise ReadError with the line and the place.

    Raises LimitError if decisions of this game's records cannot be separated.
    """
    return recorded_of(game).reader().read(text)


def recorded_of(game: AnyGame) -> Recorded:
    """Return how records of a game are split into decisions; raise LimitError if they cannot be."""
    return needed(
        game.recorded(),
        lambda: f"{game.name} cannot be reviewed or played along with: use lama-odds advise",
    )


def rules_named(text: str) -> str:
    """Return the id of the rule set that a record names; raise ReadError if it names none."""
    for line in text.splitlines():
        words = line.split()
        if words[:1] == ["rules"] and len(words) == 2:
            return words[1]
    first = text.splitlines()[0] if text.splitlines() else ""
    raise ReadError(say("this is not a record: no line names its rules"), first)


def is_turn(line: str) -> bool:
    """Return whether a line of a record is a turn: it begins with a seat."""
    words = line.split()
    return bool(words) and words[0].isdigit() and words[0].isascii()


def by_result(recorded: Recorded, line: str) -> bool:
    """Return whether a line is a turn of which only the result is known."""
    return is_turn(line) and line.split()[1:2] != [] and line.split()[1] in recorded.results


def decisions(game: AnyGame, rules: Any, text: str) -> list[Decision]:
    """Return all decisions of a record in order, each with what its player could know.

    If a round is recorded from one seat, only decisions of that seat are returned. The record is
    read once, whatever its length. Raises ReadError if it cannot be read, has other rules, or has
    more than MOST_TURNS turns.
    """
    lines = _lines_of(text)
    recorded = recorded_of(game)
    query = query_of(game)
    seen = viewer(read_of_rules(recorded.reader(), rules, text))
    places = _places(lines)
    all_decisions: list[Decision] = []

    def listen(words: list[Part], makers: list[Callable[[], Any]]) -> None:
        texts = [word.text for word in words]
        number, round_, turn = next(places)
        if seen in (None, int(texts[0])):
            all_decisions.extend(_of_turn(recorded, texts, makers, (number, round_, turn), lines))

    query.reader(lambda number: False, listen).read(text)
    return all_decisions


def _lines_of(text: str) -> list[str]:
    """Return the lines of a record; raise ReadError if it has too many turns."""
    lines = first_record(text).splitlines()
    turns = sum(is_turn(line) for line in lines)
    if turns > MOST_TURNS:
        raise ReadError(
            say(
                "this record has {turns} turns, but at most {most} can be reviewed",
                turns=thousands(turns),
                most=thousands(MOST_TURNS),
            )
        )
    return lines


def _places(lines: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """Yield the line of each turn, from 1, its round and its number, from 0."""
    round_ = turn = -1
    for number, line in enumerate(lines, 1):
        round_ += line.split()[:1] == ["round"]
        if is_turn(line):
            turn += 1
            yield number, max(round_, 0), turn


def viewer(record: Record) -> int | None:
    """Return the only seat whose cards are in a record; None if all are."""
    seen = [state.viewer for state in record.rounds if getattr(state, "viewer", None) is not None]
    return int(seen[0]) if seen else None


def _of_turn(
    recorded: Recorded,
    words: Sequence[str],
    makers: Sequence[Callable[[], Any]],
    place: tuple[int, int, int],
    lines: Sequence[str],
) -> Iterator[Decision]:
    """Yield the decisions of a turn.

    makers: of the position of each; place: line, round and turn.
    """
    verbs = recorded.verbs
    seat, at = int(words[0]), 1
    for make in makers:
        if at >= len(words) or words[at] not in verbs:
            return
        verb, follows = words[at], verbs[words[at]]
        what = words[at + 1] if follows != NOTHING else ""
        position = make()
        chosen = verb if follows != CHOICE else recorded.named(position, words, at)
        shown = what if follows == LUCK and recorded.shown_at_once else ""
        yield Decision(*place, seat, chosen, shown, position, lines, at)
        at += 1 if follows == NOTHING else 2


def standing(record: Record, round_: int) -> list[float] | None:
    """Return the points by seat after a round, including tokens and those of earlier rounds.

    It is None before the end of the round, and while hidden cards are unknown. In a game without
    tokens it counts this round alone.
    """
    state = record.rounds[round_]
    if not state.ended or (isinstance(state, Told) and state.told is None):
        return None
    if hasattr(state, "scores"):
        return [float(score) for score in scores_after(state)]
    return [float(penalty) for penalty in state.penalties]


def points_by_turn(recorded: Recorded, text: str) -> list[tuple[list[int], list[int]]]:
    """Return points by seat before and after each turn of a record that is over."""
    reader, points = recorded.reader(), []
    for line in first_record(text).splitlines()[1:]:
        before = [*reader.record.state.points] if is_turn(line) else []
        reader.line(line)
        if is_turn(line) and not reader.record.state.open_turn:
            points.append((before, [*reader.record.state.points]))
    return points


def shares(game: AnyGame, record: Record) -> list[float] | None:
    """Return the share of the win of each seat, ties shared; None before the end of the game."""
    if record.outcome is None:
        return None
    marks = recorded_of(game).ranked(record)
    best = max(marks)
    share = Fraction(1, marks.count(best))
    return [float(share) if mark == best else 0.0 for mark in marks]
