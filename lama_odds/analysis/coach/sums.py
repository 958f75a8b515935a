"""What the decisions of a player come to: sums, and the intervals that hold for them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from lama_odds.analysis.coach.grades import Graded, Worth
from lama_odds.analysis.coach.luck import Swing
from lama_odds.core.estimate import Estimate
from lama_odds.statistics.intervals import Z, at_fixed

# What the decisions of a seat come to, with intervals that hold for the sums.
#
# Each decision is played out on random numbers of its own, so their sampling errors are
# independent. The half-width of a sum is the root of the sum of squares, above and below separately
# (MOVER: Zou & Donner 2008, Statistics in Medicine 27, 1693-1702).
#
# The sum of losses is biased slightly upward: of several actions, a too high estimate tends to look
# best (winner's curse). Many small losses of that kind would carry the whole interval away from the
# truth. So its lower end depends only on what decisions lost for certain: `grades.Margin.floor`,
# whose mean is not above the true loss.
#
# Start, luck and skill are sums of values V and Q (see `luck`), played out on a number of
# games that is fixed beforehand: their intervals are normal. V and Q of one decision come from the
# same games, so their intervals allow for what the two errors have in common.
#
# Learned values have a measured error instead, of a chance and of the difference of two actions.
# The decisions of one turn rest on the same chances, so the errors of such differences add up.
# Those of different turns are assumed to be independent, like the boards on which they were
# measured.

Bounds = tuple[float, float]


def lost_by(*games: Sequence[Graded]) -> tuple[float, float, float]:
    """What the decisions of one or several games lost in sum, and the bounds of its interval."""
    lost = sum(graded.error.value for decisions in games for graded in decisions)
    below, above = _spread([error for decisions in games for error in _loss_errors(decisions)])
    return lost, min(lost, max(0.0, lost - below)), lost + above


@dataclass(frozen=True)
class Spread:
    """Half-widths of the 95 % intervals of the parts of a seat's `luck.Account`."""

    start: float
    rolls: float
    between: float
    skill: float
    result: float
    adjusted: float

    def to_json(self, account: dict[str, Any]) -> dict[str, Any]:
        """Intervals of the parts; account: their values by the same names."""
        values = {**account, **account["luck"]}
        names = ("start", "own_rolls", "between", "skill", "result", "luck_adjusted")
        parts = (self.start, self.rolls, self.between, self.skill, self.result, self.adjusted)
        return {
            name: [values[name] - half, values[name] + half]
            for name, half in zip(names, parts, strict=True)
        }


def spread_of(
    own: Sequence[Worth],
    stretches: Sequence[int],
    swings: Sequence[Swing],
    places: Sequence[int],
    share: bool,
    final: bool,
) -> Spread:
    """How far the parts of a seat's result may be off.

    own: all decisions of the seat in order; stretches: the part of the record that each is in;
    swings: of the seat; places: index of each decision among those of the review. share: whether
    values are chances. final: whether the result is known; else it is the value of the last action.
    """
    n = len(own)
    # How often V and Q of each decision are in a part.
    start, skill, result = ([[0, 0] for _ in own] for _ in range(3))
    luck = {True: [[0, 0] for _ in own], False: [[0, 0] for _ in own]}
    moves = {swing.after: swing.own for swing in swings}
    for i in range(n):
        first = i == 0 or stretches[i] != stretches[i - 1]
        last = i == n - 1 or stretches[i] != stretches[i + 1]
        start[i][0] += first
        skill[i][0] -= 1
        skill[i][1] += 1
        if places[i] in moves:
            part = luck[moves[places[i]]]
            part[i][1] -= 1
            if not last:
                part[i + 1][0] += 1
        elif i == n - 1 and not final:
            result[i][1] += 1
    both = [[s[0] + k[0], s[1] + k[1]] for s, k in zip(start, skill, strict=True)]
    errors = [_Error.of(worth, share) for worth in own]
    parts = (start, luck[True], luck[False], skill, result, both)
    return Spread(*(_half_width(errors, part) for part in parts))


