"""The section of thresholds: when to quit, by penalty and what else can be seen."""

from __future__ import annotations

from collections.abc import Sequence

from lama_odds.analysis.strategy_report.document import (
    SAMPLED,
    Beside,
    Cell,
    Column,
    Curves,
    Dot,
    Dots,
    Figure,
    Section,
    Table,
    line_of,
)
from lama_odds.analysis.strategy_report.report import Ask
from lama_odds.analysis.thresholds.answer import Row, Thresholds
from lama_odds.analysis.thresholds.limits import limit_text, limits_of, rule_text, threshold
from lama_odds.analysis.thresholds.thresholds import thresholds
from lama_odds.core.estimate import Estimate
from lama_odds.core.progress import Progress
from lama_odds.games.interface.objectives import SHARES

KEYS = {"cards": "cards I hold", "fewest": "fewest cards of another", "others": "others still in"}
KEYS |= {"down": "cards still face down"}
LEFT = "others"  # the key that says how many are left
FEWEST_SHOWN = 4  # penalties on a curve
PAST = 4  # penalties shown after the last at which anything is open
MOST_PANELS = 9
WIDEST = 1.5  # points: half-width of what is still drawn


def thresholds_section(ask: Ask, progress: Progress | None = None) -> Section:
    """When to quit, by penalty and what else can be seen."""
    found = thresholds(
        ask.game,
        ask.rules,
        ask.players,
        precision=ask.precision,
        seed=ask.seed,
        threads=ask.threads,
        progress=progress,
        beside=False,  # sections of their own
    )
    quits, goes_on = found.actions
    names = [name for name in found.rows[0].keys if name != "penalty"]
    figures: list[Figure] = [by_penalty(found)]
    tables = [_penalty_table(found)]
    for name in names:
        lines = _values(found, name)
        if len(lines) > 1:
            curves = by_others(found) if name == LEFT else _curves_by(found, name)
            figures += [curves, _limits_by(found, name)]
    tables.append(_all_rows(found))
    return Section(
        "thresholds",
        f"When to {quits}",
        SAMPLED,
        f"{found.games:,} rounds of {found.players} players, everybody plays {found.policy}; at "
        f"decisions {found.decisions} both actions are played out on the same luck.",
        headlines=tuple(_headlines(found)),
        text=(
            f"What {_going(goes_on)} costs more than to {quits}, in points to the end of the "
            f"round: above 0, {quits} is better. Bands are 95 % intervals.",
        ),
        figures=tuple(figures),
        tables=tuple(tables),
        games=found.games,
        interrupted=found.interrupted,
    )


def _others(row: Row) -> dict[str, int]:
    """Keys given besides the penalty."""
    return {k: v for k, v in row.keys.items() if k != "penalty" and v is not None}


def _place(found: Thresholds, row: Row) -> int:
    """The first key of a row as it is shown."""
    return found.shown(row.keys["penalty"]) or 0


def _place_text(found: Thresholds, row: Row) -> str:
    """The same in words."""
    return found.scale.text(row.keys["penalty"] or 0)


def _alone(found: Thresholds) -> list[Row]:
    """Rows by penalty alone."""
    return sorted((r for r in found.rows if not _others(r)), key=lambda r: r.keys["penalty"] or 0)


def _with(found: Thresholds, name: str, value: int) -> list[Row]:
    rows = (row for row in found.rows if _others(row) == {name: value})
    return sorted(rows, key=lambda row: row.keys["penalty"] or 0)


def _values(found: Thresholds, name: str) -> list[int]:
    values = {_others(row)[name] for row in found.rows if set(_others(row)) == {name}}
    return sorted(v for v in values if len(_with(found, name, v)) >= FEWEST_SHOWN)


def _headlines(found: Thresholds) -> list[str]:
    quits = found.actions[0]
    main = found.objectives[0]
    rows = _alone(found)
    perhaps = threshold(found, rows, main)[1]
    last = max(perhaps, rows[0].keys["penalty"] or 0) if rows else 0
    at = [row for row in rows if row.keys["penalty"] in (last, last + 1)]
    gaps = "; ".join(f"at {_place_text(found, r)}, {_cost(found, r.values[main][2])}" for r in at)
    said = []
    if rows:
        said.append(f"{rule_text(found, rows, main)} ({gaps}).")
    for name in (name for name in found.rows[0].keys if name != "penalty"):
        parts = [
            f"{value}: {limit_text(found, _with(found, name, value), found.objectives[0])}"
            for value in _values(found, name)
            if limits_of(found, _with(found, name, value), main)
        ]
        if len(parts) > 1:
            said.append(
                f"{quits.capitalize()} up to which {found.label}, by {KEYS.get(name, name)} – "
                f"{', '.join(parts)}."
            )
    return said


def _cost(found: Thresholds, gap: Estimate) -> str:
    """What going on costs or saves, in words."""
    goes_on = _going(found.actions[1])
    half = (gap.high - gap.low) / 2
    verb = "costs" if gap.value > 0 else "saves"
    if gap.low < 0 < gap.high:
        return f"{goes_on} makes no clear difference ({gap.value:+.2f} ± {half:.2f})"
    return f"{goes_on} {verb} {abs(gap.value):.2f} ± {half:.2f} points"


def _going(action: str) -> str:
    """``rolling``, ``drawing``, ``going on``."""
    verb, _, rest = action.partition(" ")
    return f"{verb}ing" + (f" {rest}" if rest else "")


def _points(
    found: Thresholds, rows: Sequence[Row], objective: str = ""
) -> list[tuple[float, Estimate]]:
    main = objective or found.objectives[0]
    points = [(float(_place(found, row)), row.values[main][2]) for row in rows]
    points.sort(key=lambda point: point[0])
    return [(x, e) for x, e in points if e.high - e.low < 2 * WIDEST] or points


