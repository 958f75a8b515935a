"""Differences that nobody minds, as comparisons are told of them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Delta:
    """A difference that nobody minds; relative: to the baseline's value."""

    value: float
    relative: bool = False
