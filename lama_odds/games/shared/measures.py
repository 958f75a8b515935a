"""What simulations of the L.A.M.A. family count, by name, and single games with a log."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from lama_odds.games.interface.tally_layout import WIN
from lama_odds.jit.job import Job, Measure

FIRST_LOG = 4_096


def round_measures(seats: int, most_points: int, blows: bool = True) -> tuple[Measure, ...]:
    """Return the measures of first rounds, in tally order.

    most_points: the most a round can cost. blows: whether a round can be blown.
    """
    blown = Measure("blown", share=True)
    blown = blown if blows else replace(blown, most=0.0)
    ends = (Measure("actions"), Measure("went_out", share=True), blown)
    return (*(Measure("penalty", seat, most=most_points) for seat in range(seats)), *ends)


def game_measures(seats: int, most_score: int) -> tuple[Measure, ...]:
    """Return the measures of whole games, in the order of `count_game`.

    most_score: the highest final score.
    """
    return (
        *(Measure("win", seat, 1 / WIN, share=True) for seat in range(seats)),
        *(Measure("outright", seat, share=True) for seat in range(seats)),
        *(Measure("score", seat, most=most_score) for seat in range(seats)),
        Measure("rounds"),
        Measure("unfinished", share=True),
    )


# Details of games that their kernels count, in the order of `tally_layout.count_details`.
DETAILS = (Measure("length"), Measure("spread"))


def logged_game(job: Job, seed: int, game: int, rounds: bool) -> tuple[int, list[int]]:
    """Play one game of a simulation again and return (rounds played, entries of its log).

    The job's tables have a log; it is made longer until it is long enough.
    """
    size = FIRST_LOG
    while True:
        log = np.zeros(size, dtype=np.int64)
        tally = job.with_tables(log=log).play(seed, game, 1)
        if log[0] < size:
            break
        size = int(log[0]) + 1
    entries = log[1 : log[0] + 1].tolist()
    if rounds:
        return 1, entries
    at = [measure.name for measure in job.measures].index("rounds")
    return int(tally[at, 0]), entries
