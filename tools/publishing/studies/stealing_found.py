"""What the study of stealing finds, by number of players."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from lama_odds.core.estimate import Estimate
from tools.publishing.studies.wording import together

WITH, WITHOUT = "pikomino/egmont", "pikomino/egmont+no_steal"
STRONG, CASUAL = "lead:50", "first-tile"
PLAYERS, TENSE = (2, 3, 4, 5, 6, 7), (4,)
CLEAR = 0.05  # of the chance to win: a steal that is worth more matters
KEPT = ("lead changes", "comebacks", "decided")


@dataclass(frozen=True)
class Compared:
    """A measure with stealing (before), without it (after), and the change."""

    share: bool
    before: Estimate
    after: Estimate
    change: Estimate


@dataclass(frozen=True)
class Skill:
    """Win rates of a strong player among casual ones, with and without stealing.

    learned: the same for `learned`, with stealing. rivals: of other policies among strong players,
    without it.
    """

    before: Estimate
    after: Estimate
    learned: Estimate
    rivals: Mapping[str, Estimate]

    def wide(self, intervals: int) -> Skill:
        """The same with intervals that hold together with others."""
        before, after, learned = (
            together(e, intervals, True) for e in (self.before, self.after, self.learned)
        )
        rivals = {name: together(e, intervals, True) for name, e in self.rivals.items()}
        return Skill(before, after, learned, rivals)

    @property
    def change(self) -> Estimate:
        """Without stealing minus with it, as if the games were different ones."""
        return Estimate.difference(self.after, self.before)


@dataclass(frozen=True)
class Steals:
    """What a steal is worth in chance to win, the share of those that matter, and games."""

    gain: Estimate
    clear: Estimate
    games: int

    def wide(self, intervals: int) -> Steals:
        """The same with intervals that hold together with others."""
        gain, clear = (together(e, intervals) for e in (self.gain, self.clear))
        return replace(self, gain=gain, clear=clear)


By = Mapping[int, Mapping[str, Compared]]


@dataclass(frozen=True)
class Study:
    """Everything by number of players: of strong and of casual players, and tension of strong ones.

    games: by name of an option. best: what `best` is without stealing.
    """

    strong: By
    casual: By
    tense: By
    skill: Mapping[int, Skill]
    steals: Mapping[int, Steals]
    intervals: int
    games: Mapping[str, int]
    seed: int
    best: str

    def changes(self, part: By, measure: str) -> dict[int, Estimate]:
        """How a measure changes without stealing, by players."""
        return {n: found[measure].change for n, found in part.items()}
