"""Rounds and games as text: the frame of a record, common to all games, and its reader.

A record has one statement in each line::

    lama-odds record 1
    rules dice/amigo
    players 2
    policies threshold:5 random
    luck 0 155
    round 0 first 0
    scores 0 0
    …           (the deal and the turns: the game's own)
    end quit
    penalties 4 18

``policies`` and ``luck`` (seed, game index) are there for simulated games. ``names Anna - Ben`` may
name the players of a table, ``-`` for none. ``final`` with the scores ends a whole game. A record
may stop anywhere in a round: it then ends with the decision of the next player.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, ClassVar

from lama_odds.core.errors import LamaOddsError, NothingToDecideError, ReadError
from lama_odds.core.language import later, say
from lama_odds.core.notation import Part
from lama_odds.games import registry
from lama_odds.games.interface.capabilities import LineReader, Record, Table

HEADER = "lama-odds record 1"
NO_NAME = "-"  # of a player without a name
LONGEST_NAME = 12  # letters and digits
HIDDEN = "?"  # cards that the author of a record does not see
DEAL, PENALTIES, STANDS = "deal", "penalties", "stands"  # statements of a record
ME = "me"  # the player, among the policies of a game played along


class Refused(Exception):
    """An event that cannot happen here, with the reason."""


class InLineError(ReadError):
    """An error in a line of a record; `told` is the message without the line."""

    def __init__(
        self, number: int, reason: str, text: str | None, at: int, hints: tuple[str, ...]
    ) -> None:
        message = say("line {number}: {error}", number=number, error=reason)
        super().__init__(message, text, at, hints)
        self.told = reason


def head_lines(rules_id: str, policies: Sequence[str], luck: tuple[int, int]) -> list[str]:
    """Return the lines at the beginning of a simulated game's record."""
    return [
        HEADER,
        f"rules {rules_id}",
        f"players {len(policies)}",
        f"policies {' '.join(policies)}",
        numbers_line("luck", luck),
    ]


def first_record(text: str) -> str:
    """Return the first record of a text, without what `simulate --show` prints after it."""
    lines = text.removeprefix("\ufeff").splitlines()
    for number, line in enumerate(lines[1:], 1):
        after_blank = not lines[number - 1].strip()
        if line.strip() == HEADER or (after_blank and "/" in line.partition(" ")[0]):
            return "\n".join(lines[:number]) + "\n"
    return text.removeprefix("\ufeff")


def records_in(text: str) -> list[str]:
    """Return all records of a text, each as `first_record` returns it."""
    lines = text.removeprefix("\ufeff").splitlines()
    begins = [number for number, line in enumerate(lines) if line.strip() == HEADER]
    ends = [*begins, len(lines)][1:]
    return [
        first_record("\n".join(lines[first:last]) + "\n")
        for first, last in zip(begins, ends, strict=True)
    ]


def numbers_line(name: str, values: Sequence[int]) -> str:
    """Return a line of numbers."""
    return f"{name} {' '.join(map(str, values))}"


def scores_after(state: Any) -> list[int]:
    """Return the scores including the penalties of the round that has ended."""
    return [a + b for a, b in zip(state.scores, state.penalties, strict=True)]


def read_of_rules(reader: LineReader, rules: Any, text: str) -> Record:
    """Return a record that was read; raise ReadError if it has other rules."""
    record = reader.read(text)
    if record.rules != rules:
        message = say(
            "the rules of this record are {found}, not {rules}",
            found=record.rules.id,
            rules=rules.id,
        )
        raise ReadError(message)
    return record


def unfinished_table(record: Record) -> Any:
    """Return the table with a decision at the end of a record of a game without rounds.

    Raises NothingToDecideError if the game is over.
    """
    if record.state.over:
        raise NothingToDecideError(say("the end of this record"), [say("the game is over")])
    return record.state


def unfinished_round(record: Record) -> Any:
    """Return the round with a decision at the end of a record.

    Raises NothingToDecideError without one.
    """
    what = say("the end of this record")
    if not record.rounds:
        raise NothingToDecideError(what, [say("no round has begun")])
    state = record.rounds[-1]
    if state.ended:
        over = say("its last round is over ({ended})", ended=state.ended)
        raise NothingToDecideError(what, [over])
    if getattr(state, "viewer", None) not in (None, state.seat):
        others = say(
            "seat {seat} is to act, but the record has the cards of seat {mine}; add what happens "
            "until seat {mine} is to act",
            seat=state.seat,
            mine=state.viewer,
        )
        raise NothingToDecideError(what, [others])
    return state


