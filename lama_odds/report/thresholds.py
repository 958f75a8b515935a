"""Thresholds as text and as a CSV file."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

from rich.console import Group, RenderableType
from rich.text import Text

from lama_odds.analysis.thresholds import OBJECTIVES, Row, Thresholds
from lama_odds.core.estimate import Estimate
from lama_odds.report.text import number, percent, table

KEYS = {"cards": "my cards", "fewest": "fewest cards of another", "others": "others still in"}
LAST_ROWS = 127


def thresholds_text(found: Thresholds) -> RenderableType:
    """By penalty alone; the threshold for each value of the other keys; how it was made."""
    first, second = found.actions
    parts: list[RenderableType] = [
        Text(f"{found.rules}   {found.players} players, all {found.policy}", style="dim"),
        Text(f"Decisions {found.decisions}: {first} or {second}?", style="bold"),
    ]
    parts += [Text(f"{_rule(found, objective)} (for {objective})") for objective in OBJECTIVES]
    rows = [row for row in found.rows if _others(row) == {}]
    columns = ["penalty", "a round"]
    for objective in OBJECTIVES:
        columns += [f"{second} − {first}, {objective}", "better"]
    parts += [Text(), table(columns, (_line(found, row) for row in rows))]
    for name in KEYS:
        if any(set(_others(row)) == {name} for row in found.rows):
            parts += [Text(), Text(f"{first.capitalize()} at this penalty or less", style="bold")]
            parts += [_by_key(found, name)]
    if found.last_player:
        parts += [
            Text(),
            Text("The last player, the llama row full, one card of each", style="bold"),
        ]
        parts += [_last_player(found)]
    parts += [
        Text(
            f"· {second} − {first}: above 0, {first} is better; 95 % intervals\n"
            f"· {found.games:,} rounds, seed {found.seed}, {found.seconds:.1f} s; "
            f"both actions on the same luck, everybody plays {found.policy} before and after\n"
            f"· a round: how often such a decision is met in one\n"
            f"· --csv FILE has all {len(found.rows)} rows, by several keys at once too",
            style="dim",
        )
    ]
    return Group(*parts)


def _others(row: Row) -> dict[str, int]:
    """Keys given besides the penalty."""
    return {k: v for k, v in row.keys.items() if k != "penalty" and v is not None}


def _line(found: Thresholds, row: Row) -> list[str]:
    line = [str(row.keys["penalty"]), f"{row.met:.4f}"]
    for objective in OBJECTIVES:
        line += [number(row.values[objective][2]), row.better(objective, found.actions)]
    return line


def threshold(found: Thresholds, rows: Iterable[Row], objective: str) -> tuple[int, int]:
    """Penalties (certain, perhaps): quitting is better at all up to the first; not clearly worse
    up to the second. −1: at none."""
    certain = perhaps = -1
    sure = open_ = True
    for row in sorted(rows, key=lambda row: row.keys["penalty"] or 0):
        better = row.better(objective, found.actions)
        sure = sure and better == found.actions[0]
        open_ = open_ and better != found.actions[1]
        penalty = row.keys["penalty"] or 0
        certain = penalty if sure else certain
        perhaps = penalty if open_ else perhaps
    return certain, perhaps


def _shown(found: Thresholds, rows: Iterable[Row], objective: str) -> str:
    rows = list(rows)
    certain, perhaps = threshold(found, rows, objective)
    if perhaps < 0:
        lowest = min(row.keys["penalty"] or 0 for row in rows)
        return "never" if lowest <= 1 else f"<{lowest}"
    return str(certain) if certain == perhaps else f"{max(certain, 0)}–{perhaps}"


def _rule(found: Thresholds, objective: str) -> str:
    rows = [row for row in found.rows if _others(row) == {}]
    return f"{found.actions[0].capitalize()} at {_shown(found, rows, objective)} or less"


def _by_key(found: Thresholds, name: str) -> RenderableType:
    values = sorted({_others(row)[name] for row in found.rows if set(_others(row)) == {name}})
    lines = []
    for objective in OBJECTIVES:
        line = [objective]
        for value in values:
            line.append(
                _shown(found, (r for r in found.rows if _others(r) == {name: value}), objective)
            )
        lines.append(line)
    return table([KEYS[name], *map(str, values)], lines)


def _last_player(found: Thresholds) -> RenderableType:
    columns = ["cards", "penalty", "rolling costs", "better", "goes out", "blows it"]
    return table(
        columns,
        (
            (
                row["cards"],
                str(row["penalty"]),
                number(row["roll"]),
                row["better"],
                percent(row["out"]),
                percent(row["blown"]),
            )
            for row in found.last_player
        ),
    )


def thresholds_csv(found: Thresholds) -> str:
    """All rows: keys (empty: any), how often met, and per objective values, errors, verdict."""
    keys = list(found.rows[0].keys)
    names = ("value", "stderr", "low", "high")
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    head = ["rules", "players", "policy", "seed", "rounds", *keys, "met", "n"]
    for objective in OBJECTIVES:
        for action in (*found.actions, "difference"):
            head += [f"{objective} {action} {name}" for name in names]
        head.append(f"{objective} better")
    writer.writerow(head)
    made = [found.rules, found.players, found.policy, found.seed, found.games]
    for row in found.rows:
        line = [*made, *row.keys.values(), row.met, row.n]
        for objective in OBJECTIVES:
            for estimate in row.values[objective]:
                line += _numbers(estimate)
            line.append(row.better(objective, found.actions))
        writer.writerow("" if value is None else value for value in line)
    return text.getvalue()


def _numbers(estimate: Estimate) -> list[float]:
    return [estimate.value, estimate.stderr, estimate.low, estimate.high]
