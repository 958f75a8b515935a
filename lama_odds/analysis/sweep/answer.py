"""What a sweep answers: the measures of every variant, trends along options, and wishes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import lama_odds
from lama_odds.analysis.compare.measures import Compared
from lama_odds.analysis.sweep.grid import Axis, LeftOut, Value
from lama_odds.analysis.sweep.wishes import Judged
from lama_odds.core.estimate import EXACT, Estimate

GROWS, FALLS, UNCLEAR = "grows", "falls", "unclear"
TURNS = "turns"  # of a shape: up here, down there


@dataclass(frozen=True)
class Variant:
    """A rule set of the grid: the values of its options, and its measures by name.

    apart: by name, how far each measure is from its mean over all variants.
    """

    rules: str
    policy: str
    values: Mapping[str, Value]
    measures: Mapping[str, Estimate]
    apart: Mapping[str, Estimate]

    def to_json(self) -> dict[str, Any]:
        """The agreed keys."""
        return {
            "rules": self.rules,
            "values": dict(self.values),
            "measures": {name: found.to_json() for name, found in self.measures.items()},
            "apart": {name: found.to_json() for name, found in self.apart.items()},
        }


@dataclass(frozen=True)
class Step:
    """What changes from one value of an option to the next, the other options alike."""

    before: Value
    after: Value
    difference: Estimate

    def to_json(self) -> dict[str, Any]:
        """All of it."""
        found = {"from": self.before, "to": self.after}
        return {**found, "difference": self.difference.to_json()}


@dataclass(frozen=True)
class Trend:
    """How a measure depends on an option: the slope of the least squares line.

    slope: per 1 of a number, or from off to on; the other options alike.
    rare: it rests on few blocks of games, so no trend is claimed.
    steps: from each value to the next.
    """

    option: str
    measure: Compared
    slope: Estimate
    steps: tuple[Step, ...] = ()
    rare: bool = False

    @property
    def identical(self) -> bool:
        """Whether no game showed a dependence, though one could."""
        return self.slope.value == self.slope.stderr == 0 and self.slope.method != EXACT

    @property
    def verdict(self) -> str:
        """``grows``, ``falls``, or ``unclear`` where the interval includes 0."""
        return UNCLEAR if self.rare else direction(self.slope)

    @property
    def shape(self) -> str:
        """``turns`` if one step certainly goes up and another down; else the verdict."""
        found = {direction(step.difference) for step in self.steps}
        return TURNS if {GROWS, FALLS} <= found and not self.rare else self.verdict

    @property
    def throughout(self) -> bool:
        """Whether every single step certainly goes the way of the trend."""
        found = {direction(step.difference) for step in self.steps}
        return self.verdict != UNCLEAR and found == {self.verdict}

    def to_json(self) -> dict[str, Any]:
        """All of it."""
        return {
            "option": self.option,
            "measure": self.measure.name,
            "unit": self.measure.unit,
            "slope": self.slope.to_json(),
            "verdict": self.verdict,
            "shape": self.shape,
            "steps": [step.to_json() for step in self.steps],
        }


def direction(found: Estimate) -> str:
    """The side of 0 on which an interval is."""
    return GROWS if found.low > 0 else FALLS if found.high < 0 else UNCLEAR


@dataclass(frozen=True)
class Sweep:
    """The answer. rules: what options are varied of.

    measures: those that are shown, in order; intervals: how many hold together.
    together: all wishes at once, if there are several. seconds: of playing.
    variant: the name of the rule set in a file of variants.
    """

    rules: str
    players: int
    retuned: bool
    axes: tuple[Axis, ...]
    variants: tuple[Variant, ...]
    measures: tuple[Compared, ...]
    trends: tuple[Trend, ...]
    wishes: tuple[Judged, ...]
    together: Judged | None
    left_out: tuple[LeftOut, ...]
    intervals: int
    games: int
    seed: int
    seconds: float
    interrupted: bool = False
    version: str = field(default=lama_odds.__version__)
    variant: str = ""

    @property
    def policies(self) -> tuple[str, ...]:
        """The policy of all seats in each variant."""
        return tuple(variant.policy for variant in self.variants)

    def to_json(self) -> dict[str, Any]:
        """One object; seconds are left out: the rest depends on the arguments alone."""
        return {
            "rules": self.rules,
            "players": self.players,
            "policies": list(self.policies),
            "retuned": self.retuned,
            "games": self.games,
            "seed": self.seed,
            "vary": {axis.option: list(axis.values) for axis in self.axes},
            "variants": [variant.to_json() for variant in self.variants],
            "trends": [trend.to_json() for trend in self.trends],
            "wishes": [wish.to_json() for wish in self.wishes],
            "all_wishes": self.together.to_json() if self.together else None,
            "left_out": [left.to_json() for left in self.left_out],
            "intervals": self.intervals,
            "version": self.version,
        }
