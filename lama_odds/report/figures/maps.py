"""Heat maps: cells in colour with a text in each, and what the colours mean."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lama_odds.analysis.strategy_report.document import HeatMap
from lama_odds.report.figures.style import INK, WIDTH, folded

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawn

ON_LIGHT, ON_DARK = "#141414", "#ffffff"
LOW, MIDDLE, HIGH = "#00679f", "#f4f4f2", "#e69a00"
CELL, KEY = 0.27, 1.05  # inches: of a row, of all that is below the map
MOST_UPRIGHT, SHORT_NAME = 8, 3  # columns, and letters of a name, that leave room for upright names
LETTER, LINE = 0.085, 18  # inches of a letter of a turned name, letters of a line of it
RULING = 0.5  # points: of the light lines between fields, on any ground
TICKS = 5  # intervals of the key at most
UNIT_LINE = 52  # letters of a line below the key
LUMINANCE = (0.299, 0.587, 0.114)


def heat_map(canvas: Drawn, found: HeatMap) -> None:
    """Cells in colour, a text in each, and what the colours mean below."""
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import LinearSegmentedColormap, Normalize

    rows, columns = len(found.values), len(found.values[0])
    crowded = columns > MOST_UPRIGHT and max(map(len, found.x_names)) > SHORT_NAME
    x_names = [folded(name, LINE) for name in found.x_names]
    below = LETTER * max(map(len, "\n".join(x_names).split("\n"))) if crowded else 0.2
    canvas.set_size_inches(WIDTH, CELL * rows + below + KEY)
    axes = canvas.add_subplot()
    ends = [LOW, MIDDLE, HIGH] if found.low else [MIDDLE, HIGH]
    colours = LinearSegmentedColormap.from_list("map", ends)
    scale = Normalize(-found.limit if found.low else 0.0, found.limit, clip=True)
    for y, (line, texts) in enumerate(zip(found.values, found.texts, strict=True)):
        for x, (value, text) in enumerate(zip(line, texts, strict=True)):
            if value is None:
                continue
            face = colours(scale(value))
            light = sum(w * c for w, c in zip(LUMINANCE, face, strict=False))
            sides = [x, x + 1, x + 1, x], [y, y, y + 1, y + 1]
            axes.fill(*sides, facecolor=face, edgecolor=ON_DARK, linewidth=RULING, clip_on=False)
            ink = ON_LIGHT if light > 0.5 else ON_DARK
            axes.text(x + 0.5, y + 0.5, text, ha="center", va="center", fontsize=7.5, color=ink)
    if found.low and found.border:
        _border(axes, found)
    axes.set_xlim(0, columns)
    axes.set_ylim(rows, 0)
    places = [x + 0.5 for x in range(columns)]
    axes.set_xticks(places, x_names, fontsize=8, rotation=90 if crowded else 0)
    axes.set_yticks([y + 0.5 for y in range(rows)], found.y_names, fontsize=8)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.set_xlabel(found.x_label)
    axes.set_ylabel(found.y_label)
    _key(canvas, axes, found, ScalarMappable(scale, colours))


def _border(axes: Axes, found: HeatMap) -> None:
    """A line between neighbours of which one is better the one way, one the other."""
    signs = [[None if v is None else v > 0 for v in line] for line in found.values]
    for y, line in enumerate(signs):
        for x, sign in enumerate(line):
            right = line[x + 1] if x + 1 < len(line) else None
            below = signs[y + 1][x] if y + 1 < len(signs) else None
            if None not in (sign, right) and sign != right:
                axes.plot([x + 1, x + 1], [y, y + 1], color=ON_LIGHT, linewidth=1.4)
            if None not in (sign, below) and sign != below:
                axes.plot([x, x + 1], [y + 1, y + 1], color=ON_LIGHT, linewidth=1.4)


def _key(canvas: Drawn, axes: Axes, found: HeatMap, scale: Any) -> None:
    """The colours with what they mean."""
    from matplotlib.ticker import MaxNLocator

    bar = canvas.colorbar(
        scale, ax=axes, orientation="horizontal", shrink=0.85, aspect=34, pad=0.04
    )
    bar.locator = MaxNLocator(TICKS)
    bar.update_ticks()
    bar.outline.set_visible(False)
    bar.ax.tick_params(length=2, labelsize=8)
    bar.set_label(folded(found.unit, UNIT_LINE), fontsize=8)
    sides = [(0, "left", found.low), (1, "right", found.high)] if found.low else []
    for x, side, name in sides:
        said = f"{name} is better"
        bar.ax.annotate(
            said,
            (x, 1),
            xycoords="axes fraction",
            xytext=(0, 3),
            textcoords="offset points",
            ha=side,
            fontsize=8,
            color=INK,
        )
