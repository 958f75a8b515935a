"""Run the games of a job on threads: the same tally whatever the threads and chunks.

Kernels release the interpreter's lock, so plain threads share the work; every
tally is of integers, so the order of merging cannot matter. With a run folder
(see `folder`) games are kept, and only those that it lacks are played.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from lama_odds.kernels.job import Job

if TYPE_CHECKING:
    from lama_odds.simulation.folder import Figures, JobFolder, RunFolder

FIRST_CHUNK = 256
CHUNK_SECONDS = 0.05

Progress = Callable[[int, int], None]
# Called with the tally of each chunk and its games, in order.
Each = Callable[[np.ndarray, int], None]


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
    folder: RunFolder | None = None,
    figures: Figures | None = None,
) -> Played:
    """Play the games first to first + games − 1 of a job.

    progress: called with (games done, games). chunk: games of the first chunks; later ones have
    that times a power of 2. Ctrl-C ends with what has been played without a gap from `first` on,
    marked as interrupted. folder: where games are kept; those that it holds are not played again,
    and seconds are those of all games. figures: what to keep beside them for who looks.
    """
    threads = threads or default_threads()
    warm_up(job, seed)
    if folder is None:
        return _play(job, seed, first, games, threads, progress, chunk)
    kept = folder.job(job, seed, first, games, figures)
    for start, stop, keep in kept.gaps:
        done = kept.games
        tell = (lambda more, _, done=done: progress(done + more, games)) if progress else None
        with _keeping(kept, start, keep) as each:
            played = _play(job, seed, first + start, stop - start, threads, tell, chunk, each)
        if played.interrupted:
            return Played(*kept.before_first_gap(), kept.seconds, True)
    return Played(kept.tally, games, kept.seconds)


@contextmanager
def _keeping(kept: JobFolder, start: int, keep: bool) -> Iterator[Each]:
    """What to call with chunks from `start` on; they are kept every second and at the end."""
    tally = np.zeros_like(kept.tally)
    stop, began = start, time.perf_counter()

    def save() -> None:
        nonlocal start, began
        if stop > start:
            kept.add(start, stop, time.perf_counter() - began, tally, keep)
        start, began = stop, time.perf_counter()
        tally[:] = 0

    def each(part: np.ndarray, count: int) -> None:
        nonlocal stop, tally
        tally += part
        stop += count
        if time.perf_counter() - began >= kept.pause:
            save()

    yield each
    save()


def _play(
    job: Job,
    seed: int,
    first: int,
    games: int,
    threads: int,
    progress: Progress | None,
    chunk: int,
    each: Each | None = None,
) -> Played:
    """Play games in chunks, merged in order."""
    began = time.perf_counter()
    tally = np.zeros(job.shape, dtype=np.int64)
    waiting: deque[tuple[int, Future[tuple[np.ndarray, float]]]] = deque()
    begun, done = 0, 0
    interrupted = False

    def merge() -> tuple[int, float]:
        nonlocal tally, done
        count, future = waiting.popleft()
        part, seconds = future.result()
        tally += part
        done += count
        if each:
            each(part, count)
        return count, seconds

    with _deferred_interrupt() as asked_to_stop, ThreadPoolExecutor(threads) as pool:
        try:
            while done < games and not asked_to_stop():
                while begun < games and len(waiting) < 2 * threads:
                    count = min(chunk, games - begun)
                    waiting.append((count, pool.submit(_chunk, job, seed, first + begun, count)))
                    begun += count
                count, seconds = merge()
                if seconds < CHUNK_SECONDS / 2 and count == chunk:
                    chunk *= 2
                if progress:
                    progress(done, games)
        except KeyboardInterrupt:
            interrupted = True
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
        while waiting:
            merge()
        interrupted = interrupted or asked_to_stop()
    return Played(tally, done, time.perf_counter() - began, interrupted)


@contextmanager
def _deferred_interrupt() -> Iterator[Callable[[], bool]]:
    """Let Ctrl-C wait until a chunk is merged (it could be counted by half); whether it came.

    The second one is not waited for. Elsewhere than in the main thread there is no Ctrl-C.
    """
    came = False
    if threading.current_thread() is not threading.main_thread():
        yield lambda: came
        return
    before = signal.getsignal(signal.SIGINT)

    def handle(number: int, frame: Any) -> None:
        nonlocal came
        if came and callable(before):
            before(number, frame)
        came = True

    # Whoever has told this process to ignore Ctrl-C, or listens in another way, is left alone.
    listening = before is signal.default_int_handler
    if listening:
        signal.signal(signal.SIGINT, handle)
    try:
        yield lambda: came
    finally:
        if listening:
            signal.signal(signal.SIGINT, before)


def warm_up(job: Job, seed: int) -> None:
    """Compile or load the kernel before the clock starts."""
    scratch = np.zeros(job.shape, dtype=np.int64)
    job.kernel(job.rules, job.policies, job.tables, seed, 0, 0, scratch)


def _chunk(job: Job, seed: int, first: int, count: int) -> tuple[np.ndarray, float]:
    began = time.perf_counter()
    tally = np.zeros(job.shape, dtype=np.int64)
    job.kernel(job.rules, job.policies, job.tables, seed, first, count, tally)
    return tally, time.perf_counter() - began
