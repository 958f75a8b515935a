"""Match equity tables, solved: chances to win a two-player game, by both scores and the starter.

Rounds are played from every pair of scores with one policy. Each gives new scores (tokens are
returned) and the starter of the next round. The chances to win then solve a linear system. T(a, b)
is the chance of the starter with score a against score b, ties shared. With n rounds from there::

    n T(a, b) = Σ over rounds that leave (a', b'):  the share won, if the game is over;
                T(a', b'), if the same seat starts again;  1 − T(b', a'), if the other does.

The errors are those of the system. Rounds from different scores are different games. So the
variance of T is a sum: the squared entries of the inverse times the variances of one step.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations_with_replacement
from typing import Any, Protocol

import numpy as np

import lama_odds
from lama_odds.core.errors import LimitError, ReadError
from lama_odds.core.estimate import Estimate
from lama_odds.core.plain import Plain
from lama_odds.core.policies import Policy
from lama_odds.core.progress import StageProgress
from lama_odds.core.reading import data_json
from lama_odds.games.interface import from_scores
from lama_odds.games.interface.match_equity import (
    BEST_PLAY,
    SEVERAL_FOLDERS,
    MatchEquity,
    SeveralEquity,
    best_play,
    manifest,
    shipped,
    table_for,
)
from lama_odds.games.interface.rounds_won import RoundsWonEquity
from lama_odds.games.registry import having
from lama_odds.jit.job import Job
from lama_odds.simulation.run import run
from lama_odds.statistics.intervals import Z

# Rounds played from given scores, a block at a time, and what rounds of two players leave.


class PointsGame(Protocol):
    """A game of points that can be played from given scores."""

    def rounds_from(
        self, rules: Any, policies: Sequence[Policy], starts: np.ndarray, most: int
    ) -> Job | None:
        """Rounds from given scores, see `Game.rounds_from`."""

    def most_points(self, rules: Any) -> int:
        """The highest number of points that a round can cost."""


def job_from(
    game: PointsGame, rules: Any, policies: Sequence[Policy], starts: np.ndarray, most: int
) -> Job:
    """The job of games from these scores; raises LimitError where scores can become too high."""
    seats = len(policies)
    if rules.target + game.most_points(rules) >= 1 << from_scores.SCORE_BITS // seats:
        raise LimitError(f"{rules.id}: scores are too high for a table of {seats} players")
    job = game.rounds_from(rules, policies, starts, most)
    assert job is not None, "only games with rounds of points come here"
    return job


def noted_blocks(
    job: Job, seed: int, first: int, games: int, threads: int | None
) -> Iterator[np.ndarray]:
    """Play games of such a job, and yield what their kernel notes of a block at a time.

    Raises KeyboardInterrupt if it is stopped.
    """
    for start in range(first, first + games, from_scores.BLOCK):
        count = min(from_scores.BLOCK, first + games - start)
        played = run(job, seed, count, first=start, threads=threads)
        if played.interrupted:
            raise KeyboardInterrupt
        yield from_scores.in_order(played.tally, start, count)


def played_blocks(
    job: Job, seed: int, first: int, games: int, threads: int | None
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Do the same, and yield scores and starters; see `read_scores`."""
    for noted in noted_blocks(job, seed, first, games, threads):
        yield from_scores.read_scores(noted, len(job.policies))


def left_by_two(
    game: PointsGame,
    rules: Any,
    policies: Sequence[Policy],
    score: int,
    rounds: int,
    seed: int,
    first: int,
    threads: int | None = None,
) -> np.ndarray:
    """What rounds of two players leave that the first one starts with a score.

    Returns int64[target, highest, highest, 2]: by the score of the other, both scores after the
    round, and the starter of the next one. rounds: from each score of the other. first: index of
    the first one, a multiple of the target.
    """
    target = rules.target
    shape = (target, *[target + game.most_points(rules)] * 2, 2)
    starts = np.array([[score, other] for other in range(target)], dtype=np.int64)
    job = job_from(game, rules, policies, starts, from_scores.ONE_ROUND)
    left = np.zeros(np.prod(shape), dtype=np.int64)
    at = first
    for scores, starters in played_blocks(job, seed, first, target * rounds, threads):
        others = np.arange(at, at + len(scores)) % target
        places = np.ravel_multi_index((others, *scores.T, starters), shape)
        left += np.bincount(places, minlength=len(left))
        at += len(scores)
    return left.reshape(shape)


ROUNDS = 5_000  # from each pair of scores, by default: some ten seconds
MOST_TARGET = 60  # the system has the square of that many unknowns
SAME = 12  # decimals that do not depend on how many threads solve the system


