"""A number that knows how it was made."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

EXACT, SIMULATION = "exact", "simulation"  # the methods
ERRORS = 1.96  # standard errors on either side, for 95 %


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with its standard error and 95 % interval.

    value, stderr, low, high: in the unit of what is estimated. n: number of games (samples) behind
    it, 0 if exact.
    method: ``exact`` or ``simulation``.

    Exact values have stderr 0 and low = high = value. If a truncation is bounded, low and high are
    that bound.

    Estimates come from `exact` or one of the constructors below, which say where the interval comes
    from. The package `statistics` has the intervals that need more than that.
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
        """Return an estimate with an interval of `errors` standard errors on either side.

        errors: a quantile, of the normal distribution (`statistics.intervals.Z`) or, for few
        samples, of Student's t.
        """
        return cls.from_half(value, stderr, errors * stderr, n)

    @classmethod
    def from_half(cls, value: float, stderr: float, half: float, n: int) -> Estimate:
        """Return an estimate with a symmetric interval; `half` is its half-width."""
        return cls.from_interval(value, stderr, value - half, value + half, n)

    @classmethod
    def from_interval(
        cls, value: float, stderr: float, low: float, high: float, n: int
    ) -> Estimate:
        """Return an estimate with an interval that was found elsewhere; it is exact if n is 0."""
        return cls(value, stderr, low, high, n, SIMULATION if n else EXACT)

    @classmethod
    def share(cls, value: float, n: int) -> Estimate:
        """Return a chance that was counted in n samples, or is exact if n is 0.

        value: rounding may take it a little out of 0 to 1. The interval is normal and cut to that.
        """
        value = min(1.0, max(0.0, value))
        if not n:
            return exact(value)
        return cls.normal(value, math.sqrt(value * (1 - value) / n), n, ERRORS).within_a_share()

    @classmethod
    def mean(cls, estimates: Sequence[Estimate]) -> Estimate:
        """Return the mean of estimates; n is the smallest of their numbers of games.

        Errors and bounds are averaged too, as if the errors were fully correlated.
        """
        k = len(estimates)
        return cls.from_interval(
            sum(e.value for e in estimates) / k,
            sum(e.stderr for e in estimates) / k,
            sum(e.low for e in estimates) / k,
            sum(e.high for e in estimates) / k,
            min(e.n for e in estimates),
        )

    @classmethod
    def difference(cls, first: Estimate, second: Estimate) -> Estimate:
        """Return first − second, for estimates from different games.

        The half-widths are combined like independent errors (root of the sum of squares). n: the
        smaller of the two.
        """
        half = math.hypot(first.high - first.low, second.high - second.low) / 2
        error = math.hypot(first.stderr, second.stderr)
        return cls.from_half(first.value - second.value, error, half, min(first.n, second.n))

    @classmethod
    def from_json(cls, plain: Mapping[str, Any]) -> Estimate:
        """Return the estimate that `to_json` wrote."""
        return cls(**plain)

    def with_interval(self, low: float, high: float) -> Estimate:
        """Return the same value and error with another interval."""
        return replace(self, low=low, high=high)

    def with_half(self, half: float) -> Estimate:
        """Return the same value and error with a symmetric interval of this half-width."""
        return self.with_interval(self.value - half, self.value + half)

    def within_a_share(self) -> Estimate:
        """Return the same value and error, the interval cut to 0 to 1."""
        return self.with_interval(max(0.0, self.low), min(1.0, self.high))

    def to_json(self) -> dict[str, Any]:
        """Return the agreed JSON keys, in their order."""
        return {
            "value": self.value,
            "stderr": self.stderr,
            "low": self.low,
            "high": self.high,
            "n": self.n,
            "method": self.method,
        }


def exact(value: float, bound: float = 0.0) -> Estimate:
    """Return an exact value, correct within `bound` if something was truncated."""
    value = float(value) + 0.0  # turns −0.0 into 0.0
    return Estimate(value, low=value - bound, high=value + bound)
