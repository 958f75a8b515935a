"""Lists of positions, from Python or from a file, each with what is handed through to its row."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from lama_odds.analysis.advice.many import Asked
from lama_odds.core.errors import ReadError, shown
from lama_odds.core.reading import read_handed
from lama_odds.core.strict_json import from_json, to_json

POSITION = "position"
MOST_BYTES = 1_000_000_000  # of a file of positions


def key_of(asked: Asked) -> bytes:
    """Return everything that an answer depends on, besides the question."""
    return to_json([asked.position, dict(asked.handed), asked.fault]).encode()


def asked_for(positions: Any) -> list[Asked]:
    """Return positions from texts, from mappings or a frame with a column ``position``, or a file.

    Raises ReadError for anything else.
    """
    if isinstance(positions, Path):
        return read_positions(positions)
    if hasattr(positions, "columns") and hasattr(positions, "to_dict"):
        positions = positions.to_dict("records")
    if isinstance(positions, str | bytes | Mapping) or not isinstance(positions, Iterable):
        raise ReadError(f"positions {positions!r:.60}: expected a list of positions, or a Path")
    return [_asked(given) for given in positions]


def _asked(given: Any) -> Asked:
    if isinstance(given, str):
        return Asked(given)
    if isinstance(given, Mapping) and isinstance(given.get(POSITION), str):
        handed = {str(name): _plain(value) for name, value in given.items() if name != POSITION}
        return Asked(given[POSITION], handed)
    raise ReadError(f"positions: found {given!r:.60}, expected text or a mapping with a position")


def _plain(value: Any) -> Any:
    """Return a value that JSON can express: NaN becomes None, other things become text."""
    value = value.item() if hasattr(value, "item") else value
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)


def read_positions(path: Path) -> list[Asked]:
    """Return the positions of a file; ``-`` is stdin.

    A file ``.csv`` has a column ``position``, a file ``.jsonl`` an object with this key in each
    line. Any other has one position a line; blank lines and those that begin with ``#`` are left
    out. Raises ReadError if it cannot be read, or has no positions.
    """
    try:
        text = read_handed(path, MOST_BYTES)
    except OSError as error:
        raise ReadError(f"cannot read {path}: {error.strerror}") from None
    except ValueError as error:
        raise ReadError(f"cannot read {path}: {error}") from None
    readers = {".csv": _from_csv, ".jsonl": _from_jsonl}
    found = list(readers.get(path.suffix.lower(), _from_lines)(text, path))
    if not found:
        raise ReadError(f"{path} has no positions")
    return found


def _from_lines(text: str, path: Path) -> Iterator[Asked]:
    del path
    for line in text.split("\n"):
        if line.strip() and not line.lstrip().startswith("#"):
            yield Asked(line.strip())


def _from_csv(text: str, path: Path) -> Iterator[Asked]:
    rows = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        heads = [head.strip() for head in next(rows, [])]
        if heads.count(POSITION) != 1 or len(set(heads)) < len(heads):
            raise ReadError(
                f"{path}: expected a first line that names one column {POSITION!r}, and no column "
                f"twice; found {shown(', '.join(heads), 200) or 'nothing'}"
            )
        for cells in rows:
            if not cells:
                continue
            found = dict(zip(heads, [*cells, *[""] * (len(heads) - len(cells))], strict=False))
            position = found.pop(POSITION)
            fault = f"{len(cells)} cells, expected {len(heads)}" if len(cells) > len(heads) else ""
            yield Asked(position.strip(), found, fault)
    except csv.Error as error:
        raise ReadError(f"{path}: line {rows.line_num} is not CSV: {error}") from None


def _from_jsonl(text: str, path: Path) -> Iterator[Asked]:
    del path
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            plain = from_json(line)
        except ValueError as error:
            yield Asked(shown(line, 200), fault=f"line {number} is not JSON: {error}")
            continue
        if not isinstance(plain, dict) or not isinstance(plain.get(POSITION), str):
            lacks = f"line {number}: expected an object with a text {POSITION!r}"
            yield Asked(shown(line, 200), fault=lacks)
            continue
        yield Asked(plain.pop(POSITION).strip(), plain)