def match_equity(
    game: PointsGame,
    rules: Any,
    policy: Policy,
    rounds: int,
    seed: int,
    threads: int | None = None,
    progress: StageProgress | None = None,
) -> MatchEquity:
    """The table of a rule set for two players of a policy. rounds: from each pair of scores.

    Raises ReadError for rules that are not for two, or that have a pot (its content would have to
    be known too). Raises LimitError for targets over MOST_TARGET or games that need not end.
    """
    if getattr(rules, "drama", False):
        raise ReadError(f"{rules.id}: there is no match equity table for rules with a pot")
    if 2 not in rules.players:
        raise ReadError(f"{rules.id} is not for two players")
    target = rules.target
    if target > MOST_TARGET:
        raise LimitError(f"a target of {target}: match equity tables go up to {MOST_TARGET}")
    system = np.zeros((target * target, target * target))
    won = np.zeros(target * target)
    seen = []
    for score in range(target):
        if progress:
            progress(score / target, "playing")
        first = score * target * rounds
        left = left_by_two(game, rules, [policy] * 2, score, rounds, seed, first, threads)
        seen.append(left)
        for other in range(target):
            at = score * target + other
            _add_step(system[at], won, at, left[other] / rounds, target)
    try:
        inverse = np.linalg.inv(np.eye(target * target) - system)
    except np.linalg.LinAlgError:
        raise LimitError(f"{policy.name} against itself never ends a game of {rules.id}") from None
    values = (inverse @ won).round(SAME)
    spread = np.concatenate([_variances(left, values, target) for left in seen])
    stderr = np.sqrt(inverse**2 @ spread / rounds).round(SAME)
    shape = (target, target)
    return MatchEquity(policy.name, values.reshape(shape), stderr.reshape(shape), rounds, seed)


def _add_step(row: np.ndarray, won: np.ndarray, at: int, left: np.ndarray, target: int) -> None:
    """Put what a round leaves into a row of the system; left: shares by scores and starter."""
    going_on = left[:target, :target]
    row += going_on[:, :, 0].reshape(-1)
    row -= going_on[:, :, 1].T.reshape(-1)
    won[at] = going_on[:, :, 1].sum() + (left.sum(axis=2) * _over(left.shape[0], target)).sum()


def _over(highest: int, target: int) -> np.ndarray:
    """float64[highest, highest]: share of the win by both scores; 0 where the game is not over."""
    mine, other = np.indices((highest, highest))
    share = np.where(mine < other, 1.0, np.where(mine == other, 0.5, 0.0))
    return np.where(np.maximum(mine, other) >= target, share, 0.0)


def _variances(left: np.ndarray, values: np.ndarray, target: int) -> np.ndarray:
    """float64[target]: variance of what one round is worth, by the score of the other."""
    table = values.reshape(target, target)
    worth = np.repeat(_over(left.shape[1], target)[:, :, None], 2, axis=2)
    worth[:target, :target, 0] = table
    worth[:target, :target, 1] = 1 - table.T
    rounds = left[0].sum()
    means = np.tensordot(left, worth, 3) / rounds
    return np.asarray(np.tensordot(left, worth**2, 3) / rounds - means**2)


@dataclass(frozen=True)
class Equities(Plain):
    """The answer to "who is ahead, and by how much?" in a two-player game."""

    KEYS = "rules policy=table.policy rounds=table.rounds seed table=rows version"

    rules: str
    table: MatchEquity
    seed: int
    version: str = field(default=lama_odds.__version__)
    variant: str = ""  # the name of the rule set in a file of variants

    @property
    def target(self) -> int:
        """The score that ends a game."""
        return len(self.table.values)

    def win(self, mine: int, other: int) -> Estimate:
        """The chance to win of the player who starts the next round, with these scores."""
        value = float(self.table.values[mine, other])
        stderr = float(self.table.stderr[mine, other])
        return Estimate.normal(value, stderr, self.table.rounds, Z)

    @property
    def rows(self) -> list[dict[str, Any]]:
        """Every pair of scores; n: rounds played from it."""
        scores = range(self.target)
        return [
            {"mine": mine, "other": other, "win": self.win(mine, other)}
            for mine in scores
            for other in scores
        ]


def best_play_equities(rules: Any) -> Equities:
    """The match equity table of two players who play as well as possible, as shipped.

    Raises ReadError for rules without one.
    """
    table = best_play(rules.id)
    if table is None:
        solved = ", ".join(sorted(data_json(BEST_PLAY)["tables"]))
        raise ReadError(
            f"{rules.id}: there is no match equity table of best play, expected one of {solved}"
        )
    return Equities(rules.id, table, table.seed)


