"""Tallies of stretches of games as files: each one complete or absent, checked, never too many.

A file is a plain array (.npy, no pickles). Its name says the rest: ``first-stop-ms-checksum.npy``,
with first and stop counted from the first game of the job, and the time in milliseconds. The
checksum covers the array, the numbers in the name and the job.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

import numpy as np

import lama_odds
from lama_odds.core.errors import LimitError
from lama_odds.core.files import write_whole_bytes
from lama_odds.core.reading import read_bytes
from lama_odds.jit.arrays import array_of, bytes_of
from lama_odds.jit.job import Job
from lama_odds.jit.sources import source_digest
from lama_odds.simulation.run import add

# What distinguishes jobs: hashes of everything their games depend on.


def plan_of(job: Job, seed: int, first: int) -> dict[str, Any]:
    """Return the plan of a job as plain JSON, with its hash under ``hash`` (16 hex digits).

    sources: for each module with a kernel, the hash of all source that it can reach. rules,
    policies, tables: hashes of their contents. Raises TypeError for contents of unknown type.
    """
    plan = {
        "version": lama_odds.__version__,
        "kernel": name_of(job.kernel),
        "sources": sources_of(job),
        "rules": hash_of(job.rules),
        "policies": hash_of(job.policies),
        "tables": hash_of(job.tables),
        "measures": hash_of([astuple(measure) for measure in job.measures]),
        "shape": list(job.shape),
        "seed": seed,
        "first": first,
    }
    text = json.dumps(plan, sort_keys=True)
    return {**plan, "hash": hashlib.sha256(text.encode()).hexdigest()[:16]}


def name_of(kernel: Any) -> str:
    """Return a kernel's module and its name there."""
    function = getattr(kernel, "py_func", kernel)
    return f"{function.__module__}:{function.__qualname__}"


def sources_of(job: Job) -> dict[str, str]:
    """Return module -> hash of all source it can reach, for the job's kernel and those in its
    tables.
    """
    modules: set[str] = set()
    waiting: list[Any] = [job]
    while waiting:
        thing = waiting.pop()
        if isinstance(thing, Job):
            modules.add(name_of(thing.kernel).partition(":")[0])
            waiting += thing.tables
        elif isinstance(thing, list | tuple):
            waiting += thing
    return {module: source_digest(module) for module in sorted(modules)}


def hash_of(thing: Any) -> str:
    """Return the hash of contents with their types and sizes (16 hex digits).

    Raises TypeError for unknown types.
    """
    digest = hashlib.sha256()
    _feed(digest, thing, {})
    return digest.hexdigest()[:16]


def _feed(digest: Any, thing: Any, known: dict[int, bytes]) -> None:
    """Add contents to a digest, with types and sizes, so that different contents differ.

    known: digests of arrays, by id: jobs made of jobs refer to the same one many times.
    """
    if isinstance(thing, Job):
        digest.update(b"job")
        _feed(digest, [name_of(thing.kernel), thing.rules, thing.policies, thing.tables], known)
        _feed(digest, thing.shape, known)
    elif isinstance(thing, np.ndarray):
        digest.update(f"array {thing.dtype.str} {thing.shape} ".encode())
        if id(thing) not in known:
            known[id(thing)] = hashlib.sha256(np.ascontiguousarray(thing).data).digest()
        digest.update(known[id(thing)])
    elif isinstance(thing, Sequence) and not isinstance(thing, str | bytes):
        digest.update(f"list {len(thing)} ".encode())
        for part in thing:
            _feed(digest, part, known)
    elif thing is None or isinstance(thing, bool | int | float | str | np.generic):
        text = f"{type(thing).__name__} {thing!r}"
        digest.update(f"{len(text)} {text} ".encode())
    else:
        raise TypeError(f"a job holds a {type(thing).__name__}, which has no hash here")


# With this many files, neighbours are merged until there are half as many.
MOST_FILES = 64
HEADER = 1024  # bytes of a file, at most, besides the numbers of the tally
_NAME = re.compile(r"([0-9]{1,15})-([0-9]{1,15})-([0-9]{1,12})-([0-9a-f]{24})\.npy")

Tell = Callable[[str], None]


class DamagedError(Exception):
    """A file that differs from what was written."""


@dataclass(frozen=True, order=True)
class Span:
    """The games start to stop − 1 of a job, and how long they took."""

    start: int
    stop: int
    milliseconds: int
    checksum: str

    @property
    def name(self) -> str:
        """The name of its file."""
        return f"{self.start:015d}-{self.stop:015d}-{self.milliseconds}-{self.checksum}.npy"

    @property
    def games(self) -> int:
        """The number of games."""
        return self.stop - self.start


def listed(folder: Path) -> list[Span]:
    """Return the spans of the files in a folder, by name alone, in order."""
    spans = []
    for file in folder.iterdir():
        match = _NAME.fullmatch(file.name)
        if match:
            start, stop, milliseconds = (int(number) for number in match.groups()[:3])
            span = Span(start, stop, milliseconds, match[4])
            if start < stop and span.name == file.name:
                spans.append(span)
    return sorted(spans)


