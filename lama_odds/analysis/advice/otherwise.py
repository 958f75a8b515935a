"""What another objective would choose: an answer may be right for points and wrong for winning.

All objectives are counted on the same games, or solved together, so this costs nothing. Another
choice is reported only if the advised action is clearly worse in that objective. In at most ALPHA
of all answers is any of these statements wrong: the objectives and the other actions share ALPHA.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lama_odds.analysis.advice.rollouts import Rollouts
from lama_odds.core.estimate import EXACT, Estimate, exact
from lama_odds.games.interface.objectives import Objective
from lama_odds.statistics.anytime import ALPHA, at_fixed

SAME = 1e-9  # exact values that are this close are equal
Values = Mapping[str, Estimate]  # of an action, by objective


@dataclass(frozen=True)
class Otherwise:
    """The choice of another objective than the one of the answer.

    regret: what the advised action costs there against `action`. alike: actions that are not known
    to be worse there than `action`. counts: what it counts. goes_on_for: what all play for
    afterwards, if not for this objective.
    """

    objective: str
    action: str
    regret: Estimate
    alike: tuple[str, ...]
    counts: Objective
    goes_on_for: Objective | None = None

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "objective": self.objective,
            "action": self.action,
            "regret": self.regret.to_json(),
            **({"alike": list(self.alike)} if self.alike else {}),
        }


def other_choices(
    objectives: Mapping[str, Objective],
    asked: str,
    actions: Sequence[tuple[str, Values]],
    played: Rollouts | None,
) -> tuple[Otherwise, ...]:
    """Objectives that would clearly choose another action, in the order of the game.

    objectives: of the game. asked: the one that the answer is for. actions: their names and values
    in all objectives known, the advised one first. played: the games of what is not exact.
    """
    known = [name for name in objectives if name != asked and _known(name, actions, played)]
    found: dict[str, Otherwise] = {}
    for name in known:
        choice = _choice(name, objectives[name], actions, played, ALPHA / len(known))
        if choice is not None:
            found[name] = choice
    # The margin says something of its own only where it does not agree with the points.
    both = "points" in found and "margin" in found
    if both and found["points"].action == found["margin"].action:
        del found["margin"]
    return tuple(found.values())


def _known(name: str, actions: Sequence[tuple[str, Values]], played: Rollouts | None) -> bool:
    return _is_exact(name, actions) or (played is not None and name in played.moments)


def _is_exact(name: str, actions: Sequence[tuple[str, Values]]) -> bool:
    return all(name in values and values[name].method == EXACT for _, values in actions)


def _choice(
    name: str,
    counts: Objective,
    actions: Sequence[tuple[str, Values]],
    played: Rollouts | None,
    alpha: float,
) -> Otherwise | None:
    advised = actions[0][0]
    if _is_exact(name, actions):
        values = {action: known[name] for action, known in actions}
        return exact_choice(name, counts, advised, values)
    assert played is not None
    return sampled_choice(name, counts, advised, played, alpha)


def exact_choice(
    name: str, counts: Objective, advised: str, values: Mapping[str, Estimate]
) -> Otherwise | None:
    """The choice of an objective that is solved; None if it may well be the advised action."""
    sign = 1 if counts.higher else -1
    order = sorted(values, key=lambda action: -sign * values[action].value)
    best = values[order[0]]
    loses = {
        action: exact(
            sign * (best.value - values[action].value),
            (values[action].high - values[action].low + best.high - best.low) / 2,
        )
        for action in order[1:]
    }
    return _said(name, counts, advised, order[0], loses)


def sampled_choice(
    name: str,
    counts: Objective,
    advised: str,
    played: Rollouts,
    alpha: float = ALPHA,
    fixed: bool = False,
) -> Otherwise | None:
    """The choice of an objective that games were counted in; None if it may be the advised action.

    alpha: error rate of all that is stated here. fixed: see `losses`.
    """
    best, loses = losses(name, counts, played, alpha, fixed)
    return _said(name, counts, advised, best, loses)


def losses(
    name: str, counts: Objective, played: Rollouts, alpha: float = ALPHA, fixed: bool = False
) -> tuple[str, dict[str, Estimate]]:
    """The best action in an objective, and what each other one costs against it.

    alpha: how often the best action is wrongly found worse than another. fixed: whether the number
    of games depends on nothing that was counted in them; the intervals are narrower then.
    """
    sign = 1 if counts.higher else -1
    sums = [sign * int(total) for total in played.moments[name].sums[:, 0]]
    order = sorted(range(len(sums)), key=lambda a: -sums[a])
    best = order[0]
    each = alpha / max(1, len(order) - 1)
    loses = {}
    for action in order[1:]:
        lost = played.loses(name, action, best, not counts.higher, each)
        if fixed:
            first, second = (best, action) if counts.higher else (action, best)
            narrow = at_fixed(played.moments[name].difference(first, second, each), alpha=each)
            low, high = played.short(name, action), played.short(name, best)
            lost = narrow.with_interval(narrow.low - low, narrow.high + high)
        loses[played.actions[action]] = lost
    return played.actions[best], loses


def _said(
    name: str, counts: Objective, advised: str, best: str, loses: Mapping[str, Estimate]
) -> Otherwise | None:
    """The choice, if the advised action is clearly worse, and by enough to matter."""
    if advised == best or loses[advised].low <= counts.zone:
        return None
    alike = tuple(action for action, lost in loses.items() if lost.low <= SAME)
    return Otherwise(name, best, loses[advised], alike, counts)
