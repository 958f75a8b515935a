"""Decisions of a turn by how the turn may end: each end is played out once for all of them.

After an action a policy plays the turn on. How often the turn then ends in each way is exact. What
an end is worth is sampled, on the same dice for all ends. So the value of an action is a mean of
these worths, and two actions differ only as far as the chances of their ends do. That takes far
fewer games than playing every action out, and all decisions of a turn share them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np

from lama_odds.analysis.advice.answer import TOO_CLOSE, ActionValue, Advice
from lama_odds.analysis.coach.grades import Continuation, Graded, Worth, graded
from lama_odds.core.errors import LimitError
from lama_odds.core.estimate import SIMULATION, Estimate, exact
from lama_odds.core.language import say
from lama_odds.games.interface.capabilities import TurnPlan
from lama_odds.games.interface.jobs import Effort
from lama_odds.games.shared.decisions import Decision, query_of, recorded_of
from lama_odds.simulation.run import run
from lama_odds.statistics.intervals import ALPHA, UNMET

GAMES = 192  # of each end of a turn
RARE = 0.1  # chance of an end, at most; such ends are played out less often
LESS = 4  # of that many games one
CHUNK = 32  # games that a thread plays at a time
BUST = "bust"
Weights = Mapping[str, float]


@dataclass(frozen=True)
class Ends:
    """What some ends of a turn are worth: sums, and sums of products, over n games.

    unit: what one count is worth. span: see `capabilities.TurnPlan`.
    """

    names: tuple[str, ...]
    sums: np.ndarray
    n: int
    unit: float
    span: float

    def mean(self, weights: Weights) -> tuple[float, float, float]:
        """The weighted mean of the worths, its variance, and that with unseen games allowed for."""
        at = [(i, weights[name]) for i, name in enumerate(self.names) if weights.get(name)]
        value = math.fsum(weight * int(self.sums[i, 0]) for i, weight in at) / self.n
        products = (v * w * int(self.sums[i, j + 1]) for i, v in at for j, w in at)
        square = math.fsum(products) / self.n
        variance = max(0.0, square - value * value) * self.n / (self.n - 1)
        moved = sum(abs(weight) for _, weight in at) / 2
        unseen = UNMET * (moved * self.span / self.unit) ** 2 / self.n
        scale = self.unit**2 / self.n
        return self.unit * value, scale * variance, scale * (variance + unseen)


def weighted(groups: Sequence[Ends], weights: Weights, alpha: float = ALPHA) -> Estimate:
    """The mean of all ends, with a normal interval; groups: of games of their own."""
    values, variances, wider = zip(*(ends.mean(weights) for ends in groups), strict=True)
    z = NormalDist().inv_cdf(1 - alpha / 2)
    error, half = math.sqrt(math.fsum(variances)), z * math.sqrt(math.fsum(wider))
    return Estimate.from_half(math.fsum(values), error, half, groups[0].n)


class Turns:
    """The decisions of a record, turn by turn.

    policies: of all seats, that of the seat that decides first. games: of each end of a turn.
    """

    def __init__(self, going_on: Continuation, games: int) -> None:
        self.going_on, self.games = going_on, games
        self._turn: int | None = None
        self._plan: TurnPlan | None = None
        self._ends: list[Ends] = []

    def review(
        self, decision: Decision, of_turn: Sequence[Decision], seed: int
    ) -> tuple[Graded, Worth]:
        """A decision graded and valued. of_turn: all of its turn; seed: of the turn's games."""
        weights = self._weights(decision)
        if self._turn != decision.turn:
            self._sample(of_turn, seed)
        ends = self._ends
        values = {action: weighted(ends, chances) for action, chances in weights.items()}
        sign = 1 if self.going_on.counts.higher else -1
        best = max(values, key=lambda action: sign * values[action].value)
        alpha = ALPHA / max(1, len(values) - 1)
        actions = [
            ActionValue(
                action,
                values[action],
                weighted(ends, _minus(weights[best], weights[action], sign), alpha),
                {},
                {BUST: exact(weights[action].get(BUST, 0.0))},
            )
            for action in sorted(values, key=lambda action: -sign * values[action].value)
        ]
        grade = graded(
            decision,
            self._advice(decision, actions, seed),
            self.going_on.counts.grades,
            by_turn=True,
        )
        return grade, self._worth(decision, weights, values)

    def _weights(self, decision: Decision) -> dict[str, Weights]:
        """The chances of the turn's ends after each action."""
        going_on, position = self.going_on, decision.position
        if self._plan is None or self._turn != decision.turn:
            recorded = recorded_of(going_on.game)
            self._plan = recorded.turn_plan(going_on.rules, position, going_on.policies[0])
        plan = self._plan
        assert plan is not None
        legal = query_of(going_on.game).legal_actions(going_on.rules, position)
        return {action: plan.chances(position, action) for action in legal}

    def _sample(self, of_turn: Sequence[Decision], seed: int) -> None:
        """Play out all ends that the decisions of a turn may lead to, rare ones less often."""
        self._turn = None
        most: dict[str, float] = {}
        for decision in of_turn:
            for weights in self._weights(decision).values():
                for name, chance in weights.items():
                    most[name] = max(chance, most.get(name, 0.0))
        rare = tuple(sorted(name for name in most if most[name] < RARE))
        often = tuple(sorted(set(most) - set(rare)))
        self._ends = [self._played(of_turn[0], often, self.games, seed)]
        if rare:
            self._ends.append(self._played(of_turn[0], rare, self.games // LESS, seed + 1))
        self._turn = of_turn[0].turn

    def _played(self, first: Decision, names: tuple[str, ...], games: int, seed: int) -> Ends:
        going_on = self.going_on
        effort = Effort(games, None, going_on.threads, seed, only=names)
        job = going_on.game.rollouts(
            going_on.rules, first.position, going_on.policies, True, going_on.objective, effort
        )
        played = run(job.job, seed, games, threads=going_on.threads, chunk=CHUNK)
        if played.interrupted:
            raise KeyboardInterrupt
        unended = job.read(played.tally).unended
        if unended:
            raise LimitError(say("{games} games did not end with these policies", games=unended))
        unit = job.units[job.objectives.index(going_on.objective)]
        sums = job.sums(played.tally, going_on.objective)
        assert self._plan is not None
        return Ends(names, sums, games, unit, self._plan.span)

    def _advice(self, decision: Decision, actions: Sequence[ActionValue], seed: int) -> Advice:
        mine, *others = (policy.name for policy in self.going_on.policies)
        return Advice(
            rules=self.going_on.rules.id,
            position=decision.position.format(),
            objective=self.going_on.objective,
            verdict=TOO_CLOSE,
            best=actions[0].action,
            actions=tuple(actions),
            method=SIMULATION,
            games=self.games,
            seed=seed,
            seconds=0.0,
            assumptions=(
                say(
                    "after this action you play {mine}, the others {theirs}, to the end of the "
                    "game",
                    mine=mine,
                    theirs=others[0],
                ),
            ),
            counts=self.going_on.counts,
        )

    def _worth(
        self, decision: Decision, weights: Mapping[str, Weights], values: Mapping[str, Estimate]
    ) -> Worth:
        """What the policy would do, and what that and the action are worth."""
        usual, chosen = self.going_on.usual(decision), decision.chosen
        skill = exact(0.0)
        if usual != chosen:
            skill = weighted(self._ends, _minus(weights[chosen], weights[usual], 1))
        return Worth(decision, usual, values[usual], values[chosen], skill, by_turn=True)


def turns_of(going_on: Continuation, first: Any, games: int | None) -> Turns | None:
    """The turns of a record, if their ends can be played out; None if actions have to be.

    first: a position of the record. games: None: the usual number.
    """
    plan = recorded_of(going_on.game).turn_plan(going_on.rules, first, going_on.policies[0])
    return None if plan is None else Turns(going_on, games or GAMES)


def _minus(first: Weights, second: Weights, sign: int) -> Weights:
    names = dict.fromkeys((*first, *second))
    return {name: sign * (first.get(name, 0.0) - second.get(name, 0.0)) for name in names}
