"""All tables of a tournament as one job: every table plays the same deals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from lama_odds.analysis.search.games import games_of
from lama_odds.analysis.tournament.seatings import Schedule
from lama_odds.core.errors import LimitError
from lama_odds.core.policies import Policy
from lama_odds.games.interface.game import Game, P, R
from lama_odds.jit.job import Job, sharing
from lama_odds.simulation.engines import warm_up

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
    found = np.zeros((len(tables), *tables[0].shape), dtype=np.int64)
    for sample, start in zip(samples, range(first, first + count, block), strict=True):
        found[:] = 0
        for table, counted in zip(tables, found, strict=True):
            table.play(seed, start, block, counted)
        _check_ends(found[:, unfinished, 0], names)
        won, scored = found[:, wins, 0].ravel(), found[:, points, 0].ravel()
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
