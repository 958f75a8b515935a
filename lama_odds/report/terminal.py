"""What a screen can show: the console, text as wide as it, short and full answers."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TextIO

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.padding import Padding
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from lama_odds.core.errors import shown
from lama_odds.core.screen import columns, spelt

# The console for answers: text from files cannot control the terminal.


class Screen(Console):
    """A console that escapes control characters, except line ends and its own styles.

    Answers repeat words from files: records, run folders, names. Everything is printed through this
    console, so other modules need not know which words come from a file.
    """

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """The pieces of what is printed."""
        for segment in super().render(renderable, options):
            if segment.control or segment.text.isprintable():
                yield segment
            else:
                lines = (shown(line) for line in segment.text.split("\n"))
                yield Segment("\n".join(lines), segment.style)


# Tables that fit the available width: nothing in them is cut off, on any screen.

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
        groups: list[list[int]] = []
        for column in range(len(keys), len(widths)):
            if groups and _total(widths[c] for c in (*groups[-1], column)) <= width:
                groups[-1].append(column)
            else:
                groups.append([*keys, column])
        return [tuple(part) for part in groups] or [keys]

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
    sizes = list(widths)
    return sum(sizes) + GAP * (len(sizes) - 1)


def _folded(widths: dict[int, int], width: int) -> dict[int, int]:
    """The widths of columns that are folded so that all fit: the widest first, which are text."""
    folded: dict[int, int] = {}
    for column in sorted(widths, key=lambda column: -widths[column]):
        excess = _total((widths | folded).values()) - width
        if excess <= 0 or widths[column] <= NARROWEST:
            break
        folded[column] = max(NARROWEST, widths[column] - excess)
    return folded


# Answers as text that a player likes to read.

WIDTH = 160  # of text that goes to a file or another program


def printed(answer: RenderableType, width: int | None = WIDTH, plain: bool = False) -> str:
    """An answer as it is printed; width None: that of the terminal; plain: without any style."""
    terminal = False if plain else None
    console = Screen(
        width=width, highlight=False, force_terminal=terminal, force_jupyter=False, no_color=plain
    )
    with console.capture() as captured:
        # What must stay on one line (a position to be copied) may be wider than the screen.
        console.print(answer, crop=False)
    return "\n".join(line.rstrip() for line in captured.get().rstrip().splitlines())


def table(columns: Sequence[str], rows: Iterable[Sequence[str]], keys: int = 1) -> Fitted:
    """A table without ruling lines; the first column to the left, the others to the right.

    keys: how many columns identify a row. A table that is too wide for the screen is shown in
    parts, and each part has these columns.
    """
    return Fitted(tuple(columns), tuple(map(tuple, rows)), keys)


# How wide an answer may be on a screen, and which characters it may have.


def width_of(stream: TextIO, environ: Mapping[str, str] = os.environ) -> int | None:
    """The width of output to a stream, in columns; None: that of its terminal.

    COLUMNS sets it, also for a pipe or a file; without COLUMNS these get WIDTH.
    """
    given = columns(environ.get("COLUMNS", ""))
    return given or (None if stream.isatty() else WIDTH)


def shown_on(answer: RenderableType, stream: TextIO) -> RenderableType:
    """An answer in characters that a stream can show: replaced before its tables are laid out."""
    encoding = getattr(stream, "encoding", None) or "utf-8"
    if encoding.lower().replace("-", "").startswith("utf"):
        return answer
    return _in(answer, encoding)


def _in(part: RenderableType, encoding: str) -> RenderableType:
    if isinstance(part, Group):
        return Group(*(_in(piece, encoding) for piece in part.renderables), fit=part.fit)
    if isinstance(part, Text):
        # Longer words would move what is marked within a text: its parts one by one.
        pieces = part.divide([at for span in part.spans for at in (span.start, span.end)])
        return Text(end=part.end, style=part.style).join(_text(piece, encoding) for piece in pieces)
    if isinstance(part, Fitted):
        head, *rows = (_row(row, encoding) for row in (part.columns, *part.rows))
        return replace(part, columns=head, rows=tuple(rows))
    if isinstance(part, Meanings):
        lines = (part.columns, *part.rows)
        head, *names = ((spelt(a, encoding), spelt(b, encoding)) for a, b in lines)
        return Meanings(head, tuple(names))
    return spelt(part, encoding) if isinstance(part, str) else part


def _row(cells: tuple[str, ...], encoding: str) -> tuple[str, ...]:
    return tuple(spelt(cell, encoding) for cell in cells)


def _text(part: Text, encoding: str) -> Text:
    made = Text(spelt(part.plain, encoding), part.style)
    for span in part.spans:
        made.stylize(span.style)
    return made
