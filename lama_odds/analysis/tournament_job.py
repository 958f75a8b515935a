"""All tables of a tournament as one job: every table plays the same deals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from lama_odds.analysis.seatings import Schedule
from lama_odds.core.errors import LimitError
from lama_odds.core.policies import Policy
from lama_odds.games.protocol import Game
from lama_odds.kernels.job import Job
from lama_odds.simulation.run import warm_up

NOT_POINTS = ("win", "outright")


def points_name(job: Job) -> str:
    """The measure of each seat that is the game's own score."""
    return next(m.name for m in job.measures if m.seat is not None and m.name not in NOT_POINTS)


def rows_of(job: Job, name: str) -> list[int]:
    """Rows of the tally with a measure, by seat."""
    return [row for row, measure in enumerate(job.measures) if measure.name == name]


def tournament_job(
    game: Game, rules: Any, policies: Sequence[Policy], schedule: Schedule, block: int, blocks: int
) -> tuple[Job, Job]:
    """The job of all tables, and that of one of them (for its measures).

    Its tally is that of `statistics.ranking.Blocks`, for blocks of so many deals: the wins of
    each policy in the league, its points, then the wins of the matrix in its order. Games are to
    be asked for in whole blocks, at most `blocks` of them. Playing raises LimitError if a game
    does not end, or if sums become too large to be kept.
    """
    tables = [
        game.simulation(rules, [policies[policy] for policy in seating], False)
        for seating in schedule.seatings
    ]
    wins, points = rows_of(tables[0], "win"), rows_of(tables[0], points_name(tables[0]))
    unfinished = rows_of(tables[0], "unfinished")
    matrix = np.array(list(schedule.matrix.values()))
    quantities = 2 * schedule.policies + len(matrix)
    largest = math.isqrt((2**63 - 1) // max(1, blocks))

    def play(
        own: Any, rows: Any, arrays: Any, seed: int, first: int, count: int, tally: np.ndarray
    ) -> None:
        del own, rows, arrays
        if first % block or count % block:
            raise ValueError(f"games {first} to {first + count - 1} are not whole blocks")
        samples = np.zeros((count // block, quantities), dtype=np.int64)
        found = np.zeros((len(tables), *tables[0].shape), dtype=np.int64)
        for sample, start in zip(samples, range(first, first + count, block), strict=True):
            found[:] = 0
            for table, counted in zip(tables, found, strict=True):
                table.kernel(table.rules, table.policies, table.tables, seed, start, block, counted)
            _check_ends(found[:, unfinished, 0], policies, schedule)
            won, scored = found[:, wins, 0].ravel(), found[:, points, 0].ravel()
            sample[:] = np.concatenate(
                [
                    won[schedule.league].sum(axis=1),
                    scored[schedule.league].sum(axis=1),
                    won[matrix].sum(axis=1),
                ]
            )
        if count and np.abs(samples).max() > largest:
            raise LimitError("so many games at so many tables cannot be summed: give fewer --games")
        tally[:, 0] += samples.sum(axis=0)
        tally[:, 1:] += samples.T @ samples

    warm_up(tables[0], 0)
    nothing = np.zeros(0, dtype=np.int64)
    parts = (block, schedule.league, matrix, tables)
    return Job(play, nothing, nothing, (), (quantities, quantities + 1), parts=parts), tables[0]


def _check_ends(unfinished: np.ndarray, policies: Sequence[Policy], schedule: Schedule) -> None:
    """LimitError with a table at which a game did not end."""
    if unfinished.any():
        seating = schedule.seatings[int(np.argmax(unfinished.sum(axis=1) > 0))]
        names = ", ".join(policies[policy].name for policy in seating)
        raise LimitError(
            f"a game of {names} did not end: nobody reaches the target with these policies"
        )
