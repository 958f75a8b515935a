"""What should I do now: every legal action, solved exactly or played out on the same luck."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import lama_odds
from lama_odds.core.errors import LimitError
from lama_odds.core.estimate import Estimate, exact
from lama_odds.core.policies import Policy
from lama_odds.games.protocol import Game, RolloutJob, Solution
from lama_odds.simulation.run import default_threads, run, warm_up
from lama_odds.statistics.anytime import ALPHA, FEWEST, anytime_share
from lama_odds.statistics.paired import Moments
from lama_odds.statistics.race import is_clear, next_check

TOO_CLOSE = "too close to call"
# In a sampled answer, a difference that nobody minds: points, and chance to win.
ZONE = {"points": 0.005, "margin": 0.005, "win": 0.0005}
# A clear answer is still made this precise (standard error of the values) if there is time.
PRECISE = {"points": 0.01, "margin": 0.01, "win": 0.0005}
# The other objectives: lower is better.
HIGHER_IS_BETTER = {"win"}
EQUAL = 1e-9


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
    """The answer to "what should I do?"; actions best first."""

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
    interrupted: bool = False
    version: str = field(default=lama_odds.__version__)

    def to_json(self) -> dict[str, Any]:
        """The agreed keys."""
        return {
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
class Limits:
    """How long to sample: seconds, or exactly so many games."""

    seconds: float = 1.0
    games: int | None = None
    threads: int | None = None


Progress = Callable[[float, str], None]


def advise(
    game: Game,
    rules: Any,
    position: Any,
    *,
    objective: str | None = None,
    opponents: Policy | None = None,
    limits: Limits = Limits(),
    seed: int = 0,
    progress: Progress | None = None,
) -> Advice:
    """Value every legal action of a position.

    opponents: policy of the others; with it the answer is sampled against that
    policy, without it solved where that can be done. Raises LimitError if the
    games allowed are too few for any statement.
    """
    began = time.perf_counter()
    objective = objective or game.default_objective(rules, position)
    threads = limits.threads or default_threads()
    alone = position.others_in == 0
    solution = None
    if opponents is None or alone:
        tell = (lambda done, of: progress(done / of, "solving")) if progress else None
        solution = game.solve(rules, position, objective, threads, tell)
    if solution is not None:
        return _exact(game, rules, position, objective, seed, solution, began)
    mine = game.best_policy(rules, position.players)
    others = opponents or mine
    policies = [mine] + [others] * (position.players - 1)
    return _sampled(
        game, rules, position, objective, policies, limits, threads, seed, progress, began
    )


def _exact(
    game: Game,
    rules: Any,
    position: Any,
    objective: str,
    seed: int,
    solution: Solution,
    began: float,
) -> Advice:
    """The advice of a solved position."""
    sign = -1 if objective in HIGHER_IS_BETTER else 1
    ordered = sorted(solution.actions, key=lambda a: sign * a.values[objective].value)
    best = ordered[0].values[objective]
    actions = []
    for valued in ordered:
        value = valued.values[objective]
        bound = (
            0.0
            if valued is ordered[0]
            else (value.high - value.low) / 2 + (best.high - best.low) / 2
        )
        regret = exact(sign * (value.value - best.value), bound)
        actions.append(ActionValue(valued.action, value, regret, valued.values, valued.chances))
    settled = len(actions) == 1 or actions[1].regret.low > EQUAL
    return Advice(
        rules=rules.id,
        position=position.format(),
        objective=objective,
        verdict=actions[0].action if settled else TOO_CLOSE,
        best=actions[0].action,
        actions=tuple(actions),
        method="exact",
        games=0,
        seed=seed,
        seconds=time.perf_counter() - began,
        assumptions=solution.assumptions,
        why=_why(game, rules, position, objective, actions),
    )


def _sampled(
    game: Game,
    rules: Any,
    position: Any,
    objective: str,
    policies: Sequence[Policy],
    limits: Limits,
    threads: int,
    seed: int,
    progress: Progress | None,
    began: float,
) -> Advice:
    """The advice of rollouts, stopped when clear or at the limit."""
    rollouts = game.rollouts(rules, position, policies, play_out=objective == "win")
    tally, games, interrupted = _race(rollouts, objective, limits, threads, seed, progress)
    if games < FEWEST:
        raise LimitError(
            f"{games} games are too few to say anything: at least {FEWEST} are needed "
            "(give more --seconds or --games)"
        )
    moments = {name: _moments(rollouts, tally, name, games) for name in rollouts.objectives}
    events = _events(rollouts, tally, games)
    if objective == "win" and tally[-1]:
        raise LimitError(
            f"{tally[-1]} games did not end: nobody reaches the target with these policies"
        )
    main, lowest = moments[objective], objective not in HIGHER_IS_BETTER
    best = main.best(lowest)
    order = sorted(
        range(len(rollouts.actions)),
        key=lambda a: (main.sums[a, 0] * (1 if lowest else -1), a != best),
    )
    beside = game.next_chances(rules, position)
    alpha = ALPHA / max(1, len(order) - 1)
    actions = []
    for a in order:
        action = rollouts.actions[a]
        regret = main.difference(a, best, alpha) if lowest else main.difference(best, a, alpha)
        chances = {**beside.get(action, {}), **events[a]}
        objectives = {name: m.mean(a) for name, m in moments.items()}
        actions.append(ActionValue(action, main.mean(a), regret, objectives, chances))
    settled = all(value.regret.low > 0 for value in actions[1:])
    return Advice(
        rules=rules.id,
        position=position.format(),
        objective=objective,
        verdict=actions[0].action if settled else TOO_CLOSE,
        best=actions[0].action,
        actions=tuple(actions),
        method="simulation",
        games=games,
        seed=seed,
        seconds=time.perf_counter() - began,
        assumptions=_assumptions(policies, objective, games),
        why=_why(game, rules, position, objective, actions),
        interrupted=interrupted,
    )


def _race(
    rollouts: RolloutJob,
    objective: str,
    limits: Limits,
    threads: int,
    seed: int,
    progress: Progress | None,
) -> tuple[np.ndarray, int, bool]:
    """Play from checkpoint to checkpoint; returns the tally, the games, whether interrupted."""
    job = rollouts.job
    warm_up(job, seed)
    tally = np.zeros(job.shape, dtype=np.int64)
    start = time.perf_counter()
    games, interrupted = 0, False
    while not interrupted:
        target = next_check(games) if limits.games is None else limits.games
        spent = time.perf_counter() - start
        if games and limits.games is None:
            if _enough(_moments(rollouts, tally, objective, games), objective):
                break
            # A checkpoint is begun only if it can be finished in time.
            if spent * target / games > limits.seconds:
                break
        elif games:
            break
        played = run(
            job,
            seed,
            target - games,
            first=games,
            threads=threads,
            progress=_tell(progress, start, limits, games),
        )
        tally += played.tally
        games += played.games
        interrupted = played.interrupted
    return tally, games, interrupted


def _enough(moments: Moments, objective: str) -> bool:
    """Whether the best action is clear and all values are precise."""
    worst = max(moments.mean(action).stderr for action in range(len(moments.sums)))
    lowest = objective not in HIGHER_IS_BETTER
    return worst <= PRECISE[objective] and is_clear(moments, lowest, ZONE[objective])


def _tell(
    progress: Progress | None, start: float, limits: Limits, before: int
) -> Callable[[int, int], None] | None:
    if progress is None:
        return None

    def tell(done: int, of: int) -> None:
        if limits.games is not None:
            progress((before + done) / limits.games, "playing")
        else:
            progress(min(1.0, (time.perf_counter() - start) / limits.seconds), "playing")

    return tell


def _moments(rollouts: RolloutJob, tally: np.ndarray, objective: str, games: int) -> Moments:
    k = len(rollouts.actions)
    at = rollouts.objectives.index(objective)
    sums = tally[at * k * (k + 1) : (at + 1) * k * (k + 1)].reshape(k, k + 1)
    return Moments(sums, games, rollouts.units[at], share=objective == "win")


def _events(rollouts: RolloutJob, tally: np.ndarray, games: int) -> list[dict[str, Estimate]]:
    """Shares of the ways the round ends, for each action."""
    k, count = len(rollouts.actions), len(rollouts.events)
    at = len(rollouts.units) * k * (k + 1)
    table = tally[at : at + k * count].reshape(k, count)
    return [
        {name: anytime_share(int(table[a, e]), games) for e, name in enumerate(rollouts.events)}
        for a in range(k)
    ]


def _assumptions(policies: Sequence[Policy], objective: str, games: int) -> tuple[str, ...]:
    end = "to the end of the game" if objective == "win" else "to the end of the round"
    return (
        f"after this action I play {policies[0].name}, the others {policies[1].name}, {end}",
        "all actions are played on the same dice; the intervals hold whenever one stops",
        f"--games {games} repeats this answer",
    )


def _why(
    game: Game, rules: Any, position: Any, objective: str, actions: Sequence[ActionValue]
) -> str:
    values = {action.action: action.value.value for action in actions}
    return game.turning_point(rules, position, objective, values)
