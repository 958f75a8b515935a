"""Jobs of games besides whole games: positions, decisions both ways, other hands."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from lama_odds.core.estimate import Estimate
from lama_odds.core.language import later, say
from lama_odds.core.progress import StageProgress
from lama_odds.games.interface.objectives import FollowUps
from lama_odds.games.interface.tally_layout import RolloutLayout, RolloutTally, rollout_layout
from lama_odds.jit.job import Job


@dataclass(frozen=True)
class Effort:
    """What an answer may cost: a number of games or a time in seconds, and threads (None: all).

    A part of it may go into preparing a job, with random numbers of the same seed.

    progress: called with the share that is done and what is being done.
    precision: how well the values are to be known; what is prepared need not be known much better.
    only: the only actions to play out; the policies continue right after each, even if an answer
    would first look for the best use of a card. Empty: all legal actions.
    hidden: what a position hides, see `Line.hidden`, if it is not to be drawn.
    """

    games: int | None = None
    seconds: float | None = None
    threads: int | None = None
    seed: int = 0
    progress: StageProgress | None = None
    precision: float | None = None
    only: tuple[str, ...] = ()
    hidden: tuple[int, ...] = ()


@dataclass(frozen=True)
class RolloutJob:
    """A job that plays a position out after each action, with common random numbers.

    `layout` describes its tally, which includes objectives that nobody requested.

    units: what one count is worth, for each objective of the tally.
    objectives: the names of the first of them.
    events, results: names of what is counted for each action.
    counters: how many counters of its own the game has.
    notes: what these mean, as a function of them and the number of games.
    spent: seconds that the preparation took, out of those for sampling.
    looked_up: whether chances to win are looked up by the scores after a round (see
    `match_equity.valued_by`).
    off: how far a chance that is looked up may be off, and a difference of two of them, as standard
    deviations; the intervals include both.
    beside: chances of actions that are exact.
    caution: in words, an assumption behind the values that may well be wrong; empty if there is
    none.
    guesses: the same job with other assumptions, made one by one, each with a text.
    least, most: if the preparation depends on the number of games of the answer, it is valid for
    more than `least` and up to `most`.
    short_of: by objective, how much better each action might be with a better follow-up; the
    intervals include it.
    then: by action, the best follow-ups that were found.
    inferred: whether hidden cards are drawn with the chances that the others' actions give them.
    of_round: the kernel for the round alone, if it can value its end by a match equity table.
    among: the same job with some of the actions (by their places): the others are worse, and no
    longer played. None: all are always played.
    tuned: the number of games for which its intervals are made; None: that of most answers.
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
    off: tuple[float, float] = (0.0, 0.0)
    beside: Mapping[str, Mapping[str, Estimate]] = field(default_factory=dict)
    caution: str = ""
    then: FollowUps = field(default_factory=dict)
    inferred: bool = False
    of_round: Any = None
    guesses: Callable[[], Iterator[tuple[str, RolloutJob]]] = lambda: iter(())
    among: Callable[[Sequence[int]], Job] | None = None
    tuned: int | None = None

    @property
    def layout(self) -> RolloutLayout:
        """The layout of the tally."""
        return self.layout_of(len(self.actions))

    def layout_of(self, actions: int) -> RolloutLayout:
        """The layout of the tally for this number of actions."""
        return rollout_layout(
            len(self.units), actions, len(self.events), len(self.results), self.counters
        )

    def read(self, tally: np.ndarray) -> RolloutTally:
        """Return a reader of the tally."""
        return RolloutTally(self.layout, tally)

    def add(self, tally: np.ndarray, part: np.ndarray, actions: Sequence[int]) -> None:
        """Add the tally of `among` these actions to one of all."""
        whole, some = self.read(tally), RolloutTally(self.layout_of(len(actions)), part)
        columns = [0, *(action + 1 for action in actions)]
        whole.sums[np.ix_(range(len(self.units)), actions, columns)] += some.sums
        whole.events[actions] += some.events
        whole.results[actions] += some.results
        tally[self.layout.counters_at :] += part[some.layout.counters_at :]

    def restricted(self, actions: Sequence[str]) -> RolloutJob:
        """Return the job of some of the actions alone, if there is `among`."""
        assert self.among is not None
        places = [self.actions.index(name) for name in actions]
        short = {name: tuple(of[at] for at in places) for name, of in self.short_of.items()}
        then = {name: uses for name, uses in self.then.items() if name in actions}
        job, names = self.among(places), tuple(actions)
        return replace(self, job=job, actions=names, short_of=short, then=then, among=None)

    def sums(self, tally: np.ndarray, objective: str) -> np.ndarray:
        """Return int64[k, k + 1]: sums, and sums of products, of the actions' payoffs."""
        moments: np.ndarray = self.read(tally).sums[self.objectives.index(objective)]
        return moments


