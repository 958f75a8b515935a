"""What should I do now: every legal action, solved exactly or played out on the same luck."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import lama_odds
from lama_odds.analysis.rollouts import Limits, Rollouts, roll_out
from lama_odds.core.estimate import Estimate, exact
from lama_odds.core.policies import Policy
from lama_odds.core.progress import StageProgress
from lama_odds.games.equity import MatchEquity, shipped, valued_by
from lama_odds.games.jobs import Effort
from lama_odds.games.protocol import POINTS, Game, Objective, Solution, TellsLimits
from lama_odds.statistics.anytime import ALPHA

TOO_CLOSE = "too close to call"
EQUAL = 1e-9
REDRAWN = "redrawn cards"  # in `Game.shared`: cards are hidden
# What intervals leave out where cards are hidden.
LUCK_ONLY = ", of luck only, not of what play tells about hidden cards (reports/best_response.md)"


@dataclass(frozen=True)
class ActionValue:
    """An action: value in the objective, what it loses against the best, all objectives known."""

    action: str
    value: Estimate
    regret: Estimate
    objectives: Mapping[str, Estimate]
    chances: Mapping[str, Estimate]


@dataclass(frozen=True)
class Advice:
    """The answer to "what should I do?"; actions best first.

    caution: in words, what the verdict rests on that may well be wrong; empty if there is nothing.
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
    sensitivity: Any = None  # see `analysis.sensitivity`, if it was asked for
    version: str = field(default=lama_odds.__version__)

    def to_json(self) -> dict[str, Any]:
        """The agreed keys."""
        more: dict[str, Any] = {"caution": self.caution} if self.caution else {}
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


@dataclass(frozen=True)
class Question:
    """What was asked, and when."""

    game: Game
    rules: Any
    position: Any
    objective: str
    seed: int
    began: float

    @property
    def lowest(self) -> bool:
        """Whether the lowest value is best."""
        return not self.game.objectives[self.objective].higher

    def answer(
        self,
        actions: Sequence[ActionValue],
        settled: bool,
        method: str,
        assumptions: tuple[str, ...],
        games: int = 0,
        interrupted: bool = False,
    ) -> Advice:
        """The advice; actions best first."""
        values = {action.action: action.value.value for action in actions}
        return Advice(
            rules=self.rules.id,
            position=self.position.format(),
            objective=self.objective,
            verdict=actions[0].action if settled else TOO_CLOSE,
            best=actions[0].action,
            actions=tuple(actions),
            method=method,
            games=games,
            seed=self.seed,
            seconds=time.perf_counter() - self.began,
            assumptions=assumptions,
            why=self.game.turning_point(self.rules, self.position, self.objective, values),
            counts=self.game.objectives[self.objective],
            interrupted=interrupted,
        )


def advise(
    game: Game,
    rules: Any,
    position: Any,
    *,
    objective: str | None = None,
    opponents: Policy | None = None,
    limits: Limits = Limits(),
    seed: int = 0,
    progress: StageProgress | None = None,
    look_up: bool = True,
) -> Advice:
    """Value every legal action of a position.

    opponents: policy of the others; with it the answer is sampled against that
    policy, without it solved where that can be done. look_up: value the scores that a
    round of two leaves by the match equity table of these policies, if there is one,
    instead of playing the game on. Raises LimitError if the games allowed are too few
    for any statement.
    """
    began = time.perf_counter()
    objective = objective or game.default_objective(rules, position)
    question = Question(game, rules, position, objective, seed, began)
    mine = best_for(game, rules, position, objective)
    others = opponents or mine
    policies = [mine] + [others] * (position.players - 1)
    table = shipped(rules.id, policies) if look_up and objective == "win" else None
    solution = None
    alone = game.objectives[objective].alone or position.others_in == 0
    if opponents is None or alone:
        tell = (lambda done, of: progress(done / of, "solving")) if progress else None
        solution = game.solve(rules, position, objective, limits.processors, tell, table)
        if solution is not None and solution.complete:
            return _exact(question, solution)
    effort = Effort(limits.planned, limits.seconds, limits.processors, seed, progress)
    job = game.rollouts(rules, position, policies, objective == "win", objective, effort)
    if table is not None:
        job = valued_by(job, table)
    played = roll_out(job, objective, question.lowest, limits, seed, progress)
    limit = ""
    if opponents is None and isinstance(game, TellsLimits):
        limit = game.too_large(rules, position, objective)
    assumptions = _assumptions(game, policies, _end(objective, table), played, limit)
    if solution is not None:
        return _exact(question, solution, played, assumptions)
    return replace(_sampled(question, played, assumptions), caution=job.caution)


