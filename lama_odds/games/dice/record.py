"""A round or game of Lama Dice as text: written, read, replayed.

One statement a line; dice and cards sorted, L last::

    lama-odds record 1
    rules dice/amigo
    players 2
    policies threshold:5 random
    luck 0 155
    round 0 first 0
    scores 0 0
    deal 11234L 225LLL
    0 roll 244 discard 24
    1 roll 134 take 1
    0 roll 1LL discard 1L
    1 quit
    0 quit
    end quit
    penalties 4 18

``policies`` and ``luck`` (seed, game index) are there for simulated games. Three
llamas are ``roll LLL`` and no more, a blown roll ends in ``blown``, a whole game in
``final`` with the scores. A record may stop anywhere in a round: then it asks what to do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from lama_odds.core.errors import ImpossibleError, LamaOddsError, ReadError
from lama_odds.core.notation import Part
from lama_odds.games.dice import play
from lama_odds.games.dice.position import (
    Counts,
    Opponent,
    Position,
    card_text,
    read_cards,
    unpack_hand,
)
from lama_odds.games.dice.round import ENDS, Refused, Round
from lama_odds.games.dice.ruleset import NAMES, DiceRules, parse_rules
from lama_odds.games.dice.turn import KINDS

HEADER = "lama-odds record 1"


@dataclass
class Record:
    """A record read: the rule set, the policies named, and its rounds as replayed."""

    rules: DiceRules
    players: int
    policies: tuple[str, ...] = ()
    luck: tuple[int, int] | None = None
    rounds: list[Round] = field(default_factory=list)
    final: tuple[int, ...] | None = None


def write_record(
    rules: DiceRules,
    policies: Sequence[str],
    luck: tuple[int, int],
    deals: Sequence[Sequence[Counts]],
    log: Sequence[int],
    whole_game: bool,
) -> str:
    """Record of what the kernels logged (see `play.log_turn`), replayed round by round."""
    seats = len(policies)
    lines = [
        HEADER,
        f"rules {rules.id}",
        f"players {seats}",
        f"policies {' '.join(policies)}",
        f"luck {luck[0]} {luck[1]}",
    ]
    scores, first, at = [0] * seats, 0, 0
    for number, hands in enumerate(deals):
        lines.append(f"round {number} first {first}")
        lines.append(_numbers("scores", scores))
        lines.append(f"deal {' '.join(card_text(hand) for hand in hands)}")
        state = Round(rules, list(hands), scores, first)
        while state.ended is None:
            lines.append(_replay(state, int(log[at]), rules.dice))
            at += 1
        lines.append(f"end {state.ended}")
        lines.append(_numbers("penalties", state.penalties))
        scores = [a + b for a, b in zip(state.scores, state.penalties, strict=True)]
        first = state.last_actor
    if whole_game:
        lines.append(_numbers("final", scores))
    return "\n".join(lines) + "\n"


def _numbers(name: str, values: Sequence[int]) -> str:
    return f"{name} {' '.join(map(str, values))}"


def _replay(state: Round, entry: int, dice: int) -> str:
    """Carry out a logged turn on `state`; returns its line."""
    seat, event, pick = entry & 15, entry >> 4 & 15, entry >> 28
    if event == play.QUIT:
        state.quit()
        return f"{seat} quit"
    shown = entry >> 8 & play.DICE_BITS
    rolled = tuple(sorted(shown >> 4 * die & 15 for die in range(dice)))
    line = f"{seat} roll {''.join(NAMES[kind] for kind in rolled)}"
    state.roll(rolled)
    if event == play.BLEW_IT:
        return f"{line} blown"
    if event == play.DISCARDED:
        state.discard(unpack_hand(pick))
        return f"{line} discard {card_text(unpack_hand(pick))}"
    if event == play.TOOK:
        state.take(pick)
        return f"{line} take {NAMES[pick]}"
    return line


def read_record(text: str) -> Record:
    """Read and replay a record.

    ReadError names line and place of what cannot be read, what does not follow
    from what went before, and what is missing.
    """
    reader = _Reader()
    lines = text.splitlines()
    if not lines or lines[0].strip() != HEADER:
        found = lines[0] if lines else ""
        raise ReadError(f"this is no record: its first line is not {HEADER!r}", found)
    for number, line in enumerate(lines[1:], 2):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            reader.read(line)
        except ReadError as error:
            raise ReadError(
                f"line {number}: {error.message}", error.text, error.at, error.hints
            ) from None
        except (Refused, LamaOddsError) as error:
            raise ReadError(f"line {number}: {error}", line) from None
    return reader.record_read()


class _Reader:
    """Reads a record line by line; the words of a line carry their places."""

    def __init__(self) -> None:
        self.record: Record | None = None
        self.rules: DiceRules | None = None
        self.first: int | None = None
        self.scores: list[int] | None = None
        self.state: Round | None = None

    def record_read(self) -> Record:
        """The record, once all lines are read."""
        if self.record is None:
            raise ReadError("the record ends before it names its rules and players")
        return self.record

    def read(self, line: str) -> None:
        """Read a line."""
        words = _words(line)
        name = words[0].text
        if name.isdigit() and name.isascii():
            self._turn(words)
            return
        known = {
            "rules": self._rules,
            "players": self._players,
            "policies": self._policies,
            "luck": self._luck,
            "round": self._round,
            "scores": self._scores,
            "deal": self._deal,
            "end": self._end,
            "penalties": self._penalties,
            "final": self._final,
        }
        if name not in known:
            raise words[0].fail("a seat or one of " + ", ".join(known))
        known[name](words)

    def _rules(self, words: list[Part]) -> None:
        rest = _one(words)
        if self.rules is not None:
            raise words[0].fail("rules only once")
        if not rest.text.startswith("dice/"):
            raise rest.fail("a rule set of dice")
        self.rules = parse_rules(rest.text)

    def _players(self, words: list[Part]) -> None:
        if self.rules is None or self.record is not None:
            raise words[0].fail("rules, then players, each once")
        count = _one(words).integer("players")
        if count not in self.rules.players:
            raise words[1].fail(f"{self.rules.players[0]} to {self.rules.players[-1]} players")
        self.record = Record(self.rules, count)

    def _policies(self, words: list[Part]) -> None:
        self._record(words).policies = tuple(word.text for word in words[1:])

    def _luck(self, words: list[Part]) -> None:
        seed, game = self._integers(words, 2)
        self._record(words).luck = (seed, game)

    def _round(self, words: list[Part]) -> None:
        record = self._record(words)
        if len(words) != 4 or words[2].text != "first":
            raise words[0].fail("round NUMBER first SEAT")
        if self.state is not None and self.state.ended is None:
            raise words[0].fail("the end of the round before")
        if words[1].integer("round") != len(record.rounds):
            raise words[1].fail(f"round {len(record.rounds)}")
        self.first = words[3].integer("first")
        if not 0 <= self.first < record.players:
            raise words[3].fail(f"a seat, 0 to {record.players - 1}")
        if self.state is not None and self.first != self.state.last_actor:
            raise words[3].fail(f"{self.state.last_actor}, who acted last in the round before")

    def _scores(self, words: list[Part]) -> None:
        record = self._record(words)
        scores = self._integers(words, record.players)
        for word, score in zip(words[1:], scores, strict=True):
            if not 0 <= score < record.rules.target:
                raise word.fail(f"a score from 0 to {record.rules.target - 1}")
        if self.state is not None:
            expected = [a + b for a, b in zip(self.state.scores, self.state.penalties, strict=True)]
            if scores != expected:
                raise words[1].fail(f"the scores that follow: {' '.join(map(str, expected))}")
        self.scores = scores

    def _deal(self, words: list[Part]) -> None:
        record = self._record(words)
        if self.first is None or self.scores is None:
            raise words[0].fail("round and scores before the deal")
        if len(words) - 1 != record.players:
            raise words[0].fail(f"the hands of {record.players} players")
        hands = [read_cards(word, "deal") for word in words[1:]]
        for word, hand in zip(words[1:], hands, strict=True):
            if sum(hand) != record.rules.dealt:
                raise word.fail(f"{record.rules.dealt} cards")
        for kind in range(KINDS):
            if sum(hand[kind] for hand in hands) > record.rules.dealt_from[kind]:
                raise words[0].fail(f"at most {record.rules.dealt_from[kind]} cards {NAMES[kind]}")
        self.state = Round(record.rules, hands, self.scores, self.first)
        record.rounds.append(self.state)
        self.first = self.scores = None

    def _turn(self, words: list[Part]) -> None:
        state = self._state(words)
        if words[0].integer("seat") != state.seat or state.ended:
            expected = f"end {state.ended}" if state.ended else f"seat {state.seat}"
            raise words[0].fail(expected)
        if len(words) == 2 and words[1].text == "quit":
            state.quit()
            return
        if len(words) < 3 or words[1].text != "roll":
            raise words[0].fail("SEAT quit, or SEAT roll DICE with what follows")
        rolled = read_cards(words[2], "roll")
        what = state.roll(tuple(k for k in range(KINDS) for _ in range(rolled[k])))
        rest = words[3:]
        if what in ("llamas", "blown"):
            if [word.text for word in rest] != (["blown"] if what == "blown" else []):
                raise words[2].fail(
                    "three llamas, no more" if what == "llamas" else "blown after the dice"
                )
        elif len(rest) == 2 and rest[0].text == "discard":
            state.discard(read_cards(rest[1], "discard"))
        elif len(rest) == 2 and rest[0].text == "take":
            state.take(_kind(rest[1]))
        elif rest:
            raise rest[0].fail("discard CARDS or take CARD")

    def _end(self, words: list[Part]) -> None:
        state = self._state(words)
        how = _one(words)
        if how.text not in ENDS or how.text != state.ended:
            raise how.fail(f"{state.ended}" if state.ended else "another turn: the round goes on")

    def _penalties(self, words: list[Part]) -> None:
        state = self._state(words)
        found = self._integers(words, len(state.hands))
        if not state.ended or found != state.penalties:
            expected = (
                " ".join(map(str, state.penalties)) if state.ended else "the end of the round"
            )
            raise words[1].fail(expected)

    def _final(self, words: list[Part]) -> None:
        state, record = self._state(words), self._record(words)
        scores = self._integers(words, record.players)
        expected = [a + b for a, b in zip(state.scores, state.penalties, strict=True)]
        if not state.ended or scores != expected or max(scores) < record.rules.target:
            raise words[1].fail("the scores at the end of the game, one of them at the target")
        record.final = tuple(scores)

    def _record(self, words: list[Part]) -> Record:
        if self.record is None:
            raise words[0].fail("rules and players first")
        if self.record.final is not None:
            raise words[0].fail("nothing after the end of the game")
        return self.record

    def _state(self, words: list[Part]) -> Round:
        self._record(words)
        if self.state is None or self.first is not None:
            raise words[0].fail("round, scores and deal first")
        return self.state

    def _integers(self, words: list[Part], count: int) -> list[int]:
        if len(words) - 1 != count:
            raise words[0].fail(f"{count} numbers after {words[0].text}")
        return [word.integer(words[0].text) for word in words[1:]]


def _words(line: str) -> list[Part]:
    words, at = [], 0
    for text in line.split():
        at = line.index(text, at)
        words.append(Part(line, text, at))
        at += len(text)
    return words


def _one(words: list[Part]) -> Part:
    if len(words) != 2:
        raise words[0].fail(f"one word after {words[0].text}")
    return words[1]


def _kind(part: Part) -> int:
    if part.text not in tuple(NAMES):
        raise part.fail("one card, 1-6 or L")
    return NAMES.index(part.text)


def position_after(record: Record) -> Position:
    """The position at the end of a record, seen from the seat to decide."""
    if not record.rounds:
        raise ImpossibleError("a decision after this record", ["no round has begun"])
    state = record.rounds[-1]
    if state.ended:
        raise ImpossibleError(
            "a decision after this record", [f"its last round is over ({state.ended})"]
        )
    seats = [(state.seat + step) % record.players for step in range(record.players)]
    opponents = tuple(Opponent(state.hands[seat], seat in state.quit_seats) for seat in seats[1:])
    return Position(
        hand=state.hands[state.seat],
        row=state.row,
        opponents=opponents,
        rolled=state.pending,
        scores=tuple(state.scores[seat] for seat in seats),
        first=seats.index(state.first),
    )