class RecordReader:
    """Reads a record line by line; the words of a line have their places.

    A game defines the deal and the turns: `game`, `ends`, `read_rules`, `next_first`, `statements`,
    `deal` and `turn`. A replayed round has ``seat``, ``scores``, ``hands``, ``penalties``,
    ``ended`` (one of `ends`, or None) and ``last_actor``. One with hidden cards is also a
    `decisions.Told`.
    """

    game: ClassVar[str]
    ends: ClassVar[tuple[str, ...]]
    # Verbs of a turn, if its decisions can be separated (see `capabilities.Recorded`).
    verbs: ClassVar[Mapping[str, str]] = {}
    results: ClassVar[Sequence[str]] = ()  # see `capabilities.Recorded`
    # Statements of this frame that the game's records have; a game without rounds has fewer.
    frame: ClassVar[tuple[str, ...]] = (
        *("rules", "players", "policies", "luck", "names"),
        *("round", "scores", "end", "penalties", "final"),
    )

    final_said: ClassVar[str] = later(
        "the scores at the end of the game, one of them at the target"
    )

    def __init__(self) -> None:
        self.record: Record | None = None
        self.rules: Any = None
        self.first: int | None = None
        self.scores: list[int] | None = None
        self.state: Any = None
        self.mine = 0  # the seat whose position `stands` gives

    # What a game adds.

    def read_rules(self, text: str) -> Any:
        """Return the rule set of an id."""
        raise NotImplementedError

    def next_first(self) -> tuple[int, str]:
        """Return the starting seat of the round after `state`, and the reason."""
        raise NotImplementedError

    def statements(self) -> dict[str, Callable[[list[Part]], None]]:
        """Return the game's own statements; ``deal`` is one of them."""
        return {}

    def turn(self, words: list[Part]) -> None:
        """Read the turn of the seat to act; `state` is its round."""
        raise NotImplementedError

    def stand(self, text: str) -> None:
        """Let the round be from here on as a position says, in which `mine` is to act."""
        raise NotImplementedError

    def begin(self, count: int) -> Record:
        """Return a record for this number of players, before its first statement."""
        return Record(self.rules, count)

    def acting(self, words: list[Part]) -> int | None:
        """Return the seat to act; None if there is none."""
        state = self.round_begun(words)
        return None if state.ended else int(state.seat)

    def final_scores(self) -> list[int] | None:
        """Return what ``final`` must say; None before the end of the game."""
        state = self.state
        if state is None or not state.ended or max(scores_after(state)) < self.rules.target:
            return None
        return scores_after(state)

    # What all records share.

    def read(self, text: str) -> Record:
        """Read and replay a record, the first of several.

        Raises ReadError with line and place for what cannot be read, what does not follow from
        earlier lines, and what is missing.
        """
        lines = first_record(text).splitlines()
        if not lines or lines[0].strip() != HEADER:
            first = lines[0] if lines else ""
            header = repr(HEADER)
            raise ReadError(
                say("this is not a record: its first line is not {header}", header=header), first
            )
        for number, line in enumerate(lines[1:], 2):
            try:
                self.line(line)
            except ReadError as error:
                hints = error.hints + self._other_game(lines)
                raise InLineError(number, error.message, error.text, error.at, hints) from None
            except (Refused, LamaOddsError) as error:
                hints = self._other_game(lines)
                raise InLineError(number, str(error), line, 0, hints) from None
        if self.record is None:
            raise ReadError(say("the record ends before it names its rules and players"))
        with suppress(Refused):  # hidden cards that are not known yet
            scores = self.final_scores()
            self.record.outcome = None if scores is None else tuple(scores)
        return self.record

    def _other_game(self, lines: Sequence[str]) -> tuple[str, ...]:
        """Return a hint if the turns of an unreadable record are those of another game."""
        turns = (line.split() for line in lines if line.lstrip()[:1].isdigit())
        words = {word for turn in turns for word in turn}
        if not self.verbs or not any(map(str.islower, words - self.verbs.keys())):
            return ()
        recorded = {game.name: game.recorded() for game in registry.built_in()}
        verbs = {name: split.verbs.keys() for name, split in recorded.items() if split is not None}
        used = words & set().union(*verbs.values())
        foreign = sorted(used - self.verbs.keys())
        games = [name for name, known in verbs.items() if used <= known]
        if not foreign or not games:
            return ()
        return (
            "  "
            + say(
                "its turns ({turns}) do not fit rules of {game}: they are of {games}",
                turns=", ".join(foreign),
                game=self.game,
                games=say(" or ").join(games),
            ),
        )

    def line(self, line: str) -> None:
        """Read a line after the first; empty lines and comments say nothing.

        Raises an error without the number of the line, which may have changed what was read.
        """
        if not line.strip() or line.lstrip().startswith("#"):
            return
        words = words_of(line)
        name = words[0].text
        if name.isdigit() and name.isascii():
            seat = self.acting(words)
            if seat is None or words[0].integer(say("seat")) != seat:
                over = f"end {self.state.ended}" if self.state else "final"
                raise words[0].fail(over if seat is None else say("seat {seat}", seat=seat))
            self.turn(words)
            return
        shared = {
            "rules": self._rules,
            "players": self._players,
            "policies": self._policies,
            "luck": self._luck,
            "names": self._names,
            "round": self._round,
            "scores": self._scores,
            "end": self._end,
            "penalties": self._penalties,
            "final": self._final,
        }
        known = {name: shared[name] for name in self.frame} | self.statements()
        if name not in known:
            raise words[0].fail(say("a seat or one of {names}", names=", ".join(known)))
        known[name](words)

    def _rules(self, words: list[Part]) -> None:
        rest = one_word(words)
        if self.rules is not None:
            raise words[0].fail(say("{name} only once", name="rules"))
        if not rest.text.startswith(f"{self.game}/"):
            raise rest.fail(say("a rule set of {game}", game=self.game))
        self.rules = self.read_rules(rest.text)

    def _players(self, words: list[Part]) -> None:
        if self.rules is None or self.record is not None:
            raise words[0].fail(say("rules, then players, each once"))
        count = one_word(words).integer("players")
        if count not in self.rules.players:
            first, last = self.rules.players[0], self.rules.players[-1]
            raise words[1].fail(say("{first} to {last} players", first=first, last=last))
        self.record = self.begin(count)

    def _policies(self, words: list[Part]) -> None:
        self.begun(words).policies = tuple(word.text for word in words[1:])

    def _luck(self, words: list[Part]) -> None:
        seed, game = self.integers(words, 2)
        self.begun(words).luck = (seed, game)

    def _names(self, words: list[Part]) -> None:
        record = self.begun(words)
        if len(words) - 1 != record.players:
            expected = say(
                "{players} names after names, {none} for none", players=record.players, none=NO_NAME
            )
            raise words[0].fail(expected)
        names = [word.text for word in words[1:]]
        for at, (word, name) in enumerate(zip(words[1:], names, strict=True)):
            if name == NO_NAME:
                continue
            if not name.isalnum() or len(name) > LONGEST_NAME:
                raise word.fail(say("a name of 1 to {most} letters and digits", most=LONGEST_NAME))
            if name.lower() in [other.lower() for other in names[:at]]:
                raise word.wrong(say("another name for each player"))
        record.names = tuple(names)

    def _round(self, words: list[Part]) -> None:
        record = self.begun(words)
        if len(words) != 4 or words[2].text != "first":
            raise words[0].fail("round NUMBER first SEAT")
        if self.state is not None and self.state.ended is None:
            raise words[0].fail(say("the end of the round before"))
        if words[1].integer("round") != len(record.rounds):
            expected = f"round {len(record.rounds)}"
            if not record.rounds:
                expected = say("{round}: the first one of a record", round=expected)
            raise words[1].fail(expected)
        self.first = words[3].integer("first")
        if not 0 <= self.first < record.players:
            raise words[3].fail(say("a seat, 0 to {last}", last=record.players - 1))
        if self.state is not None:
            seat, reason = self.next_first()
            if self.first != seat:
                raise words[3].fail(f"{seat}, {reason}")

    def _scores(self, words: list[Part]) -> None:
        record = self.begun(words)
        if self.first is None:
            raise words[0].fail(say("round before its scores"))
        scores = self.integers(words, record.players)
        for word, score in zip(words[1:], scores, strict=True):
            if not 0 <= score < record.rules.target:
                raise word.fail(say("a score from 0 to {most}", most=record.rules.target - 1))
        if self.state is not None:
            _must_be(words, scores, scores_after(self.state), "after the round")
        self.scores = scores

    def _end(self, words: list[Part]) -> None:
        state = self.round_begun(words)
        how = one_word(words)
        if how.text not in self.ends or how.text != state.ended:
            raise how.fail(
                f"{state.ended}" if state.ended else say("another turn: the round has not ended")
            )

    def _penalties(self, words: list[Part]) -> None:
        state = self.round_begun(words)
        penalties = self.integers(words, len(state.hands))
        if state.ended and hasattr(state, "tell"):  # cards were hidden: their points are given here
            state.tell(penalties)
            return
        if not state.ended:
            raise words[0].fail(say("the end of the round before its penalties"))
        _must_be(words, penalties, state.penalties, "of the hands")

    def _final(self, words: list[Part]) -> None:
        record = self.begun(words)
        self.acting(words)
        scores = self.integers(words, record.players)
        if scores != self.final_scores():
            raise words[1].fail(say(self.final_said))
        record.final = tuple(scores)

    def stands(self, words: list[Part]) -> None:
        """Read a statement ``stands POSITION``; a game that has it adds `stand`."""
        seat = self.acting(words)
        if seat is None:
            raise words[0].fail(say("a round that is not over"))
        if len(words) < 2:
            raise words[0].fail("stands POSITION")
        policies = self.begun(words).policies
        self.mine = policies.index(ME) if ME in policies else seat
        self.stand(words[0].whole[words[1].at :])

    def in_order(self, values: Sequence[Any]) -> list[Any]:
        """Return values by seat that a position has, `mine` first."""
        count = len(values)
        if self.record is None or count != self.record.players:
            raise Refused(say("the position is of {players} players", players=count))
        return [values[(seat - self.mine) % count] for seat in range(count)]

    def begun(self, words: list[Part]) -> Record:
        """Return the record, once rules and players are known and before the game's end."""
        if self.record is None:
            raise words[0].fail(say("rules and players first"))
        if self.record.final is not None:
            raise words[0].fail(say("nothing after the end of the game"))
        return self.record

    def round_begun(self, words: list[Part]) -> Any:
        """Return the round whose cards have been dealt."""
        self.begun(words)
        if self.state is None or self.first is not None:
            raise words[0].fail(say("round, scores and deal first"))
        return self.state

    def integers(self, words: list[Part], count: int) -> list[int]:
        """Return the numbers of a line; there must be `count`."""
        if len(words) - 1 != count:
            name = words[0].text
            raise words[0].fail(say("{count} numbers after {name}", count=count, name=name))
        return [word.integer(words[0].text) for word in words[1:]]


