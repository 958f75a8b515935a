"""Figures of a strategy report, from their data: heat maps, curves, dots and bars in one style.

Lines carry their names, bands are intervals; colours are Okabe & Ito's, told apart by the
colour-blind too, and blue is darker than orange, so that maps can be printed in grey.
"""

from __future__ import annotations

import base64
import math
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lama_odds.analysis.report import Bars, Curves, Dots, Figure, HeatMap, Line
from lama_odds.report.plots import COLOURS, GREY, MARKERS, STYLE, drawn

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawn

WIDTH = 6.4  # inches
INK, RULE = "#1b1b1b", "#dddddd"
ON_LIGHT, ON_DARK = "#141414", "#ffffff"
LOW, MIDDLE, HIGH = "#00679f", "#f4f4f2", "#e69a00"
LUMINANCE = (0.299, 0.587, 0.114)
PAGE_STYLE: Any = STYLE | {
    "axes.edgecolor": INK,
    "axes.facecolor": "none",
    "axes.labelcolor": INK,
    "axes.linewidth": 0.8,
    "figure.facecolor": "none",
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
}
# What a page shows in the dark for the colours of a figure.
DARK = {
    INK: "#e8e8e8",
    GREY: "#a0a0a0",
    RULE: "#3c4047",
    COLOURS[0].lower(): "#56b0e8",
    COLOURS[1].lower(): "#f08a3c",
    COLOURS[2].lower(): "#2fc79a",
}
FONTS = "'DejaVu Sans', Verdana, 'Segoe UI', Roboto, sans-serif"
PANEL_COLUMNS = 3
LONG_NAME = 26


def draw(figure: Figure, format_: str) -> bytes:
    """A figure as the content of a file, ``svg`` or ``png``."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure as Canvas

    style = PAGE_STYLE if format_ == "svg" else PAGE_STYLE | {"figure.facecolor": "white"}
    with rc_context(style):
        canvas = Canvas()
        if isinstance(figure, HeatMap):
            _heat_map(canvas, figure)
        elif isinstance(figure, Curves):
            (_panels if figure.panels else _curves)(canvas, figure)
        elif isinstance(figure, Dots):
            _dots(canvas, figure)
        else:
            _bars(canvas, figure)
        return drawn(canvas, format_)


def folded(name: str) -> str:
    """A long name in several lines, broken after colons and commas."""
    lines = [""]
    for part in re.findall(r"[^:,]+[:,]?", name) if len(name) > LONG_NAME else [name]:
        if lines[-1] and len(lines[-1]) + len(part) > LONG_NAME:
            lines.append("")
        lines[-1] += part
    return "\n".join(lines)


def embedded(svg: bytes) -> str:
    """An SVG as an address within a page: it follows the reader's dark mode."""
    text = svg.decode()
    text = text[text.index("<svg") :].replace("'DejaVu Sans'", FONTS)
    rules = [f"--c{at}: {colour}" for at, colour in enumerate(DARK.values())]
    for at, colour in enumerate(DARK):
        text = text.replace(colour, f"var(--c{at}, {colour})")
    end = text.index(">") + 1
    style = f"<style>@media screen and (prefers-color-scheme: dark){{:root{{{';'.join(rules)}}}}}"
    text = f"{text[:end]}{style}</style>{text[end:]}"
    return "data:image/svg+xml;base64," + base64.b64encode(text.encode()).decode()


def _heat_map(canvas: Drawn, found: HeatMap) -> None:
    """Cells in colour, a text in each, and what the colours mean below."""
    from matplotlib.colors import LinearSegmentedColormap

    rows, columns = len(found.values), len(found.values[0])
    width = max(WIDTH, 0.44 * columns + 0.8)
    canvas.set_size_inches(width, 0.34 * rows + 1.6)
    axes = canvas.add_subplot()
    colours = LinearSegmentedColormap.from_list("map", [LOW, MIDDLE, HIGH])
    for y, (line, texts) in enumerate(zip(found.values, found.texts, strict=True)):
        for x, (value, text) in enumerate(zip(line, texts, strict=True)):
            if value is None:
                continue
            part = 0.5 + 0.5 * max(-1.0, min(1.0, value / found.limit))
            face = colours(part)
            light = sum(w * c for w, c in zip(LUMINANCE, face, strict=False))
            axes.fill([x, x + 1, x + 1, x], [y, y, y + 1, y + 1], color=face, linewidth=0)
            ink = ON_LIGHT if light > 0.5 else ON_DARK
            axes.text(x + 0.5, y + 0.5, text, ha="center", va="center", fontsize=8, color=ink)
    _border(axes, found)
    axes.set_xlim(0, columns)
    axes.set_ylim(rows, 0)
    axes.set_xticks([x + 0.5 for x in range(columns)], found.x_names, fontsize=8)
    axes.set_yticks([y + 0.5 for y in range(rows)], found.y_names, fontsize=8)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.set_xlabel(found.x_label)
    axes.set_ylabel(found.y_label)
    _key(canvas, axes, found, colours)


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


def _key(canvas: Drawn, axes: Axes, found: HeatMap, colours: Any) -> None:
    """The colours with what they mean."""
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize

    scale = ScalarMappable(Normalize(-found.limit, found.limit), colours)
    # Room for the names of the columns, whatever the height of the map.
    pad = 0.72 / (0.34 * len(found.values) + 0.8)
    bar = canvas.colorbar(scale, ax=axes, orientation="horizontal", shrink=0.55, aspect=34, pad=pad)
    bar.outline.set_visible(False)
    bar.ax.tick_params(length=2, labelsize=8)
    bar.set_label(found.unit, fontsize=8)
    for x, side, name in ((0, "left", f"{found.low} is better"), (1, "right", found.high)):
        said = name if side == "left" else f"{name} is better"
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