def equities(
    game: Any,
    rules: Any,
    policy: Policy,
    *,
    rounds: int | None = None,
    seed: int = 0,
    threads: int | None = None,
    progress: StageProgress | None = None,
) -> Equities:
    """The match equity table of two players of a policy: shipped, or solved from rounds.

    rounds: from each pair of scores; None: the table that is shipped, or ROUNDS where there is
    none. Raises ReadError for a game without points, or rules with a pot.
    """
    table = shipped(rules.id, [policy, policy]) if rounds is None else None
    if table is not None:
        return Equities(rules.id, table, table.seed)
    if not game.has("rounds_from"):
        raise ReadError(
            f"{game.title} is not played for points that add up: match equity tables are for "
            f"{' and '.join(having('rounds_from'))}"
        )
    solution = match_equity(game, rules, policy, rounds or ROUNDS, seed, threads, progress)
    return Equities(rules.id, solution, seed)


# Who is ahead at these scores? Chances of everybody at a table, from the match equity tables.

STEPS = 4  # between the scores of the rows, unless scores are given


@dataclass(frozen=True)
class Standings(Plain):
    """The answer to "who is ahead?" at some scores.

    rows: scores of the players in their order of turns; the first starts the next round.
    """

    KEYS = (
        "rules players policy=table.policy rounds=table.rounds seed=table.seed table=chances "
        "version"
    )

    rules: str
    players: int
    table: MatchEquity | SeveralEquity
    rows: tuple[tuple[int, ...], ...]
    version: str = field(default=lama_odds.__version__)
    variant: str = ""  # the name of the rule set in a file of variants

    @property
    def target(self) -> int:
        """The score that ends a game."""
        table = self.table
        return len(table.values) if isinstance(table, MatchEquity) else table.target

    def win(self, scores: Sequence[int]) -> tuple[Estimate, ...]:
        """Everybody's chance to win; the first one starts the next round."""
        table = self.table
        if isinstance(table, MatchEquity):
            value = float(table.values[scores[0], scores[1]])
            stderr = float(table.stderr[scores[0], scores[1]])
            return tuple(_chance(x, stderr, table.rounds) for x in (value, 1 - value))
        return tuple(_chance(float(x), table.stderr, table.rounds) for x in table.chances(scores))

    @property
    def chances(self) -> list[dict[str, Any]]:
        """The chances at the scores of each row; n: rounds that the table was made of."""
        return [{"scores": row, "win": self.win(row)} for row in self.rows]


def _chance(value: float, stderr: float, rounds: int) -> Estimate:
    return Estimate.normal(value, stderr, rounds, Z).within_a_share()


def standings(
    rules: Any, policy: Policy, players: int, scores: Sequence[int] | None = None
) -> Standings:
    """The chances at these scores, or at every few scores, from a shipped table.

    scores: below the target, of the player who starts the next round first. Raises ReadError for
    other scores, and for players without a table.
    """
    table = table_for(rules.id, [policy] * players)
    if isinstance(table, RoundsWonEquity):
        raise ReadError(f"{rules.id} is won by rounds: it has no match equity table by scores")
    if table is None:
        raise ReadError(
            f"{rules.id}: there is no match equity table of {players} players of {policy.name}, "
            f"expected the best policy of {_those_with(players)}"
        )
    if scores is None:
        return Standings(rules.id, players, table, few_scores(rules.target, players))
    if len(scores) != players:
        raise ReadError(f"scores of {len(scores)} players found, expected {players}")
    for score in scores:
        if not 0 <= score < rules.target:
            raise ReadError(
                f"score {score} found, expected 0 to {rules.target - 1}: more end the game"
            )
    return Standings(rules.id, players, table, (tuple(scores),))


def few_scores(target: int, players: int) -> tuple[tuple[int, ...], ...]:
    """Return every few scores of the first player, each with such scores of the others, rising."""
    step = max(1, target // STEPS)
    some = sorted({*range(0, target, step), target - 1})
    return tuple(
        (mine, *others)
        for mine in some
        for others in combinations_with_replacement(some, players - 1)
    )


def _those_with(players: int) -> str:
    """The rule sets that have a table for this number of players, in words."""
    rule_sets = {
        name
        for folder in SEVERAL_FOLDERS
        for name, each in manifest(folder)["tables"].items()
        if str(players) in each
    }
    return ", ".join(sorted(rule_sets)) or "none"
