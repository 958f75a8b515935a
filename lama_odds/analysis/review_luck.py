"""What a result is made of: where a seat started, luck, what the others did, its own errors.

Between two decisions of a seat its value moves by what it did not decide, at a decision by what it
did. With V the value of a position to the seat that decides there (its best action's), Q the value
of the action it chose, points already won or lost counted in both::

    result = V₁ + Σ (Qᵢ − Vᵢ) + Σ (Vᵢ₊₁ − Qᵢ),      Vₙ₊₁ the result

V₁ is the start, the first sum skill (0 or a loss), the second luck: of the seat's own roll where
its next decision follows at once on that roll, else of all that came between. It is an identity,
whatever errors V and Q have.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from lama_odds.analysis.advise import EQUAL
from lama_odds.analysis.review_grades import Graded
from lama_odds.games.decisions import is_turn, shares, standing, worms
from lama_odds.games.protocol import Game
from lama_odds.games.record import Record


@dataclass(frozen=True)
class Swing:
    """A move of a seat's value that it did not decide.

    after: index of the decision before it. own: whether the seat's own roll alone did it.
    """

    seat: int
    after: int
    line: int
    what: str
    amount: float
    own: bool

    def to_json(self) -> dict[str, Any]:
        """The move."""
        return {
            "seat": self.seat,
            "line": self.line,
            "what": self.what,
            "amount": self.amount,
            "own": self.own,
        }


@dataclass(frozen=True)
class Account:
    """What a seat's result is made of, in the unit of the objective; see the module.

    final: whether the result is known; else it is what was expected at the last decision.
    """

    start: float
    rolls: float
    between: float
    skill: float
    result: float
    final: bool

    def plus(self, other: Account) -> Account:
        """The sum of two."""
        return Account(
            self.start + other.start,
            self.rolls + other.rolls,
            self.between + other.between,
            self.skill + other.skill,
            self.result + other.result,
            self.final and other.final,
        )

    @property
    def adjusted(self) -> float:
        """The result without luck."""
        return self.result - self.rolls - self.between

    def to_json(self) -> dict[str, Any]:
        """The parts, and the result without luck."""
        return {
            "start": self.start,
            "luck": {"own_rolls": self.rolls, "between": self.between},
            "skill": self.skill,
            "result": self.result,
            "luck_adjusted": self.adjusted,
            "final": self.final,
        }


NOTHING = Account(0.0, 0.0, 0.0, 0.0, 0.0, True)


@dataclass(frozen=True)
class Level:
    """A seat's value at a decision, points already counted: before it, and of what it chose."""

    at: int
    seat: int
    before: float
    after: float

    def to_json(self) -> dict[str, Any]:
        """The level."""
        return {"decision": self.at, "seat": self.seat, "before": self.before, "after": self.after}


@dataclass(frozen=True)
class Course:
    """Levels of all seats in order, swings, accounts by seat, results by seat at the end."""

    levels: tuple[Level, ...]
    swings: tuple[Swing, ...]
    accounts: tuple[Account, ...]
    ends: tuple[float | None, ...]


def course_of(
    game: Game, record: Record, text: str, graded: Sequence[Graded], objective: str
) -> Course:
    """The course of the values of a reviewed record."""
    ends = _Ends(game, record, text, objective)
    levels = [_level(i, g, ends.base(g)) for i, g in enumerate(graded)]
    parts_of = [stretch_of(game.name, objective, g) for g in graded]
    swings: list[Swing] = []
    accounts, last = [], []
    for seat in range(record.players):
        own = [i for i, g in enumerate(graded) if g.decision.seat == seat]
        account = NOTHING
        for stretch in _stretches(own, parts_of):
            first, final = graded[stretch[0]], graded[stretch[-1]]
            end = ends.end(final)
            found = _swings(graded, levels, stretch, end, ends.closing(final))
            account = account.plus(_account(levels, stretch, found, end, ends.base(first)))
            swings += found
        accounts.append(replace(account, final=account.final and ends.over))
        last.append(ends.last(seat))
    swings.sort(key=lambda swing: (swing.after, swing.seat))
    return Course(tuple(levels), tuple(swings), tuple(accounts), tuple(last))


