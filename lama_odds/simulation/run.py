"""Run the games of a job: the tally does not depend on the engine, its size or the chunks.

Kernels add to integer tallies, so the order of merging cannot matter. Chunks are still merged in
the order of their games, so that the games played have no gap. A run folder (see `run_folder`)
keeps games, and only missing ones are played.
"""

from __future__ import annotations

import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from lama_odds.core.progress import Progress, may_stop
from lama_odds.jit.job import Job
from lama_odds.simulation.engines import Chunk, Engine, default_threads, engine_of, warm_up
from lama_odds.simulation.sums import add

if TYPE_CHECKING:
    from lama_odds.simulation.run_folder import Figures, JobFolder, RunFolder, Stage

__all__ = ["Played", "Progress", "default_threads", "kept_in", "run", "warm_up"]

FIRST_CHUNK = 256
MOST_GROWTH = 16  # of chunks at a time: the first ones are too short for a good measurement
LAST_CHUNKS = 16  # the last chunks, which others wait for, shrink to this part of the others

# Called with the tally of each chunk and its games, in order.
Each = Callable[[np.ndarray, int], None]

_FOLDER: ContextVar[RunFolder | None] = ContextVar("folder", default=None)


@dataclass(frozen=True)
class Played:
    """The tally of the games first to first + games − 1, and the seconds it took."""

    tally: np.ndarray
    games: int
    seconds: float
    interrupted: bool = False


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
    stage: Stage | None = None,
) -> Played:
    """Play the games first to first + games − 1 of a job, on the engine in use.

    threads: their number, if no other engine is in use.
    progress: called with (games done, games).
    chunk: games of the first chunks; later ones have that times a power of 2.
    folder: where games are kept (also see `kept_in`). Those that it has are not played again, and
    seconds are those of all games.
    figures, stage: what to keep beside the games for the command `runs`.

    Ctrl-C ends the run with the games played without a gap from `first` on, marked as interrupted.
    """
    engine = engine_of(threads)
    folder = folder or _FOLDER.get()
    if folder is None:
        return _play(engine, job, seed, first, games, progress, chunk)
    kept = folder.job(job, seed, first, games, figures, stage)
    for start, stop, keep in kept.gaps:
        done = kept.games
        tell = (lambda more, _, done=done: progress(done + more, games)) if progress else None
        with _keeping(kept, start, keep) as each:
            played = _play(engine, job, seed, first + start, stop - start, tell, chunk, each)
        if played.interrupted:
            return Played(*kept.before_first_gap(), kept.seconds, True)
    return Played(kept.tally, games, kept.seconds)


@contextmanager
def kept_in(folder: RunFolder | None) -> Iterator[None]:
    """Keep everything that is played meanwhile in this folder, for commands with several jobs."""
    token = _FOLDER.set(folder)
    try:
        yield
    finally:
        _FOLDER.reset(token)


@contextmanager
def _keeping(kept: JobFolder, start: int, keep: bool) -> Iterator[Each]:
    """Yield what to call with chunks from `start` on; they are kept every second and at the end."""
    tally = np.zeros_like(kept.tally)
    stop, began = start, time.perf_counter()

    def save() -> None:
        nonlocal start, began
        if stop > start:
            kept.add(start, stop, time.perf_counter() - began, tally, keep)
        start, began = stop, time.perf_counter()
        tally[:] = 0

    def each(part: np.ndarray, count: int) -> None:
        nonlocal stop
        add(tally, part)
        stop += count
        if time.perf_counter() - began >= kept.pause:
            save()

    try:
        yield each
    except OSError:
        raise  # what could not be written just now is not tried again
    except BaseException:
        save()  # games that were played are not lost with the engine
        raise
    save()


def _play(
    engine: Engine,
    job: Job,
    seed: int,
    first: int,
    games: int,
    progress: Progress | None,
    chunk: int,
    each: Each | None = None,
) -> Played:
    """Play games in chunks, merged in order."""
    tally = np.zeros(job.shape, dtype=np.int64)
    waiting: deque[tuple[int, Chunk]] = deque()
    begun, done, smallest = 0, 0, chunk
    interrupted = False

    def merge() -> tuple[int, float]:
        nonlocal done
        count, future = waiting.popleft()
        part, seconds = future.result()
        add(tally, part)
        done += count
        if each:
            each(part, count)
        return count, seconds

    with engine.open(job, seed) as player, _deferred_interrupt() as asked_to_stop:
        began = time.perf_counter()
        try:
            while done < games and not asked_to_stop():
                slots = player.slots
                while begun < games and len(waiting) < engine.ahead * slots:
                    count = _next_chunk(chunk, smallest, slots, games - begun)
                    waiting.append((count, player.submit(first + begun, count)))
                    begun += count
                count, seconds = merge()
                may_stop()
                if count == chunk:
                    chunk *= _growth(seconds, engine.chunk_seconds)
                if progress:
                    progress(done, games)
        except KeyboardInterrupt:
            interrupted = True
        while waiting and waiting[0][1].soon:
            merge()
        interrupted = interrupted or asked_to_stop()
        seconds = time.perf_counter() - began
    return Played(tally, done, seconds, interrupted)


def _next_chunk(chunk: int, smallest: int, slots: int, left: int) -> int:
    """Return the games of the next chunk: smaller at the end, so that all end at about the same
    time.
    """
    least = max(smallest, chunk // LAST_CHUNKS)
    while chunk > least and 2 * slots * chunk > left:
        chunk //= 2
    return min(chunk, left)


def _growth(seconds: float, wanted: float) -> int:
    """Return the power of 2 by which chunks should grow, after one that took this many seconds."""
    growth = 1
    while growth < MOST_GROWTH and 2 * growth * seconds < wanted:
        growth *= 2
    return growth


@contextmanager
def _deferred_interrupt() -> Iterator[Callable[[], bool]]:
    """Delay Ctrl-C until a chunk is merged completely; yield whether it came.

    A second one is not delayed. Outside the main thread there is no Ctrl-C.
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

    # A process that ignores Ctrl-C, or handles it in another way, is left alone.
    listening = before is signal.default_int_handler
    if listening:
        signal.signal(signal.SIGINT, handle)
    try:
        yield lambda: came
    finally:
        if listening:
            signal.signal(signal.SIGINT, before)