def _curves(canvas: Drawn, found: Curves) -> None:
    """All curves in one figure, their names at their ends."""
    canvas.set_size_inches(WIDTH, 3.5)
    axes = canvas.add_subplot()
    for at, line in enumerate(found.lines):
        colour = COLOURS[at % len(COLOURS)]
        _curve(axes, line, colour, MARKERS[at % len(MARKERS)])
    _frame(axes, found)
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
    gap = 0.065 * (high - low)
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
        _in_per_cent(axes.yaxis)
    if found.zero is None:
        return
    axes.axhline(0, color=INK, linewidth=0.9)
    if words:
        for text, side, va in ((found.zero[1], 4, "bottom"), (found.zero[0], -4, "top")):
            axes.annotate(
                text,
                (1, 0),
                xycoords=("axes fraction", "data"),
                xytext=(0, side),
                textcoords="offset points",
                ha="right",
                va=va,
                fontsize=8,
                color=GREY,
            )


def _in_per_cent(axis: Any) -> None:
    axis.set_major_formatter(lambda value, _: f"{100 * value:.4g} %".replace("-", "−"))


def _panels(canvas: Drawn, found: Curves) -> None:
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


def _dots(canvas: Drawn, found: Dots) -> None:
    """Values with their intervals, a line for each name, groups side by side in colours."""
    names = list(dict.fromkeys(dot.label for dot in found.dots))
    groups = list(dict.fromkeys(dot.group for dot in found.dots))
    step = 1.0 if len(groups) < 3 else 0.45 * len(groups)
    canvas.set_size_inches(WIDTH, 0.3 * step * len(names) + 0.75 + 0.2 * (len(groups) > 1))
    axes = canvas.add_subplot()
    for dot in found.dots:
        group = groups.index(dot.group)
        shift = (group - (len(groups) - 1) / 2) * step * 0.7 / len(groups)
        y = names.index(dot.label) * step + shift
        colour = COLOURS[group % len(COLOURS)]
        axes.plot([dot.low, dot.high], [y, y], color=colour, linewidth=2.2, solid_capstyle="butt")
        axes.plot([dot.value], [y], MARKERS[group % len(MARKERS)], color=colour, markersize=5)
        if len(groups) == 1:
            _value_beside(axes, found, dot.value, dot.high, y)
    if found.reference is not None:
        _reference(axes, found)
    axes.set_ylim((len(names) - 0.5) * step, -0.5 * step)
    axes.set_yticks([at * step for at in range(len(names))], [folded(name) for name in names])
    axes.tick_params(length=0, labelsize=8.5)
    axes.spines["left"].set_visible(False)
    axes.grid(axis="y", color=RULE, linewidth=0.6)
    axes.margins(x=0.12)
    if found.share and min(dot.low for dot in found.dots) >= 0:
        axes.set_xlim(left=max(0.0, axes.get_xlim()[0]))
    if found.share:
        _in_per_cent(axes.xaxis)
    axes.set_xlabel(found.x_label)
    if len(groups) > 1:
        _group_names(axes, groups)


def _value_beside(axes: Axes, found: Dots, value: float, high: float, y: float) -> None:
    text = f"{100 * value:.1f} %" if found.share else f"{value:.2f}"
    axes.annotate(
        text, (high, y), xytext=(5, 1), textcoords="offset points", va="bottom", fontsize=8
    )


def _reference(axes: Axes, found: Dots) -> None:
    assert found.reference is not None
    axes.axvline(found.reference, color=GREY, linewidth=1.0, linestyle=(0, (3, 2)), zorder=0)
    axes.annotate(
        found.reference_name,
        (found.reference, 1),
        xycoords=("data", "axes fraction"),
        xytext=(0, 2),
        textcoords="offset points",
        ha="center",
        fontsize=8,
        color=GREY,
    )


def _group_names(axes: Axes, groups: Sequence[str]) -> None:
    """Names of the groups in their colours and with their marks, right of the figure."""
    for at, group in enumerate(groups):
        colour = COLOURS[at % len(COLOURS)]
        y = 1 - 0.19 * at / max(axes.figure.get_figheight() / 2.2, 0.6)  # type: ignore[union-attr]
        axes.plot(
            [1.03],
            [y],
            MARKERS[at % len(MARKERS)],
            color=colour,
            markersize=5,
            transform=axes.transAxes,
            clip_on=False,
        )
        axes.annotate(
            group,
            (1.055, y),
            xycoords="axes fraction",
            va="center",
            fontsize=8.5,
            color=colour,
            annotation_clip=False,
        )


def _bars(canvas: Drawn, found: Bars) -> None:
    """Bars from 0, the highest with its value."""
    canvas.set_size_inches(WIDTH, 2.6)
    axes = canvas.add_subplot()
    axes.bar(range(len(found.x)), found.y, width=0.8, color=COLOURS[0])
    top = max(range(len(found.y)), key=lambda at: found.y[at])
    axes.annotate(
        f"{100 * found.y[top]:.1f} %",
        (top, found.y[top]),
        xytext=(0, 2),
        textcoords="offset points",
        ha="center",
        fontsize=8,
    )
    axes.set_xticks(range(len(found.x)), found.x, fontsize=8)
    axes.tick_params(length=0, labelsize=8)
    axes.grid(axis="y", color=RULE, linewidth=0.6)
    axes.spines["left"].set_visible(False)
    axes.set_ylim(0, 1.1 * max(found.y))
    _in_per_cent(axes.yaxis)
    axes.set_xlabel(found.x_label)
    axes.set_ylabel(found.y_label)
