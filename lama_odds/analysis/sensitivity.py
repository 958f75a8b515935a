"""Does the advice hold whoever the others are? The same question under several models of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from lama_odds.analysis.advise import Advice, advise, best_for
from lama_odds.analysis.policy_files import BEST
from lama_odds.analysis.rollouts import Limits
from lama_odds.core.estimate import Estimate
from lama_odds.games.protocol import Game

SHARE = 0.5  # of the time limit of the answer, for each model


@dataclass(frozen=True)
class Model:
    """The answer if the others play a policy.

    loses: what the advised action loses there. ahead: what the best action there gains on the next
    best, None if there is only one.
    """

    like: str
    policy: str
    verdict: str
    best: str
    loses: Estimate
    ahead: Estimate | None
    method: str

    @property
    def agrees(self) -> bool:
        """Whether the advised action is best here too, or cannot be told from the best."""
        return self.loses.low <= 0

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "like": self.like,
            "opponents": self.policy,
            "verdict": self.verdict,
            "best": self.best,
            "loses": self.loses.to_json(),
            "ahead": None if self.ahead is None else self.ahead.to_json(),
            "method": self.method,
        }


@dataclass(frozen=True)
class Sensitivity:
    """The answer under each model, and in a sentence where it turns."""

    action: str
    models: tuple[Model, ...]
    dialled: tuple[Model, ...]
    holds: str

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "action": self.action,
            "models": [model.to_json() for model in self.models],
            "dialled": [model.to_json() for model in self.dialled],
            "holds": self.holds,
        }


def sensitivity(
    game: Game,
    rules: Any,
    position: Any,
    advice: Advice,
    *,
    limits: Limits = Limits(),
    seed: int = 0,
    progress: Callable[[float, str], None] | None = None,
) -> Sensitivity:
    """Ask again with the others playing each of the game's models, then along its dial.

    Every answer has SHARE of the time of the limits, or as many games as they name.
    """
    each = replace(limits, seconds=limits.seconds * SHARE)
    family, values = game.dial
    names = list(game.models.items()) + [(f"{v}", f"{family}:{v}") for v in values]
    models = []
    for number, (like, name) in enumerate(names):
        if progress:
            progress(number / len(names), f"others playing {name}")
        if name == BEST:
            policy = best_for(game, rules, position, advice.objective)
        else:
            policy = game.policy(name)
        found = advise(
            game,
            rules,
            position,
            objective=advice.objective,
            opponents=policy,
            limits=each,
            seed=seed,
        )
        models.append(_model(like, policy.name, found, advice.best))
    first = len(game.models)
    dialled = tuple(models[first:])
    return Sensitivity(
        advice.best, tuple(models[:first]), dialled, _holds(advice.best, models[:first], dialled)
    )


def _model(like: str, policy: str, found: Advice, action: str) -> Model:
    regret = next(a.regret for a in found.actions if a.action == action)
    ahead = found.actions[1].regret if len(found.actions) > 1 else None
    return Model(like, policy, found.verdict, found.best, regret, ahead, found.method)


def _holds(action: str, models: list[Model], dialled: tuple[Model, ...]) -> str:
    """In a sentence: for whom the advice holds, and where along the dial it turns."""
    against = [model for model in models if not model.agrees]
    turns = [model for model in dialled if not model.agrees]
    if not against and not turns:
        return f"{action} holds against all of them"
    said = []
    if turns:
        said.append(f"the others quit at {_ranges(turns, dialled)}")
    if against:
        said.append("they are " + " or ".join(model.like for model in against))
    best = (against or turns)[0].best
    return f"{action} holds unless {', or '.join(said)} (then {best})"


def _ranges(turns: list[Model], dialled: tuple[Model, ...]) -> str:
    """Values of the dial at which the advice does not hold, in words."""
    tried = [model.like for model in dialled]
    away = [model.like for model in turns]
    if len(away) < len(tried) and away == tried[-len(away) :]:
        return f"{away[0]} or more"
    if len(away) < len(tried) and away == tried[: len(away)]:
        return f"{away[-1]} or less only"
    return ", ".join(away)
