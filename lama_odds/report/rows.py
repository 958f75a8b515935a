"""Rows of many answers: their columns, formats (CSV, JSON lines, Parquet), and files."""

from __future__ import annotations

import hashlib
import importlib.util
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, TextIO

from rich.console import Group, RenderableType
from rich.text import Text

from lama_odds.analysis.advice.advise import Answered, Batch
from lama_odds.analysis.advice.answer import Advice
from lama_odds.analysis.simulate import DECISIONS, GAMES, ROUNDS, GameRows
from lama_odds.core.errors import LimitError, ReadError, extra, near_names, shown
from lama_odds.core.files import GrowingFile, check_output, hash_of_first, whole_file, write_whole
from lama_odds.core.plain import keys_in
from lama_odds.core.reading import read_json
from lama_odds.core.strict_json import Fields, from_json, to_json
from lama_odds.report.terminal import Fitted
from lama_odds.report.text.numbers import csv_text

# The formats of rows: CSV, JSON lines and Parquet.

CSV, JSONL, PARQUET = "csv", "jsonl", "parquet"
FORMATS = (CSV, JSONL, PARQUET)
TEXT, WHOLE, NUMBER = "text", "whole", "number"  # kinds of columns
GROUP = 50_000  # rows of a Parquet file that are in memory at a time

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Column:
    """A column of rows. kind: TEXT, WHOLE or NUMBER. about: what it has, in words."""

    name: str
    kind: str = TEXT
    about: str = ""


def format_for(given: str | None, path: Path | None) -> str:
    """Return the format that is given, or that of a file's suffix; CSV if there is neither.

    Raises ReadError for an unknown one, and LimitError if Parquet cannot be written here or has no
    file.
    """
    format_ = given
    if format_ is None and path is not None:
        format_ = path.suffix.lower().removeprefix(".")
        if format_ not in FORMATS:
            wanted = ", ".join(f".{name}" for name in FORMATS)
            raise ReadError(f"{path}: expected a name that ends with {wanted}, or a format")
    format_ = format_ or CSV
    if format_ not in FORMATS:
        raise ReadError(f"unknown format {format_!r}", format_, 0, near_names(format_, FORMATS))
    if format_ == PARQUET and path is None:
        raise ReadError("rows as Parquet need a file to go to")
    if format_ == PARQUET and importlib.util.find_spec("pyarrow") is None:
        raise LimitError(f"Parquet files need pyarrow: {extra('parquet')}, or use csv")
    return format_


def head_of(format_: str, columns: Sequence[Column]) -> str:
    """Return what comes before the first row."""
    return csv_text([[column.name for column in columns]]) if format_ == CSV else ""


def lines_of(format_: str, columns: Sequence[Column], rows: Iterable[Row]) -> str:
    """Return rows as text; of Parquet what `write_parquet` reads.

    JSON lines have all that a row has, the others its columns.
    """
    if format_ == CSV:
        return csv_text([row.get(column.name) for column in columns] for row in rows)
    if format_ == PARQUET:
        rows = ({c.name: _of_kind(c.kind, row.get(c.name)) for c in columns} for row in rows)
    return "".join(f"{to_json(dict(row))}\n" for row in rows)


def _of_kind(kind: str, value: Any) -> Any:
    if kind != TEXT or value is None or isinstance(value, str):
        return value
    return to_json(value)


def write_parquet(lines: BinaryIO, columns: Sequence[Column], to: BinaryIO) -> None:
    """Write the rows of `lines_of` as a Parquet file, GROUP rows at a time."""
    import pyarrow
    import pyarrow.parquet

    kinds = {TEXT: pyarrow.string(), WHOLE: pyarrow.int64(), NUMBER: pyarrow.float64()}
    schema = pyarrow.schema([(column.name, kinds[column.kind]) for column in columns])
    with pyarrow.parquet.ParquetWriter(to, schema) as writer:
        while group := list(islice(lines, GROUP)):
            rows = [from_json(line.decode()) for line in group]
            writer.write_table(pyarrow.Table.from_pylist(rows, schema=schema))


# The rows of `advise` on many positions.

