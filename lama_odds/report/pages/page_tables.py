"""Tables of a report: as cells of a page, and as CSV and Parquet files."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from typing import Any

from lama_odds.analysis.strategy_report.document import Cell, Column, Table
from lama_odds.core.estimate import Estimate
from lama_odds.report.text.answers import number, percent
from lama_odds.report.text.csv_text import csv_text

FIELDS = ("stderr", "low", "high", "n")


@dataclass(frozen=True)
class Shown:
    """A cell of a page: its text, and what it is sorted by (empty: by its text)."""

    text: str
    key: str = ""


def shown_rows(table: Table) -> list[list[Shown]]:
    """The cells of a table as a page shows them."""
    return [
        [shown_cell(column, cell) for column, cell in zip(table.columns, row, strict=True)]
        for row in table.rows
    ]


def shown_cell(column: Column, cell: Cell) -> Shown:
    """A cell as a page shows it; whole numbers and empty cells are sorted by their text."""
    share = column.kind in ("share", "change")
    if cell is None:
        return Shown("–")
    if isinstance(cell, Estimate):
        text = percent(cell) if share else number(cell)
        text = text.removesuffix(" %") if column.kind == "change" else text
        return Shown(text.replace("-", "−"), f"{cell.value:.6g}")
    if isinstance(cell, str):
        return Shown(cell)
    if isinstance(cell, int) or cell == int(cell):
        return Shown(f"{cell:.0f}")
    return Shown(f"{100 * cell:.2f} %" if share else f"{cell:.4g}", f"{cell:.6g}")


def flat(table: Table) -> tuple[list[str], list[list[Any]]]:
    """Names of columns and rows of plain values: an estimate that is sampled takes five columns."""
    sampled = [
        any(isinstance(row[at], Estimate) and row[at].n for row in table.rows)  # type: ignore[union-attr]
        for at in range(len(table.columns))
    ]
    names: list[str] = []
    for column, wide in zip(table.columns, sampled, strict=True):
        names += [column.name, *(f"{column.name} {f}" for f in FIELDS)] if wide else [column.name]
    return names, [_flat_row(row, sampled) for row in table.rows]


def _flat_row(row: tuple[Cell, ...], sampled: list[bool]) -> list[Any]:
    found: list[Any] = []
    for cell, wide in zip(row, sampled, strict=True):
        value = cell.value if isinstance(cell, Estimate) else cell
        more = [getattr(cell, f) if isinstance(cell, Estimate) else None for f in FIELDS]
        found += [value, *more] if wide else [value]
    return found


def table_csv(table: Table) -> str:
    """A table as CSV text; missing values are empty."""
    names, rows = flat(table)
    return csv_text([names, *rows])


def has_parquet() -> bool:
    """Whether Parquet files can be written here."""
    return importlib.util.find_spec("pyarrow") is not None


def table_parquet(table: Table) -> bytes:
    """A table as a Parquet file (needs pyarrow)."""
    import pyarrow
    import pyarrow.parquet

    names, rows = flat(table)
    columns = []
    for at in range(len(names)):
        values = [row[at] for row in rows]
        if any(isinstance(value, float) for value in values):
            values = [None if value is None else float(value) for value in values]
        columns.append(pyarrow.array(values))
    sink = pyarrow.BufferOutputStream()
    pyarrow.parquet.write_table(pyarrow.table(columns, names=names), sink)
    return bytes(sink.getvalue().to_pybytes())
