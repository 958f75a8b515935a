"""A number that knows how it was made."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

EXACT, SIMULATION = "exact", "simulation"  # the methods


@dataclass(frozen=True, slots=True)
class Estimate:
    """Value with standard error and 95 % interval.

    n: games it was sampled from, 0 if exact. method: ``exact`` or ``simulation``.
    Exact values have stderr 0 and low = high = value, unless a truncation is
    bounded: then low and high are that bound.

    It is made by `exact`, or by one of the constructors below: they say where the interval comes
    from. Intervals that take more than that to say are in `statistics`.
    """

    value: float
    stderr: float = 0.0
    low: float = math.nan
    high: float = math.nan
    n: int = 0
    method: str = EXACT

    def __post_init__(self) -> None:
        if math.isnan(self.low):
            object.__setattr__(self, "low", self.value)
            object.__setattr__(self, "high", self.value)

    @classmethod
    def normal(cls, value: float, stderr: float, n: int, errors: float) -> Estimate:
        """A value with an interval of so many standard errors to either side.

        errors: the quantile that this takes, of the normal distribution (`statistics.intervals.Z`)
        or, on few samples, of Student's t.
        """
        return cls.from_half(value, stderr, errors * stderr, n)

    @classmethod
    def from_half(cls, value: float, stderr: float, half: float, n: int) -> Estimate:
        """A value with an interval that goes as far to either side; half: how far."""
        return cls.from_interval(value, stderr, value - half, value + half, n)

    @classmethod
    def from_interval(
        cls, value: float, stderr: float, low: float, high: float, n: int
    ) -> Estimate:
        """A value with an interval that was found elsewhere; exact if n is 0."""
        return cls(value, stderr, low, high, n, SIMULATION if n else EXACT)

    @classmethod
    def mean(cls, found: Sequence[Estimate]) -> Estimate:
        """The mean of estimates; its interval adds their errors up, as if they went together.

        n: the fewest of theirs.
        """
        k = len(found)
        return cls.from_interval(
            sum(e.value for e in found) / k,
            sum(e.stderr for e in found) / k,
            sum(e.low for e in found) / k,
            sum(e.high for e in found) / k,
            min(e.n for e in found),
        )

    @classmethod
    def difference(cls, first: Estimate, second: Estimate) -> Estimate:
        """What the first is more than the second, both of different games.

        Half-widths add up as errors do, whatever they were made from. n: the fewer of theirs.
        """
        half = math.hypot(first.high - first.low, second.high - second.low) / 2
        error = math.hypot(first.stderr, second.stderr)
        return cls.from_half(first.value - second.value, error, half, min(first.n, second.n))

    @classmethod
    def from_json(cls, plain: Mapping[str, Any]) -> Estimate:
        """The estimate of `to_json`."""
        return cls(**plain)

    def with_interval(self, low: float, high: float) -> Estimate:
        """The same value and error with another interval."""
        return replace(self, low=low, high=high)

    def with_half(self, half: float) -> Estimate:
        """The same value and error with an interval that goes as far to either side."""
        return self.with_interval(self.value - half, self.value + half)

    def to_json(self) -> dict[str, Any]:
        """The agreed keys, in their order."""
        return {
            "value": self.value,
            "stderr": self.stderr,
            "low": self.low,
            "high": self.high,
            "n": self.n,
            "method": self.method,
        }


def exact(value: float, bound: float = 0.0) -> Estimate:
    """An exact value, right within `bound` where something was truncated."""
    value = float(value) + 0.0  # turns −0.0 into 0.0
    return Estimate(value, low=value - bound, high=value + bound)
