"""The formats of rows: CSV, JSON lines and Parquet."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from lama_odds.core.errors import LimitError, ReadError, extra, near_names
from lama_odds.core.strict_json import from_json, to_json
from lama_odds.report.text.csv_text import csv_text

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


def format_for(given: str | None, path: Path | None, known: Sequence[str] = FORMATS) -> str:
    """Return the format that is given, or that of a file's suffix; CSV if there is neither.

    Raises ReadError for an unknown one, and LimitError if Parquet cannot be written here or has no
    file.
    """
    format_ = given
    if format_ is None and path is not None:
        format_ = path.suffix.lower().removeprefix(".")
        if format_ not in known:
            wanted = ", ".join(f".{name}" for name in known)
            raise ReadError(f"{path}: expected a name that ends with {wanted}, or a format")
    format_ = format_ or CSV
    if format_ not in known:
        raise ReadError(f"unknown format {format_!r}", format_, 0, near_names(format_, known))
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
        for group in _groups(lines):
            rows = [from_json(line.decode()) for line in group]
            writer.write_table(pyarrow.Table.from_pylist(rows, schema=schema))


def _groups(lines: BinaryIO) -> Iterator[list[bytes]]:
    while group := list(islice(lines, GROUP)):
        yield group
