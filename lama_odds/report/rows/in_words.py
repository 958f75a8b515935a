"""Rows in words: the advice on many positions, or how many rows were written."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text

from lama_odds.analysis.advice.many import Answered, Batch
from lama_odds.analysis.game_rows import GameRows
from lama_odds.core.errors import shown
from lama_odds.report.terminal.fitted import Fitted

MOST_SHOWN = 50  # rows; the others are in the frame
LONGEST = 40  # characters of an error


def batch_text(found: Batch, verbose: bool = False) -> RenderableType:
    """The answers as a table, verbose: all of them."""
    head = f"{found.rules} · {counted(found.positions)}{_without(found)}"
    if found.file:
        return Text(f"{head}\nwritten to {found.file}")
    shown = found.answers if verbose else found.answers[:MOST_SHOWN]
    rows = tuple(map(_row, shown))
    table = Fitted(("position", "verdict", "value", "second costs"), rows, left=(0, 1))
    left = len(found.answers) - len(shown)
    more = [Text(f"and {left:,} more: to_frame() has them all", style="dim")] if left else []
    return Group(Text(head), Text(), table, *more)


def rows_text(found: GameRows) -> RenderableType:
    """The number of rows, and where they are."""
    where = f"written to {found.file}" if found.file else "to_frame() has them"
    rows = f"{found.written:,} rows of {found.kind}"
    return Text(f"{found.rules} · {found.games:,} games · {rows}\n{where}")


def counted(positions: int) -> str:
    """A number of positions, in words."""
    return f"{positions:,} position{'s' if positions != 1 else ''}"


def _without(found: Batch) -> str:
    errors = sum(found.errors.values())
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
