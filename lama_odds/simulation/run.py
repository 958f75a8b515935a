"""Run the games of a job on threads: the same tally whatever the threads and chunks.

Kernels release the interpreter's lock, so plain threads share the work; every
tally is of integers, so the order of merging cannot matter.
"""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from lama_odds.kernels.job import Job

FIRST_CHUNK = 256
CHUNK_SECONDS = 0.05

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Played:
    """A tally of the games first to first + games − 1, and the seconds it took."""

    tally: np.ndarray
    games: int
    seconds: float
    interrupted: bool = False


def default_threads() -> int:
    """As many threads as this process may use processors."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def run(
    job: Job,
    seed: int,
    games: int,
    *,
    first: int = 0,
    threads: int | None = None,
    progress: Progress | None = None,
    chunk: int = FIRST_CHUNK,
) -> Played:
    """Play the games first to first + games − 1 of a job.

    progress: called with (games done, games). chunk: games of the first chunks; later ones have
    that times a power of 2. Ctrl-C ends with what has been played without a gap from `first` on,
    marked as interrupted.
    """
    threads = threads or default_threads()
    warm_up(job, seed)
    began = time.perf_counter()
    tally = np.zeros(job.shape, dtype=np.int64)
    waiting: deque[tuple[int, Future[tuple[np.ndarray, float]]]] = deque()
    begun, done = 0, 0
    interrupted = False
    with ThreadPoolExecutor(threads) as pool:
        try:
            while done < games:
                while begun < games and len(waiting) < 2 * threads:
                    count = min(chunk, games - begun)
                    waiting.append((count, pool.submit(_chunk, job, seed, first + begun, count)))
                    begun += count
                count, seconds = _merge(waiting, tally)
                done += count
                if seconds < CHUNK_SECONDS / 2 and count == chunk:
                    chunk *= 2
                if progress:
                    progress(done, games)
        except KeyboardInterrupt:
            interrupted = True
            while waiting:
                done += _merge(waiting, tally)[0]
    return Played(tally, done, time.perf_counter() - began, interrupted)


def warm_up(job: Job, seed: int) -> None:
    """Compile or load the kernel before the clock starts."""
    scratch = np.zeros(job.shape, dtype=np.int64)
    job.kernel(job.rules, job.policies, job.tables, seed, 0, 0, scratch)


def _chunk(job: Job, seed: int, first: int, count: int) -> tuple[np.ndarray, float]:
    began = time.perf_counter()
    tally = np.zeros(job.shape, dtype=np.int64)
    job.kernel(job.rules, job.policies, job.tables, seed, first, count, tally)
    return tally, time.perf_counter() - began


def _merge(
    waiting: deque[tuple[int, Future[tuple[np.ndarray, float]]]], tally: np.ndarray
) -> tuple[int, float]:
    count, future = waiting[0]
    part, seconds = future.result()
    waiting.popleft()
    tally += part
    return count, seconds
