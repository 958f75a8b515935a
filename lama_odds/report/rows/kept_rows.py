"""A file of rows that the same command resumes; nothing in it that is not its own is overwritten.

Beside ``FILE`` lies its note, ``FILE.run.json``: the question that the rows answer, how many items
(positions or games) are in the file, its bytes and their hash. Rows are written every second, and
the note after them. So a note never speaks of rows that are not there. What follows them in the
file is the rest of a process that was killed, and is cut off. A Parquet file is written at the end,
from ``FILE.rows``.
"""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from lama_odds.core.errors import LimitError
from lama_odds.core.files import check_output, whole_file, write_whole
from lama_odds.core.growing import GrowingFile, hash_of_first
from lama_odds.core.reading import read_json
from lama_odds.core.strict_json import Fields, to_json
from lama_odds.report.rows.formats import PARQUET, Column, Row, head_of, lines_of, write_parquet

KIND = "lama-odds rows 1"
NOTE, SPOOL = ".run.json", ".rows"
MOST = (1 << 63) - 1  # items, rows and bytes of a file
PAUSE = 1.0  # seconds between two times that rows are written


@dataclass
class _State:
    """What the note says of the file. whole: whether all items were there when it was closed."""

    done: int = 0
    rows: int = 0
    bytes: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    content: Any = field(default_factory=hashlib.sha256)
    items: Any = field(default_factory=hashlib.sha256)
    whole: bool = False


@dataclass(frozen=True)
class _Note:
    """What a note has: besides the state, the hashes, and whether its file was closed."""

    question: dict[str, Any]
    state: _State
    content: str
    items: str
    closed: bool


def _note_of(plain: Any) -> _Note:
    """Return a note from its JSON; ValueError if it is none."""
    fields = Fields(plain)
    if fields.text("kind") != KIND:
        raise ValueError(f"kind: expected {KIND}")
    counts = Fields(fields.object("counts"))
    state = _State(
        done=fields.whole("done", 0, MOST),
        rows=fields.whole("rows", 0, MOST),
        bytes=fields.whole("bytes", 0, MOST),
        counts=Counter({name: counts.whole(name, 0, MOST) for name in fields.object("counts")}),
        whole=fields.truth("whole"),
    )
    return _Note(
        fields.object("question"),
        state,
        fields.text("content"),
        fields.text("items"),
        fields.truth("closed"),
    )


