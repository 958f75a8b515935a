"""Grades of decisions: what an action lost against the best, and how sure that is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lama_odds.analysis.advice.answer import EQUAL, ActionValue, Advice
from lama_odds.core.errors import LimitError
from lama_odds.core.estimate import SIMULATION, Estimate
from lama_odds.games.shared.decisions import Decision
from lama_odds.statistics.anytime import ALPHA, at_fixed

GRADES = ("fine", "inaccuracy", "mistake", "blunder")
LOOKS = 3  # numbers of games at which the grade of a decision may be settled
# Chances that tell why, from `Advice.actions`.
TELLING = {
    **{"out": "going out", "blown": "blowing it", "last": "ending worst", "bust": "a bust"},
    **{"other out": "another going out", "ends": "ending it", "other ends": "another ending it"},
}


def grade_of(loss: float, borders: tuple[float, ...]) -> str:
    """The name of a loss."""
    return GRADES[sum(loss >= border for border in borders)]


@dataclass(frozen=True)
class Margin:
    """What a decision adds to the interval of a sum of losses; see `intervals`.

    floor: a loss that is not too high on average. It is taken against the worst action that may be
    the best, not against the one that looked best; 0 if the chosen action may be the best.
    below: half-width below the floor.
    above: half-width above the loss.
    """

    floor: float
    below: float
    above: float


@dataclass(frozen=True)
class Graded:
    """A decision with its grade.

    advised: the value of each action, best first.
    error: what the chosen action cost, in the unit of the objective, never below 0.
    borders: of the grades.
    doubtful: whether the interval of the error has more than one grade in it.
    margin: of the error in a sum.
    seed: of the games that it was played out in.
    rests_on: assumptions of the advice.
    """

    decision: Decision
    values: Mapping[str, Estimate]
    best: str
    error: Estimate
    grade: str
    doubtful: bool
    games: int
    method: str
    why: str
    borders: tuple[float, ...]
    margin: Margin
    seed: int
    rests_on: tuple[str, ...] = ()

    @property
    def learned(self) -> bool:
        """Whether its values were learned: neither solved nor played out."""
        return is_learned(self.method, self.games)

    @property
    def forced(self) -> bool:
        """Whether nothing else was allowed."""
        return len(self.values) == 1

    @property
    def played(self) -> Estimate:
        """Value of the action chosen."""
        return self.values[self.decision.chosen]

    def to_json(self) -> dict[str, Any]:
        """The decision and what is known of it."""
        at = self.decision
        return {
            "line": at.line,
            "round": at.round,
            "seat": at.seat,
            "position": at.position.format(),
            "played": at.chosen,
            "best": self.best,
            "error": self.error.to_json(),
            "grade": self.grade,
            "doubtful": self.doubtful,
            "forced": self.forced,
            "values": {name: value.to_json() for name, value in self.values.items()},
            "why": self.why,
            "method": self.method,
            "games": self.games,
            "seed": self.seed,
        }


def is_learned(method: str, games: int) -> bool:
    """Whether the values of an answer with this method and number of games were learned."""
    return method == SIMULATION and not games


def graded(decision: Decision, advice: Advice, borders: tuple[float, ...]) -> Graded:
    """Grade a decision by the advice for its position.

    Raises LimitError if the advice does not know the action.
    """
    actions = advice.actions
    by_name = {action.action: action for action in actions}
    if decision.chosen not in by_name:
        raise LimitError(
            f"line {decision.line}: {decision.chosen} is not among the actions at "
            f"{advice.position}: {', '.join(by_name)}"
        )
    best, chosen = actions[0], by_name[decision.chosen]
    sign = -1 if advice.counts.higher else 1
    loss = max(0.0, sign * (chosen.value.value - best.value.value)) + 0.0
    if chosen is best:
        # It may be worse than another by as much as the intervals allow.
        most = max([0.0, *(-other.regret.low for other in actions[1:])])
        least = 0.0
    else:
        most = max(loss, chosen.regret.high)
        least = max(0.0, min(loss, chosen.regret.low))
    if advice.method == "exact" and most - loss < EQUAL:
        least = most = loss
    n = advice.games
    if is_learned(advice.method, n):
        n = best.value.n
    elif advice.method == "exact":
        n = 0
    error = Estimate.from_interval(loss, chosen.regret.stderr, least, most, n)
    return Graded(
        decision=decision,
        values={action.action: action.value for action in actions},
        best=best.action,
        error=error,
        grade=grade_of(loss, borders),
        doubtful=grade_of(least, borders) != grade_of(most, borders),
        games=0 if advice.method == "exact" else advice.games,
        method=advice.method,
        why=_why(advice, decision.chosen, best.action),
        borders=borders,
        margin=_margin(advice, chosen, loss, most),
        seed=advice.seed,
        rests_on=advice.assumptions,
    )


def _margin(advice: Advice, chosen: ActionValue, loss: float, most: float) -> Margin:
    """The margin of a loss. most: its upper bound, if it was solved."""
    if advice.method == "exact":
        return Margin(max(0.0, loss - (most - loss)), 0.0, most - loss)
    alpha = ALPHA / max(1, len(advice.actions) - 1)
    behind = {a.action: a.regret for a in advice.actions}
    if not is_learned(advice.method, advice.games):
        behind = {name: at_fixed(regret, LOOKS, alpha) for name, regret in behind.items()}
    mine = behind[chosen.action]
    half = mine.high - mine.value
    best, *others = advice.actions
    if chosen is best:
        # It may be worse than another by this much, and another sample might have shown that.
        half = max([0.0, *(-behind[other.action].low for other in others)])
        return Margin(0.0, half, half)
    if mine.low <= 0:
        return Margin(0.0, half, half)
    contenders = [regret.value for regret in behind.values() if regret.low <= 0]
    return Margin(loss - max(contenders), half, half)


def _why(advice: Advice, chosen: str, best: str) -> str:
    """The main difference between the best action and the chosen one, in words."""
    parts = []
    if chosen != best:
        by_name = {action.action: action for action in advice.actions}
        mine, better = by_name[chosen], by_name[best]
        if advice.objective != "points" and {"points"} <= set(mine.objectives) & set(
            better.objectives
        ):
            was, could = mine.objectives["points"].value, better.objectives["points"].value
            parts.append(f"points {could:.2f} with {best}, {was:.2f} with {chosen}")
        gaps = {
            name: better.chances[name].value - mine.chances[name].value
            for name in TELLING
            if name in mine.chances and name in better.chances
        }
        name = max(gaps, key=lambda n: abs(gaps[n]), default="")
        if name and abs(gaps[name]) >= 0.005:
            was, could = mine.chances[name].value, better.chances[name].value
            parts.append(
                f"chance of {TELLING[name]} {100 * could:.1f} % with {best}, "
                f"{100 * was:.1f} % with {chosen}"
            )
    if advice.why:
        parts.append(advice.why)
    return "; ".join(parts)
