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
    HeatMap,
    Section,
    Table,
    dot_of,
    line_of,
)
from lama_odds.analysis.strategy_report.words import shown
from lama_odds.analysis.sweep.answer import UNCLEAR, Sweep
from lama_odds.analysis.sweep.grid import grid_of, named_values, read_axes
from lama_odds.analysis.sweep.sweep import sweep
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
        measures=["tension", "length", "seat bias"],
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
    """A small figure for each measure: a curve, a map, or dots."""
    numeric = [axis for axis in found.axes if axis.kind == "number"]
    if len(found.axes) == 2 and len(numeric) == 2:
        return [_map(found, measure) for measure in _shown(found)]
    if len(found.axes) == 1 and numeric:
        return [_curve(found, measure) for measure in _shown(found)]
    return [_dots(found, measure) for measure in _shown(found)]


def _name(measure: Compared) -> str:
    return f"s_{measure.key.replace(' ', '_')}"


def _unit(measure: Compared) -> str:
    return f"% {measure.unit}" if measure.share else measure.unit


def _curve(found: Sweep, measure: Compared) -> Curves:
    axis = found.axes[0]
    points = [(float(v.values[axis.option]), v.measures[measure.name]) for v in found.variants]
    told = ", ".join(f"{x:g}: {shown(y, measure.share)}" for x, y in points)
    return Curves(
        _name(measure),
        measure.name,
        f"{measure.name} by {axis.option}: {told}.",
        axis.option,
        _unit(measure),
        (line_of(measure.name, points),),
        share=measure.share,
    )


def _map(found: Sweep, measure: Compared) -> HeatMap:
    down, across = found.axes
    cells = {tuple(v.values.values()): v.measures[measure.name] for v in found.variants}
    scale = 100.0 if measure.share else 1.0
    grid = [[cells.get((a, b)) for b in across.values] for a in down.values]
    values = [e.value * scale for e in cells.values()]
    digits = 0 if max(values) >= 100 else 1 if max(values) >= 10 else 2
    named = ((" × ".join(map(str, key)), each) for key, each in cells.items())
    told = ", ".join(f"{name}: {shown(each, measure.share)}" for name, each in named)
    return HeatMap(
        _name(measure),
        f"{measure.name}, {_unit(measure)}",
        f"{measure.name} by {down.option} and {across.option}: {told}.",
        across.option,
        down.option,
        across.written,
        down.written,
        tuple(tuple(None if e is None else scale * e.value for e in row) for row in grid),
        tuple(
            tuple("" if e is None else f"{scale * e.value:.{digits}f}" for e in row) for row in grid
        ),
        "",
        "",
        _unit(measure),
        max(values),
        border=False,
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
