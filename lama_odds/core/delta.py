"""The smallest difference that matters, as it is given to a comparison."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Delta:
    """The smallest difference that matters; relative: to the baseline's value."""

    value: float
    relative: bool = False
