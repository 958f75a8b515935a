"""A test of skill: some twenty answers give a cost per decision, and what kind of player you are.

A player is a small model with unknown numbers. To it an action with cost c seems to cost
c + sum of w[k] (c[k] - c). Here c[k] is its cost in the eyes of somebody who ignores something
(`Reasons.ignored`). It is chosen with a chance proportional to exp(-k * seen cost / scale + b), b
only for cautious actions. A few answers are slips. Here k is precision, b caution, and w[k] how
far something is ignored (quantal response: McKelvey & Palfrey 1995, Games and Economic Behavior
10).

All numbers are drawn from a prior; answers weigh the draws (importance sampling). So every interval
is the middle 95 % of the weighted draws, and holds for 95 % of players drawn from the prior. The
next question is the one whose answer tells most about the numbers (mutual information: Lindley
1956, Annals of Mathematical Statistics 27).
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from lama_odds.analysis.coach.drills import Drill, collection, usual_decisions
from lama_odds.core.errors import LimitError
from lama_odds.core.estimate import Estimate
from lama_odds.core.language import say
from lama_odds.core.plain import Plain
from lama_odds.games.interface.game import AnyGame
from lama_odds.games.interface.objectives import Objective

DRAWS = 40_000  # from the prior
LOOKED_AT = 1_500  # of them, for the next question
LEAST, MOST = 20, 30  # questions of a test
PRECISE = 0.25  # of the cost per decision: a test ends when its half-width is below this part
SLIPS = 0.05  # answers that mean nothing
PRECISION = 1.0, 1.0  # median of the precision, and the spread of its logarithm
CAUTION = 1.5  # standard deviation of caution
TAILS = 0.025, 0.975


@dataclass(frozen=True)
class Trait(Plain):
    """What kind of player you are, in one respect.

    id: "caution", or what is ignored. value: of caution what cautious actions seem to be worth
    more than they are, in the unit of the objective; else how far it is ignored, 0 to 1.
    """

    KEYS = "id value"

    id: str
    value: Estimate

    @property
    def shown(self) -> int:
        """1 if the trait is shown to be there, -1 if the opposite is, 0 if neither is known."""
        least = 0.0 if self.id == "caution" else 0.5
        return int(self.value.low > least) - int(self.value.high < least)


@dataclass(frozen=True)
class Skill(Plain):
    """The result of a test: the cost per decision in usual games, and the traits."""

    KEYS = "game questions cost traits unit"

    game: str
    questions: int
    cost: Estimate
    traits: tuple[Trait, ...]
    unit: str


@dataclass
class Players:
    """Draws of the numbers of players. ignored: by draw and name."""

    precision: np.ndarray  # float64[draws]
    caution: np.ndarray  # float64[draws]
    ignored: np.ndarray  # float64[draws, names]


class SkillTest:
    """A test of skill in one game; the same answers give the same result.

    Raises LimitError for a game without a collection.
    """

    def __init__(self, game: AnyGame, rules: str = "", draws: int = DRAWS) -> None:
        """rules: a rule set whose questions alone count; empty: all of the game."""
        self.game = game
        name = game.name
        self.pool = [drill for drill in collection(name) if rules in ("", drill.rules)]
        self.usual = usual_decisions(name)
        if len(self.pool) < LEAST or not self.usual:
            raise LimitError(
                say("there are too few positions of {name} for a test of skill", name=rules or name)
            )
        self.counts: Objective = game.objectives[self.pool[0].objective]
        self.scale = self.counts.grades[1]
        reasons = game.reasons(game.rules(self.pool[0].rules))
        self.names = tuple(reasons.ignored)
        self.cautious = frozenset(reasons.cautious)
        self.players = _drawn(len(self.names), draws)
        self.logs = np.zeros(draws)
        self.asked: list[tuple[Drill, str]] = []

    def chances(self, drill: Drill, players: Players | None = None) -> np.ndarray:
        """Return float64[draws, actions]: how likely each player chooses each action."""
        by = self.players if players is None else players
        costs = np.array([choice.cost for choice in drill.choices])
        seen = np.repeat(costs[None, :], len(by.precision), axis=0)
        for at, name in enumerate(self.names):
            other = np.array([choice.seen.get(name, choice.cost) for choice in drill.choices])
            seen += by.ignored[:, at : at + 1] * (other - costs)[None, :]
        verbs = [choice.action.split()[0] for choice in drill.choices]
        wary = np.array([float(verb in self.cautious) for verb in verbs])
        scores = -by.precision[:, None] * seen / self.scale + by.caution[:, None] * wary
        scores -= scores.max(axis=1, keepdims=True)
        odds = np.exp(scores)
        chosen = odds / odds.sum(axis=1, keepdims=True)
        return np.asarray((1 - SLIPS) * chosen + SLIPS / len(costs))

    def answer(self, drill: Drill, action: str) -> None:
        """Take an answer into account."""
        at = [choice.action for choice in drill.choices].index(action)
        self.logs += np.log(self.chances(drill)[:, at])
        self.asked.append((drill, action))
        self.__dict__.pop("weights", None)

    @cached_property
    def weights(self) -> np.ndarray:
        """float64[draws]: how likely each player is after the answers; they add up to 1."""
        weights = np.exp(self.logs - self.logs.max())
        return np.asarray(weights / weights.sum())

    @property
    def over(self) -> bool:
        """Whether enough is known, or MOST questions have been answered."""
        if len(self.asked) < min(LEAST, len(self.pool)):
            return False
        if len(self.asked) >= min(MOST, len(self.pool)):
            return True
        cost = self.cost()
        return (cost.high - cost.low) / 2 <= PRECISE * cost.value

    def next_drill(self) -> Drill:
        """Return the question whose answer is expected to tell most about the player."""
        some = np.random.default_rng(len(self.asked)).choice(
            len(self.weights), LOOKED_AT, p=self.weights
        )
        players = Players(
            self.players.precision[some], self.players.caution[some], self.players.ignored[some]
        )
        done = {drill.id for drill, _ in self.asked}
        left = [drill for drill in self.pool if drill.id not in done]
        return max(left, key=lambda drill: _information(self.chances(drill, players)))

    def cost(self) -> Estimate:
        """Return what a decision of usual games costs this player on average."""
        costs = np.zeros(len(self.weights))
        for drill in self.usual:
            lost = np.array([choice.cost for choice in drill.choices])
            costs += self.chances(drill) @ lost
        return self._estimate(costs / len(self.usual))

    def result(self) -> Skill:
        """Return the cost per decision and the traits, each with its interval."""
        seems = self.players.caution * self.scale / self.players.precision
        traits = [Trait("caution", self._estimate(seems))]
        traits += [
            Trait(name, self._estimate(self.players.ignored[:, at]))
            for at, name in enumerate(self.names)
        ]
        unit = self.counts.cost_unit
        return Skill(self.game.name, len(self.asked), self.cost(), tuple(traits), unit)

    def _estimate(self, values: np.ndarray) -> Estimate:
        """The weighted mean, and the middle 95 % of the draws."""
        mean = float(self.weights @ values)
        spread = float(np.sqrt(self.weights @ (values - mean) ** 2))
        order = np.argsort(values)
        low, high = np.interp(TAILS, np.cumsum(self.weights[order]), values[order])
        bounds = min(mean, float(low)), max(mean, float(high))
        return Estimate.from_interval(mean, spread, *bounds, len(self.asked))


def _drawn(names: int, draws: int) -> Players:
    """Players drawn from the prior, always the same."""
    words = hashlib.blake2b(b"skill", digest_size=8).digest()
    random = np.random.default_rng(int.from_bytes(words, "big"))
    median, spread = PRECISION
    precision = median * np.exp(spread * random.standard_normal(draws))
    caution = CAUTION * random.standard_normal(draws)
    return Players(precision, caution, random.random((draws, names)))


def _information(chances: np.ndarray) -> float:
    """Expected information of an answer about the player, in nats. chances: by player, action."""
    mean = chances.mean(axis=0)
    among = -(mean * np.log(mean)).sum()
    within = -(chances * np.log(chances)).sum(axis=1).mean()
    return float(among - within)


def players_of(precision: float, caution: float, ignored: Sequence[float]) -> Players:
    """Return a single player, as `SkillTest.chances` takes it."""
    return Players(np.array([precision]), np.array([caution]), np.array([list(ignored)]))


def simulated(test: SkillTest, player: Sequence[float], seed: int) -> SkillTest:
    """Take a test with answers of a simulated player: precision, caution, then what it ignores.

    Returns the same test, answered.
    """
    random = np.random.default_rng(seed)
    precision, caution, *ignored = player
    one = players_of(precision, caution, ignored)
    while not test.over:
        drill = test.next_drill()
        at = random.choice(len(drill.choices), p=test.chances(drill, one)[0])
        test.answer(drill, drill.choices[int(at)].action)
    return test
