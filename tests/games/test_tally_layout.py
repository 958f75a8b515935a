"""Tallies read by name: what kernels count stands where readers look for it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from lama_odds.core.policies import Policy
from lama_odds.games.interface.hand_tally import (
    HandTally,
    count_difference,
    count_hands,
    hands_size,
)
from lama_odds.games.interface.jobs import RolloutJob
from lama_odds.games.interface.tally_layout import (
    FORK_COLUMNS,
    FORK_OBJECTIVES,
    OPEN_COLUMNS,
    ForkCell,
    RolloutTally,
    add_fork,
    as_one_game,
    close_forks,
    count_payoffs,
    count_unended,
    decisions_of,
    event_of,
    result_of,
    rollout_layout,
    unended_of,
)
from lama_odds.games.registry import game_of

GAMES = [
    [((3, 1), (5, 1)), ((2, 0), (2, 1))],
    [((7, 1), (4, 0))],
    [((1, 1), (1, 1)), ((0, 0), (6, 1)), ((2, 1), (9, 0))],
]
POSITIONS = [
    ("dice/amigo", "hand=25L row=1346L opp=13,6LL"),
    ("lama/egmont", "hand=3356L top=4 opp=4,q2"),
    ("pikomino/egmont", "kept=44W centre=21,24,26 stacks=29/25"),
]


def test_every_place_of_a_rollout_tally_has_one_meaning() -> None:
    layout = rollout_layout(3, 4, 2, 5, counters=6)
    tally = np.arange(layout.shape[0])
    read = RolloutTally(layout, tally)
    parts = (read.sums, read.events, read.results, read.counters)
    assert [part.shape for part in parts] == [(3, 4, 5), (4, 2), (4, 5), (6,)]
    assert [*np.concatenate([part.ravel() for part in parts]), read.unended] == tally.tolist()
    assert read.events[3, 1] == event_of(layout, 3, 1)
    assert read.results[2, 4] == result_of(layout, 2, 4)
    assert read.counters[0] == layout.counters_at


def test_payoffs_stand_where_they_are_read() -> None:
    payoffs = np.random.default_rng(1).integers(-9, 9, (50, 2, 3))
    layout = rollout_layout(2, 3, 0)
    tally = np.zeros(layout.shape, dtype=np.int64)
    for payoff in payoffs:
        count_payoffs(tally, payoff)
    sums = RolloutTally(layout, tally).sums
    assert (sums[:, :, 0] == payoffs.sum(axis=0)).all()
    assert (sums[:, :, 1:] == np.einsum("goi,goj->oij", payoffs, payoffs)).all()


@pytest.mark.parametrize(("rules_id", "text"), POSITIONS)
def test_a_games_tally_is_laid_out_as_its_job_says(rules_id: str, text: str) -> None:
    game = game_of(rules_id)
    rules = game.rules(rules_id)
    position: Any = game.position(rules, text)
    policies: list[Policy] = [game.best_policy(rules, position.players)] * position.players
    job: RolloutJob = game.rollouts(rules, position, policies, True, "win")
    tables: Any = job.job.tables
    assert job.job.shape == job.layout.shape
    assert tables.layout == job.layout


def test_forks_are_read_as_sums_over_games() -> None:
    tally = np.zeros((3, FORK_COLUMNS), dtype=np.int64)
    open_cells, touched = np.zeros((3, OPEN_COLUMNS), np.int64), np.zeros(4, np.int64)
    for game in GAMES:
        for first, second in game:
            add_fork(open_cells, touched, 1, np.array(first), np.array(second))
        close_forks(tally, open_cells, touched)
    cell = ForkCell(tally[1])
    numbers = [len(game) for game in GAMES]
    assert (cell.decisions, cell.decisions_squared) == (6, 14)
    assert decisions_of(tally).tolist() == [0, 6, 0]
    for objective in range(FORK_OBJECTIVES):
        first, second = (
            [sum(fork[way][objective] for fork in game) for game in GAMES] for way in (0, 1)
        )
        apart = [b - a for a, b in zip(first, second, strict=True)]
        for sums, found in (
            (first, cell.first(objective)),
            (second, cell.second(objective)),
            (apart, cell.difference(objective)),
        ):
            products = sum(x * n for x, n in zip(sums, numbers, strict=True))
            assert found == (sum(sums), sum(x * x for x in sums), products, 6, 14)


def test_cells_of_a_game_taken_together_are_one_cell() -> None:
    cells = [np.zeros((3, FORK_COLUMNS), dtype=np.int64) for _ in range(2)]
    for tally, places in zip(cells, ((0, 1, 1), (2, 2, 2)), strict=True):
        open_cells, touched = np.zeros((3, OPEN_COLUMNS), np.int64), np.zeros(4, np.int64)
        for place, (first, second) in zip(places, GAMES[2], strict=True):
            add_fork(open_cells, touched, place, np.array(first), np.array(second))
        close_forks(tally, open_cells, touched)
    apart, together = cells
    assert (as_one_game(apart.sum(axis=0, keepdims=True)) == together[2:]).all()


def test_games_without_an_end_are_in_the_row_after_the_cells() -> None:
    tally = np.zeros((3, FORK_COLUMNS), dtype=np.int64)
    count_unended(tally, True)
    count_unended(tally, False)
    assert unended_of(tally) == tally.sum() == decisions_of(tally)[2] == 1


def test_other_hands_stand_where_they_are_read() -> None:
    points = np.random.default_rng(2).integers(0, 30, (20, 3))
    at = 2 * 3
    tally = np.zeros(at + hands_size(3), dtype=np.int64)
    for situation in points:
        count_difference(tally, 1, situation[0] - situation[1])
        count_hands(tally, at, situation, 3)
    read = HandTally(tally)
    apart = points[:, 0] - points[:, 1]
    assert read.row(0).tolist() == [0, 0, 0]
    assert read.row(1).tolist() == [20, apart.sum(), (apart**2).sum()]
    assert read.situations(at) == 20
    assert (read.sums(at, 3)[:, 0] == points.sum(axis=0)).all()
    assert (read.sums(at, 3)[:, 1:] == points.T @ points).all()
