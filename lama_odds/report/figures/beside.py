"""Figures side by side in one: curves of several measures, or dots of the same names."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from lama_odds.analysis.strategy_report.document import Beside, Curves, Dots
from lama_odds.report.figures.curves import curves_on
from lama_odds.report.figures.dots import dots_on, height_of
from lama_odds.report.figures.style import WIDTH

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawn

FIRST = 1.5  # width of the first of dots, against each of the others
PAIR = 2  # curves in a row
TICKS = 5  # intervals of an axis of dots at most
HIGH, LOW = 3.0, 2.6  # inches of a row of curves: of one alone, of several


def beside(canvas: Drawn, found: Beside) -> None:
    """Every part in its place, its title above it."""
    for at, (axes, part) in enumerate(zip(_places(canvas, found), found.parts, strict=True)):
        if isinstance(part, Dots):
            dots_on(axes, part)
            axes.tick_params(axis="y", labelleft=at == 0)
            if not part.bars:
                axes.margins(x=0.25)
                axes.locator_params(axis="x", nbins=TICKS)
        else:
            curves_on(axes, part, words=at == 0)
            axes.tick_params(labelleft=True)
        axes.set_title(part.title, fontsize=9, pad=4)


def _places(canvas: Drawn, found: Beside) -> list[Axes]:
    """Axes for the parts: dots in one row, their names once at the left; curves in pairs."""
    parts = found.parts
    dots = [part for part in parts if isinstance(part, Dots)]
    columns = len(parts) if dots else min(PAIR, len(parts))
    rows = math.ceil(len(parts) / columns)
    canvas.set_layout_engine("constrained", w_pad=0.06, wspace=0.06, h_pad=0.06, hspace=0.06)
    height = height_of(dots[0]) + 0.2 if dots else rows * (HIGH if rows == 1 else LOW)
    canvas.set_size_inches(WIDTH, height)
    widths = [FIRST if dots and at == 0 else 1.0 for at in range(columns)]
    alike = dots or len({part.y_label for part in parts if isinstance(part, Curves)}) == 1
    grid = canvas.subplots(
        rows, columns, squeeze=False, width_ratios=widths, sharey="row" if alike else False
    )
    cells = list(grid.flat)
    for axes in cells[len(parts) :]:
        axes.set_visible(False)
    return cells[: len(parts)]
