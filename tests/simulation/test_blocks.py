"""Sums and products over blocks: against the samples themselves, on any number of threads."""

from __future__ import annotations

import numpy as np
import pytest

from lama_odds.games.registry import game_of
from lama_odds.jit.job import Job
from lama_odds.simulation.paired_blocks import Part, block_of, paired_job
from lama_odds.simulation.run import run


def job_of(rules: str, policy: str, rounds: bool) -> Job:
    game = game_of(rules)
    return game.simulation(game.rules(rules), [game.policy(policy)] * 3, rounds)


def variant_of(policy: str) -> list[Part]:
    """Two measures: penalties of a first round, and scores less rounds of a game."""
    rounds, games = (job_of("dice/amigo", policy, kind) for kind in (True, False))
    of_rounds = [[int(m.name == "penalty") for m in rounds.measures], [0] * len(rounds.measures)]
    of_games = [
        [0] * len(games.measures),
        [{"score": 1, "rounds": -1}.get(m.name, 0) for m in games.measures],
    ]
    return [Part(rounds, np.array(of_rounds)), Part(games, np.array(of_games))]


def sample(variant: list[Part], first: int, block: int) -> np.ndarray:
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
