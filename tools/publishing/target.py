"""What a target of `tools/publish` is, and what its `make` is handed."""

from __future__ import annotations

import csv
import hashlib
import io
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import lama_odds
from lama_odds.core.files import write_whole, write_whole_bytes
from lama_odds.jit.arrays import bytes_of

Value = int | float | str
# What policies named in data/best.json, `meanfield` and `learned`, and Pikomino's, are made of.
TUNED = (
    *("data/best.json", "data/dice/", "data/equilibrium/", "data/lama/", "data/learned/"),
    "data/pikomino/",
)
# The same with `copy`, which is `best` for two players of Lama Dice.
POLICIES = (*TUNED, "data/copy/", "data/best_play/")
# Chances to win after a round, of two players and of more.
EQUITY = (
    *("data/equity/", "data/fitted_equity/", "data/several_equity/", "data/fitted_several/"),
    "data/rounds_won.json",
)
# What answers look up: these, and how far the players they count on can be beaten.
ANSWERS = (*EQUITY, "data/best_responses.json")


@dataclass(frozen=True)
class Making:
    """What `make` of a target receives.

    out: the checkout, or another folder laid out like it.
    options: all options of the target.
    work: a folder for partial results. It is there again if the target was stopped and nothing it
    depends on has changed, and it is removed when the target is made.
    command: what makes this again.
    threads: None for all processors.
    """

    name: str
    out: Path
    options: Mapping[str, Any]
    work: Path
    command: str
    threads: int | None = None
    _said: list[float] = field(default_factory=lambda: [time.monotonic()])

    def __getitem__(self, option: str) -> Any:
        return self.options[option]

    def path(self, name: str) -> Path:
        """Where a file or folder is to be written; its folder is made."""
        path = self.out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def write(self, name: str, content: str | bytes) -> None:
        """Write a file, whole or not at all."""
        if isinstance(content, str):
            write_whole(self.path(name), content)
        else:
            write_whole_bytes(self.path(name), content)

    def write_array(self, name: str, array: np.ndarray) -> str:
        """Write an array as an ``.npy`` file; return the SHA-256 of the file, in hex."""
        content = bytes_of(array)
        self.write(name, content)
        return hashlib.sha256(content).hexdigest()

    def write_rows(self, name: str, rows: Iterable[Sequence[object]]) -> None:
        """Write a CSV file, its head the first row."""
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows(rows)
        self.write(name, text.getvalue())

    def tell(self, what: str) -> None:
        """Say what is done, and how long it took since the last time: a line on stderr."""
        now = time.monotonic()
        print(f"{self.name}: {what} ({now - self._said[0]:.0f} s)", file=sys.stderr, flush=True)
        self._said[0] = now

    def bar(self, done: int, of: int) -> None:
        """How far it is, on one line of stderr; nothing where nobody looks."""
        if sys.stderr.isatty():
            end = "" if done < of else "\r"
            print(f"\r{self.name}: {done} of {of}", end=end, file=sys.stderr)

    @property
    def made_by(self) -> str:
        """Command, options and version, for the last line of a page."""
        options = ", ".join(f"{name} {value}" for name, value in self.options.items() if value)
        given = f" ({options})" if options else ""
        return f"`{self.command}`{given}, lama-odds {lama_odds.__version__}"


@dataclass(frozen=True)
class Target:
    """Files that are made together.

    name: as it is typed. what: a line for the list.
    writes, reads: paths below the checkout; / at the end means everything in a folder. A target
    that writes what another reads comes before it. Files that are not named here are not opened
    (see `watch`). Imported code need not be named.
    options: those of what is published. quick: what differs for a trial of a minute or so.
    deep: takes hours, so it is made only if it is named, or with --deep.
    again: writes pages again from existing tables.
    asks, shows: if one file has both, the parts of a file, given its name and content, that are
    read and that are made (default: all of it).
    """

    name: str
    what: str
    make: Callable[[Making], None]
    writes: tuple[str, ...]
    reads: tuple[str, ...] = ()
    options: Mapping[str, Value] = field(default_factory=dict)
    quick: Mapping[str, Value] = field(default_factory=dict)
    deep: bool = False
    again: Callable[[Making], None] | None = None
    asks: Callable[[str, bytes], bytes] | None = None
    shows: Callable[[str, bytes], bytes] | None = None

    @property
    def module(self) -> str:
        """The module whose code, with all that it imports, makes the files."""
        return self.make.__module__


def covers(pattern: str, path: str) -> bool:
    """Whether `writes` or `reads` name a path."""
    return path == pattern or (pattern.endswith("/") and path.startswith(pattern))


def meet(one: str, other: str) -> bool:
    """Whether two of `writes` or `reads` have a file in common."""
    return covers(one, other) or covers(other, one)
