"""Values with their intervals beside their names, and bars."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lama_odds.analysis.strategy_report.document import Bars, Dots
from lama_odds.report.figures.files import COLOURS, MARKERS
from lama_odds.report.figures.style import RULE, WIDTH, folded, in_per_cent, mark_line

ABOVE, NAME_STEP = 0.28, 0.19  # inches above the axes of the last name, and from one to the next

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawn


def dots(canvas: Drawn, found: Dots) -> None:
    """Values with their intervals, a line for each name, groups side by side in colours."""
    groups = groups_of(found)
    canvas.set_size_inches(WIDTH, height_of(found) + 0.2 * (len(groups) > 1))
    axes = canvas.add_subplot()
    dots_on(axes, found)
    if len(groups) > 1:
        _group_names(axes, groups)


def height_of(found: Dots) -> float:
    """How high it is, in inches."""
    return 0.3 * _step(groups_of(found)) * len(names_of(found)) + 0.75


def names_of(found: Dots) -> list[str]:
    """The names, in order."""
    return list(dict.fromkeys(dot.label for dot in found.dots))


def groups_of(found: Dots) -> list[str]:
    """The groups, in order."""
    return list(dict.fromkeys(dot.group for dot in found.dots))


def _step(groups: Sequence[str]) -> float:
    """From one name to the next."""
    return 1.0 if len(groups) < 3 else 0.45 * len(groups)


def dots_on(axes: Axes, found: Dots) -> None:
    """The same on axes that are there."""
    names, groups = names_of(found), groups_of(found)
    step = _step(groups)
    for dot in found.dots:
        group = groups.index(dot.group)
        shift = (group - (len(groups) - 1) / 2) * step * 0.7 / len(groups)
        y = names.index(dot.label) * step + shift
        colour = COLOURS[group % len(COLOURS)]
        if found.bars:
            axes.barh(y, dot.value, height=0.34, color=colour, alpha=0.35, linewidth=0)
        axes.plot([dot.low, dot.high], [y, y], color=colour, linewidth=2.2, solid_capstyle="butt")
        if not found.bars:
            mark = MARKERS[group % len(MARKERS)]
            axes.plot([dot.value], [y], mark, color=colour, markersize=5, clip_on=False)
        if len(groups) == 1:
            _value_beside(axes, found, dot.value, dot.high, y)
    if found.reference is not None:
        mark_line(axes, found.reference, found.reference_name)
    axes.set_ylim((len(names) - 0.5) * step, -0.5 * step)
    axes.set_yticks([at * step for at in range(len(names))], [folded(name) for name in names])
    axes.tick_params(length=0, labelsize=8.5)
    axes.spines["left"].set_visible(False)
    axes.grid(axis="y", color=RULE, linewidth=0.6)
    axes.margins(x=0.12)
    if found.bars:
        axes.set_xlim(0, 1)
        axes.set_xticks([0, 1])
    elif found.share and min(dot.low for dot in found.dots) >= 0:
        axes.set_xlim(left=max(0.0, axes.get_xlim()[0]))
    if found.share:
        in_per_cent(axes.xaxis)
    axes.set_xlabel(found.x_label)


def _value_beside(axes: Axes, found: Dots, value: float, high: float, y: float) -> None:
    text = f"{100 * value:.1f} %" if found.share else f"{value:.2f}"
    text = text.replace("-", "−")
    axes.annotate(
        text, (high, y), xytext=(5, 1), textcoords="offset points", va="bottom", fontsize=8
    )


def _group_names(axes: Axes, groups: Sequence[str]) -> None:
    """Names of the groups in their colours and with their marks, above the figure."""
    from matplotlib.transforms import ScaledTranslation

    for at, group in enumerate(groups):
        colour = COLOURS[at % len(COLOURS)]
        up = ABOVE + NAME_STEP * (len(groups) - 1 - at)
        place = ScaledTranslation(0.08, up, axes.figure.dpi_scale_trans)
        axes.plot(
            [0],
            [1],
            MARKERS[at % len(MARKERS)],
            color=colour,
            markersize=5,
            transform=axes.transAxes + place,
            clip_on=False,
        )
        axes.annotate(
            group,
            (0, 1),
            xycoords=axes.transAxes + place,
            xytext=(7, 0),
            textcoords="offset points",
            va="center",
            fontsize=8.5,
            color=colour,
            annotation_clip=False,
        )


def bars(canvas: Drawn, found: Bars) -> None:
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
    in_per_cent(axes.yaxis)
    axes.set_xlabel(found.x_label)
    axes.set_ylabel(found.y_label)
