"""After how many games can a watcher tell which of two editions is played?

The watcher knows the averages of both editions and notes one measure of every game (or round). The
mean of n notes is compared with a border between the averages. Each kind of error has a chance of
5 % if |d| sqrt(n) = z (s + t). Here d is the difference of the averages, s and t are standard
deviations of one note, and z is the one-sided quantile.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

from lama_odds.analysis.compare.answer import ONE_SIDED
from lama_odds.core.estimate import Estimate
from lama_odds.simulation.run import block_of
from lama_odds.statistics.intervals import Z
from tools.publishing.studies.wide import wide

if TYPE_CHECKING:
    from tools.publishing.studies.editions_pairs import Changed, Pair

NORMAL = NormalDist()
GAMES = 3  # per evening
# A watcher who knows neither average compares notes on both editions: how many times as many notes.
BOTH = 2 * (Z + ONE_SIDED) ** 2 / (2 * ONE_SIDED) ** 2


class Spread(NamedTuple):
    """Standard deviations of a measure in one game or round, of both editions."""

    old: float
    new: float

    @property
    def both(self) -> float:
        """Their sum."""
        return self.old + self.new


class Needed(NamedTuple):
    """How many are needed, with an interval. None: no number is enough, or it is not known."""

    value: float | None
    low: float | None
    high: float | None


def in_one_game(found: Estimate) -> float:
    """The standard deviation of a measure in one game, from the error of a mean."""
    return found.stderr * math.sqrt(found.n)


def needed(difference: Estimate, spread: Spread) -> Needed:
    """How many notes tell the editions apart with 95 %; at least one."""

    def notes(size: float) -> float | None:
        if not size:
            return None
        return max(1.0, (ONE_SIDED * spread.both / size) ** 2)

    sizes = sorted((abs(difference.low), abs(difference.high)))
    least = 0.0 if difference.low <= 0 <= difference.high else sizes[0]
    return Needed(notes(abs(difference.value)), notes(sizes[1]), notes(least))


def named_right(difference: float, spread: Spread, notes: float) -> float:
    """How often the watcher names the right edition after a number of notes."""
    if not difference:
        return 0.5
    if not spread.both:
        return 1.0
    return NORMAL.cdf(abs(difference) * math.sqrt(notes) / spread.both)


def widened(pair: Pair, intervals: int) -> Sequence[Changed]:
    """The changes of a pair with intervals that hold together with those of all others."""
    found = []
    for one in pair.changes:
        samples = one.difference.n // block_of(one.difference.n)
        change = wide(one.difference, intervals, one.differing, samples, one.largest)
        found.append(replace(one, difference=change))
    return found
