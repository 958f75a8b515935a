"""Jobs: played, with tables by name, and sharing what is equal."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from lama_odds.games.registry import game_of
from lama_odds.jit.job import Job, sharing

POSITION = "hand=25L row=1346L opp=13,6LL"


class Play(NamedTuple):
    values: np.ndarray
    log: np.ndarray


class Tables(NamedTuple):
    play: Play
    starter: int
    first: np.ndarray


def add(
    rules: Any, policies: Any, tables: Tables, seed: int, first: int, count: int, tally: np.ndarray
) -> None:
    """A kernel: how many games, and their indices with what the tables have."""
    tally += [count, sum(range(first, first + count)) + tables.starter + int(tables.play.log.sum())]


def job_with(values: list[int]) -> Job:
    array = np.array(values)
    tables = Tables(Play(array, np.zeros(1)), 3, array.copy())
    return Job(add, np.zeros(1), np.zeros(1), tables, (2,))


def test_a_job_is_played_into_a_tally_or_a_new_one() -> None:
    job = job_with([1])
    tally = job.play(0, 10, 2)
    assert tally.tolist() == [2, 24]
    assert job.play(0, 5, 1, tally) is tally
    assert tally.tolist() == [3, 32]


def test_tables_are_changed_by_name() -> None:
    job = job_with([1]).with_tables(starter=5)
    assert type(job.tables) is Tables
    assert job.play(0, 0, 1).tolist() == [1, 5]


def test_equal_arrays_are_shared_within_tables_of_tables() -> None:
    one, two, other = sharing(job_with(values) for values in ([1, 2], [1, 2], [1, 3]))
    for job in (one, two, other):
        assert type(job.tables) is Tables
        assert type(job.tables.play) is Play
        assert job.tables.play.values is job.tables.first
    assert one.tables.first is two.tables.first
    assert other.tables.first is not one.tables.first
    assert other.tables.first.tolist() == [1, 3]


def test_policies_of_a_position_share_their_values() -> None:
    game = game_of("dice/amigo")
    rules = game.rules("dice/amigo")
    jobs = [game.simulation(rules, [game.policy("meanfield")] * 3, True) for _ in range(2)]
    one, two = sharing(jobs)
    tables: Any = (one.tables, two.tables)
    assert tables[0].values is tables[1].values
    assert type(tables[0]) is type(jobs[0].tables)