class TableReader(RecordReader):
    """Reads a record of a game without rounds; a game adds `at_start`, and replays on `table`."""

    ends = ()
    frame = ("rules", "players", "policies", "luck", "names", "final")
    table: Any

    def at_start(self, count: int) -> Table:
        """Return the state of a game of this number of players, before its first turn."""
        raise NotImplementedError

    def begin(self, count: int) -> Record:
        """Return a record for this number of players."""
        self.table = self.at_start(count)
        return Record(self.rules, count, state=self.table)

    def acting(self, words: list[Part]) -> int | None:
        """Return the seat to act; None when the game is over."""
        self.begun(words)
        return None if self.table.over else int(self.table.seat)

    def final_scores(self) -> list[int] | None:
        """Return the points by seat when the game is over; None before."""
        return [*self.table.points] if self.table.over else None


def _must_be(words: list[Part], numbers: Sequence[int], follows: Sequence[int], of: str) -> None:
    """Raise an error at the first number of a line that is not what follows from the game."""
    for word, number, right in zip(words[1:], numbers, follows, strict=True):
        if number != right:
            expected = " ".join(map(str, follows))
            raise word.wrong(f"{right}: the {words[0].text} {of} are {expected}")


def words_of(line: str) -> list[Part]:
    """Return the words of a line with their places."""
    words, at = [], 0
    for text in line.split():
        at = line.index(text, at)
        words.append(Part(line, text, at))
        at += len(text)
    return words


def one_word(words: list[Part]) -> Part:
    """Return the only word after the name of a statement."""
    if len(words) != 2:
        raise words[0].fail(say("one word after {name}", name=words[0].text))
    return words[1]