@dataclass(frozen=True)
class ForkTable:
    """A table beside thresholds: how the second way of decisions differs from the first.

    first: the row of the tally where it begins.
    keys: the meaning of each row from there; one without keys is not shown.
    objectives: the name of each, and what one count is worth.
    made: how the table was made, in words.
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
    """A job that plays decisions out both ways, for tables.

    rounds: the largest number of rounds.
    """

    job: Job
    rounds: int
    tables: tuple[ForkTable, ...]


PENALTY = later("penalty")


@dataclass(frozen=True)
class Scale:
    """What the first key of forks, "penalty", means: it is shown as zero + step times the key.

    Texts are templates, see `core.language.later`.

    last: the highest key, if it and 0 include everything beyond (None: they do not).
    about: what the label means, unless it is clear, with {step}. meant: the same as a sentence for
    a report.
    """

    label: str = PENALTY
    zero: int = 0
    step: int = 1
    last: int | None = None
    about: str = ""
    meant: str = ""

    def value(self, key: int) -> int:
        """Return a key as it is shown."""
        return self.zero + self.step * key

    @property
    def explained(self) -> str:
        """What the label means; empty if it is clear."""
        return self.about and say(self.about, step=abs(self.step))

    def text(self, key: int, either: bool = False) -> str:
        """A key in words, with what lies beyond; either: any of these, not all."""
        value = self.value(key)
        if self.last is None or 0 < key < self.last:
            return str(value)
        if (key == 0) == (self.step < 0):
            both = later("{value} and more")
            return say("{amount} or more", amount=value) if either else say(both, value=value)
        both = later("{value} and less")
        return say("{amount} or less", amount=value) if either else say(both, value=value)

    @property
    def onward(self) -> str:
        """The range of keys up to one: ``or less``; ``or more`` if a higher key is shown lower."""
        return say("or less") if self.step > 0 else say("or more")

    @property
    def backward(self) -> str:
        """The range of keys from one on."""
        return say("or more") if self.step > 0 else say("or less")


@dataclass(frozen=True)
class KeyWords:
    """What a key of forks is called: in a table, in a report's headings, and with a value."""

    brief: str
    heading: str
    valued: str


@dataclass(frozen=True)
class ForkJob:
    """A job that plays decisions out both ways (see `tally_layout.add_fork`).

    job: its `chances` are how many of `tally_layout.CERTAIN` decisions with each penalty are used.
    keys: the meaning of each row of the tally; a key that is None matches everything.
    actions: the two; the first ends your round.
    margin_unit: what one count of the margin is worth.
    met: when decisions occur.
    scale: what the first key, "penalty", means.
    objectives: what is counted for each action, always the lower the better: for "win", what is
    lost.
    unit: what one count of the first objective is worth, like margin_unit for the second.
    most: the largest number of rounds to plan.
    words: of the keys besides "penalty".
    beside: tables of other decisions.
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
    words: Mapping[str, KeyWords] = field(default_factory=dict)
    beside: ForkTables | None = None


@dataclass(frozen=True)
class OtherHands:
    """Hands of equal size that are played from the same situations, each value at most once.

    penalties: what the hands cost. tops: the number of values for which each has a card to play.
    at: where their part begins in the tally (see `HandTally`).
    """

    names: tuple[str, ...]
    penalties: tuple[int, ...]
    tops: tuple[int, ...]
    at: int


@dataclass(frozen=True)
class HandStudies:
    """A job that continues situations of rounds with other hands, or with other cards first.

    rows: the meaning of each row of differences in points (see `HandTally`). hands: see
    `OtherHands`.
    """

    job: Job
    rows: tuple[Mapping[str, Any], ...]
    hands: tuple[OtherHands, ...]


@dataclass(frozen=True)
class StandingsJob:
    """A job that counts wins of the player to move, by the standing (see `Game.standings`).

    Its tally has the columns of `add_fork`; the payoff of the first action is the share of the win.
    keys: the meaning of each row; the row after them counts games without an end. unit: what one
    count is worth.
    """

    job: Job
    keys: Sequence[Mapping[str, Any]]
    unit: float


@dataclass(frozen=True)
class ThinkingJob:
    """A job of whole games in which one seat thinks one step ahead, without rollouts.

    It plays each game twice, on the same random numbers: as it does, and with its usual policy.
    Rows of the tally: thought, usual: its results, counted in 1 / EQUITY. promised: how much more
    its choices are worth by what it looks at, counted likewise. decisions; departed: those of them
    where it did otherwise. unfinished: games that did not end.
    """

    job: Job
    thought: int
    usual: int
    promised: int
    decisions: int
    departed: int
    unfinished: int
