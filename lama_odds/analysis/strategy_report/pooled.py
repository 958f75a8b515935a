"""Cells of forks taken together: a job that counts groups of another job's cells as well.

Decisions of one game are not independent, and a game has decisions in several cells. So the error
of a group needs its sums game by game, which the sums of its cells do not give. Here the error
comes from small blocks of games instead, which are as independent and take less time.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lama_odds.games.interface.tally_layout import FORK_COLUMNS, as_one_game, decisions_of
from lama_odds.jit.job import Job
from lama_odds.simulation.paired_blocks import BLOCK

NO_GROUP = -1


def pooled_job(job: Job, groups: np.ndarray) -> Job:
    """A job that plays the games of another and counts groups of its cells in the rows after them.

    job: one whose tally is of forks (see `add_fork`), int64[cells, FORK_COLUMNS]. groups:
    int64[levels, cells], the group of each cell, or NO_GROUP; a cell is in as many as there are
    levels. Groups are numbered from 0 over all levels. Games have to be played in whole BLOCKs.
    """
    nothing = np.zeros(0, dtype=np.int64)
    rows = job.shape[0] + int(groups.max()) + 1
    return Job(play_pooled, nothing, nothing, (job, groups), (rows, FORK_COLUMNS))


def play_pooled(
    rules: Any, policies: Any, tables: Any, seed: int, first: int, count: int, tally: np.ndarray
) -> None:
    """The kernel of `pooled_job`, in plain Python. tables: the job, and the groups."""
    del rules, policies
    job, groups = tables
    if first % BLOCK or count % BLOCK:
        raise ValueError(f"games {first} to {first + count - 1} are not whole blocks")
    one = np.zeros(job.shape, dtype=np.int64)
    if not count:  # the call that compiles
        job.play(seed, first, 0, one)
    for start in range(first, first + count, BLOCK):
        one[:] = 0
        job.play(seed, start, BLOCK, one)
        met = np.flatnonzero(decisions_of(one))
        tally[met] += one[met]
        for level in groups:
            _add(tally[len(one) :], one[met], level[met])


def _add(tally: np.ndarray, cells: np.ndarray, groups: np.ndarray) -> None:
    """Add the cells of a block of games to the groups that they are in."""
    found, place = np.unique(groups, return_inverse=True)
    sums = np.zeros((len(found), FORK_COLUMNS), dtype=np.int64)
    np.add.at(sums, place, cells)
    sums, found = sums[found != NO_GROUP], found[found != NO_GROUP]
    tally[found] += as_one_game(sums)
