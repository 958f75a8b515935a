"""The smallest difference that matters in a comparison."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Delta:
    """The smallest difference that matters; `relative`: as a share of the baseline's value."""

    value: float
    relative: bool = False
