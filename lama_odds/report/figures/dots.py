"""Values with their intervals beside their names, and bars."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lama_odds.analysis.strategy_report.document import Bars, Dot, Dots
from lama_odds.report.figures.files import COLOURS, MARKERS
from lama_odds.report.figures.style import (
    RULE,
    WIDTH,
    folded,
    in_per_cent,
    mark_line,
    whole_ticks,
)

TICKS = 5  # intervals of an axis at most
LABEL_LINE = 42  # letters of a line below an axis
MOST_BAR_NAMES = 14
ABOVE, NAME_STEP = 0.28, 0.19  # inches above the axes of the last name, and from one to the next

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawn


def dots(canvas: Drawn, found: Dots) -> None:
    """Values with their intervals, a line for each name, groups side by side in colours."""
    groups = groups_of(found)
    canvas.set_size_inches(WIDTH, height_of(found) + NAME_STEP * len(groups) * (len(groups) > 1))
    axes = canvas.add_subplot()
    dots_on(axes, found)
    if len(groups) > 1:
        group_names(axes, groups)


def height_of(found: Dots) -> float:
    """How high it is, in inches."""
    lines = sum(1 + 0.5 * folded(name).count("\n") for name in names_of(found))
    return 0.3 * _step(groups_of(found)) * lines + 0.75


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
            _value_beside(axes, found, dot, y)
    if found.reference is not None:
        mark_line(axes, found.reference, found.reference_name)
    axes.set_ylim((len(names) - 0.5) * step, -0.5 * step)
    axes.set_yticks([at * step for at in range(len(names))], [folded(name) for name in names])
    axes.tick_params(length=0, labelsize=8.5)
    axes.spines["left"].set_visible(False)
    axes.grid(axis="y", color=RULE, linewidth=0.6)
    axes.margins(x=0.12)
    _scale(axes, found)
    axes.set_xlabel(folded(found.x_label, LABEL_LINE))


def _scale(axes: Axes, found: Dots) -> None:
    """The axis of the values: its ends and its ticks."""
    if found.bars:
        axes.set_xlim(0, 1)
        axes.set_xticks([0, 1])
    elif found.share and min(dot.low for dot in found.dots) >= 0:
        axes.set_xlim(left=max(0.0, axes.get_xlim()[0]))
    if found.share:
        in_per_cent(axes.xaxis)
    elif is_whole(found):
        whole_ticks(axes.xaxis)
    if not found.bars and not is_whole(found):
        axes.locator_params(axis="x", nbins=TICKS)


def is_whole(found: Dots) -> bool:
    """Whether all values and ends are whole numbers."""
    numbers = (x for dot in found.dots for x in (dot.value, dot.low, dot.high))
    return not found.share and all(float(x).is_integer() for x in numbers)


def _value_beside(axes: Axes, found: Dots, dot: Dot, y: float) -> None:
    """The value in figures: right of all dots, where nothing crosses it; of a bar at its end."""
    digits = 0 if is_whole(found) else 2
    text = f"{100 * dot.value:.1f} %" if found.share else f"{dot.value:.{digits}f}"
    axes.annotate(
        text.replace("-", "−"),
        (dot.high if found.bars else 1.0, y),
        xycoords="data" if found.bars else ("axes fraction", "data"),
        xytext=(5, 1) if found.bars else (6, 0),
        textcoords="offset points",
        va="bottom" if found.bars else "center",
        fontsize=8,
        annotation_clip=False,
    )


def group_names(axes: Axes, groups: Sequence[str], title: str = "") -> None:
    """Names of the groups in their colours and with their marks, above the figure.

    title: put before each of them.
    """
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
            f"{title} {group}".strip(),
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
    canvas.set_size_inches(WIDTH, 2.4)
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
    step = next(s for s in (1, 2, 5, 10, 20, 50) if len(found.x) <= s * MOST_BAR_NAMES)
    named = [at for at, name in enumerate(found.x) if step == 1 or _is_round(name, step)]
    axes.set_xticks(named, [found.x[at].replace("-", "−") for at in named], fontsize=8)
    axes.tick_params(length=0, labelsize=8)
    axes.grid(axis="y", color=RULE, linewidth=0.6)
    axes.spines["left"].set_visible(False)
    axes.set_ylim(0, 1.1 * max(found.y))
    in_per_cent(axes.yaxis)
    axes.set_xlabel(found.x_label)
    axes.set_ylabel(found.y_label)


def _is_round(name: str, step: int) -> bool:
    """Whether a bar gets a name if there is no room for all names."""
    return not name.lstrip("-").isdigit() or int(name) % step == 0
