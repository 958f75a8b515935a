"""A kernel with its arguments: a game makes jobs, and `simulation` runs them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

SMALL_TABLE = 4096  # bytes; tables of thousands of jobs are told apart by their content


@dataclass(frozen=True)
class Measure:
    """One row of a tally.

    unit: how much one count is worth. share: whether the row counts a yes-or-no of each game.
    least, most: the range of other counts; hardly any game is outside. Where the rules set no
    bound, these are a guess. They are all that is known of the spread as long as all games have
    equal counts.
    """

    name: str
    seat: int | None = None
    unit: float = 1.0
    share: bool = False
    least: float = 0.0
    most: float = 100.0


class Logged(NamedTuple):
    """Tables of a game: one array with all that its policies need, and the log of a record."""

    table: np.ndarray
    log: np.ndarray


@dataclass(frozen=True)
class Job:
    """A kernel with its arguments, ready for `simulation` to run for any range of games.

    kernel: a module-level function ``kernel(rules, policies, tables, seed, first, count, tally)``
    that adds to an int64 tally. The result does not depend on how games are split into calls. Other
    processes find it by its name.
    shape: the shape of the tally.
    tables: arrays and numbers by name, see `tables` in a game's engine. A kernel in plain Python
    may also have jobs that it plays, texts, and tuples of these.
    more: measures that the kernel also counts, in later rows, if the tally has such rows (see
    `detailed`).
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
        """Add the games first to first + count − 1 to a tally, or to a new one, and return it."""
        if tally is None:
            tally = np.zeros(self.shape, dtype=np.int64)
        self.kernel(self.rules, self.policies, self.tables, seed, first, count, tally)
        return tally

    def with_tables(self, **changed: Any) -> Job:
        """Return this job with other tables under these names; its tables must be a named tuple."""
        tables: Any = self.tables
        return replace(self, tables=tables._replace(**changed))

    def detailed(self) -> Job:
        """Return this job with all measures that its kernel can count."""
        measures = self.measures + self.more
        return replace(self, shape=(len(measures), 2), measures=measures, more=())


def mapped(thing: Any, change: Callable[[Any], Any]) -> Any:
    """Return a tuple (possibly with named fields) of changed parts; other things stay unchanged."""
    if not isinstance(thing, tuple):
        return thing
    parts = [change(part) for part in thing]
    return type(thing)(*parts) if hasattr(thing, "_fields") else tuple(parts)


def sharing(jobs: Iterable[Job]) -> tuple[Job, ...]:
    """Return the same jobs, with one array for all equal tables.

    Tables of policies are megabytes, and each seating is a job that refers to all of them.
    """
    arrays: dict[tuple[str, tuple[int, ...], bytes], list[np.ndarray]] = {}

    def one(table: Any) -> Any:
        if not isinstance(table, np.ndarray):
            return mapped(table, one)
        content = table.tobytes() if table.nbytes <= SMALL_TABLE else b""
        alike = arrays.setdefault((table.dtype.str, table.shape, content), [])
        for other in alike:
            if other is table or np.array_equal(other, table):
                return other
        alike.append(table)
        return table

    return tuple(replace(job, tables=one(job.tables)) for job in jobs)