ADVICE_COLUMNS = (
    Column("position", about="as it was given"),
    Column("verdict", about="the best action, or that it is too close to call"),
    Column("best", about="the action with the best value"),
    Column("value", NUMBER, "of the best action, in the objective"),
    Column("low", NUMBER, "the lower end of its interval"),
    Column("high", NUMBER, "the upper end of its interval"),
    Column("regret", NUMBER, "what the second-best action costs, if there is one"),
    Column("method", about="exact or simulation"),
    Column("games", WHOLE, "games behind the value, 0 if it is exact"),
    Column("error", about="why there is no answer"),
)
# Keys of an answer besides, which JSON lines have.
KEYS = {key.name for key in keys_in(Advice.KEYS)}


def columns_for(format_: str, handed: Iterable[Mapping[str, Any]]) -> tuple[Column, ...]:
    """Return the columns, those that are handed through last, in the order of their appearance.

    Raises ReadError if one of these has the name of a column or key of the answers.
    """
    names = dict.fromkeys(name for row in handed for name in row)
    taken = {column.name for column in ADVICE_COLUMNS} | (KEYS if format_ == JSONL else set())
    for name in names:
        if name in taken:
            raise ReadError(f"positions: the answers have a column {name!r} too, rename yours")
    return (*ADVICE_COLUMNS, *map(Column, names))


def row_of(format_: str, answered: Answered) -> Mapping[str, Any]:
    """Return the row of an answer."""
    if format_ == JSONL:
        return answered.to_json()
    row: dict[str, Any] = {"position": answered.position, "games": answered.games}
    advice, second = answered.advice, answered.second
    if advice is None:
        row["error"] = answered.error
    else:
        value = advice.actions[0].value
        row |= {"verdict": advice.verdict, "best": advice.best, "method": advice.method}
        row |= {"value": value.value, "low": value.low, "high": value.high}
        row["regret"] = second.value if second is not None else None
    return row | dict(answered.handed)


def table_of(answers: Sequence[Answered]) -> tuple[list[str], list[list[Any]]]:
    """Return heads and rows of answers as a table."""
    heads = [column.name for column in columns_for(CSV, (answer.handed for answer in answers))]
    rows = [row_of(CSV, answer) for answer in answers]
    return heads, [[row.get(name) for name in heads] for row in rows]


# The columns of simulated games as rows.

_GAME = Column("game", WHOLE, "number of the game, from 0")
_ROUND = Column("round", WHOLE, "number of the round in its game, from 0")
_SEAT = Column("seat", WHOLE, "the player, from 0; seat 0 starts the first round")
_POLICY = Column("policy", about="what this seat plays")

GAME_COLUMNS = {
    GAMES: (
        _GAME,
        _SEAT,
        _POLICY,
        Column("win", NUMBER, "share of the win: 1, 0, or a part if it is shared"),
        Column("score", WHOLE, "the final result: points, worms or llamas, as the record has it"),
        Column("penalty", WHOLE, "penalties of all rounds, tokens returned not subtracted"),
        Column("rounds", WHOLE, "rounds of the game"),
        Column("turns", WHOLE, "turns of all players"),
    ),
    ROUNDS: (
        _GAME,
        _ROUND,
        _SEAT,
        _POLICY,
        Column("starts", WHOLE, "1 if this seat starts the round, else 0"),
        Column("hand", about="the cards that are dealt"),
        Column("ended", about="how the round ends, as the record has it"),
        Column("penalty", WHOLE, "points of this round"),
        Column("score", WHOLE, "the standing after it; empty if only first rounds are played"),
    ),
    DECISIONS: (
        _GAME,
        _ROUND,
        Column("turn", WHOLE, "number of the turn in its game, from 0"),
        _SEAT,
        _POLICY,
        Column("position", about="what the player knows, as advise reads it"),
        Column("action", about="what the player does, as advise names it"),
        Column("shown", about="the dice or the card that this brings, if the player decides again"),
        Column("penalty", WHOLE, "points of this seat at the end of the round"),
    ),
}


