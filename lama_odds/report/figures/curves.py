"""Curves with bands: all in one figure with their names, or a small figure each."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from lama_odds.analysis.strategy_report.document import Curves, Line
from lama_odds.report.figures.files import COLOURS, GREY, MARKERS
from lama_odds.report.figures.style import INK, RULE, WIDTH, folded, in_per_cent

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawn

PANEL_COLUMNS = 3
NAME_HEIGHT = 0.24  # inches of a figure for a name at the end of a curve


def curves(canvas: Drawn, found: Curves) -> None:
    """All curves in one figure, their names at their ends."""
    canvas.set_size_inches(WIDTH, 3.5)
    curves_on(canvas.add_subplot(), found)


def curves_on(axes: Axes, found: Curves, words: bool = True) -> None:
    """The same on axes that are there; words: with what lies above and below 0."""
    from matplotlib.ticker import MaxNLocator

    axes.xaxis.set_major_locator(MaxNLocator("auto", steps=[1, 2, 5, 10], integer=True))
    for at, line in enumerate(found.lines):
        colour = COLOURS[at % len(COLOURS)]
        _curve(axes, line, colour, MARKERS[at % len(MARKERS)])
    _frame(axes, found, words)
    if found.zero is not None and len(found.lines) == 1:
        _first_side(axes, found)
    _end_names(axes, found)
    axes.set_xlabel(found.x_label)
    axes.set_ylabel(found.y_label)


def _curve(axes: Axes, line: Line, colour: str, marker: str = "", width: float = 1.6) -> None:
    axes.fill_between(line.x, line.low, line.high, color=colour, alpha=0.22, linewidth=0)
    axes.plot(line.x, line.y, color=colour, linewidth=width, marker=marker, markersize=3.2)


def _first_side(axes: Axes, found: Curves) -> None:
    """Where the curve, from its start, is on one side for certain: a band with its end named."""
    line = found.lines[0]
    over = line.y[0] > 0
    end = None
    for x, low, high in zip(line.x, line.low, line.high, strict=True):
        if (low > 0) != over or (high < 0) == over:
            break
        end = x
    if end is None or found.zero is None:
        return
    axes.axvspan(line.x[0], end, color=COLOURS[1], alpha=0.12, linewidth=0)
    axes.annotate(
        f"{found.zero[1 if over else 0]} up to {end:g}",
        (end, 0.06),
        xycoords=("data", "axes fraction"),
        xytext=(4, 0),
        textcoords="offset points",
        fontsize=8.5,
        color=COLOURS[1],
    )


def _end_names(axes: Axes, found: Curves) -> None:
    """Names right of the last points, moved apart where they would meet; none for one curve."""
    if len(found.lines) == 1:
        return
    low, high = axes.get_ylim()
    place = axes.get_subplotspec()
    rows = place.get_gridspec().nrows if place else 1
    gap = NAME_HEIGHT * rows / axes.figure.get_figheight() * (high - low)  # type: ignore[union-attr]
    placed: list[float] = []
    order = sorted(range(len(found.lines)), key=lambda at: found.lines[at].y[-1])
    for at in order:
        line = found.lines[at]
        y = line.y[-1] if not placed else max(line.y[-1], placed[-1] + gap)
        placed.append(y)
        axes.annotate(
            line.label,
            (max(other.x[-1] for other in found.lines), y),
            xytext=(7, 0),
            textcoords="offset points",
            va="center",
            fontsize=8.5,
            color=COLOURS[at % len(COLOURS)],
            annotation_clip=False,
        )


def _frame(axes: Axes, found: Curves, words: bool = True) -> None:
    """Ruling, the line at 0 with what lies above and below, per cent."""
    axes.grid(axis="y", color=RULE, linewidth=0.6)
    axes.tick_params(length=2, labelsize=8)
    if found.share:
        in_per_cent(axes.yaxis)
    if found.zero is None:
        return
    axes.axhline(0, color=INK, linewidth=0.9)
    if words:
        _sides(axes, *found.zero, corners=len(found.lines) > 1 and not found.panels)


def _sides(axes: Axes, below: str, above: str, corners: bool) -> None:
    """What lies above and below 0: beside the line, or in the corners that falling curves leave."""
    if corners:
        places = ((f"↑ {above}", (1, 1), (-3, -3)), (f"↓ {below}", (0, 0), (4, 4)))
    else:
        places = ((above, (1, 0), (0, 4)), (below, (1, 0), (0, -4)))
    for text, place, shift in places:
        axes.annotate(
            text,
            place,
            xycoords="axes fraction" if corners else ("axes fraction", "data"),
            xytext=shift,
            textcoords="offset points",
            ha="right" if place[0] else "left",
            va="bottom" if shift[1] > 0 else "top",
            fontsize=8,
            color=GREY,
        )


def panels(canvas: Drawn, found: Curves) -> None:
    """A small figure a curve, the first curve behind each in grey."""
    lines = found.lines[1:] if found.lines[0].label == "all" else found.lines
    columns = 2 if len(lines) in (2, 4) else min(PANEL_COLUMNS, len(lines))
    rows = math.ceil(len(lines) / columns)
    canvas.set_size_inches(WIDTH, 1.75 * rows + 0.6)
    canvas.set_layout_engine("constrained", h_pad=0.06, w_pad=0.06)
    grid = canvas.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
    cells = list(grid.flat)
    for at, (axes, line) in enumerate(zip(cells, lines, strict=False)):
        behind = found.lines[0]
        if line is not behind:
            axes.plot(behind.x, behind.y, color=GREY, linewidth=1.0, linestyle=(0, (3, 1.5)))
        _curve(axes, line, COLOURS[0], width=1.5)
        _frame(axes, found, words=at == 0)
        axes.set_title(folded(line.label), fontsize=9, pad=3)
    for axes in cells[len(lines) :]:
        axes.set_visible(False)
    for at in range(len(lines) - columns, len(lines)):
        cells[at].tick_params(labelbottom=True)
    canvas.supxlabel(found.x_label, fontsize=9)
    canvas.supylabel(found.y_label, fontsize=9)
    canvas.text(
        1.0,
        1.01,
        f"dashed: {found.lines[0].label}" if len(found.lines) > 1 else "",
        ha="right",
        va="bottom",
        fontsize=8,
        color=GREY,
    )
