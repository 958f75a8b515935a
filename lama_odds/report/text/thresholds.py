"""Thresholds as text and as a CSV file."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.text import Text

from lama_odds.analysis.thresholds.answer import Row, Thresholds
from lama_odds.analysis.thresholds.limits import limit_text, rule_text
from lama_odds.analysis.variants.given import titled
from lama_odds.core.estimate import Estimate
from lama_odds.games.interface.objectives import SHARES as PER_CENT
from lama_odds.games.interface.solution import (
    EXACT,
    ThresholdTable,
)
from lama_odds.report.text.answers import number, percent, table
from lama_odds.report.text.csv_text import csv_text

KEYS = {
    "down": "fewest cards face down of another",
    "cards": "your cards",
    "fewest": "fewest cards of another",
    "others": "others still in",
}
SHARES = (
    *("out", "blown", "steal chance", "better on", "round", "win"),
    *("shown", "best on", "quarter below", "quarter above"),
)
ACROSS = 6  # columns of a table that goes across
VALUES = ("value", "stderr", "low", "high")


def thresholds_text(found: Thresholds) -> RenderableType:
    """By penalty alone; the threshold for each value of the other keys; how it was made."""
    who = f", all {found.policy}" if found.policy else ""
    parts: list[RenderableType] = [
        Text(f"{titled(found)}   {found.players} players{who}", style="dim")
    ]
    if found.rows:
        parts += _sampled(found)
    parts += [Text(each.rule, style="bold") for each in found.tables if each.rule]
    for beside in found.tables:
        parts += [Text(), Text(f"{beside.title} ({beside.made})", style="bold"), *_beside(beside)]
    if found.rows:
        parts.append(_made(found))
    terms = [term for each in found.tables for term in each.terms]
    if terms:
        parts += [Text(), Text("\n".join(f"· {term}" for term in terms), style="dim")]
    return Group(*parts)


def _sampled(found: Thresholds) -> list[RenderableType]:
    """What the decisions of self-play show."""
    first, second = found.actions
    parts: list[RenderableType] = [
        Text(f"Decisions {found.decisions}: {first} or {second}?", style="bold"),
        *(
            Text(f"{rule_text(found, alone(found), objective)} (for {objective})")
            for objective in found.objectives
        ),
    ]
    rows = alone(found)
    columns = [found.label, "per round"]
    for objective in found.objectives:
        columns += [f"{second} − {first}, {objective}", "better"]
    parts += [Text(), table(columns, (_line(found, row) for row in rows))]
    for name in KEYS:
        if any(set(others_of(row)) == {name} for row in found.rows):
            parts += [
                Text(),
                Text(
                    f"{first.capitalize()} at this {found.label} {found.scale.onward}",
                    style="bold",
                ),
            ]
            parts += [_by_key(found, name)]
    return parts


def precision_text(found: Thresholds) -> str:
    """A line if the requested precision was not reached; else empty."""
    if found.precision is None or found.precision.met:
        return ""
    asked, reached = found.precision.asked, found.precision.reached
    return (
        f"· wanted ± {asked:g}, reached ± {reached:.2g}: {found.games:,} {found.played} are "
        "the most that --precision plays (--games plays more)\n"
    )


def _made(found: Thresholds) -> Text:
    first, second = found.actions
    about = f"· {found.label}: {found.scale.about}\n" if found.scale.about else ""
    return Text(
        f"{precision_text(found)}{about}"
        f"· {second} − {first}: above 0, {first} is better; 95 % intervals\n"
        f"· {found.games:,} rounds, seed {found.seed}, {found.seconds:.1f} s; both actions with "
        f"the same cards and dice; everybody plays {found.policy} before and after\n"
        "· per round: how often such a decision arises\n"
        f"· --csv FILE has all {len(found.rows)} rows, also by several keys at once",
        style="dim",
    )


def others_of(row: Row) -> dict[str, int]:
    """Keys given besides the penalty."""
    return {k: v for k, v in row.keys.items() if k != "penalty" and v is not None}


def alone(found: Thresholds) -> list[Row]:
    """Rows by penalty alone."""
    return [row for row in found.rows if others_of(row) == {}]


def _line(found: Thresholds, row: Row) -> list[str]:
    line = [found.scale.text(row.keys["penalty"] or 0), f"{row.met:.4f}"]
    for objective in found.objectives:
        difference = number(row.values[objective][2], objective in PER_CENT)
        line += [difference, row.better(objective, found.actions)]
    return line


def _by_key(found: Thresholds, name: str) -> RenderableType:
    values = sorted({others_of(row)[name] for row in found.rows if set(others_of(row)) == {name}})
    lines = []
    for objective in found.objectives:
        line = [objective]
        for value in values:
            line.append(
                limit_text(
                    found, (r for r in found.rows if others_of(r) == {name: value}), objective
                )
            )
        lines.append(line)
    return table([KEYS[name], *map(str, values)], lines)


def _beside(shown: ThresholdTable) -> list[RenderableType]:
    """A table beside, in parts if one of its columns goes across."""
    if shown.across:
        return _across(shown)
    columns = list(shown.rows[0])
    lines = ([_cell(name, row[name]) for name in columns] for row in shown.rows)
    first = (at for at, name in enumerate(columns) if isinstance(shown.rows[0][name], Estimate))
    return [table(columns, lines, keys=next(first, 1))]


def _across(shown: ThresholdTable) -> list[RenderableType]:
    """The first value of each row, by the other key and the one that goes across."""
    down, value = _key_and_value(shown)
    cells = {(row[down], row[shown.across]): _cell(value, row[value]) for row in shown.rows}
    keys = list(dict.fromkeys(row[down] for row in shown.rows))
    across = list(dict.fromkeys(row[shown.across] for row in shown.rows))
    parts: list[RenderableType] = []
    for at in range(0, len(across), ACROSS):
        some = across[at : at + ACROSS]
        head = [f"{down}, {value}", *(f"{shown.across} {name}" for name in some)]
        lines = ([str(key), *(cells.get((key, name), "–") for name in some)] for key in keys)
        parts += [Text(), table(head, lines)]
    return parts[1:]


def _key_and_value(shown: ThresholdTable) -> tuple[str, str]:
    """The columns of the other key and of the first estimate."""
    columns = shown.rows[0].items()
    key = next(name for name, _ in columns if name != shown.across)
    return key, next(name for name, value in columns if isinstance(value, Estimate))


def _cell(name: str, value: object) -> str:
    if isinstance(value, Estimate):
        return percent(value) if name in SHARES else number(value)
    return "–" if value is None else str(value)


def thresholds_csv(found: Thresholds, beside: bool = True) -> str:
    """All rows: keys (empty: any), frequency, then values and verdict per objective, with errors.

    The difference is the cost of the second action against the first. With `beside`, sampled tables
    follow, each after an empty line.
    """
    rows: list[list[object]] = []
    made = [found.rules, found.players, found.policy, found.seed, found.games]
    if not found.rows:
        for shown in found.tables:
            rows += _rows_of_table(found, shown)
        return csv_text(rows)
    keys = list(found.keys_shown(found.rows[0]))
    head: list[object] = ["rules", "players", "policy", "seed", found.played, *keys, "met"]
    head += [*(f"met {name}" for name in VALUES[1:]), "n"]
    for objective in found.objectives:
        for action in (*found.actions, "difference"):
            head += [f"{objective} {action} {name}" for name in VALUES]
        head.append(f"{objective} better")
    rows.append(head)
    for row in found.rows:
        often = (row.met, None, None, None) if row.often is None else _numbers(row.often)
        line = [*made, *found.keys_shown(row).values(), *often, row.n]
        for objective in found.objectives:
            for estimate in row.values[objective]:
                line += _numbers(estimate)
            line.append(row.better(objective, found.actions))
        rows.append(line)
    for sampled in (t for t in found.tables if beside and t.made != EXACT):
        rows += [[], *_rows_of_sampled(found, sampled)]
    return csv_text(rows)


def _rows_of_table(found: Thresholds, shown: ThresholdTable) -> Iterator[list[object]]:
    """A table beside: its name first in every row."""
    yield ["table", "rules", "players", *shown.rows[0]]
    for row in shown.rows:
        values = [v.value if isinstance(v, Estimate) else v for v in row.values()]
        yield [shown.name, found.rules, found.players, *values]


def _rows_of_sampled(found: Thresholds, sampled: ThresholdTable) -> Iterator[list[object]]:
    """A sampled table: its name first in every row, values with their errors."""
    head: list[object] = ["table", "rules", "players", "policy", "seed"]
    for name, value in sampled.rows[0].items():
        head += [f"{name} {part}" for part in VALUES] if isinstance(value, Estimate) else [name]
    yield head
    for row in sampled.rows:
        line: list[object] = [sampled.name, found.rules, found.players, found.policy, found.seed]
        for value in row.values():
            line += _numbers(value) if isinstance(value, Estimate) else [value]
        yield line


def _numbers(estimate: Estimate) -> list[float]:
    return [estimate.value, estimate.stderr, estimate.low, estimate.high]
