"""Curves with bands: all in one figure with their names, or a small figure for each."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from lama_odds.analysis.strategy_report.document import Curves, HeatMap, Line
from lama_odds.report.figures import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawn


PANEL_COLUMNS = 2
PANEL_HEIGHT, PANELS_MORE = 1.35, 0.75  # inches: of a row of panels, of all else
HEIGHT, BELOW = 2.9, 0.6  # inches of curves in one figure, of what is below them
NAME_HEIGHT = 0.19  # inches of a figure for a name at the end of a curve
NAME_LINE = 12  # letters of a line of such a name
HEADROOM = 0.16  # of the height: for words above or below the curves


def curves(canvas: Drawn, figure: Curves) -> None:
    """All curves in one figure, their names at their ends."""
    canvas.set_size_inches(style.WIDTH, HEIGHT)
    curves_on(canvas.add_subplot(), figure)


def curves_on(axes: Axes, curves: Curves) -> None:
    """The same on axes that are there."""
    style.whole_ticks(axes.xaxis)
    for at, line in enumerate(curves.lines):
        colour = style.COLOURS[at % len(style.COLOURS)]
        _curve(axes, line, colour, style.MARKERS[at % len(style.MARKERS)])
    _frame(axes, curves)
    if curves.zero is not None:
        _sides(axes, curves)
    if curves.zero is not None and len(curves.lines) == 1:
        _first_side(axes, curves)
    _end_names(axes, curves)
    if curves.noted is not None:
        _note(axes, curves, curves.noted)
    axes.set_xlabel(curves.x_label)
    axes.set_ylabel(style.folded(curves.y_label))


def _curve(axes: Axes, line: Line, colour: str, marker: str = "", width: float = 1.6) -> None:
    axes.fill_between(line.x, line.low, line.high, color=colour, alpha=0.22, linewidth=0)
    axes.plot(line.x, line.y, color=colour, linewidth=width, marker=marker, markersize=3.2)


def _first_side(axes: Axes, curves: Curves) -> None:
    """Mark the first stretch where the curve is certainly on one side, and name its end."""
    line = curves.lines[0]
    over = line.y[0] > 0
    end = None
    for x, low, high in zip(line.x, line.low, line.high, strict=True):
        if (low > 0) != over or (high < 0) == over:
            break
        end = x
    if end is None or curves.zero is None:
        return
    first, _ = sorted((line.x[0], end))
    axes.axvspan(first, max(line.x[0], end), color=style.COLOURS[1], alpha=0.12, linewidth=0)
    falls = line.y[0] > line.y[-1]
    axes.annotate(
        f"{curves.zero[1 if over else 0]}\nup to {end:g}".replace("-", "−"),
        (first, 0.05 if falls else 0.95),
        xycoords=("data", "axes fraction"),
        xytext=(3, 0),
        textcoords="offset points",
        va="bottom" if falls else "top",
        fontsize=8,
        color=style.COLOURS[1],
    )


def _note(axes: Axes, curves: Curves, at: float) -> None:
    """The value of the first curve at one place, beside its point."""
    line = curves.lines[0]
    y = line.y[line.x.index(at)]
    unit = "" if curves.zero is not None else " %"  # differences have theirs at the axis
    text = f"{100 * y:.1f}{unit}" if curves.share else f"{y:.2f}"
    axes.plot([at], [y], "o", color=style.COLOURS[0], markersize=6)
    axes.annotate(
        text.replace("-", "−"),
        (at, y),
        xytext=(6, 6) if y > 0 else (-2, -14),
        textcoords="offset points",
        ha="left" if y > 0 else "right",
        fontsize=9,
        fontweight="bold",
        color=style.COLOURS[0],
    )


def _end_names(axes: Axes, curves: Curves) -> None:
    """Names right of the last points, moved apart if they would overlap; none for one curve."""
    if len(curves.lines) == 1:
        return
    low, high = axes.get_ylim()
    height = axes.figure.bbox.height / axes.figure.dpi - BELOW
    names = [style.folded(line.label, NAME_LINE) for line in curves.lines]
    step = NAME_HEIGHT / height * (high - low)
    order = sorted(range(len(names)), key=lambda at: curves.lines[at].y[-1])
    ends = [curves.lines[at].y[-1] for at in order]
    sizes = [step * (1 + 0.8 * names[at].count("\n")) for at in order]
    for at, y in zip(order, apart(ends, sizes), strict=True):
        axes.annotate(
            names[at],
            (1.0, y),
            xycoords=("axes fraction", "data"),
            xytext=(3, 0),
            textcoords="offset points",
            va="center",
            fontsize=8,
            color=style.COLOURS[at % len(style.COLOURS)],
            annotation_clip=False,
        )


def apart(places: list[float], sizes: list[float]) -> list[float]:
    """Places in rising order, moved until things of these sizes do not overlap.

    Those that would overlap are stacked around the middle of their original places.
    """
    groups: list[tuple[list[float], list[float]]] = []
    for place, size in zip(places, sizes, strict=True):
        groups.append(([place], [size]))
        while len(groups) > 1 and _ends(groups[-2])[1] > _ends(groups[-1])[0]:
            (before, more), (after, others) = groups[-2:]
            groups[-2:] = [(before + after, more + others)]
    centres = []
    for group in groups:
        edge = _ends(group)[0]
        for size in group[1]:
            centres.append(edge + size / 2)
            edge += size
    return centres


def _ends(group: tuple[list[float], list[float]]) -> tuple[float, float]:
    """The two ends of a stack of things around the middle of their places."""
    places, sizes = group
    middle, half = sum(places) / len(places), sum(sizes) / 2
    return middle - half, middle + half


def _frame(axes: Axes, curves: Curves) -> None:
    """Ruling, the line at 0, per cent."""
    axes.grid(axis="y", color=style.RULE, linewidth=0.6)
    axes.tick_params(length=2, labelsize=8)
    if curves.share:
        style.in_per_cent(axes.yaxis, bare=curves.zero is not None)
    if curves.zero is not None:
        axes.axhline(0, color=style.INK, linewidth=0.9)


def _sides(axes: Axes, curves: Curves) -> None:
    """What lies above and below 0, in the room above and below all curves."""
    assert curves.zero is not None
    below, above = curves.zero
    low, high = axes.get_ylim()
    low, high = min(low, -0.02 * (high - low)), max(high, 0.02 * (high - low))
    room = HEADROOM * (high - low)
    axes.set_ylim(low - room, high + room)
    for text, y, side in ((f"↑ {above}", 1.0, "top"), (f"↓ {below}", 0.0, "bottom")):
        axes.annotate(
            text,
            (0.99, y),
            xycoords="axes fraction",
            xytext=(0, -2 if y else 2),
            textcoords="offset points",
            ha="right",
            va=side,
            fontsize=8,
            color=style.GREY,
        )


def panels(canvas: Drawn, curves: Curves) -> None:
    """A small figure per curve, with the first curve in grey behind each."""
    canvas.set_size_inches(style.WIDTH, panels_height(curves))
    panels_on(canvas, curves)


def panels_height(curves: Curves) -> float:
    """The height of all panels, in inches."""
    return PANEL_HEIGHT * math.ceil(len(_panel_lines(curves)) / PANEL_COLUMNS) + PANELS_MORE


def _panel_lines(curves: Curves) -> tuple[Line, ...]:
    return curves.lines[1:] if curves.lines[0].label == "all" else curves.lines


def panels_on(canvas: Any, curves: Curves) -> None:
    """The same on a figure, or a part of one, that is there."""
    lines = _panel_lines(curves)
    columns = min(PANEL_COLUMNS, len(lines))
    rows = math.ceil(len(lines) / columns)
    grid = canvas.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
    cells = list(grid.flat)
    behind = None if curves.separate else curves.lines[0]
    for axes, line in zip(cells, lines, strict=False):
        if behind is not None and line is not behind:
            axes.plot(behind.x, behind.y, color=style.GREY, linewidth=1.0, linestyle=(0, (3, 1.5)))
        _curve(axes, line, style.COLOURS[0], width=1.5)
        _frame(axes, curves)
        axes.set_title(style.folded(line.label), fontsize=8.5, pad=3)
    if curves.zero is not None:
        _sides(cells[0], curves)
    style.whole_ticks(cells[0].xaxis)
    for axes in cells[len(lines) :]:
        axes.set_visible(False)
    for at in range(max(0, len(lines) - columns), len(lines)):
        cells[at].tick_params(labelbottom=True)
    dashed = behind is not None and len(curves.lines) > 1
    more = f"\n(dashed: {behind.label})" if dashed and behind is not None else ""
    canvas.supxlabel(f"{curves.x_label}{more}", fontsize=9)
    canvas.supylabel(style.folded(curves.y_label, 30), fontsize=9)


# Heat maps: cells in colour with a text in each, and what the colours mean.

ON_LIGHT, ON_DARK = "#141414", "#ffffff"
LOW, MIDDLE, HIGH = "#00679f", "#f4f4f2", "#e69a00"
CELL, KEY = 0.27, 1.05  # inches: of a row, of all that is below the map
MOST_UPRIGHT, SHORT_NAME = 8, 3  # columns, and letters of a name, that leave room for upright names
LETTER, LINE = 0.085, 18  # inches of a letter of a turned name, letters of a line of it
RULING = 0.5  # points: of the light lines between fields, on any ground
TICKS = 5  # intervals of the key at most
UNIT_LINE = 52  # letters of a line below the key
LUMINANCE = (0.299, 0.587, 0.114)


def heat_map(canvas: Drawn, figure: HeatMap) -> None:
    """Cells in colour, a text in each, and what the colours mean below."""
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import LinearSegmentedColormap, Normalize

    rows, columns = len(figure.values), len(figure.values[0])
    crowded = columns > MOST_UPRIGHT and max(map(len, figure.x_names)) > SHORT_NAME
    x_names = [style.folded(name, LINE) for name in figure.x_names]
    below = LETTER * max(map(len, "\n".join(x_names).split("\n"))) if crowded else 0.2
    canvas.set_size_inches(style.WIDTH, CELL * rows + below + KEY)
    axes = canvas.add_subplot()
    ends = [LOW, MIDDLE, HIGH] if figure.low else [MIDDLE, HIGH]
    colours = LinearSegmentedColormap.from_list("map", ends)
    scale = Normalize(-figure.limit if figure.low else 0.0, figure.limit, clip=True)
    for y, (line, texts) in enumerate(zip(figure.values, figure.texts, strict=True)):
        for x, (value, text) in enumerate(zip(line, texts, strict=True)):
            if value is None:
                continue
            draw_cell(axes, (x, y), colours(scale(value)), text)
    if figure.low and figure.border:
        _border(axes, figure)
    axes.set_xlim(0, columns)
    axes.set_ylim(rows, 0)
    places = [x + 0.5 for x in range(columns)]
    axes.set_xticks(places, x_names, fontsize=8, rotation=90 if crowded else 0)
    axes.set_yticks([y + 0.5 for y in range(rows)], figure.y_names, fontsize=8)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.set_xlabel(figure.x_label)
    axes.set_ylabel(figure.y_label)
    _key(canvas, axes, figure, ScalarMappable(scale, colours))


def draw_cell(axes: Axes, at: tuple[int, int], face: Any, text: str, turned: int = 0) -> None:
    """A field of a map with a text. turned: its degrees."""
    x, y = at
    sides = [x, x + 1, x + 1, x], [y, y, y + 1, y + 1]
    axes.fill(*sides, facecolor=face, edgecolor=ON_DARK, linewidth=RULING, clip_on=False)
    looks: Any = {"ha": "center", "va": "center", "fontsize": 7.5, "rotation": turned}
    axes.text(x + 0.5, y + 0.5, text, color=ink_on(face), **looks)


def ink_on(face: Any) -> str:
    """The colour of writing on a colour."""
    light = sum(w * c for w, c in zip(LUMINANCE, face, strict=False))
    return ON_LIGHT if light > 0.5 else ON_DARK


def _border(axes: Axes, heat_map: HeatMap) -> None:
    """A line between neighbours of which one is better the one way, one the other."""
    signs = [[None if v is None else v > 0 for v in line] for line in heat_map.values]
    for y, line in enumerate(signs):
        for x, sign in enumerate(line):
            right = line[x + 1] if x + 1 < len(line) else None
            below = signs[y + 1][x] if y + 1 < len(signs) else None
            if None not in (sign, right) and sign != right:
                axes.plot([x + 1, x + 1], [y, y + 1], color=ON_LIGHT, linewidth=1.4)
            if None not in (sign, below) and sign != below:
                axes.plot([x, x + 1], [y + 1, y + 1], color=ON_LIGHT, linewidth=1.4)


def _key(canvas: Drawn, axes: Axes, heat_map: HeatMap, scale: Any) -> None:
    """The colours with what they mean."""
    from matplotlib.ticker import MaxNLocator

    bar = canvas.colorbar(
        scale, ax=axes, orientation="horizontal", shrink=0.85, aspect=34, pad=0.04
    )
    bar.locator = MaxNLocator(TICKS)
    bar.update_ticks()
    bar.outline.set_visible(False)
    bar.ax.tick_params(length=2, labelsize=8)
    bar.set_label(style.folded(heat_map.unit, UNIT_LINE), fontsize=8)
    sides = [(0, "left", heat_map.low), (1, "right", heat_map.high)] if heat_map.low else []
    for x, side, name in sides:
        label = f"{name} is better"
        bar.ax.annotate(
            label,
            (x, 1),
            xycoords="axes fraction",
            xytext=(0, 3),
            textcoords="offset points",
            ha=side,
            fontsize=8,
            color=style.INK,
        )
