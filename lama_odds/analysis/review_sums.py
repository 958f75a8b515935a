"""What the decisions of a seat come to, with intervals that hold for the sums.

Decisions are played on luck of their own, so what chance adds to each is independent of the others,
and half-widths add as the root of the sum of their squares, above and below each on its own (MOVER:
Zou & Donner 2008, Statistics in Medicine 27, 1693-1702). Losses in sum are too high, if anything,
because of several actions the luckiest looks best; many small ones of that kind would carry the
whole interval away from the truth. So below it hangs on what decisions lost for certain only:
`review_grades.Margin.floor`, whose mean is not above the true loss.

Start, luck and skill are sums of values Q of the actions chosen and V of the best ones (see
`review_luck`). V is Q and the loss, and has the errors of both.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

from lama_odds.analysis.review_grades import LOOKS, Graded
from lama_odds.analysis.review_luck import Swing
from lama_odds.core.estimate import Estimate
from lama_odds.games.protocol import SHARES
from lama_odds.statistics.anytime import ALPHA, at_fixed

SEED_BYTES = 6  # JSON has whole numbers up to 2**53
Bounds = tuple[float, float]


def seed_of(seed: int, line: int, place: int) -> int:
    """Seed of the luck of a decision: of the review's, its line, and its place on that line."""
    told = f"{seed} {line} {place}".encode()
    return int.from_bytes(hashlib.blake2b(told, digest_size=SEED_BYTES).digest(), "big")


def lost_by(decisions: Sequence[Graded]) -> tuple[float, float, float]:
    """What decisions lost in sum, and the bounds of its 95 % interval."""
    lost = sum(graded.error.value for graded in decisions)
    below, above = _spread([_loss_error(graded, 1) for graded in decisions])
    return lost, min(lost, max(0.0, lost - below)), lost + above


@dataclass(frozen=True)
class Spread:
    """How far the parts of a seat's `review_luck.Account` may be off: below and above each."""

    start: Bounds
    rolls: Bounds
    between: Bounds
    skill: Bounds
    result: Bounds
    adjusted: Bounds

    def to_json(self, account: dict[str, Any]) -> dict[str, Any]:
        """Intervals of the parts; account: their values by the same names."""
        values = {**account, **account["luck"]}
        names = ("start", "own_rolls", "between", "skill", "result", "luck_adjusted")
        parts = (self.start, self.rolls, self.between, self.skill, self.result, self.adjusted)
        return {
            name: [values[name] - below, values[name] + above]
            for name, (below, above) in zip(names, parts, strict=True)
        }


def spread_of(
    own: Sequence[Graded],
    stretches: Sequence[int],
    swings: Sequence[Swing],
    places: Sequence[int],
    objective: str,
    higher: bool,
    final: bool,
) -> Spread:
    """How far the parts of a seat's result may be off.

    own: all decisions of the seat in order; stretches: the part of the record that each is in;
    swings: of the seat; places: index of each decision among those of the review. higher: is
    better. final: whether the result is known; else it is the value of the last action.
    """
    n = len(own)
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
    share, sign = objective in SHARES, 1 if higher else -1
    found = [
        _spread([_error(g, c[0], c[1], sign, share) for g, c in zip(own, part, strict=True)])
        for part in (start, luck[True], luck[False], result, both)
    ]
    # Skill is what was lost, which is never below 0.
    lost, low, high = lost_by(own)
    away = (high - lost, lost - low) if higher else (lost - low, high - lost)
    begins, rolls, between, ends, without = found
    return Spread(begins, rolls, between, away, ends, without)


def _spread(errors: Sequence[tuple[float, float, float, float]]) -> Bounds:
    """How far a sum may be off, below and above.

    errors: of each part, what adds up as it is below and above, and what adds up in squares.
    """
    sure_below, sure_above, below, above = zip(*errors, strict=True) if errors else ((),) * 4
    return sum(sure_below) + math.hypot(*below), sum(sure_above) + math.hypot(*above)


def _loss_error(graded: Graded, times: int) -> tuple[float, float, float, float]:
    """The error of a loss, so many times, as `_spread` takes it."""
    if not times:
        return 0.0, 0.0, 0.0, 0.0
    margin, lost = graded.margin, graded.error.value
    if graded.method == "exact":  # bounds of what was solved have no chance in them
        error = (lost - margin.floor, margin.above, 0.0, 0.0)
    else:
        error = (lost - margin.floor, 0.0, margin.below, margin.above)
    if times < 0:
        error = (error[1], error[0], error[3], error[2])
    return tuple(abs(times) * part for part in error)  # type: ignore[return-value]


def _error(
    graded: Graded, best: int, chosen: int, sign: int, share: bool
) -> tuple[float, float, float, float]:
    """The error of the value of the best action and of the one chosen, each so many times."""
    low, high, below, above = _loss_error(graded, best * sign)
    half = abs(best + chosen) * _half_width(graded.played, share)
    if graded.method == "exact":
        return low + half, high + half, 0.0, 0.0
    # Errors of one decision hang together: they add as they are.
    return low, high, below + half, above + half


def _half_width(value: Estimate, share: bool) -> float:
    """Half of the interval of a value at the few numbers of games that a decision may have."""
    if not value.n:
        return (value.high - value.low) / 2
    if not share:
        fixed = at_fixed(value, LOOKS)
        return (fixed.high - fixed.low) / 2
    # About Wilson's, with the error of shares that may be parts.
    z = NormalDist().inv_cdf(1 - ALPHA / LOOKS / 2)
    return z * math.sqrt(value.stderr**2 + z * z / (4 * value.n**2))
