"""What plays the chunks of a run: threads of this process, or workers elsewhere (`dask_engine`).

Every engine gives the same tallies, and only `run` knows which one is in use. A command that should
use another one says so once, with `using`.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import Protocol

import numpy as np

from lama_odds.jit.job import Job

CHUNK_SECONDS = 0.05
AHEAD = 2

# The tally of a chunk, and the seconds that it took where it was played.
Part = tuple[np.ndarray, float]


class Chunk(Protocol):
    """Games that are being played."""

    def result(self) -> Part:
        """Wait for the result."""
        ...

    @property
    def soon(self) -> bool:
        """Return whether it is waited for when the user has asked to stop."""
        ...


class Player(Protocol):
    """Plays the games of one job."""

    @property
    def slots(self) -> int:
        """The number of chunks that are played at once now."""
        ...

    def submit(self, first: int, count: int) -> Chunk:
        """Begin a chunk, or queue it."""
        ...


class Engine(Protocol):
    """Where games are played. chunk_seconds: how long a chunk should take there.

    ahead: the largest number of chunks for every slot at a time.
    """

    chunk_seconds: float
    ahead: int

    @property
    def slots(self) -> int:
        """The number of chunks that are played at once now."""
        ...

    def open(self, job: Job, seed: int) -> AbstractContextManager[Player]:
        """Prepare to play a job; leaving with an error drops what is not done."""
        ...


_IN_USE: ContextVar[Engine | None] = ContextVar("engine", default=None)


@contextmanager
def using(engine: Engine) -> Iterator[None]:
    """Play on this engine instead of threads."""
    token = _IN_USE.set(engine)
    try:
        yield
    finally:
        _IN_USE.reset(token)


@contextmanager
def same_threads(threads: int | None) -> Iterator[None]:
    """Play on the same threads for many small jobs, unless another engine is in use."""
    if _IN_USE.get() is not None:
        yield
        return
    slots = threads or _processors()
    with ThreadPoolExecutor(slots) as pool, using(Threads(slots, pool)):
        yield


def engine_of(threads: int | None) -> Engine:
    """Return the engine in use; otherwise this many threads, all processors if None."""
    return _IN_USE.get() or Threads(threads or _processors())


def default_threads() -> int:
    """Return the default number of threads."""
    in_use = _IN_USE.get()
    return in_use.slots if in_use else _processors()


def _processors() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def warm_up(job: Job, seed: int) -> None:
    """Compile or load the kernel before the clock starts."""
    job.play(seed, 0, 0)


def play_chunk(job: Job, seed: int, first: int, count: int) -> Part:
    """Play the games first to first + count − 1."""
    began = time.perf_counter()
    tally = job.play(seed, first, count)
    return tally, time.perf_counter() - began


class Threads:
    """Threads of this process: kernels release the interpreter's lock."""

    def __init__(self, threads: int, pool: ThreadPoolExecutor | None = None) -> None:
        self.slots = threads
        self.pool = pool
        self.chunk_seconds = CHUNK_SECONDS
        self.ahead = AHEAD

    @contextmanager
    def open(self, job: Job, seed: int) -> Iterator[Player]:
        """Open threads for one job, or take those that are kept."""
        warm_up(job, seed)
        if self.pool is not None:
            yield _Pool(self.pool, self.slots, job, seed)
            return
        with ThreadPoolExecutor(self.slots) as pool:
            try:
                yield _Pool(pool, self.slots, job, seed)
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise


class _Pool:
    def __init__(self, pool: ThreadPoolExecutor, slots: int, job: Job, seed: int) -> None:
        self.pool, self.slots, self.job, self.seed = pool, slots, job, seed

    def submit(self, first: int, count: int) -> Chunk:
        return _Begun(self.pool.submit(play_chunk, self.job, self.seed, first, count))


class _Begun:
    soon = True  # chunks of threads are short

    def __init__(self, future: Future[Part]) -> None:
        self.result = future.result
