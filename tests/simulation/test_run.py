"""The same tally whatever the threads and chunks; interrupts keep what was played."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from lama_odds.games.registry import game_of
from lama_odds.jit.job import Job
from lama_odds.simulation import run as engine
from lama_odds.simulation.run import run


def job_of(*policies: str, rounds: bool = True) -> Job:
    game = game_of("dice/amigo")
    rules = game.rules("dice/amigo")
    return game.simulation(rules, [game.policy(name) for name in policies], rounds)


@pytest.mark.parametrize("rounds", [True, False])
def test_same_tally_on_any_number_of_threads(rounds: bool) -> None:
    job = job_of("random", "threshold:5", "meanfield", rounds=rounds)
    tallies = [run(job, 7, 5_000, threads=threads).tally for threads in (1, 2, 3, 5)]
    assert all((tally == tallies[0]).all() for tally in tallies)
    assert tallies[0].any()


@pytest.mark.parametrize("first_chunk", [1, 7, 4_096])
def test_same_tally_in_any_chunks(first_chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    job = job_of("random", "random")
    expected = run(job, 1, 3_001, threads=2).tally
    monkeypatch.setattr(engine, "FIRST_CHUNK", first_chunk)
    assert (run(job, 1, 3_001, threads=2).tally == expected).all()


def test_parts_add_up() -> None:
    job = job_of("threshold:3", "random")
    parts = [
        run(job, 5, count, first=first).tally for first, count in ((0, 100), (100, 1), (101, 899))
    ]
    assert (np.sum(parts, axis=0) == run(job, 5, 1_000).tally).all()


def test_another_seed_is_another_luck() -> None:
    job = job_of("random", "random")
    assert (run(job, 1, 500).tally != run(job, 2, 500).tally).any()


def test_progress_counts_up_to_the_end() -> None:
    seen: list[tuple[int, int]] = []
    run(job_of("random", "random"), 1, 2_000, progress=lambda done, of: seen.append((done, of)))
    assert seen[-1] == (2_000, 2_000)
    assert seen == sorted(seen)


def test_ctrl_c_keeps_all_games_before_the_first_that_is_missing() -> None:
    job = job_of("random", "random")

    def interrupt(done: int, of: int) -> None:
        if done >= 1_000:
            raise KeyboardInterrupt

    played = run(job, 1, 10_000_000, progress=interrupt)
    assert played.interrupted
    assert 1_000 <= played.games < 10_000_000
    assert (played.tally == run(job, 1, played.games).tally).all()


def test_an_error_in_a_kernel_is_not_swallowed() -> None:
    def broken(
        rules: Any, policies: Any, tables: Any, seed: int, first: int, count: int, tally: Any
    ) -> None:
        if count:
            time.sleep(0.001)
            raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        run(replace(job_of("random", "random"), kernel=broken), 0, 10_000)
