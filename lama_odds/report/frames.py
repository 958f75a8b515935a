"""Answers in notebooks: as small tables of HTML, and as data frames."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from html import escape
from typing import TYPE_CHECKING, Any, TypeVar

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from lama_odds.core.estimate import Estimate
from lama_odds.report.terminal import table_of

if TYPE_CHECKING:
    import pandas

    from lama_odds.analysis.advice.advise import Batch
    from lama_odds.analysis.advice.answer import Advice
    from lama_odds.analysis.coach.history import History
    from lama_odds.analysis.coach.review import Review
    from lama_odds.analysis.odds import Odds
    from lama_odds.analysis.simulate import GameRows, Simulated
    from lama_odds.analysis.strategy_report.document import Cell
    from lama_odds.analysis.thresholds.answer import Thresholds
    from lama_odds.analysis.tournament import Tournament
    from lama_odds.analysis.tune.tune import Tuned
    from lama_odds.report.text.listings import Listing
    from lama_odds.simulation.run_folder import RunStatus

F = TypeVar("F")

# Answers in notebooks: the printed text as small tables and sentences of HTML.

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


# Answers as frames of pandas: a row for each action, event, seat, policy or measure.


def _frame(rows: Sequence[Mapping[str, Cell]]) -> pandas.DataFrame:
    """Rows by column; an estimate that is sampled takes five columns."""
    import pandas

    from lama_odds.analysis.strategy_report.document import Column, Table
    from lama_odds.report.pages.pages import flat

    names = list(dict.fromkeys(name for row in rows for name in row))
    cells = tuple(tuple(row.get(name) for name in names) for row in rows)
    columns, values = flat(Table("", "", tuple(Column(name) for name in names), cells))
    return pandas.DataFrame(values, columns=columns)


def from_csv(written: Callable[[F], str], answer: F) -> pandas.DataFrame:
    """The rows of the CSV file of an answer. written: what writes it."""
    import pandas

    return pandas.read_csv(io.StringIO(written(answer)))


def advice_frame(advice: Advice) -> pandas.DataFrame:
    """A row per action, best first: value, regret, other objectives, main chances."""
    from lama_odds.games.registry import game_of

    titles = game_of(advice.rules).chances.titles
    rows = []
    for a in advice.actions:
        row: dict[str, Cell] = {"action": a.action, "value": a.value, "regret": a.regret}
        row |= {name: e for name, e in a.objectives.items() if name != advice.objective}
        rows.append(row | {titles[n]: e for n, e in a.chances.items() if n in titles})
    return _frame(rows)


def batch_frame(batch: Batch) -> pandas.DataFrame:
    """A row per position, with what was handed through."""
    import pandas

    from lama_odds.report.rows import table_of

    heads, rows = table_of(batch.answers)
    return pandas.DataFrame(rows, columns=heads)


def rows_frame(rows: GameRows) -> pandas.DataFrame:
    """The rows of simulated games."""
    import pandas

    from lama_odds.report.rows import GAME_COLUMNS

    return pandas.DataFrame(rows.rows, columns=[column.name for column in GAME_COLUMNS[rows.kind]])


def odds_frame(odds: Odds) -> pandas.DataFrame:
    """A row per event; group: the name of a separate group of events."""
    groups = {"": odds.events, **odds.groups}
    return _frame(
        [
            {"group": group, "event": name, "chance": e}
            for group, events in groups.items()
            for name, e in events.items()
        ]
    )


def thresholds_frame(thresholds: Thresholds) -> pandas.DataFrame:
    """All rows, or those of the exact tables if nothing is sampled."""
    if thresholds.rows:
        from lama_odds.report.text.thresholds import thresholds_csv

        return from_csv(partial(thresholds_csv, beside=False), thresholds)
    return _frame([{"table": t.name, **row} for t in thresholds.tables for row in t.rows])


def simulated_frame(simulated: Simulated) -> pandas.DataFrame:
    """A row per seat, then one for the whole table."""
    seats: Iterable[dict[str, Cell]] = (
        {"seat": str(at), "policy": simulated.policies[at], **seat}
        for at, seat in enumerate(simulated.seats)
    )
    return _frame([*seats, {"seat": "all", **simulated.table}])


def tournament_frame(tournament: Tournament) -> pandas.DataFrame:
    """A row for each figure of the league, the matrix and the differences of pairs."""
    import pandas

    from lama_odds.report.text.tournament import tournament_rows

    return pandas.DataFrame(tournament_rows(tournament))


def tuned_frame(tuned: Tuned) -> pandas.DataFrame:
    """A row for each candidate of the last race."""
    return _frame(
        [
            {
                "policy": t.policy,
                **t.numbers,
                "value": t.value,
                "stayed": str(t.stayed).lower(),
                "state": t.state,
            }
            for t in tuned.tried
        ]
    )


def review_frame(review: Review) -> pandas.DataFrame:
    """A row per decision."""
    rows: list[dict[str, Any]] = []
    for graded in review.decisions:
        plain = graded.to_json()
        error: Estimate = graded.error
        kept = {n: v for n, v in plain.items() if isinstance(v, str | int | float)}
        rows.append({**kept, "error": error})
    return _frame(rows)


def history_frame(history: History) -> pandas.DataFrame:
    """A row per game and player."""
    rows = [game.to_json() for game in history.games]
    return _frame([{**row, **row.pop("grades")} for row in rows])


def runs_frame(status: RunStatus) -> pandas.DataFrame:
    """A row per job: games played and games wanted, seconds used and seconds expected."""
    return _frame(
        [
            {
                "stage": job.stage.name if job.stage else "",
                "first game": job.first,
                "games": job.games,
                "asked": job.asked,
                "seconds": job.seconds,
                "seconds left": job.seconds_left,
            }
            for job in status.jobs
        ]
    )


def listing_frame(listing: Listing) -> pandas.DataFrame:
    """A row per name, of all tables."""
    return _frame([{"name": n, "meaning": m} for _, rows in listing.tables for n, m in rows])