def _account(
    levels: Sequence[Level],
    stretch: Sequence[int],
    swings: Sequence[Swing],
    end: float | None,
    offset: float,
) -> Account:
    """What the result of one stretch is made of; offset: what the seat had before it."""
    return Account(
        start=levels[stretch[0]].before - offset,
        rolls=sum(swing.amount for swing in swings if swing.own),
        between=sum(swing.amount for swing in swings if not swing.own),
        skill=sum(levels[i].after - levels[i].before for i in stretch),
        result=(levels[stretch[-1]].after if end is None else end) - offset,
        final=end is not None,
    )


def _level(at: int, graded: Graded, base: float) -> Level:
    value = graded.values[graded.best].value
    return Level(at, graded.decision.seat, base + value, base + graded.played.value)


def _stretches(own: Sequence[int], of: Sequence[int]) -> list[list[int]]:
    """The decisions of a seat, those with one result together."""
    found: dict[int, list[int]] = {}
    for i in own:
        found.setdefault(of[i], []).append(i)
    return list(found.values())


def _swings(
    graded: Sequence[Graded],
    levels: Sequence[Level],
    stretch: Sequence[int],
    end: float | None,
    closing: bool,
) -> list[Swing]:
    """The moves of a seat's value between its decisions and after the last, which `end` closes.

    closing: whether nobody moved between the last decision and the result.
    """
    found = []
    for i, after in zip(stretch, [*stretch[1:], None], strict=True):
        following = end if after is None else levels[after].before
        if following is None:
            continue
        at = graded[i].decision
        alone = closing if after is None else graded[after].decision.turn == at.turn
        own = bool(at.rolled) and alone
        what = f"{at.chosen} {at.rolled}" if own else f"after {at.chosen}"
        amount = following - levels[i].after
        if alone and not own and abs(amount) < EQUAL:
            continue  # nothing happened but the action
        found.append(Swing(at.seat, i, at.line, what, amount, own))
    return found


def stretch_of(game: str, objective: str, graded: Graded) -> int:
    """Number of the part of a record with one result: the game, a round, a turn of Pikomino."""
    if objective == "win":
        return 0
    turns = game == "pikomino" and objective == "points"
    return graded.decision.turn if turns else graded.decision.round


class _Ends:
    """What a record says about results, in the unit of an objective."""

    def __init__(self, game: Game, record: Record, text: str, objective: str) -> None:
        self.game, self.record, self.objective = game, record, objective
        self.lines = text.splitlines()
        self.shares = shares(game, record)
        self.turns = game.name == "pikomino" and objective == "points"
        self.over = self.turns or (
            self.shares is not None
            if objective == "win"
            else bool(record.rounds) and record.rounds[-1].ended is not None
        )

    def closing(self, graded: Graded) -> bool:
        """Whether the turn of a decision is the last one before its result."""
        rest = (line.strip() for line in self.lines[graded.decision.line :])
        following = next((line for line in rest if line and not line.startswith("#")), "")
        return self.turns or not is_turn(following)

    def base(self, graded: Graded) -> float:
        """What the seat has already, in points that the result counts."""
        position = graded.decision.position
        if self.objective not in ("points", "margin") or position.scores is None:
            return 0.0
        return self._relative([float(score) for score in position.scores], 0)

    def end(self, graded: Graded) -> float | None:
        """The result of a decision's stretch for its seat; None if the record ends before it."""
        seat = graded.decision.seat
        if self.objective == "win":
            return None if self.shares is None else self.shares[seat]
        if self.turns:
            return self._turn(graded)
        points = standing(self.record, graded.decision.round)
        if points is None:
            return None
        if self.objective == "round":
            return float(points[seat] == min(points))
        return self._relative(points, seat)

    def last(self, seat: int) -> float | None:
        """The level at the end of the record, as a drawing shows it."""
        if self.objective == "win":
            return None if self.shares is None else self.shares[seat]
        return None

    def _relative(self, points: Sequence[float], seat: int) -> float:
        if self.objective == "points":
            return points[seat]
        others = [p for s, p in enumerate(points) if s != seat]
        return points[seat] - sum(others) / len(others)

    def _turn(self, graded: Graded) -> float | None:
        """Worms that a turn of Pikomino brought, less the mean change of the others'."""
        line = graded.decision.line
        if not {"stop", "steal", "bust"} & set(self.lines[line - 1].split()):
            return None
        before, after = (worms("\n".join(self.lines[:n])) for n in (line - 1, line))
        change = [b - a for a, b in zip(before, after, strict=True)]
        seat = graded.decision.seat
        others = [c for s, c in enumerate(change) if s != seat]
        return change[seat] - sum(others) / len(others)
