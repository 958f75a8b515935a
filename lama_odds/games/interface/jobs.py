"""What games have played besides whole games: positions, decisions both ways, other hands."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from lama_odds.core.estimate import Estimate
from lama_odds.core.progress import StageProgress
from lama_odds.games.interface.tally_layout import RolloutLayout, RolloutTally, rollout_layout
from lama_odds.jit.job import Job


@dataclass(frozen=True)
class Effort:
    """What an answer may cost: so many games exactly, or seconds; threads to use (None: all).

    What a job rests on may be looked for with a part of that, on luck of the same seed. progress:
    called with the part that is done and with what is. only: these actions alone are played out,
    and the policies go on right after each, also where an answer looks for the best use of a card
    first; empty: all that are legal.
    """

    games: int | None = None
    seconds: float | None = None
    threads: int | None = None
    seed: int = 0
    progress: StageProgress | None = None
    only: tuple[str, ...] = ()


@dataclass(frozen=True)
class RolloutJob:
    """A job that plays a position out after each action, on the same luck.

    What its tally holds is said by `layout`; there are objectives in it that are not asked for.
    units: what one counts in each objective of the tally; objectives: the first of them, by name.
    events, results: names of what is counted of each action. counters: how many counts of the
    game's own there are. notes: what these say, from them and the number of games.
    spent: seconds it took to find what the job rests on, of those for sampling. looked_up: whether
    chances to win are looked up by the scores that a round leaves (see `match_equity.valued_by`).
    beside: chances of actions that are exact. caution: in words, what the values rest on that may
    well be wrong; empty if there is nothing. guesses: the same job with other guesses at that, made
    one by one, each with what it guesses in words. least, most: if what the job rests on hangs on
    the number of games of the answer, it is for more than the one and up to the other. short_of: by
    objective, by how much each action might be better with other actions after it than those
    found best; that goes into its interval. then: by action, what was found best to do next.
    """

    job: Job
    actions: tuple[str, ...]
    objectives: tuple[str, ...]
    units: tuple[float, ...]
    events: tuple[str, ...]
    results: tuple[str, ...]
    counters: int = 0
    notes: Callable[[np.ndarray, int], tuple[str, ...]] = lambda counters, games: ()
    spent: float = 0.0
    least: int = 0
    most: int | None = None
    short_of: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    looked_up: bool = False
    beside: Mapping[str, Mapping[str, Estimate]] = field(default_factory=dict)
    caution: str = ""
    then: Mapping[str, str] = field(default_factory=dict)
    guesses: Callable[[], Iterator[tuple[str, RolloutJob]]] = lambda: iter(())

    @property
    def layout(self) -> RolloutLayout:
        """What stands where in the tally."""
        return rollout_layout(
            len(self.units),
            len(self.actions),
            len(self.events),
            len(self.results),
            self.counters,
        )

    def read(self, tally: np.ndarray) -> RolloutTally:
        """The tally, to be read by name."""
        return RolloutTally(self.layout, tally)

    def sums(self, tally: np.ndarray, objective: str) -> np.ndarray:
        """int64[k, k + 1]: sums and sums of products of the actions' payoffs in an objective."""
        found: np.ndarray = self.read(tally).sums[self.objectives.index(objective)]
        return found


@dataclass(frozen=True)
class ForkTable:
    """What the second way of decisions adds to the first, as a table beside thresholds.

    first: row of the tally where it begins. keys: what each row from there on is; one without
    keys is not shown. objectives: of each, its name and what one counts. made: how, in words.
    across: the key whose values become columns of a text, with the first objective.
    """

    name: str
    title: str
    first: int
    keys: Sequence[Mapping[str, str]]
    objectives: tuple[tuple[str, float], tuple[str, float]]
    made: str
    across: str = ""


@dataclass(frozen=True)
class ForkTables:
    """A job that plays decisions out both ways for tables. rounds: how many it plays at most."""

    job: Job
    rounds: int
    tables: tuple[ForkTable, ...]


@dataclass(frozen=True)
class Scale:
    """What the first key of forks, "penalty", stands for: shown as zero + step times it.

    last: the highest key, where it and 0 hold all that lies beyond, too (None: they do not).
    about: what the label means, if it does not say so itself.
    """

    label: str = "penalty"
    zero: int = 0
    step: int = 1
    last: int | None = None
    about: str = ""

    def value(self, key: int) -> int:
        """A key as it is shown."""
        return self.zero + self.step * key

    def text(self, key: int) -> str:
        """A key in words, with what lies beyond."""
        if self.last is None or 0 < key < self.last:
            return str(self.value(key))
        return f"{self.value(key)} and {'more' if (key == 0) == (self.step < 0) else 'less'}"

    @property
    def onward(self) -> str:
        """Where keys up to one lie: ``or less``; ``or more`` if a higher key is shown lower."""
        return "or less" if self.step > 0 else "or more"


@dataclass(frozen=True)
class ForkJob:
    """A job that plays decisions out both ways (see `tally_layout.add_fork`).

    job: its `chances` are how many of `tally_layout.CERTAIN` decisions with each penalty are taken.
    keys: what each row of the tally is; a key that is None stands for any. actions: the two, the
    first ends my round. margin_unit: what one counts in the margin. met: when decisions are met.
    scale: what the first key, "penalty", stands for.
    objectives: what is counted of each action, in both the less the better: of "win" what is lost.
    unit: what one counts in the first objective, as margin_unit in the second. most: rounds that
    are planned at most. beside: tables of other decisions.
    """

    job: Job
    keys: Sequence[Mapping[str, int | None]]
    actions: tuple[str, str]
    margin_unit: float
    met: str
    scale: Scale = Scale()
    objectives: tuple[str, str] = ("points", "margin")
    unit: float = 1.0
    most: int | None = None
    beside: ForkTables | None = None


@dataclass(frozen=True)
class OtherHands:
    """Hands that are played from the same situations, all of as many cards, each value once.

    penalties: what they cost as they are; tops: on how many values each has a card to play. at:
    where in the tally their part begins (see `HandTally`).
    """

    names: tuple[str, ...]
    penalties: tuple[int, ...]
    tops: tuple[int, ...]
    at: int


@dataclass(frozen=True)
class HandStudies:
    """A job that plays situations of rounds on with other hands, or other cards first.

    rows: what each row of differences in points is (see `HandTally`). hands: see `OtherHands`.
    """

    job: Job
    rows: tuple[Mapping[str, Any], ...]
    hands: tuple[OtherHands, ...]


@dataclass(frozen=True)
class StandingsJob:
    """A job that counts wins of who is to move by how the game stands (see `Game.standings`).

    Its tally has the columns of `add_fork`, the payoff of the first action being the share
    of the win. keys: what each row is; the row after them counts games without an end. unit: what
    one counts.
    """

    job: Job
    keys: Sequence[Mapping[str, Any]]
    unit: float