@dataclass(frozen=True)
class _Error:
    """Half-widths of V, of Q and of their difference; solved: whether they are sure bounds.

    learned: the turn of a decision whose values share their errors with those of the turn, because
    they were learned or played out together; otherwise None.
    """

    before: float
    after: float
    apart: float
    solved: bool
    learned: int | None = None

    @classmethod
    def of(cls, worth: Worth, share: bool) -> _Error:
        """Those of a decision, for a number of games fixed beforehand."""
        if worth.learned or worth.by_turn:
            value, other, apart = map(_bound, (worth.before, worth.after, worth.skill))
            return cls(value, other, apart, False, worth.decision.turn)
        before, after = _half_of(worth.before, share), _half_of(worth.after, share)
        return cls(before, after, _half_of(worth.skill, False), not worth.games)

    def times(self, before: int, after: int) -> float:
        """The half-width of the sum of V and Q, each counted as often as given."""
        if self.solved:
            if before == -after:
                return abs(after) * self.apart
            return abs(before) * self.before + abs(after) * self.after
        common = self.before**2 + self.after**2 - self.apart**2
        square = (before * self.before) ** 2 + (after * self.after) ** 2 + before * after * common
        return math.sqrt(max(0.0, square))


def _half_width(errors: Sequence[_Error], part: Sequence[Sequence[int]]) -> float:
    """The half-width of a sum; part: how often V and Q of each decision are in it."""
    sure, chance = 0.0, [0.0]
    turns: dict[int, float] = {}
    for error, (before, after) in zip(errors, part, strict=True):
        half = error.times(before, after)
        if error.solved:  # bounds of what was solved have no chance in them
            sure += half
        elif error.learned is not None and before == -after:
            turns[error.learned] = turns.get(error.learned, 0.0) + half
        else:
            chance.append(half)
    return sure + math.hypot(*chance, *turns.values())


def _bound(value: Estimate) -> float:
    """Half of an interval, unchanged."""
    return (value.high - value.low) / 2


def _half_of(value: Estimate, share: bool) -> float:
    """Half of the interval of a value; share: it is one."""
    if not value.n:
        return _bound(value)
    if not share:
        fixed = at_fixed(value)
        return (fixed.high - fixed.low) / 2
    # About Wilson's, with the error of shares that may be parts.
    return math.sqrt((Z * value.stderr) ** 2 + (Z * Z / (2 * value.n)) ** 2)


def _spread(errors: Sequence[tuple[float, float, float, float]]) -> Bounds:
    """How far a sum may be off, below and above.

    errors: of each part, what adds up as it is below and above, and what adds up in squares.
    """
    sure_below, sure_above, below, above = zip(*errors, strict=True) if errors else ((),) * 4
    return sum(sure_below) + math.hypot(*below), sum(sure_above) + math.hypot(*above)


def _loss_errors(decisions: Sequence[Graded]) -> list[tuple[float, float, float, float]]:
    """The errors of losses, as `_spread` takes them; those that are learned by turn."""
    together = [g for g in decisions if g.learned or g.by_turn]
    separate = [_loss_error(g) for g in decisions if not (g.learned or g.by_turn)]
    turns: dict[int, list[tuple[float, float, float, float]]] = {}
    for g in together:
        turns.setdefault(g.decision.turn, []).append(_loss_error(g))
    sums = ([sum(parts) for parts in zip(*errors, strict=True)] for errors in turns.values())
    return [*separate, *((a, b, c, d) for a, b, c, d in sums)]


def _loss_error(graded: Graded) -> tuple[float, float, float, float]:
    """The error of a loss, as `_spread` takes it."""
    margin, lost = graded.margin, graded.error.value
    if graded.method == "exact":  # bounds of what was solved have no chance in them
        return lost - margin.floor, margin.above, 0.0, 0.0
    return lost - margin.floor, 0.0, margin.below, margin.above
