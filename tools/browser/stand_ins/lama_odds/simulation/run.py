"""The games of a job, played by the workers of the page: the same tally as anywhere."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from lama_odds.core.progress import Progress, may_stop
from lama_odds.jit.job import Job
from tools.browser.stand_ins.browser import cores, play

FIRST_CHUNK = 256


@dataclass(frozen=True)
class Played:
    """The tally of the games first to first + games − 1, and the seconds it took."""

    tally: np.ndarray
    games: int
    seconds: float
    interrupted: bool = False


def default_threads() -> int:
    """Return the number of workers."""
    return cores()


@contextmanager
def same_threads(threads: int | None) -> Iterator[None]:
    """Many small jobs are played by the same workers anyway."""
    del threads
    yield


def warm_up(job: Job, seed: int) -> None:
    """Nothing is compiled here."""
    del job, seed


def run(
    job: Job,
    seed: int,
    games: int,
    *,
    first: int = 0,
    threads: int | None = None,
    progress: Progress | None = None,
    **more: Any,
) -> Played:
    """Play the games first to first + games − 1 of a job."""
    del threads, more
    may_stop()
    tally, seconds = play(job, seed, first, games)
    if progress:
        progress(games, games)
    return Played(tally, games, seconds)
