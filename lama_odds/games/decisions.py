"""The decisions of a record, one by one: who decided, what was chosen, and what was known then.

A line of a turn tells in one go what a player chose and what luck did: ``0 roll 244 discard 24``
is two decisions, to roll and what to discard. What a game's words mean is told by `VERBS`.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from lama_odds.core.errors import ReadError
from lama_odds.games.protocol import Game
from lama_odds.games.record import Record, scores_after
from lama_odds.games.told import Told
from lama_odds.games.verbs import CHOICE, LUCK, NOTHING, VERBS

# Games whose luck shows at once to who decided, before anybody else moves.
SHOWN_AT_ONCE = ("dice", "pikomino", "noprob")


@dataclass(frozen=True)
class Decision:
    """A decision of a record.

    line: of the record, from 1. round, turn: numbers from 0, of the record. seat: who decided.
    chosen: the action as `advise` names it. rolled: whether luck answered at once, and what it
    showed. position: what the seat knew. before: the record up to here.
    """

    line: int
    round: int
    turn: int
    seat: int
    chosen: str
    rolled: str
    position: Any
    before: str = ""


def read_record(game: Game, text: str) -> Record:
    """A record of a game, read and replayed; ReadError with the line and the place."""
    module = importlib.import_module(f"lama_odds.games.{game.name}.record")
    found: Record = module.read_record(text)
    return found


def rules_named(text: str) -> str:
    """The id of the rule set that a record names; ReadError if it names none."""
    for line in text.splitlines():
        words = line.split()
        if words[:1] == ["rules"] and len(words) == 2:
            return words[1]
    first = text.splitlines()[0] if text.splitlines() else ""
    raise ReadError("this is no record: no line names its rules", first)


def is_turn(line: str) -> bool:
    """Whether a line of a record is a turn: it begins with a seat."""
    words = line.split()
    return bool(words) and words[0].isdigit() and words[0].isascii()


def decisions(game: Game, rules: Any, text: str) -> list[Decision]:
    """All decisions of a record in order, each with what its player could know.

    Of a round told from one seat, those of that seat.
    """
    seen = viewer(read_record(game, text))
    lines = text.splitlines()
    found: list[Decision] = []
    round_ = turn = -1
    for number, line in enumerate(lines, 1):
        if line.split()[:1] == ["round"]:
            round_ += 1
        if is_turn(line):
            turn += 1
            if seen not in (None, int(line.split()[0])):
                continue
            before = "\n".join(lines[: number - 1])
            for decision in _of_turn(game, rules, before, line.split()):
                found.append(replace(decision, line=number, round=max(round_, 0), turn=turn))
    return found


def viewer(record: Record) -> int | None:
    """The only seat whose cards a record tells; None if it tells all."""
    seen = [state.viewer for state in record.rounds if getattr(state, "viewer", None) is not None]
    return int(seen[0]) if seen else None


def _of_turn(game: Game, rules: Any, before: str, words: Sequence[str]) -> Iterator[Decision]:
    """The decisions of a line, `before` being the record up to it."""
    verbs = VERBS[game.name]
    seat = int(words[0])
    at = 1
    while at < len(words) and words[at] in verbs:
        verb, follows = words[at], verbs[words[at]]
        what = words[at + 1] if follows != NOTHING else ""
        begun = [" ".join(words[:at])] if at > 1 else []
        text = "\n".join([before, *begun])
        position = game.position_after(rules, text)
        chosen = verb if follows != CHOICE else _name(game, position, seat, verb, what, words)
        shown = what if follows == LUCK and game.name in SHOWN_AT_ONCE else ""
        yield Decision(0, 0, 0, seat, chosen, shown, position, text)
        at += 1 if follows == NOTHING else 2


def _name(game: Game, position: Any, seat: int, verb: str, what: str, words: Sequence[str]) -> str:
    """The name of an action in the agreed notation."""
    if game.name == "dice":
        return f"{verb} {''.join(sorted(what))}"
    if verb == "steal":
        owner = next(i for i, top in enumerate(position.tops) if i and top == int(what))
        return f"steal {int(what)} from {owner}"
    if verb == "stop":
        return f"stop {int(what)}"
    if verb == "give":
        return f"give {words[2]} to {(int(what) - seat) % position.players}"
    return f"{verb} {what}"


def standing(record: Record, round_: int) -> list[float] | None:
    """Points by seat once a round is over, tokens and those of earlier rounds counted.

    None if it is not over, or hidden cards have not been told. A game without tokens counts the
    round alone.
    """
    state = record.rounds[round_]
    if not state.ended or (isinstance(state, Told) and state.told is None):
        return None
    if hasattr(state, "scores"):
        return [float(score) for score in scores_after(state)]
    return [float(penalty) for penalty in state.penalties]


def worms(text: str) -> list[int]:
    """Worms by seat at the end of a record of Pikomino."""
    module = importlib.import_module("lama_odds.games.pikomino.record")
    found: list[int] = module.read_record(text).state.worms
    return found


def shares(game: Game, record: Record) -> list[float] | None:
    """Share of the win of each seat, ties shared; None while the game goes on."""
    if record.outcome is None:
        return None
    marks: list[Any] = list(record.outcome)
    if game.name == "pikomino":
        stacks = record.state.stacks  # type: ignore[attr-defined]
        tallest = [max(stack, default=0) for stack in stacks]
        marks = list(zip(marks, tallest, strict=True))
    lowest = game.name in ("lama", "dice") or (
        game.name == "noprob" and bool(record.rules.four_rounds)
    )
    best = min(marks) if lowest else max(marks)
    share = Fraction(1, marks.count(best))
    return [float(share) if mark == best else 0.0 for mark in marks]