def inside(path: Path) -> Path:
    """Return a path in a run folder; raise LimitError for a link, which could lead elsewhere."""
    if path.is_symlink():
        raise LimitError(f"{path} is a link: a run folder must not contain any")
    return path


def _remove(path: Path) -> None:
    """Remove a file with the name of a tally; raise LimitError for a folder."""
    try:
        path.unlink()
    except (IsADirectoryError, PermissionError) as error:
        raise LimitError(f"{path} cannot be removed ({error.strerror})") from error


class Spans:
    """The files of one job. key: of the job; shape: of its tallies; tell: receives warnings."""

    def __init__(self, folder: Path, key: str, shape: tuple[int, ...], tell: Tell) -> None:
        self.folder = folder
        self.key = key
        self.shape = shape
        self.tell = tell
        self.kept: list[Span] = []

    def load(self) -> None:
        """Check all files; remove damaged ones and leftovers of a merge."""
        self.kept = []
        for span in sorted(listed(self.folder), key=lambda span: (-span.games, span)):
            if any(span.start < other.stop and other.start < span.stop for other in self.kept):
                (self.folder / span.name).unlink()  # its games are in a longer file
            elif self.read(span) is not None:
                self.kept.append(span)
        self.kept.sort()

    def read(self, span: Span) -> np.ndarray | None:
        """Return the tally of a span; warn, remove the file and return None if it is damaged."""
        path = inside(self.folder / span.name)
        try:
            content = read_bytes(path, HEADER + 8 * math.prod(self.shape), links=False)
            if self._checksum(span.start, span.stop, span.milliseconds, content) != span.checksum:
                raise DamagedError("its checksum is wrong")
            tally = array_of(content)
            if tally.dtype != np.int64 or tally.shape != self.shape:
                raise DamagedError("it is not a tally of this job")
        except (DamagedError, ValueError) as error:
            self.tell(f"{path} is damaged ({error}): its {span.games:,} games will be played again")
            _remove(path)
            return None
        return tally

    def write(self, start: int, stop: int, milliseconds: int, tally: np.ndarray) -> None:
        """Keep a tally; merge neighbours if there are many files.

        Raises OSError if it cannot be kept.
        """
        self.kept.append(self._write(start, stop, milliseconds, tally))
        self.kept.sort()
        if len(self.kept) >= MOST_FILES:
            self._merge()

    def gaps(self, games: int) -> list[tuple[int, int, bool]]:
        """Return what is missing of the first games: (start, stop, whether it can be kept).

        A span that ends later does not help, because the answer is about the requested games. Its
        games are then played again, but not kept twice.
        """
        holes, at = [], 0
        for span in self.kept:
            if span.stop <= games:
                if span.start > at:
                    holes.append((at, span.start, True))
                at = span.stop
        if at < games:
            holes.append((at, games, not any(span.start < games < span.stop for span in self.kept)))
        return holes

    def total(self, spans: list[Span]) -> np.ndarray | None:
        """Return the sum of the tallies of some spans; None if one of them is damaged."""
        tally = np.zeros(self.shape, dtype=np.int64)
        for span in spans:
            part = self.read(span)
            if part is None:
                self.kept.remove(span)
                return None
            add(tally, part)
        return tally

    def _merge(self) -> None:
        """Merge the smallest neighbours into one file each, down to half of MOST_FILES.

        The new file is there before the old ones go. A process killed in between leaves both, and
        `load` uses the longer one.
        """
        groups = [[span] for span in self.kept]
        while len(groups) > MOST_FILES // 2:
            pairs = [
                (groups[at + 1][-1].stop - groups[at][0].start, at)
                for at in range(len(groups) - 1)
                if groups[at][-1].stop == groups[at + 1][0].start
            ]
            if not pairs:
                break
            at = min(pairs)[1]
            groups[at : at + 2] = [groups[at] + groups[at + 1]]
        for group in groups:
            tally = self.total(group) if len(group) > 1 else None
            if tally is None:
                continue
            took = sum(span.milliseconds for span in group)
            merged = self._write(group[0].start, group[-1].stop, took, tally)
            for span in group:
                (self.folder / span.name).unlink()
                self.kept.remove(span)
            self.kept.append(merged)
        self.kept.sort()

    def _write(self, start: int, stop: int, milliseconds: int, tally: np.ndarray) -> Span:
        content = bytes_of(tally)
        checksum = self._checksum(start, stop, milliseconds, content)
        span = Span(start, stop, milliseconds, checksum)
        write_whole_bytes(self.folder / span.name, content, durable=True)
        return span

    def _checksum(self, start: int, stop: int, milliseconds: int, content: bytes) -> str:
        digest = hashlib.sha256(f"{self.key} {start} {stop} {milliseconds} ".encode())
        digest.update(content)
        return digest.hexdigest()[:24]
