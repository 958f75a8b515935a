"""A player who thinks one step ahead: rollouts of every action, and games of such players."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist
from typing import Any

import numpy as np

from lama_odds.core.errors import LimitError
from lama_odds.core.policies import SEARCH, Policy
from lama_odds.games.interface.best import WIN
from lama_odds.games.interface.game import AnyGame
from lama_odds.games.interface.jobs import Effort, RolloutJob
from lama_odds.games.interface.match_equity import table_for, valued_by
from lama_odds.games.interface.objectives import Objective
from lama_odds.games.registry import built_in, game_of
from lama_odds.games.shared.stepper import Line, line_of
from lama_odds.jit.job import Job
from lama_odds.luck.stream import MAX_GAMES, MAX_SEED
from lama_odds.statistics.intervals import mean_of

# What a player does who thinks one step ahead: rollouts of every action, with everybody's policy.
#
# The player leaves the usual action of its own policy only for one that has proved better. Rollouts
# use another seed than the game, and other random numbers for each decision, so they see nothing of
# the game to come.

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

    def rollouts(
        self, position: Any, only: tuple[str, ...] = (), hidden: tuple[int, ...] = ()
    ) -> RolloutJob:
        """The rollouts of `advise`: whole games are valued by their equity table, if any.

        only, hidden: see `Effort`.
        """
        effort = Effort(only=only, hidden=hidden)
        job = self.game.rollouts(
            self.rules, position, self.policies, self.whole, self.objective, effort
        )
        table = table_for(self.rules.id, self.policies) if self.whole else None
        return job if table is None else valued_by(job, table)

    def pick(
        self,
        position: Any,
        usual: str,
        first: int,
        only: tuple[str, ...] = (),
        hidden: tuple[int, ...] = (),
    ) -> Picked:
        """Return the action to take. first: index of the first game of rollouts.

        only, hidden: see `Effort`. ValueError if the usual action is not legal.
        """
        rollouts = self.rollouts(position, only, hidden)
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
    gain = mean_of(gains[best], squares, n, unit)
    return best, gain.value, gain.stderr


# Whole games in which some players think at each decision (`search:GAMES`), as a job.
#
# All players think of each other as `best`; what others play instead is unknown to them.


def thinks(policies: Sequence[Policy]) -> bool:
    """Return whether any of these policies is `search`."""
    return any(policy.family is SEARCH for policy in policies)


def thinker_of(game: AnyGame, rules: Any, players: int, policy: Policy, seed: int) -> Thinker:
    """Return the player of a policy `search:GAMES`, who thinks of all others as `best`.

    Raises LimitError for a game that it cannot play.
    """
    if not game.searched:
        able = ", ".join(other.title for other in built_in() if other.searched)
        raise LimitError(
            f"{policy.name} cannot play {game.title}: a game cannot be followed from decision to "
            f"decision; it plays {able}"
        )
    best = game.best_policy(rules, players, WIN)
    stages = stages_to(policy.parameter)
    objective = game.searched_for(rules)
    return Thinker(game, rules, (best,) * players, objective, stages, seed, recalls=True)


def games_of(game: AnyGame, rules: Any, policies: Sequence[Policy], rounds: bool) -> Job:
    """Return the job of `Game.simulation`, also if some policies are `search`.

    Raises LimitError for first rounds, and for a game whose play cannot be followed.
    """
    if not thinks(policies):
        return game.simulation(rules, policies, rounds)
    if rounds:
        raise LimitError("search plays to win whole games: leave out rounds")
    thinking = [seat for seat, policy in enumerate(policies) if policy.family is SEARCH]
    thinker = thinker_of(game, rules, len(policies), policies[thinking[0]], 0)
    plain = [thinker.policies[0] if policy.family is SEARCH else policy for policy in policies]
    like = game.simulation(rules, plain, False)
    # What is not playable is refused here, and what has to be compiled or solved is.
    line = line_of(game, rules, plain, 0, 0, thinking[0], True, thinking[1:])
    thinker.pick(line.position(), line.usual, 0, line.only)
    names = tuple(policy.name for policy in policies)
    measures = like.measures[: line.counted]
    # The job beside the names says what else the games depend on.
    tables = (rules.id, names, like)
    return Job(play_thinking, like.rules, like.policies, tables, (len(measures), 2), measures)


def play_thinking(
    rules: np.ndarray, policies: np.ndarray, tables: Any, seed: int, first: int, count: int,
    tally: np.ndarray,
) -> None:  # fmt: skip
    """Play whole games: the kernel of `games_of`, in plain Python. tables: as there."""
    del rules, policies
    text, names, _ = tables
    game, rule_set, seats = _seated(text, names)
    for number in range(first, first + count):
        _game(game, rule_set, seats, seed, number).count(tally)


@lru_cache(maxsize=32)
def _seated(text: str, names: tuple[str, ...]) -> tuple[AnyGame, Any, tuple[Policy, ...]]:
    """Return the game, the rule set and the policies of their names."""
    game = game_of(text)
    return game, game.rules(text), tuple(game.policy(name) for name in names)


def _game(game: AnyGame, rules: Any, policies: Sequence[Policy], seed: int, number: int) -> Line:
    """Play a game; return it when it is over."""
    players = len(policies)
    thinkers = {
        seat: thinker_of(game, rules, players, policy, seed)
        for seat, policy in enumerate(policies)
        if policy.family is SEARCH
    }
    best = game.best_policy(rules, players, WIN)
    plain = [best if seat in thinkers else policy for seat, policy in enumerate(policies)]
    one, *others = thinkers
    line = line_of(game, rules, plain, seed, number, one, True, others)
    line.recalls = True
    decided = dict.fromkeys(thinkers, 0)
    while not line.over:
        seat = line.seat
        first = thinkers[seat].first(number, seat, decided[seat])
        if first + thinkers[seat].words > MAX_GAMES:
            most = MAX_GAMES // (thinkers[seat].words * MOST_DECISIONS * players)
            raise LimitError(f"game {number}: {policies[seat].name} can play {most:,} games")
        decided[seat] += 1
        if thinks_no_more(line.turns, players):
            line.act(line.usual)
        else:
            line.act(thinkers[seat].pick(line.position(), line.usual, first, line.only).action)
    return line
