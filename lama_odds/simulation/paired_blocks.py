"""Several jobs on the same game indices: integer sums for paired differences.

Kernels add up what they count, so the paired samples are sums over small blocks of game indices,
the same blocks for every job. Games are independent. So block means have the variance of games
divided by the size of the block, and so have their differences. Integer sums can be merged in any
order: the tally is the same for any number of threads.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import gcd
from typing import Any

import numpy as np

from lama_odds.jit.job import Job

BLOCK = 8  # games; smaller blocks cost time for every kernel call, larger ones cost samples


@dataclass(frozen=True)
class Part:
    """A job of a variant, and the weights of its counts in the measures.

    weights: int64[measures, rows of the tally of the job].
    """

    job: Job
    weights: np.ndarray


def block_of(games: int) -> int:
    """Return the size of a block so that whole blocks make up these games: at most BLOCK."""
    return gcd(games, BLOCK)


def paired_job(variants: Sequence[Sequence[Part]], block: int) -> Job:
    """Return one job that plays all jobs of k variants on the same games, in blocks.

    Its tally is int64[measures, k, 1 + 3 k]; a sample is the sum of a block. For each measure and
    variant it has:

    - in column 0 the sum of the variant
    - then the sums of products of block sums with each variant
    - then in how many blocks it differs from each variant
    - then the sums of cubes of its difference from each variant

    Only whole blocks of games may be played.
    """
    k = len(variants)
    measures = len(variants[0][0].weights)
    nothing = np.zeros(0, dtype=np.int64)
    made_of = tuple(tuple((part.job, part.weights) for part in parts) for parts in variants)
    return Job(play_paired, nothing, nothing, (block, made_of), (measures, k, 1 + 3 * k))


def play_paired(
    rules: Any, policies: Any, tables: Any, seed: int, first: int, count: int, tally: np.ndarray
) -> None:
    """The kernel of `paired_job`, in plain Python. tables: games of a block, and the variants."""
    del rules, policies
    block, variants = tables
    k, measures = len(variants), len(tally)
    if first % block or count % block:
        raise ValueError(f"games {first} to {first + count - 1} are not whole blocks")
    samples = np.zeros((measures, k, count // block), dtype=np.int64)
    for variant, parts in enumerate(variants):
        for job, weights in parts:
            samples[:, variant] += weights @ _block_sums(job, seed, first, count, block)
    add_samples(tally, samples)


def add_samples(tally: np.ndarray, samples: np.ndarray) -> None:
    """Add samples to a tally of `paired_job`; samples: int64[measures, k, blocks]."""
    k = samples.shape[1]
    tally[:, :, 0] += samples.sum(axis=2)
    tally[:, :, 1 : 1 + k] += samples @ samples.transpose(0, 2, 1)
    for variant in range(k):
        more = samples[:, variant : variant + 1] - samples
        tally[:, variant, 1 + k : 1 + 2 * k] += (more != 0).sum(axis=2)
        tally[:, variant, 1 + 2 * k :] += (more * more * more).sum(axis=2)


def _block_sums(job: Job, seed: int, first: int, count: int, block: int) -> np.ndarray:
    """Return int64[rows, blocks]: what a job counts in each block."""
    sums = np.zeros((count // block, *job.shape), dtype=np.int64)
    if not count:  # the call that compiles
        job.play(seed, first, 0)
    for at, found in enumerate(sums):
        start = first + at * block
        job.play(seed, start, block, found)
    return sums[:, :, 0].T
