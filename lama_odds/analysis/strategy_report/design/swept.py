"""The section on a sweep: what grows with what, for the options that a designer asks about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lama_odds.analysis.compare.measures import Compared
from lama_odds.analysis.strategy_report.document import (
    SAMPLED,
    Cell,
    Column,
    Curves,
    Dots,
    Figure,
    Section,
    Table,
    dot_of,
    line_of,
)
from lama_odds.analysis.strategy_report.words import shown
from lama_odds.analysis.sweep.answer import UNCLEAR, Sweep
from lama_odds.analysis.sweep.grid import Axis, grid_of, named_values, read_axes
from lama_odds.analysis.sweep.sweep import sweep
from lama_odds.core.estimate import Estimate
from lama_odds.core.progress import Progress

if TYPE_CHECKING:
    from lama_odds.analysis.strategy_report.design.plan import DesignAsk

MEASURES = ("length", "turns", "lead changes", "comebacks", "decided", "long games", "seat bias")


def swept_section(ask: DesignAsk, tell: Progress | None = None) -> Section:
    """Every combination of the options, on the same cards and dice."""
    axes = read_axes(ask.game, list(ask.vary))
    grid = grid_of(ask.game, ask.rules, axes, ask.players)
    found = sweep(
        grid,
        [ask.plays] * len(grid.cells),
        ask.players,
        measures=["tension", "duration", "seat bias"],
        games=ask.games,
        seed=ask.seed,
        threads=ask.threads,
        progress=tell,
    )
    return Section(
        "swept",
        "What grows with what",
        SAMPLED,
        f"{found.games:,} games of each of {len(found.variants)} variants, on the same cards and "
        "dice. All intervals of this section hold together with 95 %.",
        headlines=tuple(_said(found)),
        figures=tuple(_figures(found)),
        tables=(_table(found),),
        games=found.games * len(found.variants),
        interrupted=found.interrupted,
    )


def _said(found: Sweep) -> list[str]:
    """The clear trends along each option, in a sentence."""
    lines = []
    for axis in found.axes:
        clear = [t for t in found.trends if t.option == axis.option and t.verdict != UNCLEAR]
        if not clear:
            lines.append(f"{axis.option} changes nothing that these games can show.")
            continue
        ups = [t.measure.name for t in clear if t.slope.value > 0]
        downs = [t.measure.name for t in clear if t.slope.value < 0]
        both = ((ups, "up"), (downs, "down"))
        told = [f"{', '.join(names)} {way}" for names, way in both if names]
        lines.append(f"More {axis.option}: {'; '.join(told)}.")
    return lines


def _shown(found: Sweep) -> list[Compared]:
    return [measure for measure in found.measures if measure.key in MEASURES]


def _figures(found: Sweep) -> list[Figure]:
    """A small figure for each measure: curves, or dots."""
    numeric = sorted(
        (axis for axis in found.axes if axis.kind == "number"), key=lambda axis: -len(axis.values)
    )
    if not numeric or len(found.axes) > 2:
        return [_dots(found, measure) for measure in _shown(found)]
    others = [axis for axis in found.axes if axis is not numeric[0]]
    return [_curves(found, numeric[0], others, measure) for measure in _shown(found)]


def _name(measure: Compared) -> str:
    return f"s_{measure.key.replace(' ', '_')}"


def _unit(measure: Compared) -> str:
    return f"% {measure.unit}" if measure.share else measure.unit


def _curves(found: Sweep, along: Axis, others: Sequence[Axis], measure: Compared) -> Curves:
    """A measure along an option, a curve for each value of the other one."""
    scale = 100.0 if measure.share else 1.0
    groups: dict[str, list[tuple[float, Estimate]]] = {}
    for variant in found.variants:
        label = named_values({axis.option: variant.values[axis.option] for axis in others})
        place = float(variant.values[along.option])
        groups.setdefault(label, []).append((place, variant.measures[measure.name]))
    told = "; ".join(
        f"{label or measure.name}: "
        + ", ".join(f"{x:g}: {shown(y, measure.share)}" for x, y in points)
        for label, points in groups.items()
    )
    return Curves(
        _name(measure),
        f"{measure.name}, {_unit(measure)}",
        f"{measure.name} by {along.option}. {told}.",
        along.option,
        _unit(measure),
        tuple(line_of(label or measure.name, points, scale) for label, points in groups.items()),
    )


def _dots(found: Sweep, measure: Compared) -> Dots:
    values = [(named_values(v.values), v.measures[measure.name]) for v in found.variants]
    return Dots(
        _name(measure),
        measure.name,
        ", ".join(f"{name}: {shown(value, measure.share)}" for name, value in values) + ".",
        _unit(measure),
        tuple(dot_of(name, value) for name, value in values),
        share=measure.share,
    )


def _table(found: Sweep) -> Table:
    """A row for each variant."""
    options = [Column(axis.option, "text") for axis in found.axes]
    measures: Sequence[Compared] = found.measures
    columns = (*options, *(Column(m.name, "share" if m.share else "number") for m in measures))
    rows: list[tuple[Cell, ...]] = [
        (
            *(axis.named(v.values[axis.option]).partition("=")[2] for axis in found.axes),
            *(v.measures[m.name] for m in measures),
        )
        for v in found.variants
    ]
    return Table("swept", "All variants", columns, tuple(rows), long=True)
