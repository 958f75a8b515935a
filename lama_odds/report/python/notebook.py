"""Answers in notebooks: the printed text as small tables and sentences of HTML."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from lama_odds.report.terminal.fitted import table_of

# No colours of its own but a grey that is read on light and on dark; nothing is loaded.
CELL = "text-align:{side};padding:.1em .9em .1em 0;border:0;vertical-align:top"
WHOLE = ";white-space:nowrap"
TABLE = (
    "border-collapse:collapse;border:0;margin:.4em 0;font-variant-numeric:tabular-nums;"
    "background:transparent"
)
DIM = "opacity:.7;font-size:.9em;margin:.3em 0;white-space:pre-line"
SAID = "margin:.3em 0;white-space:pre-line"


def as_html(answer: RenderableType) -> str:
    """An answer as HTML that stands alone; all that is not markup is escaped."""
    return f'<div style="overflow-x:auto">{_block(answer)}</div>'


def _block(part: RenderableType) -> str:
    if isinstance(part, Group):
        return "".join(_block(inner) for inner in part.renderables)
    table = table_of(part)
    if table is not None:
        return _table(table)
    plain = part.plain if isinstance(part, Text) else str(part)
    style = str(part.style) if isinstance(part, Text) else ""
    if not plain.strip():
        return ""
    if "bold" in style:
        return f'<p style="{SAID}"><strong>{escape(plain)}</strong></p>'
    return f'<p style="{DIM if "dim" in style else SAID}">{escape(plain)}</p>'


def _table(part: Table) -> str:
    styles = [
        CELL.format(side="right" if column.justify == "right" else "left") + WHOLE * column.no_wrap
        for column in part.columns
    ]
    heads = [_words(column.header) for column in part.columns]
    rows = zip(*(map(_words, column.cells) for column in part.columns), strict=True)
    head = _row("th", heads, styles)
    body = "".join(_row("td", row, styles) for row in rows)
    return f'<table style="{TABLE}"><thead>{head}</thead><tbody>{body}</tbody></table>'


def _words(cell: RenderableType) -> str:
    return cell.plain if isinstance(cell, Text) else str(cell)


def _row(tag: str, cells: Sequence[str], styles: Sequence[str]) -> str:
    made = (
        f'<{tag} style="{style}">{escape(cell)}</{tag}>'
        for cell, style in zip(cells, styles, strict=True)
    )
    return f"<tr>{''.join(made)}</tr>"
