"""A number that knows how it was made."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Estimate:
    """Value with standard error and 95 % interval.

    n: games it was sampled from, 0 if exact. method: ``exact`` or ``simulation``.
    Exact values have stderr 0 and low = high = value, unless a truncation is
    bounded: then low and high are that bound.
    """

    value: float
    stderr: float = 0.0
    low: float = math.nan
    high: float = math.nan
    n: int = 0
    method: str = "exact"

    def __post_init__(self) -> None:
        if math.isnan(self.low):
            object.__setattr__(self, "low", self.value)
            object.__setattr__(self, "high", self.value)

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
