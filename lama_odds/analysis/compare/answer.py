"""What a comparison answers: rows of measures, with their values, differences and verdicts."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from statistics import NormalDist
from typing import Any, Protocol, TypeVar

import lama_odds
from lama_odds.analysis.compare.measures import DECISIONS, SKILL, Compared
from lama_odds.core.delta import Delta
from lama_odds.core.estimate import Estimate
from lama_odds.statistics.equivalence import Judged, rests_on_few

# δ unless it is given: the smallest difference that matters.
ONE_SIDED = NormalDist().inv_cdf(0.95)
DELTA_RELATIVE = 0.01  # of the baseline's value
DELTA_SHARE = 0.005  # of shares


@dataclass(frozen=True)
class Row:
    """A measure of two rule sets, `rules` minus `against`.

    saving: by how much the same cards and dice cut the variance of the difference (None: it has no
    variance).
    differing: in how many of the `samples` blocks of games the two differ. Where they are few, the
    interval is wider than usual, and no difference is reported (see `equivalence`). For the measure
    of decisions (see `decision_agreement`): how many of the tried decisions differ.
    An exact difference of 0: the two play the same games, whatever cards and dice come.
    """

    measure: Compared
    rules: str
    against: str
    baseline: Estimate
    other: Estimate
    difference: Estimate
    delta: float
    judged: Judged
    saving: float | None
    differing: int
    samples: int

    @property
    def relative(self) -> float | None:
        """The difference as a part of the baseline's size; None if that is 0."""
        size = abs(self.baseline.value)  # where points can be negative, more is still a plus
        return self.difference.value / size if size else None

    @property
    def identical(self) -> bool:
        """Whether no block of games, or decision, made a difference."""
        return self.differing == 0

    @property
    def proven(self) -> bool:
        """Whether none ever does."""
        return self.identical and self.difference.method == "exact"

    @property
    def rare(self) -> bool:
        """Whether the difference rests on few blocks."""
        return self.measure.key != DECISIONS and rests_on_few(self.differing, self.samples)

    def to_json(self) -> dict[str, Any]:
        """The agreed keys, and more."""
        return {
            "name": self.measure.name,
            "unit": self.measure.unit,
            "rules": self.rules,
            "against": self.against,
            "baseline": self.baseline.to_json(),
            "other": self.other.to_json(),
            "difference": self.difference.to_json(),
            "relative": self.relative,
            "p": self.judged.p,
            "p_same": self.judged.p_same,
            "delta": self.delta,
            "verdict": self.judged.verdict,
            "more_games": self.judged.more,
            "saving": self.saving,
            "differing_blocks": self.differing,
        }


@dataclass(frozen=True)
class SkillShows:
    """After how many games a win rate is clearly above a fair one; None: never, or not known."""

    games: int | None
    low: int | None
    high: int | None

    def to_json(self) -> dict[str, int | None]:
        """All of it."""
        return {"games": self.games, "low": self.low, "high": self.high}


def shows_after(rate: Estimate, players: int) -> SkillShows:
    """After how many games a win rate is expected to be above that of 95 % of fair players.

    A fair player wins as often as all others do; by the normal approximation, on one side.
    """
    fair = 1 / players

    def games(value: float) -> int | None:
        if value <= fair:
            return None
        return math.ceil((ONE_SIDED / (value - fair)) ** 2 * fair * (1 - fair))

    return SkillShows(games(rate.value), games(rate.high), games(rate.low))


@dataclass(frozen=True)
class LeftOut:
    """A measure that a pair of rule sets cannot be compared by, and why."""

    measure: str
    rules: str
    against: str
    reason: str

    def to_json(self) -> dict[str, str]:
        """All of it."""
        return {
            "name": self.measure,
            "rules": self.rules,
            "against": self.against,
            "reason": self.reason,
        }


@dataclass(frozen=True)
class Comparison:
    """The answer: rows by pair, then by measure. policies: of each rule set, baseline first.

    names: those of rule sets that come from files of variants, by id.
    """

    rules: tuple[str, ...]
    players: int
    policies: tuple[str, ...]
    retuned: bool
    rows: tuple[Row, ...]
    games: int
    seed: int
    seconds: float
    interrupted: bool = False
    left_out: tuple[LeftOut, ...] = ()
    version: str = field(default=lama_odds.__version__)
    names: Mapping[str, str] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """One object; seconds are left out: the rest depends on the arguments alone."""
        return {
            "baseline": self.rules[0],
            "others": list(self.rules[1:]),
            "players": self.players,
            "policies": list(self.policies),
            "retuned": self.retuned,
            "games": self.games,
            "seed": self.seed,
            "measures": [row.to_json() for row in self.rows],
            "left_out": [left.to_json() for left in self.left_out],
            **self._skill_json(),
            "version": self.version,
        }

    def _skill_json(self) -> dict[str, Any]:
        shows = {rules: shown.to_json() for rules, shown in self.skill_shows.items()}
        return {"skill_shows": shows} if shows else {}

    @property
    def pairs(self) -> dict[tuple[str, str], list[Row]]:
        """The rows of each pair (against, rules)."""
        return by_pair(self.rows)

    @property
    def skill_shows(self) -> dict[str, SkillShows]:
        """After how many games skill shows, by rule set; empty if skill is not measured."""
        rates: dict[str, Estimate] = {}
        for row in self.rows:
            if row.measure.key == SKILL:
                rates |= {row.against: row.baseline, row.rules: row.other}
        return {rules: shows_after(rates[rules], self.players) for rules in self.rules if rates}


class OfPair(Protocol):
    """A row about two rule sets."""

    @property
    def rules(self) -> str:
        """The second one."""

    @property
    def against(self) -> str:
        """The first one."""


AnyRow = TypeVar("AnyRow", bound=OfPair)


def by_pair(rows: Iterable[AnyRow]) -> dict[tuple[str, str], list[AnyRow]]:
    """The rows of each pair (against, rules)."""
    found: dict[tuple[str, str], list[AnyRow]] = {}
    for row in rows:
        found.setdefault((row.against, row.rules), []).append(row)
    return found


def delta_of(measure: Compared, baseline: float, deltas: Mapping[str | None, Delta]) -> float:
    """The smallest difference that matters in a measure."""
    delta = given_delta(measure, deltas)
    if delta:
        return delta.value * abs(baseline) if delta.relative else delta.value
    return DELTA_SHARE if measure.share else DELTA_RELATIVE * abs(baseline)


def given_delta(measure: Compared, deltas: Mapping[str | None, Delta]) -> Delta | None:
    """The δ of a measure, if it is given."""
    for name in (measure.name, measure.key, None):
        delta = deltas.get(name)
        # Part of a baseline that is 0 by its meaning: no δ at all.
        if delta and not (delta.relative and measure.key == DECISIONS):
            return delta
    return None
