"""Does the answer depend on your opponents? The same question under several models of them.

How many games a model gets depends on the games of the answer alone, not on the clock. So the
`--games` that repeats the answer repeats all of this.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from lama_odds.analysis.advice.advise import advise
from lama_odds.analysis.advice.answer import EQUAL, Advice
from lama_odds.analysis.advice.guesses import best_for
from lama_odds.analysis.advice.rollouts import Limits
from lama_odds.core.estimate import Estimate
from lama_odds.core.language import say
from lama_odds.core.plain import Plain
from lama_odds.core.policies import BEST, Policy
from lama_odds.core.progress import StageProgress
from lama_odds.core.wording import either
from lama_odds.games.interface.actions import action_words
from lama_odds.games.interface.game import Game, P, R
from lama_odds.games.interface.match_equity import table_for
from lama_odds.statistics.intervals import FEWEST

TOGETHER = 3  # times the games of the answer that all other models play in sum
# The part of the given time that the answer itself takes if models follow.
SHARE = 0.25
# Where the answer looks up what a round leaves, and models play the game out, their games take
# this much longer each.
PLAYED_OUT = 4
# What is known of the advised action under a model.
BEST_HERE, WORSE, OPEN = "best", "worse", "open"


@dataclass(frozen=True)
class Model(Plain):
    """The answer if the others play a policy.

    loses: what the advised action costs there.
    ahead: what the best action there gains on the next best; None if there is only one.
    games: of that answer, 0 if it is exact.
    state: whether the advised action is clearly best (BEST_HERE), clearly worse than another
    (WORSE), or neither (OPEN), by the 95 % intervals of this model's answer.
    """

    KEYS = "like opponents=policy verdict best state loses ahead method games"

    like: str
    policy: str
    verdict: str
    best: str
    loses: Estimate
    ahead: Estimate | None
    method: str
    games: int
    state: str


@dataclass(frozen=True)
class Sensitivity(Plain):
    """The answer under each model, and in a sentence what is known of the advised action.

    games: of the answer, which all other numbers of games depend on; 0 if all is exact.
    """

    KEYS = "action models dialled holds said counts games"

    action: str
    models: tuple[Model, ...]
    dialled: tuple[Model, ...]
    said: str
    games: int

    @property
    def holds(self) -> bool:
        """Whether the advised action is best under every model for certain."""
        return self.count(BEST_HERE) == len(self.models) + len(self.dialled)

    def count(self, state: str) -> int:
        """Number of models in a state."""
        return sum(model.state == state for model in (*self.models, *self.dialled))

    @property
    def counts(self) -> dict[str, int]:
        """How many kinds of opponents there are of each state."""
        return {state: self.count(state) for state in (BEST_HERE, WORSE, OPEN)}


def sensitivity(
    game: Game[R, P],
    rules: R,
    position: P,
    advice: Advice,
    *,
    opponents: Policy | None = None,
    limits: Limits = Limits(),
    seed: int = 0,
    progress: StageProgress | None = None,
    look_up: bool = True,
) -> Sensitivity | None:
    """Repeat the analysis with the others playing each of the game's models, then along its dial.

    advice: the answer, with the same opponents, limits, seed and look_up. A model that is the same
    question keeps that answer. The others together play TOGETHER times its games, each at most as
    many as it. If it is exact, "usual" is sampled first, to the limits, and the numbers of games
    of the others depend on that. None if it was interrupted.
    """
    family, values = game.dial
    names = list(game.models.items()) + [(f"{v}", f"{family}:{v}") for v in values]
    best = best_for(game, rules, position, advice.objective)
    models = [(like, best if name == BEST else game.policy(name)) for like, name in names]

    def ask(policy: Policy, limits: Limits) -> Advice:
        how: Any = {"limits": limits, "seed": seed, "look_up": look_up, "thorough": False}
        return advise(game, rules, position, objective=advice.objective, opponents=policy, **how)

    if advice.method == "simulation":
        usual, lead = opponents or best, advice
    else:
        usual = best
        lead = ask(best, replace(limits, games=advice.games or limits.games))
    answers = {usual.name: lead}
    others = {policy.name: policy for _, policy in models if policy.name != usual.name}
    counts, seats = game.objectives[advice.objective], position.players - 1
    # With unknown scores every answer looks up what the round leaves.
    known = look_up and counts.whole_game and lead.starting is None
    quick = known and table_for(rules.id, (best, *[usual] * seats))
    games = max(FEWEST, lead.games // PLAYED_OUT) if quick and lead.games else lead.games
    model_limits = replace(limits, games=_games_of_a_model(games, len(others)) or limits.games)
    for number, (name, policy) in enumerate(others.items()):
        if progress:
            progress(number / len(others), f"others playing {name}")
        answers[name] = ask(policy, model_limits)
        if answers[name].interrupted:
            break
    if any(answer.interrupted for answer in answers.values()):
        return None
    compared = [
        _model(like, policy.name, answers[policy.name], advice.best) for like, policy in models
    ]
    first = len(game.models)
    named, dialled = tuple(compared[:first]), tuple(compared[first:])
    return Sensitivity(advice.best, named, dialled, _said(advice.best, named, dialled), lead.games)


def _games_of_a_model(games: int, others: int) -> int:
    """The games of each other model. games: of the answer; others: how many models there are."""
    return min(games, max(FEWEST, TOGETHER * games // max(1, others)))


def _model(like: str, policy: str, advice: Advice, action: str) -> Model:
    loses = next(a.regret for a in advice.actions if a.action == action)
    ahead = advice.actions[1].regret if len(advice.actions) > 1 else None
    return Model(
        like,
        policy,
        advice.verdict,
        advice.best,
        loses,
        ahead,
        advice.method,
        advice.games,
        _state(advice, loses, action),
    )


def _state(advice: Advice, loses: Estimate, action: str) -> str:
    """What is known of an action. loses: what it costs against the best one seen."""
    if loses.low > (EQUAL if advice.method == "exact" else 0):
        return WORSE
    # Solved and equal to the best, it is one of them.
    equal = advice.method == "exact" and loses.high <= EQUAL
    clear = advice.verdict == action
    return BEST_HERE if clear or equal else OPEN


def _said(action: str, models: tuple[Model, ...], dialled: tuple[Model, ...]) -> str:
    """A sentence: the opponents the advice is right against, where it turns, what is unclear."""
    every = (*models, *dialled)
    unknown = sum(model.state == OPEN for model in every)
    against = [model for model in models if model.state == WORSE]
    turns = [model for model in dialled if model.state == WORSE]
    if not against and not turns:
        return _said_without_worse(action, len(every), unknown)
    fields = {
        "action": action_words(action),
        "best": action_words((against or turns)[0].best),
        "limits": _ranges(turns, dialled) if turns else "",
        "styles": either(say(model.like) for model in against),
    }
    if not against:
        sentence = say(
            "{action} is worse if your opponents quit at {limits} (then {best})", **fields
        )
    elif not turns:
        sentence = say("{action} is worse if your opponents are {styles} (then {best})", **fields)
    else:
        sentence = say(
            "{action} is worse if your opponents quit at {limits}, or if they are {styles} (then "
            "{best})",
            **fields,
        )
    if not unknown:
        return sentence
    return say("{said}; {n} of {of} are too close to call", said=sentence, n=unknown, of=len(every))


def _said_without_worse(action: str, models: int, unknown: int) -> str:
    """The sentence where the advised action is worse under none; unknown: models not settled."""
    fields = {"action": action_words(action), "models": models, "n": models - unknown}
    if not unknown:
        return say("{action} is best against all {models} kinds of opponents", **fields)
    if unknown == models:
        return say(
            "whether {action} is best is not known for any of {models} kinds of opponents", **fields
        )
    return say(
        "{action} is best against {n} of {models} kinds of opponents; against the rest it is too "
        "close to call",
        **fields,
    )


def _ranges(turns: list[Model], dialled: tuple[Model, ...]) -> str:
    """Values of the dial at which the advice does not hold, in words."""
    tried = [model.like for model in dialled]
    away = [model.like for model in turns]
    if len(away) < len(tried) and away == tried[-len(away) :]:
        return say("{amount} or more", amount=away[0])
    if len(away) < len(tried) and away == tried[: len(away)]:
        return say("{amount} or less", amount=away[-1])
    return ", ".join(away)
