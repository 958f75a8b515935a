"""The rows of `advise` on many positions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from lama_odds.analysis.advice.many import Answered
from lama_odds.core.errors import ReadError
from lama_odds.report.rows.formats import CSV, JSONL, NUMBER, WHOLE, Column

COLUMNS = (
    Column("position", about="as it was given"),
    Column("verdict", about="the best action, or that it is too close to call"),
    Column("best", about="the action with the best value"),
    Column("value", NUMBER, "of the best action, in the objective"),
    Column("low", NUMBER, "the lower end of its interval"),
    Column("high", NUMBER, "the upper end of its interval"),
    Column("regret", NUMBER, "what the second-best action costs, if there is one"),
    Column("method", about="exact or simulation"),
    Column("games", WHOLE, "games behind the value, 0 if it is exact"),
    Column("error", about="why there is no answer"),
)
# Keys of an answer besides, which JSON lines have.
KEYS = {"rules", "objective", "actions", "seed", "seconds", "assumptions", "why", "version"}
KEYS |= {"caution", "otherwise", "sensitivity"}


def columns_for(format_: str, handed: Iterable[Mapping[str, Any]]) -> tuple[Column, ...]:
    """Return the columns, those that are handed through last, in the order of their appearance.

    Raises ReadError if one of these has the name of a column or key of the answers.
    """
    names = dict.fromkeys(name for each in handed for name in each)
    taken = {column.name for column in COLUMNS} | (KEYS if format_ == JSONL else set())
    for name in names:
        if name in taken:
            raise ReadError(f"positions: the answers have a column {name!r} too, rename yours")
    return (*COLUMNS, *map(Column, names))


def row_of(format_: str, answered: Answered) -> Mapping[str, Any]:
    """Return the row of an answer."""
    if format_ == JSONL:
        return answered.to_json()
    row: dict[str, Any] = {"position": answered.position, "games": answered.games}
    advice, second = answered.advice, answered.second
    if advice is None:
        row["error"] = answered.error
    else:
        value = advice.actions[0].value
        row |= {"verdict": advice.verdict, "best": advice.best, "method": advice.method}
        row |= {"value": value.value, "low": value.low, "high": value.high}
        row["regret"] = second.value if second is not None else None
    return row | dict(answered.handed)


def table_of(answers: Sequence[Answered]) -> tuple[list[str], list[list[Any]]]:
    """Return heads and rows of answers as a table."""
    heads = [column.name for column in columns_for(CSV, (each.handed for each in answers))]
    rows = [row_of(CSV, each) for each in answers]
    return heads, [[row.get(name) for name in heads] for row in rows]
