"""The same tally whatever the threads, chunks and blocks; interrupts keep what was played."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from lama_odds.games.registry import game_of
from lama_odds.jit.job import Job
from lama_odds.simulation.run import PairedPart, block_of, paired_job, run


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
def test_same_tally_in_any_chunks(first_chunk: int) -> None:
    job = job_of("random", "random")
    expected = run(job, 1, 3_001, threads=2).tally
    assert (run(job, 1, 3_001, threads=2, chunk=first_chunk).tally == expected).all()


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


def seated(rules: str, policy: str, rounds: bool) -> Job:
    game = game_of(rules)
    return game.simulation(game.rules(rules), [game.policy(policy)] * 3, rounds)


def variant_of(policy: str) -> list[PairedPart]:
    """Two measures: penalties of a first round, and scores less rounds of a game."""
    rounds, games = (seated("dice/amigo", policy, kind) for kind in (True, False))
    of_rounds = [[int(m.name == "penalty") for m in rounds.measures], [0] * len(rounds.measures)]
    of_games = [
        [0] * len(games.measures),
        [{"score": 1, "rounds": -1}.get(m.name, 0) for m in games.measures],
    ]
    return [PairedPart(rounds, np.array(of_rounds)), PairedPart(games, np.array(of_games))]


def sample(variant: list[PairedPart], first: int, block: int) -> np.ndarray:
    """int64[measures]: what a block adds."""
    return sum(part.weights @ run(part.job, 5, block, first=first).tally[:, 0] for part in variant)


@pytest.mark.parametrize(("games", "block"), [(80, 8), (36, 4), (15, 1)])
def test_sums_and_products_of_block_sums(games: int, block: int) -> None:
    assert block_of(games) == block
    variants = [variant_of(policy) for policy in ("threshold:3", "threshold:9", "random")]
    samples = np.array(
        [[sample(v, first, block) for v in variants] for first in range(0, games, block)]
    )
    tally = run(paired_job(variants, block), 5, games).tally
    assert tally.shape == (2, 3, 10)
    assert (tally[:, :, 0] == samples.sum(axis=0).T).all()
    assert (tally[:, :, 1:4] == np.einsum("bim,bjm->mij", samples, samples)).all()
    differ = samples[:, :, None] != samples[:, None]
    assert (tally[:, :, 4:7] == differ.sum(axis=0).transpose(2, 0, 1)).all()
    cubes = (samples[:, :, None] - samples[:, None]) ** 3
    assert (tally[:, :, 7:] == cubes.sum(axis=0).transpose(2, 0, 1)).all()


def test_same_bits_on_any_number_of_threads() -> None:
    job = paired_job([variant_of("threshold:3"), variant_of("random")], 8)
    tallies = [run(job, 2, 4_000, threads=threads).tally for threads in (1, 2, 3)]
    assert all((tally == tallies[0]).all() for tally in tallies)


def test_only_whole_blocks_are_played() -> None:
    job = paired_job([variant_of("random")], 8)
    with pytest.raises(ValueError, match="whole blocks"):
        run(job, 0, 12)