class KeptRows:
    """Rows in a file, or the beginning of them; see `kept_rows`.

    done: the number of items in the file. counts: of what the caller counts.
    """

    def __init__(
        self,
        path: Path,
        format_: str,
        columns: Sequence[Column],
        question: Mapping[str, Any],
    ) -> None:
        self.path, self.format, self.columns = path, format_, columns
        self.question = dict(question)
        self.note = path.with_name(path.name + NOTE)
        self.spool = path.with_name(path.name + SPOOL) if format_ == PARQUET else path
        self._state = _State()
        self._waiting: list[tuple[Sequence[Row], bytes, tuple[str, ...]]] = []
        self._written = time.monotonic()
        self._file: GrowingFile | None = None
        self._expected = ""
        self._checked = False

    @property
    def done(self) -> int:
        """The number of items in the file, including those that wait to be written."""
        return self._state.done + len(self._waiting)

    @property
    def rows(self) -> int:
        """The number of rows that have been written."""
        return self._state.rows

    @property
    def counts(self) -> Counter[str]:
        """What the caller has counted over all items that have been written."""
        return self._state.counts

    @property
    def finished(self) -> bool:
        """Whether the file is complete and cannot be continued: a Parquet file."""
        return self._file is None

    def skip(self, items: Iterator[bytes], given: str = "") -> None:
        """Pass the items that are in the file already; LimitError if they were others.

        given: how many items there are, in words.
        """
        done, digest = self._state.done, hashlib.sha256()
        for item in islice(items, done):
            digest.update(item)
        if done and digest.hexdigest() != self._expected:
            raise LimitError(
                f"{self.path} has rows of {done:,} others ({given}): give the same ones in "
                "the same order, or another file"
            )
        if self.finished and next(items, None) is not None:
            raise LimitError(
                f"{self.path} is complete, and a Parquet file cannot be continued ({given}): "
                "give another file"
            )
        self._state.items = digest
        self._checked = True
        if not self.finished:
            self._write_note(self._state, False)

    def add(self, rows: Sequence[Row], item: bytes = b"", *counted: str) -> None:
        """Add the rows of one item. counted: what it adds one to, in `counts`."""
        self._waiting.append((rows, item, counted))
        if time.monotonic() - self._written >= PAUSE:
            self.write()

    def write(self, closed: bool = False, whole: bool = False) -> None:
        """Write what waits, then the note; if it is interrupted, it can be repeated."""
        if self._file is None:
            return
        old, waiting = self._state, list(self._waiting)
        head = "" if old.bytes else head_of(self.format, self.columns)
        rows = [row for of_item, _, _ in waiting for row in of_item]
        data = (head + lines_of(self.format, self.columns, rows)).encode()
        new = _State(
            old.done + len(waiting), old.rows + len(rows), old.bytes + len(data),
            old.counts + Counter(name for _, _, names in waiting for name in names),
            old.content.copy(), old.items.copy(), whole,
        )  # fmt: skip
        new.content.update(data)
        for _, item, _ in waiting:
            new.items.update(item)
        self._file.put(old.bytes, data)
        self._write_note(new, closed)
        self._state = new
        del self._waiting[: len(waiting)]
        self._written = time.monotonic()

    def _write_note(self, state: _State, closed: bool) -> None:
        plain = {
            "kind": KIND,
            "question": self.question,
            "done": state.done,
            "rows": state.rows,
            "bytes": state.bytes,
            "counts": dict(state.counts),
            "content": state.content.hexdigest(),
            "items": state.items.hexdigest(),
            "closed": closed,
            "whole": state.whole,
        }
        write_whole(self.note, to_json(plain, indent=1) + "\n")

    # Opening and closing.

    def open(self) -> None:
        """Open the file at the end of its rows; LimitError if it is not a file of this question."""
        note = self._read_note()
        found = self.path if self.format != PARQUET or self.path.exists() else self.spool
        there = found.exists() and (found.stat().st_size > 0 or note is not None)
        if there and note is None:
            raise LimitError(
                f"{self.path} exists, and no stopped command has left it: expected the name "
                "of a new file"
            )
        if note is not None and there:
            self._check_question(note.question)
            finished = self.format == PARQUET and self.path.exists()
            if finished and not note.state.whole:
                raise LimitError(f"{self.path} exists already: expected another name")
            self._resume(note, found)
            if finished:
                return
        if found is self.path and self.format == PARQUET:  # an empty one
            found = self.spool
        try:
            self._file = GrowingFile(found)
        except BlockingIOError:
            raise LimitError(f"{self.path}: another process writes to this file") from None
        if not there:
            self._write_note(self._state, False)

    def _read_note(self) -> _Note | None:
        if not self.note.exists():
            return None
        try:
            return _note_of(read_json(self.note))
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
        raise LimitError(
            f"{self.note} is not a note of lama-odds ({reason}): move it away, or give another file"
        )

    def _check_question(self, other: Mapping[str, Any]) -> None:
        names = [n for n in {**self.question, **other} if self.question.get(n) != other.get(n)]
        if names:
            apart = ", ".join(
                f"{n.replace('_', ' ')} {_shown(other.get(n))}, not {_shown(self.question.get(n))}"
                for n in names
            )
            raise LimitError(f"{self.path} answers another question ({apart}): give another file")

    def _resume(self, note: _Note, found: Path) -> None:
        """Take over what the note says, if the file has these very bytes."""
        state = note.state
        finished = found is not self.spool
        longer = found.stat().st_size > state.bytes and note.closed
        digest = hash_of_first(found, None if finished else state.bytes)
        if not finished and (longer or digest is None or digest.hexdigest() != note.content):
            raise LimitError(f"{self.path} was changed after it was written: give another file")
        state.content = digest
        self._state, self._expected = state, note.items

    def close(self, whole: bool) -> None:
        """Write the rest, and a Parquet file if all is there (whole)."""
        if self._file is None:
            return
        try:
            if not self._checked:  # nothing was added
                return
            self.write(closed=True, whole=whole)
            if whole and self.format == PARQUET:
                with whole_file(self.path) as target:
                    self._file.file.seek(0)
                    write_parquet(self._file.file, self.columns, target)
                self.spool.unlink()
        finally:
            self._file.close()


def _shown(value: Any) -> str:
    return "none" if value is None else f"{value}" if isinstance(value, str) else to_json(value)


@contextmanager
def kept_rows(
    path: Path, format_: str, columns: Iterable[Column], question: Mapping[str, Any]
) -> Iterator[KeptRows]:
    """Yield the rows of a file, to which more are added; a stopped file is taken over.

    question: everything that the rows depend on besides the items; plain JSON.

    Raises LimitError if the file is something else, has rows of another question, was changed, or
    is being written. Rows that were added before an error are kept.
    """
    check_output("out", path)
    if path.exists() and not path.is_file():
        raise LimitError(f"{path}: expected a file; without --out, rows go to stdout")
    rows = KeptRows(path, format_, tuple(columns), question)
    rows.open()
    try:
        yield rows
    except BaseException:
        rows.close(whole=False)
        raise
    rows.close(whole=True)