def by_penalty(found: Thresholds) -> Curves:
    """What going on costs more than quitting, by penalty."""
    quits, goes_on = found.actions
    rows = _alone(found)
    return Curves(
        "by_penalty",
        f"{quits.capitalize()} or {goes_on}, by {found.label}",
        f"Curve of the points that {_going(goes_on)} costs more than to {quits}, by {found.label}; "
        f"it crosses 0 after {limit_text(found, rows, found.objectives[0])}.",
        f"{found.label} if I {quits} now",
        f"{goes_on} − {quits}, points",
        (line_of("all", _points(found, rows)),),
        zero=(f"{goes_on} is better", f"{quits} is better"),
    )


def _curves_by(found: Thresholds, name: str) -> Curves:
    quits, goes_on = found.actions
    lines = [line_of("all", _points(found, _alone(found)))]
    lines += [
        line_of(f"{KEYS.get(name, name)}: {value}", _points(found, _with(found, name, value)))
        for value in _values(found, name)[:MOST_PANELS]
    ]
    return Curves(
        f"by_{name}",
        f"The same by {KEYS.get(name, name)}",
        f"A small curve for each number: {lines[1].label} to "
        f"{lines[-1].label}, each against that of all decisions.",
        f"{found.label} if I {quits} now",
        f"{goes_on} − {quits}, points",
        tuple(lines),
        zero=(f"{goes_on} is better", f"{quits} is better"),
        panels=True,
    )


def by_others(found: Thresholds) -> Beside:
    """Going on against quitting where it turns: a curve for each number of players left."""
    quits, goes_on = found.actions
    said = [
        f"{_left(value)}, for {objective}: "
        f"{quits} up to {limit_text(found, _with(found, LEFT, value), objective)}"
        for objective in found.objectives
        for value in _values(found, LEFT)
    ]
    each = [_with(found, LEFT, value) for value in _values(found, LEFT)]
    last = PAST + max(
        max(threshold(found, rows, objective)[1], rows[0].keys["penalty"] or 0)
        for objective in found.objectives
        for rows in each
    )
    return Beside(
        "by_others",
        f"Where it turns, by players left: {quits} or {goes_on}",
        f"Curves of what {_going(goes_on)} costs more than to {quits}, by {found.label}, one for "
        f"each number of others still in. {'; '.join(said)}.",
        tuple(_others_part(found, objective, last) for objective in found.objectives),
    )


def _others_part(found: Thresholds, objective: str, last: int) -> Curves:
    """The curves of one objective, up to a penalty."""
    quits, goes_on = found.actions
    by_value = {value: _with(found, LEFT, value) for value in _values(found, LEFT)}
    share = objective in SHARES
    lines = []
    for value, rows in by_value.items():
        near = [row for row in rows if (row.keys["penalty"] or 0) <= last]
        lines.append(line_of(_left(value), _points(found, near, objective)))
    return Curves(
        f"by_others_{objective}",
        f"for {objective}",
        f"Curves for {objective}.",
        f"{found.label} if I {quits} now",
        f"{goes_on} − {quits}, {'chance' if share else 'points'}",
        tuple(lines),
        share=share,
        zero=(f"{goes_on} is better", f"{quits} is better"),
    )


def _left(value: int) -> str:
    return f"{value} other{'s' if value > 1 else ''} in"


def _limits_by(found: Thresholds, name: str) -> Dots:
    dots = []
    for value in _values(found, name):
        rows = _with(found, name, value)
        for objective in found.objectives:
            limits = limits_of(found, rows, objective)
            if limits is not None:
                low, high = map(float, limits)
                label = f"{KEYS.get(name, name)}: {value}"
                dots.append(Dot(label, low, min(low, high), max(low, high), objective))
    return Dots(
        f"limits_by_{name}",
        f"{found.actions[0].capitalize()} up to which {found.label}, by {KEYS.get(name, name)}",
        f"The last {found.label} to {found.actions[0]} with: "
        + "; ".join(f"{d.label}, for {d.group}: {d.low:g} to {d.high:g}" for d in dots)
        + ".",
        f"last {found.label} to {found.actions[0]} with; the line reaches as far as it is open",
        tuple(dots),
    )


def _penalty_table(found: Thresholds) -> Table:
    quits, goes_on = found.actions
    columns = [Column(found.label), Column("met a round")]
    for objective in found.objectives:
        columns += [Column(f"{goes_on} − {quits}, {objective}"), Column(f"for {objective}", "text")]
    rows: list[tuple[Cell, ...]] = []
    for row in _alone(found):
        line: list[Cell] = [_place(found, row), row.met]
        for objective in found.objectives:
            line += [row.values[objective][2], row.better(objective, found.actions)]
        rows.append(tuple(line))
    title = f"{quits.capitalize()} or {goes_on}, by {found.label}"
    return Table("thresholds_by_penalty", title, tuple(columns), tuple(rows))


def _all_rows(found: Thresholds) -> Table:
    columns = [
        Column(found.label if key == "penalty" else KEYS.get(key, key))
        for key in found.rows[0].keys
    ]
    columns += [Column("met a round"), Column("n")]
    for objective in found.objectives:
        columns += [
            Column(f"{action}, {objective}") for action in (*found.actions, "difference")
        ] + [Column(f"for {objective}", "text")]
    rows: list[tuple[Cell, ...]] = []
    for row in found.rows:
        line: list[Cell] = [*found.keys_shown(row).values()]
        line += [row.met, row.n]
        for objective in found.objectives:
            line += [*row.values[objective], row.better(objective, found.actions)]
        rows.append(tuple(line))
    title = "All cells that were met often enough (empty: any)"
    return Table("thresholds", title, tuple(columns), tuple(rows), long=True)