def best_for(game: Game, rules: Any, position: Any, objective: str) -> Policy:
    """The strongest policy known for what is asked: points, or winning."""
    aim = "points" if objective in ("points", "margin") else "win"
    return game.best_policy(rules, position.players, aim)


def _exact(
    question: Question,
    solution: Solution,
    played: Rollouts | None = None,
    assumptions: tuple[str, ...] = (),
) -> Advice:
    """The advice of a solved position; played: rollouts for what the solution leaves open."""
    objective = question.objective
    sign = 1 if question.lowest else -1
    ordered = sorted(solution.actions, key=lambda a: sign * a.values[objective].value)
    best = ordered[0].values[objective]
    actions = []
    for valued in ordered:
        value = valued.values[objective]
        # Both values may be off by their bounds; against itself an action loses nothing.
        bound = 0.0 if value is best else (value.high - value.low + best.high - best.low) / 2
        regret = exact(sign * (value.value - best.value), bound)
        objectives, chances = valued.values, valued.chances
        if played is not None:
            sampled, ways = played.of(valued.action)
            objectives, chances = {**sampled, **objectives}, {**ways, **chances}
        actions.append(ActionValue(valued.action, value, regret, objectives, chances))
    settled = len(actions) == 1 or actions[1].regret.low > EQUAL
    told = solution.assumptions
    rests_on = told + tuple(one for one in assumptions if one not in told)
    if played is None:
        return question.answer(actions, settled, "exact", rests_on)
    return question.answer(actions, settled, "exact", rests_on, played.games, played.interrupted)


def _sampled(question: Question, played: Rollouts, assumptions: tuple[str, ...]) -> Advice:
    """The advice of rollouts."""
    lowest = question.lowest
    order = _best_first(question, played)
    best = order[0]
    beside = question.game.next_chances(question.rules, question.position)
    known = question.game.known(question.rules, question.position)
    alpha = ALPHA / max(1, len(order) - 1)
    actions = []
    for a in order:
        name = played.actions[a]
        regret = played.loses(question.objective, a, best, lowest, alpha)
        sampled, ways = played.of(name)
        objectives = {**sampled, **known.get(name, {})}
        chances = {**beside.get(name, {}), **ways}
        value = objectives[question.objective]
        actions.append(ActionValue(name, value, regret, objectives, chances))
    settled = all(action.regret.low > 0 for action in actions[1:])
    return question.answer(
        actions, settled, "simulation", assumptions, played.games, played.interrupted
    )


def _best_first(question: Question, played: Rollouts) -> list[int]:
    """The actions by their values in the objective; equal ones by the margin, then the points."""
    named = [question.objective]
    named += [name for name in ("margin", "points") if name in played.moments]
    signs = [-1 if question.game.objectives[name].higher else 1 for name in named]
    sums = [sign * played.moments[name].sums[:, 0] for sign, name in zip(signs, named, strict=True)]
    return sorted(range(len(played.actions)), key=lambda a: [int(total[a]) for total in sums])


def _end(objective: str, table: MatchEquity | None) -> str:
    """How far a game is played, in words; table: what values the scores after this round."""
    if objective != "win":
        return "to the end of the round"
    if table is None:
        return "to the end of the game"
    return f"to the end of the round; the scores it leaves are valued by {table.said}"


def _assumptions(
    game: Game, policies: Sequence[Policy], end: str, played: Rollouts, limit: str
) -> tuple[str, ...]:
    """What sampled values rest on; limit: why they are sampled, where like ones are solved."""
    return (
        f"after this action I play {policies[0].name}, the others {policies[1].name}, {end}",
        *([limit] if limit else []),
        *played.notes,
        f"all actions are played on the same {game.shared}; the intervals hold whenever one stops"
        + LUCK_ONLY * (REDRAWN in game.shared),
        f"--games {played.games} repeats this answer"
        if played.repeated
        else "broken off before what it rests on: no --games repeats this answer",
    )
