"""What a player does who thinks one step ahead: rollouts of every action, with everybody's policy.

The player leaves the usual action of its own policy only for one that has proved better. Rollouts
use another seed than the game, and other random numbers for each decision, so they see nothing of
the game to come.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np

from lama_odds.core.policies import Policy
from lama_odds.games.interface.game import AnyGame
from lama_odds.games.interface.jobs import Effort, RolloutJob
from lama_odds.games.interface.match_equity import table_for, valued_by
from lama_odds.games.interface.objectives import Objective
from lama_odds.jit.job import Job
from lama_odds.luck.stream import MAX_SEED
from lama_odds.statistics.intervals import mean_of

# Games of rollouts after which it is checked whether to play more, up to the limit.
STAGES = (64, 256, 1_024)
# Standard errors by which another action must be better than the usual one. With several others,
# the best estimate tends to be too high, so more of them take more.
SURE = 2.0
HOPELESS = 0.5  # standard errors below 0 from which on no action is looked at further
# Own turns of a round after which a player thinks no more. Two players who gain by waiting would
# wait for each other for ever, but `best` ends every round.
PATIENCE = 75
MOST_DECISIONS = 1 << 12  # of a seat in a game: each has random numbers of its own
OTHER_LUCK = 1_000_003  # what is added to the seed for rollouts


def stages_to(most: int) -> tuple[int, ...]:
    """Return the stages of rollouts of which the last has `most` games."""
    return (*(stage for stage in STAGES if stage < most), most)


def thinks_no_more(turns: int, players: int) -> bool:
    """Return whether a round has lasted so long that a thinking player plays its usual action.

    turns: of all players in the round so far.
    """
    return turns > PATIENCE * players


@dataclass(frozen=True)
class Picked:
    """What was picked: the action, its rollouts, and the games of each action that they took.

    better: the gain of the action over the usual one was clear.
    """

    action: str
    better: bool
    played: int
    rollouts: RolloutJob


@dataclass(frozen=True)
class Thinker:
    """A player who thinks: everybody's policy in rollouts, and how much is played out.

    recalls: whether hidden cards are inferred from the round so far.
    """

    game: AnyGame
    rules: Any
    policies: tuple[Policy, ...]
    objective: str
    stages: tuple[int, ...]
    seed: int
    recalls: bool = False

    @property
    def counts(self) -> Objective:
        """The objective."""
        return self.game.objectives[self.objective]

    @property
    def whole(self) -> bool:
        """Whether whole games are played."""
        return self.counts.whole_game

    @property
    def words(self) -> int:
        """Games that a decision has: to choose, and as many again to measure what that gains."""
        return 2 * self.stages[-1]

    def first(self, game: int, seat: int, number: int) -> int:
        """Return the index of the first game of rollouts for a decision of a seat in a game."""
        at = (game * len(self.policies) + seat) * MOST_DECISIONS + number % MOST_DECISIONS
        return at * self.words

    def rollouts(self, position: Any, only: tuple[str, ...] = ()) -> RolloutJob:
        """The rollouts of `advise`: two-player games are valued by their equity table, if any.

        only: see `Effort`.
        """
        job = self.game.rollouts(
            self.rules, position, self.policies, self.whole, self.objective, Effort(only=only)
        )
        table = table_for(self.rules.id, self.policies) if self.whole else None
        return job if table is None else valued_by(job, table)

    def pick(self, position: Any, usual: str, first: int, only: tuple[str, ...] = ()) -> Picked:
        """Return the action to take. first: index of the first game of rollouts.

        only: see `Effort`. ValueError if the usual action is not legal.
        """
        rollouts = self.rollouts(position, only)
        mine = rollouts.actions.index(usual)
        if len(rollouts.actions) == 1:
            return Picked(usual, False, 0, rollouts)
        tally = np.zeros(rollouts.job.shape, dtype=np.int64)
        played = 0
        for stage in self.stages:
            self.play(rollouts.job, first + played, stage - played, tally)
            played = stage
            best, gain, error = _best(rollouts, tally, self.counts, mine, played)
            if gain > 2 * SURE * error or gain < -HOPELESS * error:
                break
        if not gain > _sure(len(rollouts.actions) - 1) * error:
            return Picked(usual, False, played, rollouts)
        return Picked(rollouts.actions[best], True, played, rollouts)

    def play(self, job: Job, first: int, games: int, tally: np.ndarray) -> None:
        """Add games of rollouts to a tally."""
        job.play((self.seed + OTHER_LUCK) % MAX_SEED, first, games, tally)


def _sure(others: int) -> float:
    """`SURE` for one other action; for more the chance of any wrong one stays the same."""
    normal = NormalDist()
    return SURE if others == 1 else -normal.inv_cdf(normal.cdf(-SURE) / others)


def gains_of(rollouts: RolloutJob, tally: np.ndarray, counts: Objective, mine: int) -> list[int]:
    """What each action gains in sum against the usual one."""
    sums = rollouts.sums(tally, counts.name)
    sign = 1 if counts.higher else -1
    return [sign * int(total - sums[mine, 0]) for total in sums[:, 0]]


def _best(
    rollouts: RolloutJob, tally: np.ndarray, counts: Objective, mine: int, n: int
) -> tuple[int, float, float]:
    """The best action besides the usual one, what it gains against it, and the standard error."""
    gains = gains_of(rollouts, tally, counts, mine)
    best = max((a for a in range(len(gains)) if a != mine), key=lambda a: gains[a])
    sums = rollouts.sums(tally, counts.name)
    squares = int(sums[best, best + 1] + sums[mine, mine + 1] - 2 * sums[best, mine + 1])
    unit = rollouts.units[rollouts.objectives.index(counts.name)]
    found = mean_of(gains[best], squares, n, unit)
    return best, found.value, found.stderr
