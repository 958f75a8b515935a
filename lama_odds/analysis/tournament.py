"""Policies at all tables, paired by deals: how often each wins, and which are surely better."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

import lama_odds
from lama_odds.analysis.search import games_of
from lama_odds.core.errors import LimitError
from lama_odds.core.estimate import Estimate, exact
from lama_odds.core.plain import Plain
from lama_odds.core.policies import Policy
from lama_odds.games.interface.game import Game, P, R
from lama_odds.jit.job import Job, sharing
from lama_odds.simulation.run import BLOCK, USUAL, Play, Played, block_of, default_threads, warm_up
from lama_odds.statistics.ranking import (
    Blocks,
    games_for,
    games_to_separate,
    is_separated,
    ranks,
    simultaneous_mean,
    simultaneous_share,
)

# The seats of the policies at the tables of a tournament.

Seating = tuple[int, ...]  # the policy at each seat, by number

MOST_SEATINGS = 2_000  # up to here all are played
ORDERS = 60  # of all policies; seatings come from these if there are more than MOST_SEATINGS
CANDIDATES = 20  # orders, of which the one that mixes best is chosen


@dataclass(frozen=True)
class Schedule:
    """All tables of a tournament, each once, and which of their seats a figure is the mean of.

    league: int64[policies, appearances], seats (table · players + seat) of each policy; complete:
    whether these are all seatings. matrix: by (policy, other), the seats of the policy at the
    tables where all others play the other.
    """

    policies: int
    players: int
    seatings: tuple[Seating, ...]
    league: np.ndarray
    complete: bool
    matrix: Mapping[tuple[int, int], np.ndarray]

    @property
    def league_tables(self) -> int:
        """Tables of the league; one that is in it twice counts twice."""
        return int(self.league.size // self.players)


def schedule_of(policies: int, players: int) -> Schedule:
    """The tables for this number of policies and players.

    League: all seatings of every balanced line-up. There each policy has at most one seat; with
    more players than policies, the seats of two policies differ by at most one. If there are too
    many seatings, a fixed part is used in which every policy has every seat equally often.
    Matrix: one player of a policy, in every seat, and all others of another.
    """
    complete = number_of_seatings(policies, players) <= MOST_SEATINGS
    league = all_seatings(policies, players) if complete else some_seatings(policies, players)
    duels = {
        (i, j): [(j,) * seat + (i,) + (j,) * (players - 1 - seat) for seat in range(players)]
        for i, j in itertools.permutations(range(policies), 2)
    }
    tables: dict[Seating, int] = {}
    for seating in itertools.chain(league, *duels.values()):
        tables.setdefault(seating, len(tables))
    seats: list[list[int]] = [[] for _ in range(policies)]
    for seating in league:
        for seat, policy in enumerate(seating):
            seats[policy].append(tables[seating] * players + seat)
    matrix = {
        pair: np.array([tables[duel] * players + seat for seat, duel in enumerate(seatings)])
        for pair, seatings in duels.items()
    }
    return Schedule(policies, players, tuple(tables), np.array(seats), complete, matrix)


def number_of_seatings(policies: int, players: int) -> int:
    """How many seatings `all_seatings` gives."""
    if policies >= players:
        return math.perm(policies, players)
    times, more = divmod(players, policies)
    alike = math.prod(math.factorial(times + (i < more)) for i in range(policies))
    return math.comb(policies, more) * math.factorial(players) // alike


def all_seatings(policies: int, players: int) -> list[Seating]:
    """Every order of every mix that is as even as can be."""
    if policies >= players:
        return list(itertools.permutations(range(policies), players))
    times, more = divmod(players, policies)
    seatings: set[Seating] = set()
    for extra in itertools.combinations(range(policies), more):
        seatings.update(itertools.permutations([*range(policies)] * times + [*extra]))
    return sorted(seatings)


def some_seatings(policies: int, players: int) -> list[Seating]:
    """Seatings from ORDERS fixed orders of the policies in a ring, each begun at every place.

    So from each order every policy has every seat once. The orders are drawn, always the same,
    each of CANDIDATES the one after which all pairs have met most evenly.
    """
    rng = np.random.RandomState(0)  # a frozen generator: the same on every version
    meetings = np.zeros((policies, policies), dtype=np.int64)
    seatings: list[Seating] = []
    for _ in range(ORDERS):
        drawn = [_ring(rng.permutation(policies).tolist(), players) for _ in range(CANDIDATES)]
        after = [meetings + _meetings(ring, policies) for ring in drawn]
        best = min(range(CANDIDATES), key=lambda i: int((after[i] ** 2).sum()))
        meetings = after[best]
        seatings += drawn[best]
    return seatings


def _ring(order: Sequence[int], players: int) -> list[Seating]:
    k = len(order)
    return [tuple(order[(at + seat) % k] for seat in range(players)) for at in range(k)]


def _meetings(seatings: Sequence[Seating], policies: int) -> np.ndarray:
    """int64[policies, policies]: at how many pairs of seats two different policies met."""
    counts = np.array([np.bincount(seating, minlength=policies) for seating in seatings])
    meetings = counts.T @ counts
    np.fill_diagonal(meetings, 0)
    return np.asarray(meetings)


# All tables of a tournament as one job: every table plays the same deals.

NOT_POINTS = ("win", "outright")


def points_name(job: Job) -> str:
    """The measure of each seat that is the game's own score."""
    return next(m.name for m in job.measures if m.seat is not None and m.name not in NOT_POINTS)


