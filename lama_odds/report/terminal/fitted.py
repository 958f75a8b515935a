"""Tables that fit the available width: nothing in them is cut off, on any screen."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

GAP = 2  # blanks between columns
NARROWEST = 12  # to which a column of long text is folded
MEANING = 24  # columns that a meaning needs beside its name; else it is put below


@dataclass(frozen=True)
class Fitted:
    """Rows of texts under heads; if the table is too wide, several tables below each other.

    keys: how many columns identify a row; each part has them. left: columns that begin
    at the left, all others end at the right.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    keys: int = 1
    left: tuple[int, ...] = (0,)

    def whole(self) -> Table:
        """The table, however wide."""
        return self._table(range(len(self.columns)), {})

    def parts(self, width: int) -> list[tuple[int, ...]]:
        """The columns of each part of at most this width, if possible; each part has the keys."""
        widths = self._widths()
        keys = tuple(range(min(self.keys, len(widths))))
        if len(keys) > 1 and _total(widths[key] for key in keys) > width // 2:
            keys = keys[:1]
        found: list[list[int]] = []
        for column in range(len(keys), len(widths)):
            if found and _total(widths[c] for c in (*found[-1], column)) <= width:
                found[-1].append(column)
            else:
                found.append([*keys, column])
        return [tuple(part) for part in found] or [keys]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        widths = self._widths()
        for number, part in enumerate(self.parts(options.max_width)):
            if number:
                yield Text()
            folded = _folded({column: widths[column] for column in part}, options.max_width)
            shown = {column: folded.get(column, widths[column]) for column in part}
            # Where nothing can be folded any more it is wider than the screen, but whole.
            wide = max(options.max_width, _total(shown.values()))
            yield from console.render(self._table(part, folded), options.update(max_width=wide))

    def _widths(self) -> list[int]:
        lines = (self.columns, *self.rows)
        return [max(map(cell_len, column)) for column in zip(*lines, strict=True)]

    def _table(self, part: tuple[int, ...] | range, folded: dict[int, int]) -> Table:
        made = _plain_table()
        for column in part:
            made.add_column(
                Text(self.columns[column]),
                justify="left" if column in self.left else "right",
                no_wrap=column not in folded,
                overflow="fold",
                width=folded.get(column),
            )
        for row in self.rows:
            made.add_row(*(Text(row[column]) for column in part))
        return made


@dataclass(frozen=True)
class Meanings:
    """Names with their meanings: beside them, or below where the names leave no room."""

    columns: tuple[str, str]
    rows: tuple[tuple[str, str], ...]

    def whole(self) -> Table:
        """Names, and beside them the meanings, wrapped."""
        made = _plain_table()
        made.add_column(Text(self.columns[0]), no_wrap=True)
        made.add_column(Text(self.columns[1]), overflow="fold")
        for name, meaning in self.rows:
            made.add_row(Text(name), Text(meaning))
        return made

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        names = max(cell_len(name) for name, _ in (self.columns, *self.rows))
        if names + GAP + MEANING <= options.max_width:
            yield self.whole()
            return
        for style, (name, meaning) in (("bold", self.columns), *(("", row) for row in self.rows)):
            yield Text(name, style)
            yield Padding(Text(meaning, style), (0, 0, 0, 4))


def table_of(part: RenderableType) -> Table | None:
    """The table without regard to the width of a page; None if this is not a table."""
    if isinstance(part, Fitted | Meanings):
        return part.whole()
    return part if isinstance(part, Table) else None


def _plain_table() -> Table:
    return Table(box=None, pad_edge=False, padding=(0, GAP, 0, 0), header_style="bold")


def _total(widths: Iterable[int]) -> int:
    found = list(widths)
    return sum(found) + GAP * (len(found) - 1)


def _folded(widths: dict[int, int], width: int) -> dict[int, int]:
    """The widths of columns that are folded so that all fit: the widest first, which are text."""
    folded: dict[int, int] = {}
    for column in sorted(widths, key=lambda column: -widths[column]):
        excess = _total((widths | folded).values()) - width
        if excess <= 0 or widths[column] <= NARROWEST:
            break
        folded[column] = max(NARROWEST, widths[column] - excess)
    return folded
