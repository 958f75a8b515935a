"""Run the games of a job: the tally does not depend on the engine, its size or the chunks.

Kernels add to integer tallies, so the order of merging cannot matter. Chunks are still merged in
the order of their games, so that the games played have no gap. A run folder (see `run_folder`)
keeps games, and only missing ones are played.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from math import gcd
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from lama_odds.core.errors import LimitError
from lama_odds.core.progress import Progress, may_stop
from lama_odds.jit.job import Job

if TYPE_CHECKING:
    from lama_odds.simulation.run_folder import Figures, JobFolder, RunFolder, Stage


# What plays the chunks of a run: threads of this process, or workers elsewhere (`dask_engine`).
#
# Every engine gives the same tallies, and only `run` knows which one is in use. A command that
# should use another one says so once, with `using`.

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


# Add tallies up: integers of 64 bits, and an error instead of a wrong sum.


def add(tally: np.ndarray, part: np.ndarray) -> None:
    """Add an int64 tally to another, in place; raise LimitError if a sum exceeds 64 bits."""
    before = tally.copy()
    tally += part
    # Too large: both have one sign, and the sum has the other.
    if (((before ^ tally) & (part ^ tally)) < 0).any():
        raise LimitError("the sums of this many games exceed 64 bits: give fewer games")


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
    engine = _IN_USE.get() or Threads(threads or _processors())
    folder = folder or _FOLDER.get()
    if folder is None:
        return _play(engine, job, seed, first, games, progress, chunk)
    kept = folder.job(job, seed, first, games, figures, stage)
    for start, stop, keep in kept.gaps:
        done = kept.games
        tell = (lambda more, _, done=done: progress(done + more, games)) if progress else None
        with _keeping(kept, start, keep) as on_chunk:
            played = _play(engine, job, seed, first + start, stop - start, tell, chunk, on_chunk)
        if played.interrupted:
            return Played(*kept.before_first_gap(), kept.seconds, True)
    return Played(kept.tally, games, kept.seconds)


@dataclass(frozen=True)
class Play:
    """How the games of a question are played; handed on as one from the command to `run`.

    seed: of the random numbers. threads: None: all processors. progress: called with (games done,
    games). folder: where games are kept, and not played again.
    """

    seed: int = 0
    threads: int | None = None
    progress: Progress | None = None
    folder: RunFolder | None = None

    def run(self, job: Job, games: int, **more: Any) -> Played:
        """Play games of a job; more: the other arguments of `run`."""
        return run(
            job,
            self.seed,
            games,
            **{"threads": self.threads, "progress": self.progress, "folder": self.folder, **more},
        )


USUAL = Play()


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
    on_chunk: Each | None = None,
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
        if on_chunk:
            on_chunk(part, count)
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


# Several jobs on the same game indices: integer sums for paired differences.
#
# Kernels add up what they count, so the paired samples are sums over small blocks of game indices,
# the same blocks for every job. Games are independent. So block means have the variance of games
# divided by the size of the block, and so have their differences. Integer sums can be merged in any
# order: the tally is the same for any number of threads.

BLOCK = 8  # games; smaller blocks cost time for every kernel call, larger ones cost samples


@dataclass(frozen=True)
class PairedPart:
    """A job of a variant, and the weights of its counts in the measures.

    weights: int64[measures, rows of the tally of the job].
    """

    job: Job
    weights: np.ndarray


def block_of(games: int) -> int:
    """Return the size of a block so that whole blocks make up these games: at most BLOCK."""
    return gcd(games, BLOCK)


def paired_job(variants: Sequence[Sequence[PairedPart]], block: int) -> Job:
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
    for at, tally in enumerate(sums):
        start = first + at * block
        job.play(seed, start, block, tally)
    return sums[:, :, 0].T