# A file of rows that the same command resumes; nothing in it that is not its own is overwritten.
#
# Beside ``FILE`` lies its note, ``FILE.run.json``: the question that the rows answer, how many
# items (positions or games) are in the file, its bytes and their hash. Rows are written every
# second, and the note after them. So a note never speaks of rows that are not there. What follows
# them in the file is the rest of a process that was killed, and is cut off. A Parquet file is
# written at the end, from ``FILE.rows``.

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
    """Return a note from its JSON; ValueError if it is not one."""
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
        file = self.path if self.format != PARQUET or self.path.exists() else self.spool
        there = file.exists() and (file.stat().st_size > 0 or note is not None)
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
            self._resume(note, file)
            if finished:
                return
        if file is self.path and self.format == PARQUET:  # an empty one
            file = self.spool
        try:
            self._file = GrowingFile(file)
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

    def _resume(self, note: _Note, path: Path) -> None:
        """Take over what the note says, if the file has these very bytes."""
        state = note.state
        finished = path is not self.spool
        longer = path.stat().st_size > state.bytes and note.closed
        digest = hash_of_first(path, None if finished else state.bytes)
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


# Rows that go to a stream, such as stdout, while they are found.

STREAM_PAUSE = 0.5  # seconds between two times that rows are written


class StreamedRows:
    """Rows on their way to a stream. counts: of what the caller counts."""

    def __init__(self, stream: TextIO, format_: str, columns: Sequence[Column]) -> None:
        self.stream, self.format, self.columns = stream, format_, columns
        self.counts: Counter[str] = Counter()
        self.done = 0
        self.rows = 0
        self._waiting = [head_of(format_, columns)]
        self._written = time.monotonic()

    def add(self, rows: Sequence[Row], item: bytes = b"", *counted: str) -> None:
        """Add the rows of one item. counted: what it adds one to, in `counts`."""
        del item
        self._waiting.append(lines_of(self.format, self.columns, rows))
        self.counts.update(counted)
        self.done += 1
        self.rows += len(rows)
        if time.monotonic() - self._written >= STREAM_PAUSE:
            self.write()

    def write(self) -> None:
        """Write what waits."""
        text = "".join(self._waiting)
        self._waiting.clear()
        self.stream.write(text)
        self.stream.flush()
        self._written = time.monotonic()


@contextmanager
def streamed_rows(
    stream: TextIO, format_: str, columns: Sequence[Column]
) -> Iterator[StreamedRows]:
    """Yield rows on their way to a stream; those that were added before an error are written."""
    rows = StreamedRows(stream, format_, columns)
    try:
        yield rows
    except KeyboardInterrupt:
        rows.write()
        raise
    rows.write()


# Rows in words: the advice on many positions, or how many rows were written.

MOST_SHOWN = 50  # rows; the others are in the frame
LONGEST = 40  # characters of an error


def batch_text(batch: Batch, verbose: bool = False) -> RenderableType:
    """The answers as a table, verbose: all of them."""
    head = f"{batch.rules} · {counted(batch.positions)}{_without(batch)}"
    if batch.file:
        return Text(f"{head}\nwritten to {batch.file}")
    shown = batch.answers if verbose else batch.answers[:MOST_SHOWN]
    rows = tuple(map(_row, shown))
    table = Fitted(("position", "verdict", "value", "second costs"), rows, left=(0, 1))
    left = len(batch.answers) - len(shown)
    more = [Text(f"and {left:,} more: to_frame() has them all", style="dim")] if left else []
    return Group(Text(head), Text(), table, *more)


def rows_text(game_rows: GameRows) -> RenderableType:
    """The number of rows, and where they are."""
    where = f"written to {game_rows.file}" if game_rows.file else "to_frame() has them"
    rows = f"{game_rows.written:,} rows of {game_rows.kind}"
    return Text(f"{game_rows.rules} · {game_rows.games:,} games · {rows}\n{where}")


def counted(positions: int) -> str:
    """A number of positions, in words."""
    return f"{positions:,} position{'s' if positions != 1 else ''}"


def _without(batch: Batch) -> str:
    errors = sum(batch.errors.values())
    if not errors:
        return ""
    return f", {errors:,} without an answer (see the column error)"


def _row(answered: Answered) -> tuple[str, ...]:
    if answered.advice is None:
        brief = shown(answered.error)
        if len(brief) > LONGEST:
            brief = f"{brief[:LONGEST]}…"
        return answered.position, brief, "", ""
    value, second = answered.advice.actions[0].value.value, answered.second
    costs = "" if second is None else f"{second.value:.3g}"
    return answered.position, answered.advice.verdict, f"{value:.4g}", costs
