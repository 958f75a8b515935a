"""The same tally whatever the threads, chunks and blocks; interrupts keep what was played."""

from __future__ import annotations

import signal
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
def test_same_tally_on_any_number_of_threads_in_any_chunks_and_parts(rounds: bool) -> None:
    job = job_of("random", "threshold:5", "meanfield", rounds=rounds)
    expected = run(job, 7, 3_001, threads=1).tally
    assert expected.any()
    for threads, chunk in ((2, 1), (3, 7), (5, 4_096)):
        assert (run(job, 7, 3_001, threads=threads, chunk=chunk).tally == expected).all()
    parts = ((0, 100), (100, 1), (101, 2_900))
    tallies = [run(job, 7, games, first=first).tally for first, games in parts]
    assert (np.sum(tallies, axis=0) == expected).all()
    assert (run(job, 8, 3_001).tally != expected).any()


def test_progress_counts_up_to_the_end() -> None:
    seen: list[tuple[int, int]] = []
    run(job_of("random", "random"), 1, 2_000, progress=lambda done, of: seen.append((done, of)))
    assert seen[-1] == (2_000, 2_000)
    assert seen == sorted(seen)


@pytest.mark.parametrize("signals", [0, 1, 2])
def test_ctrl_c_keeps_all_games_before_the_first_that_is_missing(signals: int) -> None:
    """A first signal waits until its chunk is counted; a second one, or an exception, does not."""
    job, went_on = job_of("random", "random"), list[int]()

    def interrupt(done: int, of: int) -> None:
        if done >= 1_000:
            for _ in range(signals):
                signal.raise_signal(signal.SIGINT)
            went_on.append(done)
            if not signals:
                raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        played = run(job, 1, 10_000_000, progress=interrupt)
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)
    assert (played.interrupted, len(went_on)) == (True, signals < 2)
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


@pytest.mark.parametrize(("games", "block"), [(80, 8), (15, 1)])
def test_sums_and_products_of_block_sums(games: int, block: int) -> None:
    assert block_of(games) == block
    variants = [variant_of(policy) for policy in ("threshold:3", "threshold:9", "random")]
    samples = np.array(
        [[sample(v, first, block) for v in variants] for first in range(0, games, block)]
    )
    job = paired_job(variants, block)
    tally = run(job, 5, games, threads=1).tally
    assert (run(job, 5, games, threads=3, chunk=block).tally == tally).all()
    assert tally.shape == (2, 3, 10)
    assert (tally[:, :, 0] == samples.sum(axis=0).T).all()
    assert (tally[:, :, 1:4] == np.einsum("bim,bjm->mij", samples, samples)).all()
    differ = samples[:, :, None] != samples[:, None]
    assert (tally[:, :, 4:7] == differ.sum(axis=0).transpose(2, 0, 1)).all()
    cubes = (samples[:, :, None] - samples[:, None]) ** 3
    assert (tally[:, :, 7:] == cubes.sum(axis=0).transpose(2, 0, 1)).all()


def test_only_whole_blocks_are_played() -> None:
    job = paired_job([variant_of("random")], 8)
    with pytest.raises(ValueError, match="whole blocks"):
        run(job, 0, 12)
