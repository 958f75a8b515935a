"""The one writer of CSV; no text in it becomes a formula in a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

from lama_odds.core.errors import shown

# A cell that begins so is computed by spreadsheets, and can reach out of them.
_FORMULA = ("=", "+", "-", "@")


def csv_text(rows: Iterable[Iterable[object]]) -> str:
    """Rows as CSV text; None is an empty cell, and numbers are never changed.

    Text that begins with ``=``, ``+``, ``-`` or ``@`` gets an apostrophe before it, unless it is a
    number. Invisible characters (tabs and returns too) are written as escapes.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerows([_cell(value) for value in row] for row in rows)
    return text.getvalue()


def _cell(value: object) -> object:
    if value is None:
        return ""
    if not isinstance(value, str):
        return value
    seen = "\n".join(map(shown, value.split("\n")))
    return f"'{seen}" if seen.startswith(_FORMULA) and not _is_number(seen) else seen


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return text == text.strip()
