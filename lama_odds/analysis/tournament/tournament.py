"""Which policy is best against which: all of them at the same tables, on the same deals."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

import lama_odds
from lama_odds.analysis.tournament.job import points_name, rows_of, tournament_job
from lama_odds.analysis.tournament.seatings import Schedule, schedule_of
from lama_odds.core.errors import LimitError
from lama_odds.core.estimate import Estimate, exact
from lama_odds.core.policies import Policy
from lama_odds.core.progress import Progress
from lama_odds.games.interface.game import Game, P, R
from lama_odds.jit.job import Job
from lama_odds.simulation.paired_blocks import BLOCK, block_of
from lama_odds.simulation.run import Played, default_threads, run
from lama_odds.statistics.ranking import (
    Blocks,
    games_for,
    games_to_separate,
    is_separated,
    ranks,
    simultaneous_mean,
    simultaneous_share,
)

if TYPE_CHECKING:
    from lama_odds.simulation.run_folder import RunFolder

PRECISION = 0.01
PILOT_GAMES = 512  # the first deals: how many more are needed; not counted
FEWEST_GAMES = 30  # from fewer no error is known
MOST_GAMES = 1 << 36
SINGLE = 4_096  # up to here the samples are single games
SPARE = 0.95  # of the wanted half-width, as the pilot's errors are uncertain
CHUNK = 2 * BLOCK


@dataclass(frozen=True)
class Standing:
    """A policy in the league. points: the game's own score. rank: the best that it can have;
    policies that are not separated share it. worst: the worst rank that it can have."""

    policy: str
    win: Estimate
    points: Estimate
    rank: int
    worst: int

    def to_json(self) -> dict[str, Any]:
        """The agreed keys and the worst rank."""
        numbers = {"win": self.win.to_json(), "points": self.points.to_json()}
        return {"policy": self.policy, **numbers, "rank": self.rank, "worst_rank": self.worst}


@dataclass(frozen=True)
class Pair:
    """Two policies, the one with more wins first, and the difference of their win rates.

    games_to_separate: games per table to separate them; None if they are, or if no number would.
    """

    first: str
    second: str
    difference: Estimate
    separated: bool
    games_to_separate: int | None

    def to_json(self) -> dict[str, Any]:
        """One object."""
        return {
            "first": self.first,
            "second": self.second,
            "difference": self.difference.to_json(),
            "separated": self.separated,
            "games_to_separate": self.games_to_separate,
        }


@dataclass(frozen=True)
class Tournament:
    """Standings, best first; the matrix by policy and opponent; pairs; and what was played."""

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
        shares += [found for row in self.matrix.values() for found in row.values()]
        return max((found.high - found.low) / 2 for found in shares)

    def to_json(self) -> dict[str, Any]:
        """One object; only threads and seconds do not follow from the other arguments."""
        tables = len(self.schedule.seatings)
        return {
            "rules": self.rules,
            "players": self.players,
            "policies": [standing.to_json() for standing in self.standings],
            "matrix": {
                name: {other: found.to_json() for other, found in row.items()}
                for name, row in self.matrix.items()
            },
            "pairs": [pair.to_json() for pair in self.pairs],
            "points_measure": self.points_name,
            "points_higher_is_better": self.points_higher,
            "games": self.games,
            "tables": tables,
            "games_in_all": self.games * tables,
            "first_game": PILOT_GAMES,
            "league": {
                "tables": self.schedule.league_tables,
                "all_seatings": self.schedule.complete,
            },
            "precision": self.precision,
            "half_width": self.half_width,
            "seed": self.seed,
            "threads": self.threads,
            "seconds": self.seconds,
            "version": self.version,
        }


def tournament(
    game: Game[R, P],
    rules: R,
    policies: Sequence[Policy],
    players: int,
    *,
    precision: float = PRECISION,
    games: int | None = None,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress | None = None,
    folder: RunFolder | None = None,
) -> Tournament:
    """Play two policies or more against each other, at every table the same deals.

    precision: half-width wanted of all win rates. A pilot on deals of its own shows how many games
    that takes. games: at each table, instead of that. folder: where games are kept, and not played
    again. Raises LimitError if a game does not end, and if Ctrl-C comes before FEWEST_GAMES have
    been played.
    """
    schedule = schedule_of(len(policies), players)
    threads = threads or default_threads()
    play = partial(run, threads=threads, progress=progress, chunk=CHUNK, folder=folder)
    seconds = 0.0
    asked = None if games is not None else precision
    if games is None:
        job, table = tournament_job(game, rules, policies, schedule, 1)
        pilot = play(job, seed, PILOT_GAMES)
        if pilot.interrupted:
            raise LimitError("stopped before the number of games was settled")
        games = planned(_blocks(pilot, 1), schedule, table, precision)
        seconds = pilot.seconds
    block = block_of(games) if games > SINGLE else 1
    job, table = tournament_job(game, rules, policies, schedule, block)

    def figures(tally: np.ndarray, games: int) -> dict[str, Any]:
        return _wins(Blocks(tally, games, games // block), schedule, table, policies)

    # The games of the pilot are not counted again.
    played = play(job, seed, games, first=PILOT_GAMES, figures=figures)
    if played.games < FEWEST_GAMES:
        raise LimitError(
            f"too few games to say anything: {played.games} at each table, at least "
            f"{FEWEST_GAMES} are needed"
        )
    found = _figures(_blocks(played, block), schedule, table, [p.name for p in policies])
    return Tournament(
        rules=rules.id,
        players=players,
        **found,
        points_name=points_name(table),
        points_higher=game.objectives["points"].higher,
        schedule=schedule,
        games=played.games,
        precision=asked,
        seed=seed,
        threads=threads,
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

    def over(found: Estimate, seats: int) -> Estimate:
        return replace(found, n=found.n * seats)

    wins = [over(simultaneous_share(blocks.mean(i, unit), k, n), appearances) for i in range(k)]
    points = [
        over(simultaneous_mean(blocks.mean(k + i, point_unit), k, n), appearances) for i in range(k)
    ]
    order = sorted(range(k), key=lambda i: -wins[i].value)
    matrix = {names[i]: {names[i]: exact(1 / schedule.players)} for i in order}
    for row, (i, j) in enumerate(schedule.matrix):
        found = simultaneous_share(blocks.mean(at + row, duel_unit), family, n)
        matrix[names[i]][names[j]] = over(found, schedule.players)
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
    found = simultaneous_mean(blocks.difference(i, j, unit), family, blocks.samples)
    separated = is_separated(found)
    needed = None if separated else games_to_separate(found, family)
    return Pair(names[i], names[j], found, separated, needed)
