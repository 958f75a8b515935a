"""Several jobs played on the same game indices: what paired differences need, in integers.

Kernels add up what they count, so the paired samples are sums over small blocks of game indices,
the same blocks for every job. Games are independent: block means have the variance of games over
the size of the block, and so have their differences. Integer sums merge in any order, so the
tally is the same for any number of threads.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import gcd
from typing import Any

import numpy as np

from lama_odds.jit.job import Job

BLOCK = 8  # games; smaller ones cost time for every call of a kernel, larger ones samples


@dataclass(frozen=True)
class Part:
    """A job of a variant, and what its counts add to the measures.

    weights: int64[measures, rows of the tally of the job].
    """

    job: Job
    weights: np.ndarray


def block_of(games: int) -> int:
    """Games of a block, so that whole blocks make up so many games: at most BLOCK."""
    return gcd(games, BLOCK)


def paired_job(variants: Sequence[Sequence[Part]], block: int) -> Job:
    """One job that plays all jobs of k variants on the same games, in blocks of `block` games.

    Its tally, int64[measures, k, 1 + 3 k], holds for each measure, a block's sum being the
    sample: in column 0 the sums of the k variants, then the sums of the products of their block
    sums, then in how many blocks two of them differ, then the sums of the cubes of what the row's
    variant has more than the column's. Games are to be asked for in whole blocks.
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
    tally[:, :, 0] += samples.sum(axis=2)
    tally[:, :, 1 : 1 + k] += samples @ samples.transpose(0, 2, 1)
    for variant in range(k):
        more = samples[:, variant : variant + 1] - samples
        tally[:, variant, 1 + k : 1 + 2 * k] += (more != 0).sum(axis=2)
        tally[:, variant, 1 + 2 * k :] += (more * more * more).sum(axis=2)


def _block_sums(job: Job, seed: int, first: int, count: int, block: int) -> np.ndarray:
    """int64[rows, blocks]: what a job counts in each block."""
    sums = np.zeros((count // block, *job.shape), dtype=np.int64)
    if not count:  # the call that compiles
        job.play(seed, first, 0)
    for at, found in enumerate(sums):
        start = first + at * block
        job.play(seed, start, block, found)
    return sums[:, :, 0].T