def rows_of(job: Job, name: str) -> list[int]:
    """Rows of the tally with a measure, by seat."""
    return [row for row, measure in enumerate(job.measures) if measure.name == name]


def tournament_job(
    game: Game[R, P], rules: R, policies: Sequence[Policy], schedule: Schedule, block: int
) -> tuple[Job, Job]:
    """The job of all tables, and that of one of them (for its measures).

    Its tally is that of `statistics.ranking.Blocks`, for blocks of deals. It has the wins of each
    policy in the league, its points, then the wins of the matrix in its order. Games have to be
    played in whole blocks. Playing raises LimitError if a game does not end, or if sums become too
    large to be kept.
    """
    tables = sharing(
        games_of(game, rules, [policies[policy] for policy in seating], False)
        for seating in schedule.seatings
    )
    rows = tuple(
        np.array(rows_of(tables[0], name)) for name in ("win", points_name(tables[0]), "unfinished")
    )
    matrix = np.array(list(schedule.matrix.values()))
    names = tuple(
        ", ".join(policies[policy].name for policy in seating) for seating in schedule.seatings
    )
    quantities = 2 * schedule.policies + len(matrix)
    warm_up(tables[0], 0)
    nothing = np.zeros(0, dtype=np.int64)
    arrays = (block, schedule.league, matrix, rows, tables, names)
    return Job(play_tables, nothing, nothing, arrays, (quantities, quantities + 1)), tables[0]


