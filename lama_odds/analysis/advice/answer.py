"""The answer to "what should I do?": every action with what it is worth, and a verdict."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import lama_odds
from lama_odds.analysis.advice.otherwise import Otherwise
from lama_odds.core.estimate import Estimate
from lama_odds.games.interface.match_equity import StartingScores
from lama_odds.games.interface.objectives import POINTS, Objective

# Chances of a round or turn that an action leads to, and what they are called.
CHANCES = {"out": "go out", "blown": "blow it", "last": "worst score", "bust": "go bust"}
CHANCES |= {"ends": "you end it", "other ends": "another ends it"}
# Verdicts besides an action: the difference is shown not to matter, or nothing is shown.
TOSS_UP, TOO_CLOSE = "toss-up", "too close to call"
EQUAL = 1e-9  # exact values that are this close are equal


def verdict_of(best: str, loses: Iterable[Estimate], zone: float) -> str:
    """The best action if it is shown to be best, a toss-up if none that may be as good matters.

    loses: what the others cost against it. zone: the largest difference that does not matter.
    """
    rivals = [lost for lost in loses if lost.low <= EQUAL]
    if not rivals:
        return best
    return TOSS_UP if all(lost.high < zone for lost in rivals) else TOO_CLOSE


@dataclass(frozen=True)
class ActionValue:
    """An action: value in the objective, what it costs against the best, all objectives known."""

    action: str
    value: Estimate
    regret: Estimate
    objectives: Mapping[str, Estimate]
    chances: Mapping[str, Estimate]


@dataclass(frozen=True)
class Advice:
    """The answer to "what should I do?"; actions best first.

    caution: the guess that the verdict depends on, in words; empty if there is no such guess. The
    verdict is then no action.
    guesses: what other guesses were tried, and what came out (see `guesses`).
    usual: where nothing is known yet, the best policy and what it would do; else empty.
    otherwise: what other objectives would choose, where that is clearly another action.
    about: the game and the position in words.
    others: the policy assumed for the others; empty where that does not matter.
    then: by action, what is best to do next.
    starting: the scores that were drawn because none were given; None if they are known, or if they
    do not matter.
    needed: if the verdict is not known yet, about how many games would settle it; 0: none would.
    """

    rules: str
    position: str
    objective: str
    verdict: str
    best: str
    actions: tuple[ActionValue, ...]
    method: str
    games: int
    seed: int
    seconds: float
    assumptions: tuple[str, ...]
    why: str = ""
    counts: Objective = POINTS
    interrupted: bool = False
    caution: str = ""
    otherwise: tuple[Otherwise, ...] = ()
    about: str = ""
    others: str = ""
    then: Mapping[str, str] = field(default_factory=dict)
    starting: StartingScores | None = None
    needed: int | None = None
    guesses: tuple[Any, ...] = ()
    usual: tuple[str, str] | None = None
    sensitivity: Any = None  # see `analysis.advice.sensitivity`; None if not wanted
    version: str = field(default=lama_odds.__version__)
    variant: str = ""  # the name of the rule set in a file of variants

    @property
    def rule(self) -> tuple[Any, ...]:
        """What to do by the number that is a guess, if another guess changes that."""
        return next((guesses.rule for guesses in self.guesses if guesses.rule), ())

    def to_json(self) -> dict[str, Any]:
        """The agreed keys."""
        more: dict[str, Any] = {"caution": self.caution} if self.caution else {}
        if self.guesses:
            more["guesses"] = [guesses.to_json() for guesses in self.guesses]
        if self.usual:
            more["usual"] = dict(zip(("policy", "action"), self.usual, strict=True))
        if self.otherwise:
            more["otherwise"] = [choice.to_json() for choice in self.otherwise]
        if self.starting is not None:
            more["assumed"] = [{"id": "scores unknown", "text": self.starting.averaged}]
        if self.sensitivity is not None:
            more["sensitivity"] = self.sensitivity.to_json()
        return {
            **more,
            "rules": self.rules,
            "position": self.position,
            "objective": self.objective,
            "verdict": self.verdict,
            "best": self.best,
            "actions": [
                {
                    "action": a.action,
                    "value": a.value.to_json(),
                    "regret": a.regret.to_json(),
                    **{name: estimate.to_json() for name, estimate in a.objectives.items()},
                    "chances": {name: chance.to_json() for name, chance in a.chances.items()},
                }
                for a in self.actions
            ],
            "method": self.method,
            "games": self.games,
            "seed": self.seed,
            "seconds": self.seconds,
            "assumptions": list(self.assumptions),
            "why": self.why,
            "version": self.version,
        }
