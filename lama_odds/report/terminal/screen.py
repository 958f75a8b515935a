"""How wide an answer may be on a screen, and which characters it may have."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import TextIO

from rich.console import Group, RenderableType
from rich.text import Text

from lama_odds.core.screen import columns, spelt
from lama_odds.report.terminal.fitted import Fitted, Meanings
from lama_odds.report.text.answers import WIDTH


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
        return Group(*(_in(each, encoding) for each in part.renderables), fit=part.fit)
    if isinstance(part, Text):
        # Longer words would move what is marked within a text: its parts one by one.
        pieces = part.divide([at for span in part.spans for at in (span.start, span.end)])
        return Text(end=part.end, style=part.style).join(_text(each, encoding) for each in pieces)
    if isinstance(part, Fitted):
        head, *rows = (_row(row, encoding) for row in (part.columns, *part.rows))
        return replace(part, columns=head, rows=tuple(rows))
    if isinstance(part, Meanings):
        head, *names = ((spelt(a, encoding), spelt(b, encoding)) for a, b in _lines(part))
        return Meanings(head, tuple(names))
    return spelt(part, encoding) if isinstance(part, str) else part


def _row(cells: tuple[str, ...], encoding: str) -> tuple[str, ...]:
    return tuple(spelt(cell, encoding) for cell in cells)


def _lines(part: Meanings) -> tuple[tuple[str, str], ...]:
    return (part.columns, *part.rows)


def _text(part: Text, encoding: str) -> Text:
    styles = [span.style for span in part.spans]
    made = Text(spelt(part.plain, encoding), part.style)
    for style in styles:
        made.stylize(style)
    return made
