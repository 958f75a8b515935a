"""What a strategy report is made of, as data: sections of sentences, tables and figures.

A section is what can be computed, kept and read back on its own; how it looks is for the report
layer. Everything in it is plain: estimates, texts and numbers, so that its JSON reads back as it.
Nothing here knows a game, so that a process which only draws loads none.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from lama_odds.core.estimate import Estimate

Cell = Estimate | str | int | float | None

EXACT = "exact"
SAMPLED = "sampled"


@dataclass(frozen=True)
class Column:
    """A column of a table.

    kind: ``text``, ``number``, ``share`` (shown in per cent), or ``change`` of a share, which is
    shown in percentage points without a sign.
    """

    name: str
    kind: str = "number"


@dataclass(frozen=True)
class Table:
    """Rows of cells. name: of its files; long: shown folded, being for looking things up.

    note: what the columns mean, below the title.
    """

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    long: bool = False
    note: str = ""


@dataclass(frozen=True)
class HeatMap:
    """Values by row and column (None: no such cell), a text in each.

    low, high: what is better where values are below and above 0; both empty: no value is below 0.
    limit: colours are full from here on. border: with a line between neighbours of which one is
    below 0, one above.
    """

    name: str
    title: str
    alt: str
    x_label: str
    y_label: str
    x_names: tuple[str, ...]
    y_names: tuple[str, ...]
    values: tuple[tuple[float | None, ...], ...]
    texts: tuple[tuple[str, ...], ...]
    low: str
    high: str
    unit: str
    limit: float
    border: bool = True


@dataclass(frozen=True)
class Line:
    """Points of a curve with their intervals."""

    label: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]


@dataclass(frozen=True)
class Curves:
    """Curves with bands. share: y is a chance; zero: words below and above the line at 0.

    panels: a small figure for each line, the first line behind all of them unless they are
    separate.
    """

    name: str
    title: str
    alt: str
    x_label: str
    y_label: str
    lines: tuple[Line, ...]
    share: bool = False
    zero: tuple[str, str] | None = None
    panels: bool = False
    separate: bool = False


@dataclass(frozen=True)
class Dot:
    """A value with its interval; group: what it is drawn under."""

    label: str
    value: float
    low: float
    high: float
    group: str = ""


@dataclass(frozen=True)
class Dots:
    """Values beside their names. reference: a line to compare with, and its name.

    bars: drawn as bars from 0 to 1 (of a share).
    """

    name: str
    title: str
    alt: str
    x_label: str
    dots: tuple[Dot, ...]
    share: bool = False
    reference: float | None = None
    reference_name: str = ""
    bars: bool = False


@dataclass(frozen=True)
class Spot:
    """A named point with the interval of its height; group: what it is coloured by."""

    label: str
    x: float
    y: float
    low: float
    high: float
    group: str = ""


@dataclass(frozen=True)
class Spots:
    """Named points in a plane; key: what the groups are."""

    name: str
    title: str
    alt: str
    x_label: str
    y_label: str
    spots: tuple[Spot, ...]
    key: str = ""


@dataclass(frozen=True)
class Bars:
    """Chances of values in order."""

    name: str
    title: str
    alt: str
    x_label: str
    y_label: str
    x: tuple[str, ...]
    y: tuple[float, ...]
    marked: tuple[int, ...] = ()
    marked_name: str = ""


@dataclass(frozen=True)
class Beside:
    """Figures side by side in one: all curves, or dots of the same names."""

    name: str
    title: str
    alt: str
    parts: tuple[Curves | Dots, ...]


Figure = HeatMap | Curves | Dots | Spots | Bars | Beside


@dataclass(frozen=True)
class Section:
    """A part of a report. basis: what it rests on.

    headlines: what to do, findings: what else came out, both for the top of the page.
    """

    name: str
    title: str
    method: str
    basis: str
    headlines: tuple[str, ...] = ()
    findings: tuple[str, ...] = ()
    text: tuple[str, ...] = ()
    figures: tuple[Figure, ...] = ()
    tables: tuple[Table, ...] = ()
    games: int = 0
    interrupted: bool = field(default=False)


_KINDS: dict[str, Any] = {
    kind.__name__: kind
    for kind in (
        *(Section, Table, Column, HeatMap, Curves, Line, Dots, Dot, Spots, Spot, Bars, Beside),
        Estimate,
    )
}


def to_plain(value: Any) -> Any:
    """A section, or a part of it, as JSON has it: objects name their kind."""
    if dataclasses.is_dataclass(value):
        fields = {f.name: to_plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
        return {"kind of": type(value).__name__, **fields}
    if isinstance(value, tuple):
        return [to_plain(item) for item in value]
    return value


def from_plain(value: Any) -> Any:
    """Inverse of `to_plain`; ValueError for anything else, parts of a wrong type included."""
    if isinstance(value, dict):
        kind = _KINDS.get(str(value.get("kind of")))
        parts = {name: from_plain(item) for name, item in value.items() if name != "kind of"}
        types = {} if kind is None else _types_of(kind)
        if kind is None or parts.keys() != types.keys():
            raise ValueError("it is not a part of a section")
        for name, part in parts.items():
            if not _is_a(part, types[name]):
                raise ValueError(f"{name} of a {kind.__name__} is of the wrong type")
        made = kind(**parts)
        if not _fits(made):
            raise ValueError(f"the parts of a {kind.__name__} do not fit together")
        return made
    if isinstance(value, list):
        return tuple(from_plain(item) for item in value)
    return value


def _fits(part: Any) -> bool:
    """Whether rows are as long as they have columns, and curves have a y for every x.

    No interval ends below where it begins.
    """
    if isinstance(part, Table):
        return all(len(row) == len(part.columns) for row in part.rows)
    if isinstance(part, HeatMap):
        wide = [len(part.x_names)] * len(part.y_names)
        return all([len(row) for row in grid] == wide for grid in (part.values, part.texts))
    if isinstance(part, Line):
        sizes = {len(numbers) for numbers in (part.x, part.y, part.low, part.high)}
        ends = zip(part.low, part.high, strict=False)
        return len(sizes) == 1 and all(low <= high for low, high in ends)
    if isinstance(part, Estimate):
        return part.low <= part.high and min(part.stderr, part.n) >= 0
    if isinstance(part, (Dot, Spot)):
        return part.low <= part.high
    if isinstance(part, Bars):
        return len(part.x) == len(part.y) and all(0 <= at < len(part.x) for at in part.marked)
    return True


@cache
def _types_of(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind)


def _is_a(value: Any, kind: Any) -> bool:
    """Whether a value has a type as the classes above write it."""
    inner = get_args(kind)
    if get_origin(kind) in (Union, UnionType):
        return any(_is_a(value, one) for one in inner)
    if get_origin(kind) is tuple:
        if not isinstance(value, tuple):
            return False
        if inner[-1] is Ellipsis:
            return all(_is_a(item, inner[0]) for item in value)
        return len(value) == len(inner) and all(map(_is_a, value, inner))
    if isinstance(value, bool) or kind is bool:
        return isinstance(value, bool) and kind is bool
    return isinstance(value, (float, int) if kind is float else kind)


def line_of(label: str, points: Sequence[tuple[float, Estimate]], scale: float = 1.0) -> Line:
    """A curve through estimates at places."""
    return Line(
        label,
        tuple(float(x) for x, _ in points),
        tuple(scale * e.value for _, e in points),
        tuple(scale * e.low for _, e in points),
        tuple(scale * e.high for _, e in points),
    )


def dot_of(label: str, found: Estimate, group: str = "") -> Dot:
    """An estimate beside its name."""
    return Dot(label, found.value, found.low, found.high, group)
