"""How many games to compare rule sets on: from a precision, from seconds, or two minutes' worth."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from lama_odds.core.errors import LimitError
from lama_odds.core.progress import Progress
from lama_odds.jit.job import Job
from lama_odds.luck.stream import MAX_GAMES
from lama_odds.simulation.paired_blocks import BLOCK
from lama_odds.simulation.run import Played, run
from lama_odds.statistics.intervals import Z

DEFAULT_GAMES = 200_000
DEFAULT_SECONDS = 50.0  # a rule set
MOST_GAMES = 1_000_000_000
# Pilots have the highest game indices there are, so no game is counted twice.
PILOT_GAMES = 8_192  # to see how much differences vary
SPEED_GAMES = 512  # to see how fast games are, more of them if these take no time
SPEED_SECONDS = 0.1
SPARE = 0.9  # half-widths are planned to be this part of those wanted: a pilot is uncertain


@dataclass(frozen=True)
class Plan:
    """Games to play, and the seconds they should take (None: not known)."""

    games: int
    seconds: float | None = None


def plan_from(plain: Any) -> Plan:
    """A plan from its fields, as JSON has them; ValueError for anything else."""
    if not isinstance(plain, list | tuple) or len(plain) != len(fields(Plan)):
        raise ValueError("found no plan")
    games, seconds = plain
    if isinstance(games, bool) or not isinstance(games, int) or not 0 < games <= MAX_GAMES:
        raise ValueError(f"games: expected a whole number, 1 to {MAX_GAMES:,}")
    known = isinstance(seconds, int | float) and not isinstance(seconds, bool) and seconds >= 0
    if seconds is not None and not known:
        raise ValueError("seconds: expected a number")
    return Plan(games, seconds)


def pilot(
    job: Job, seed: int, games: int, threads: int | None, progress: Progress | None
) -> Played:
    """Play games that no comparison counts. KeyboardInterrupt if interrupted."""
    first = MAX_GAMES - games
    played = run(job, seed, games, first=first, threads=threads, progress=progress)
    if played.interrupted:
        raise KeyboardInterrupt
    return played


def for_seconds(
    job: Job,
    seed: int,
    seconds: float,
    threads: int | None,
    progress: Progress | None = None,
    most: int = MOST_GAMES,
) -> Plan:
    """As many games as can be played in this number of seconds, the pilot's included.

    A number with three binary digits, so that machines alike play alike; no more than `most`.
    """
    games = SPEED_GAMES
    played = pilot(job, seed, games, threads, progress)
    spent = played.seconds
    while played.seconds < min(SPEED_SECONDS, seconds / 4):
        games *= 4
        played = pilot(job, seed, games, threads, progress)
        spent += played.seconds
    each = played.seconds / games
    possible = int(max(0.0, seconds - spent) / each)
    if possible >= most:
        return Plan(most, most * each)
    step = 1 << max(BLOCK.bit_length() - 1, possible.bit_length() - 3)
    planned = max(SPEED_GAMES, possible - possible % step)
    return Plan(planned, planned * each)


def for_precision(
    job: Job,
    seed: int,
    half_width: float,
    threads: int | None,
    stderr: Callable[[np.ndarray, int], float],
    progress: Progress | None = None,
) -> Plan:
    """As many games as give a 95 % interval of this half-width.

    stderr: the standard error after a tally and its number of games. LimitError beyond MOST_GAMES.
    """
    played = pilot(job, seed, PILOT_GAMES, threads, progress)
    reached = Z * stderr(played.tally, played.games)
    wanted = PILOT_GAMES * (reached / (SPARE * half_width)) ** 2
    each = played.seconds / PILOT_GAMES
    if wanted > MOST_GAMES:
        raise LimitError(
            f"±{half_width:g} would take some {wanted:.2g} games, about {wanted * each:.2g} s: "
            f"at most {MOST_GAMES:,} are played (choose a wider interval)"
        )
    games = max(PILOT_GAMES, math.ceil(wanted / BLOCK) * BLOCK)
    return Plan(games, games * each)
