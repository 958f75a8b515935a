"""A kernel with its arguments: what a game hands out and `simulation` runs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Measure:
    """One row of a tally. unit: how much one counts; share: a yes-or-no of each game."""

    name: str
    seat: int | None = None
    unit: float = 1.0
    share: bool = False


@dataclass(frozen=True)
class Job:
    """A kernel with its arguments: what `simulation` runs.

    kernel: ``kernel(rules, policies, tables, seed, first, count, tally)``, adding to an
    int64 tally of shape `shape`; the same tally whatever the split into calls. more: measures
    that it counts too, in rows after the others, if the tally has such rows (see `detailed`).
    parts: what a kernel in plain Python plays (jobs, arrays, numbers), to tell it from another.
    """

    kernel: Any
    rules: np.ndarray
    policies: np.ndarray
    tables: tuple[Any, ...]
    shape: tuple[int, ...]
    measures: tuple[Measure, ...] = ()
    more: tuple[Measure, ...] = ()
    parts: tuple[Any, ...] = ()

    def detailed(self) -> Job:
        """This job with all measures that its kernel can count."""
        measures = self.measures + self.more
        return replace(self, shape=(len(measures), 2), measures=measures, more=())