def play_tables(
    rules: Any, policies: Any, arrays: Any, seed: int, first: int, count: int, tally: np.ndarray
) -> None:
    """The kernel of `tournament_job`, in plain Python. arrays: as there."""
    del rules, policies
    block, league, matrix, (wins, points, unfinished), tables, names = arrays
    if first % block or count % block:
        raise ValueError(f"games {first} to {first + count - 1} are not whole blocks")
    samples = np.zeros((count // block, len(tally)), dtype=np.int64)
    tallies = np.zeros((len(tables), *tables[0].shape), dtype=np.int64)
    for sample, start in zip(samples, range(first, first + count, block), strict=True):
        tallies[:] = 0
        for table, counted in zip(tables, tallies, strict=True):
            table.play(seed, start, block, counted)
        _check_ends(tallies[:, unfinished, 0], names)
        won, scored = tallies[:, wins, 0].ravel(), tallies[:, points, 0].ravel()
        sample[:] = np.concatenate(
            [won[league].sum(axis=1), scored[league].sum(axis=1), won[matrix].sum(axis=1)]
        )
    if count and np.abs(samples).max() > math.isqrt((2**63 - 1) // len(samples)):
        raise LimitError("the sums of these games and tables are too large: give fewer games")
    tally[:, 0] += samples.sum(axis=0)
    tally[:, 1:] += samples.T @ samples


def _check_ends(unfinished: np.ndarray, names: Sequence[str]) -> None:
    """LimitError with a table at which a game did not end. names: of the policies, by table."""
    if unfinished.any():
        raise LimitError(
            f"a game of {names[int(np.argmax(unfinished.sum(axis=1) > 0))]} did not end: nobody "
            "reaches the target with these policies"
        )


# Which policy is best against which: all of them at the same tables, on the same deals.

PRECISION = 0.01
PILOT_GAMES = 512  # the first deals: how many more are needed; not counted
FEWEST_GAMES = 30  # from fewer no error is known
MOST_GAMES = 1 << 36
SINGLE = 4_096  # up to here the samples are single games
SPARE = 0.95  # of the wanted half-width, as the pilot's errors are uncertain
CHUNK = 2 * BLOCK


@dataclass(frozen=True)
class Standing(Plain):
    """A policy in the league. points: the game's own score. rank: the best that it can have;
    policies that are not separated share it. worst: the worst rank that it can have."""

    KEYS = "policy win points rank worst_rank=worst"

    policy: str
    win: Estimate
    points: Estimate
    rank: int
    worst: int


@dataclass(frozen=True)
class Pair(Plain):
    """Two policies, the one with more wins first, and the difference of their win rates.

    games_to_separate: games per table to separate them; None if they are, or if no number would.
    """

    KEYS = "first second difference separated games_to_separate"

    first: str
    second: str
    difference: Estimate
    separated: bool
    games_to_separate: int | None


@dataclass(frozen=True)
class Tournament(Plain):
    """Standings, best first; the matrix by policy and opponent; pairs; and what was played."""

    KEYS = (
        "rules players policies=standings matrix pairs points_measure=points_name "
        "points_higher_is_better=points_higher games tables games_in_all first_game "
        "league precision half_width seed threads seconds version"
    )

    rules: str
    players: int
    standings: tuple[Standing, ...]
    matrix: Mapping[str, Mapping[str, Estimate]]
    pairs: tuple[Pair, ...]
    points_name: str
    points_higher: bool
    schedule: Schedule
    games: int
    precision: float | None
    seed: int
    threads: int
    seconds: float
    interrupted: bool = False
    version: str = field(default=lama_odds.__version__)
    variant: str = ""  # the name of the rule set in a file of variants

    @property
    def half_width(self) -> float:
        """The widest interval of a win rate, halved."""
        shares = [standing.win for standing in self.standings]
        shares += [share for row in self.matrix.values() for share in row.values()]
        return max((share.high - share.low) / 2 for share in shares)

    @property
    def tables(self) -> int:
        """The number of tables."""
        return len(self.schedule.seatings)

    @property
    def games_in_all(self) -> int:
        """Games at all tables."""
        return self.games * self.tables

    @property
    def first_game(self) -> int:
        """The number of the first game."""
        return PILOT_GAMES

    @property
    def league(self) -> dict[str, int | bool]:
        """How many tables the league has, and whether every seating is played."""
        return {
            "tables": self.schedule.league_tables,
            "all_seatings": self.schedule.complete,
        }


def tournament(
    game: Game[R, P],
    rules: R,
    policies: Sequence[Policy],
    players: int,
    *,
    precision: float = PRECISION,
    games: int | None = None,
    play: Play = USUAL,
) -> Tournament:
    """Play two policies or more against each other, at every table the same deals.

    precision: half-width wanted of all win rates. A pilot on deals of its own shows how many games
    that takes. games: at each table, instead of that. Raises LimitError if a game does not end,
    and if Ctrl-C comes before FEWEST_GAMES have been played.
    """
    schedule = schedule_of(len(policies), players)
    seconds = 0.0
    wanted = None if games is not None else precision
    if games is None:
        job, table = tournament_job(game, rules, policies, schedule, 1)
        pilot = play.run(job, PILOT_GAMES, chunk=CHUNK)
        if pilot.interrupted:
            raise LimitError("stopped before the number of games was settled")
        games = planned(_blocks(pilot, 1), schedule, table, precision)
        seconds = pilot.seconds
    block = block_of(games) if games > SINGLE else 1
    job, table = tournament_job(game, rules, policies, schedule, block)

    def figures(tally: np.ndarray, games: int) -> dict[str, Any]:
        return _wins(Blocks(tally, games, games // block), schedule, table, policies)

    # The games of the pilot are not counted again.
    played = play.run(job, games, first=PILOT_GAMES, chunk=CHUNK, figures=figures)
    if played.games < FEWEST_GAMES:
        raise LimitError(
            f"too few games to say anything: {played.games} at each table, at least "
            f"{FEWEST_GAMES} are needed"
        )
    fields = _figures(_blocks(played, block), schedule, table, [p.name for p in policies])
    return Tournament(
        rules=rules.id,
        players=players,
        **fields,
        points_name=points_name(table),
        points_higher=game.objectives["points"].higher,
        schedule=schedule,
        games=played.games,
        precision=wanted,
        seed=play.seed,
        threads=play.threads or default_threads(),
        seconds=seconds + played.seconds,
        interrupted=played.interrupted,
    )


def planned(pilot: Blocks, schedule: Schedule, table: Job, precision: float) -> int:
    """Games per table that give every win rate of the answer this half-width.

    Raises LimitError if that is more than MOST_GAMES.
    """
    k, wanted = schedule.policies, SPARE * precision
    needed = PILOT_GAMES
    for at, family, unit in _families(schedule, table):
        worst = max(pilot.mean(at + i, unit).stderr for i in range(family))
        needed = max(needed, games_for(wanted, worst, pilot.games, family))
    if needed > MOST_GAMES:
        raise LimitError(
            f"precision {precision:g} takes about {needed:,} games at each of "
            f"{len(schedule.seatings)} tables ({k} policies): give a larger one"
        )
    return math.ceil(needed / BLOCK) * BLOCK


def _blocks(played: Played, block: int) -> Blocks:
    return Blocks(played.tally, played.games, played.games // block)


def _families(schedule: Schedule, table: Job) -> list[tuple[int, int, float]]:
    """Win rates of the league and of the matrix: where they begin, how many, what one counts."""
    win = table.measures[rows_of(table, "win")[0]].unit
    k, pairs = schedule.policies, len(schedule.matrix)
    return [(0, k, win / schedule.league.shape[1]), (2 * k, pairs, win / schedule.players)]


def _wins(
    blocks: Blocks, schedule: Schedule, table: Job, policies: Sequence[Policy]
) -> dict[str, Any]:
    """JSON of the win rates of the league, by name; empty while there are few games."""
    if blocks.samples < FEWEST_GAMES:
        return {}
    (at, k, unit), _ = _families(schedule, table)
    return {
        f"win {policy.name}": simultaneous_share(
            blocks.mean(at + i, unit), k, blocks.samples
        ).to_json()
        for i, policy in enumerate(policies)
    }


def _figures(
    blocks: Blocks, schedule: Schedule, table: Job, names: Sequence[str]
) -> dict[str, Any]:
    """Standings, matrix and pairs, by the names of a tournament's fields."""
    k, n = len(names), blocks.samples
    appearances = schedule.league.shape[1]
    (_, _, unit), (at, family, duel_unit) = _families(schedule, table)
    point_unit = table.measures[rows_of(table, points_name(table))[0]].unit / appearances

    def over(estimate: Estimate, seats: int) -> Estimate:
        return replace(estimate, n=estimate.n * seats)

    wins = [over(simultaneous_share(blocks.mean(i, unit), k, n), appearances) for i in range(k)]
    points = [
        over(simultaneous_mean(blocks.mean(k + i, point_unit), k, n), appearances) for i in range(k)
    ]
    order = sorted(range(k), key=lambda i: -wins[i].value)
    matrix = {names[i]: {names[i]: exact(1 / schedule.players)} for i in order}
    for row, (i, j) in enumerate(schedule.matrix):
        rate = simultaneous_share(blocks.mean(at + row, duel_unit), family, n)
        matrix[names[i]][names[j]] = over(rate, schedule.players)
    matrix = {name: {names[j]: row[names[j]] for j in order} for name, row in matrix.items()}

    pairs = []
    better = [[False] * k for _ in range(k)]
    for i, j in itertools.combinations(order, 2):
        pair = _pair(blocks, (i, j), unit, names)
        better[i][j] = pair.separated
        pairs.append(pair)
    standings = [
        Standing(names[i], wins[i], points[i], *rank) for i, rank in enumerate(ranks(better))
    ]
    return {
        "standings": tuple(standings[i] for i in order),
        "matrix": matrix,
        "pairs": tuple(pairs),
    }


def _pair(blocks: Blocks, which: tuple[int, int], unit: float, names: Sequence[str]) -> Pair:
    """Two policies; the first has at least as many wins."""
    i, j = which
    family = math.comb(len(names), 2)
    difference = simultaneous_mean(blocks.difference(i, j, unit), family, blocks.samples)
    separated = is_separated(difference)
    needed = None if separated else games_to_separate(difference, family)
    return Pair(names[i], names[j], difference, separated, needed)
