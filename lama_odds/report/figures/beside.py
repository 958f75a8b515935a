"""Several figures in one: curves below each other, dots of the same names, bars side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lama_odds.analysis.strategy_report.document import Beside, Curves, Dots
from lama_odds.report.figures.curves import HEIGHT, curves_on, panels_height, panels_on
from lama_odds.report.figures.dots import dots_on, height_of
from lama_odds.report.figures.style import WIDE, WIDTH, folded

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawn

FIRST = 1.5  # width of the first of dots, against each of the others
TITLE, TITLE_LINE = 0.3, 40  # inches, letters
LOWER = 0.4  # inches that each of several curves is lower than one alone


def beside(canvas: Drawn, found: Beside) -> None:
    """Draw every part in its place, with its title above it."""
    if any(isinstance(part, Dots) and part.bars for part in found.parts):
        _in_a_row(canvas, found)
    else:
        _below_each_other(canvas, found)


def _in_a_row(canvas: Drawn, found: Beside) -> None:
    """Dots and bars in one row, their names once at the left."""
    parts = [part for part in found.parts if isinstance(part, Dots)]
    canvas.set_layout_engine("constrained", w_pad=0.06, wspace=0.06)
    canvas.set_size_inches(WIDE, height_of(parts[0]) + 0.2)
    widths = [FIRST] + [1.0] * (len(parts) - 1)
    cells = canvas.subplots(1, len(parts), squeeze=False, width_ratios=widths, sharey="row").flat
    for at, (axes, part) in enumerate(zip(cells, parts, strict=True)):
        dots_on(axes, part)
        axes.tick_params(axis="y", labelleft=at == 0)
        if not part.bars:
            axes.margins(x=0.25)
        axes.set_title(part.title, fontsize=9, pad=4)


def _below_each_other(canvas: Drawn, found: Beside) -> None:
    """Every part over the whole width; panels in two columns, which pages show one by one."""
    panels = all(isinstance(part, Curves) and part.panels for part in found.parts)
    columns = min(2, len(found.parts)) if panels else 1
    heights = [_height(part) for part in found.parts]
    rows = [max(heights[at : at + columns]) for at in range(0, len(heights), columns)]
    canvas.set_size_inches(columns * WIDTH, sum(rows))
    places = canvas.subfigures(len(rows), columns, squeeze=False, height_ratios=rows)
    for place, part in zip(places.flat, found.parts, strict=False):
        if isinstance(part, Curves) and part.panels:
            panels_on(place, part)
            place.suptitle(part.title, fontsize=9.5, x=0.01, ha="left")
            continue
        axes = place.subplots()
        if isinstance(part, Dots):
            dots_on(axes, part)
        else:
            curves_on(axes, part)
        axes.set_title(folded(part.title, TITLE_LINE), fontsize=9.5, pad=4)


def _height(part: Curves | Dots) -> float:
    """Inches of a part with its title."""
    if isinstance(part, Dots):
        return height_of(part) + TITLE
    return (panels_height(part) if part.panels else HEIGHT - LOWER) + TITLE
