"""A kernel with its arguments: what a game hands out and `simulation` runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np


@dataclass(frozen=True)
class Measure:
    """One row of a tally. unit: how much one counts; share: a yes-or-no of each game.

    least, most: of other counts, what hardly any game is beyond (where the rules have no bound, a
    guess): as long as no game has differed from another, that is all that is known of their spread.
    """

    name: str
    seat: int | None = None
    unit: float = 1.0
    share: bool = False
    least: float = 0.0
    most: float = 100.0


class Logged(NamedTuple):
    """Tables of a game with one array for all that its policies need, and the log of a record."""

    table: np.ndarray
    log: np.ndarray


@dataclass(frozen=True)
class Job:
    """A kernel with its arguments: what `simulation` runs.

    kernel: ``kernel(rules, policies, tables, seed, first, count, tally)``, adding to an
    int64 tally of shape `shape`; the same tally whatever the split into calls. more: measures
    that it counts too, in rows after the others, if the tally has such rows (see `detailed`).
    tables: arrays and numbers by name, see `tables` of a game's engine; of a kernel in plain Python
    also jobs that it plays, texts, and tuples of these. kernel: a function of a module, which
    finds it by its name elsewhere.
    """

    kernel: Any
    rules: np.ndarray
    policies: np.ndarray
    tables: tuple[Any, ...]
    shape: tuple[int, ...]
    measures: tuple[Measure, ...] = ()
    more: tuple[Measure, ...] = ()

    def play(
        self, seed: int, first: int, count: int, tally: np.ndarray | None = None
    ) -> np.ndarray:
        """Add the games first to first + count − 1 to a tally, or to a new one; returns it."""
        if tally is None:
            tally = np.zeros(self.shape, dtype=np.int64)
        self.kernel(self.rules, self.policies, self.tables, seed, first, count, tally)
        return tally

    def with_tables(self, **changed: Any) -> Job:
        """This job with other tables of these names; its tables must have names."""
        tables: Any = self.tables
        return replace(self, tables=tables._replace(**changed))

    def detailed(self) -> Job:
        """This job with all measures that its kernel can count."""
        measures = self.measures + self.more
        return replace(self, shape=(len(measures), 2), measures=measures, more=())


def mapped(thing: Any, change: Callable[[Any], Any]) -> Any:
    """A tuple (also one with named fields) of changed parts; all else as it is."""
    if not isinstance(thing, tuple):
        return thing
    parts = [change(part) for part in thing]
    return type(thing)(*parts) if hasattr(thing, "_fields") else tuple(parts)


def sharing(jobs: Iterable[Job]) -> tuple[Job, ...]:
    """The same jobs, equal tables of theirs being one array.

    Tables of policies are megabytes, and a job of its own for every seating holds all of them.
    """
    met: dict[tuple[str, tuple[int, ...]], list[np.ndarray]] = {}

    def one(table: Any) -> Any:
        if not isinstance(table, np.ndarray):
            return mapped(table, one)
        alike = met.setdefault((table.dtype.str, table.shape), [])
        for other in alike:
            if other is table or np.array_equal(other, table):
                return other
        alike.append(table)
        return table

    return tuple(replace(job, tables=one(job.tables)) for job in jobs)
