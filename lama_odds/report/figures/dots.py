"""Values with their intervals beside their names, and bars."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lama_odds.analysis.strategy_report import document as doc
from lama_odds.report.figures import style
from lama_odds.report.figures.curves import HEIGHT, curves_on, panels_height, panels_on

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawn


TICKS = 5  # intervals of an axis at most
LABEL_LINE = 42  # letters of a line below an axis
MOST_BAR_NAMES = 14
ABOVE, NAME_STEP = 0.28, 0.19  # inches above the axes of the last name, and from one to the next


def dots(canvas: Drawn, figure: doc.Dots) -> None:
    """Values with their intervals, a line for each name, groups side by side in colours."""
    groups = groups_of(figure)
    canvas.set_size_inches(
        style.WIDTH, height_of(figure) + NAME_STEP * len(groups) * (len(groups) > 1)
    )
    axes = canvas.add_subplot()
    dots_on(axes, figure)
    if len(groups) > 1:
        group_names(axes, groups)


def height_of(dots: doc.Dots) -> float:
    """How high it is, in inches."""
    lines = sum(1 + 0.5 * style.folded(name).count("\n") for name in names_of(dots))
    return 0.3 * _row_height(groups_of(dots)) * lines + 0.75


def names_of(dots: doc.Dots) -> list[str]:
    """The names, in order."""
    return list(dict.fromkeys(dot.label for dot in dots.dots))


def groups_of(dots: doc.Dots) -> list[str]:
    """The groups, in order."""
    return list(dict.fromkeys(dot.group for dot in dots.dots))


def _row_height(groups: Sequence[str]) -> float:
    """Return the distance between two names, in rows of one group."""
    return 1.0 if len(groups) < 3 else 0.45 * len(groups)


def dots_on(axes: Axes, dots: doc.Dots) -> None:
    """The same on axes that are there."""
    names, groups = names_of(dots), groups_of(dots)
    step = _row_height(groups)
    for dot in dots.dots:
        group = groups.index(dot.group)
        shift = (group - (len(groups) - 1) / 2) * step * 0.7 / len(groups)
        y = names.index(dot.label) * step + shift
        colour = style.COLOURS[group % len(style.COLOURS)]
        if dots.bars:
            axes.barh(y, dot.value, height=0.34, color=colour, alpha=0.35, linewidth=0)
        axes.plot([dot.low, dot.high], [y, y], color=colour, linewidth=2.2, solid_capstyle="butt")
        if not dots.bars:
            mark = style.MARKERS[group % len(style.MARKERS)]
            axes.plot([dot.value], [y], mark, color=colour, markersize=5, clip_on=False)
        if len(groups) == 1:
            _value_beside(axes, dots, dot, y)
        elif (dot.label, dot.group) == dots.noted:
            _note(axes, dots, dot, y, colour)
    if dots.reference is not None:
        style.mark_line(axes, dots.reference, dots.reference_name)
    axes.set_ylim((len(names) - 0.5) * step, -0.5 * step)
    axes.set_yticks([at * step for at in range(len(names))], [style.folded(name) for name in names])
    axes.tick_params(length=0, labelsize=8.5)
    axes.spines["left"].set_visible(False)
    axes.grid(axis="y", color=style.RULE, linewidth=0.6)
    axes.margins(x=0.12)
    _scale(axes, dots)
    axes.set_xlabel(style.folded(dots.x_label, LABEL_LINE))


def _scale(axes: Axes, dots: doc.Dots) -> None:
    """The axis of the values: its ends and its ticks."""
    if dots.bars:
        axes.set_xlim(0, 1)
        axes.set_xticks([0, 1])
    elif dots.share and min(dot.low for dot in dots.dots) >= 0:
        axes.set_xlim(left=max(0.0, axes.get_xlim()[0]))
    if dots.share:
        style.in_per_cent(axes.xaxis)
    elif is_whole(dots):
        style.whole_ticks(axes.xaxis)
    if not dots.bars and not is_whole(dots):
        axes.locator_params(axis="x", nbins=TICKS)


def is_whole(dots: doc.Dots) -> bool:
    """Whether all values and ends are whole numbers."""
    numbers = (x for dot in dots.dots for x in (dot.value, dot.low, dot.high))
    return not dots.share and all(float(x).is_integer() for x in numbers)


def _note(axes: Axes, dots: doc.Dots, dot: doc.Dot, y: float, colour: str) -> None:
    """The value of one dot of several groups, above it."""
    axes.annotate(
        _in_figures(dots, dot),
        (dot.value, y),
        xytext=(0, 4),
        textcoords="offset points",
        ha="center",
        va="bottom",
        fontsize=9,
        fontweight="bold",
        color=colour,
    )


def _in_figures(dots: doc.Dots, dot: doc.Dot) -> str:
    """The value of a dot as it is written out."""
    digits = 0 if is_whole(dots) else 2
    text = f"{100 * dot.value:.1f} %" if dots.share else f"{dot.value:.{digits}f}"
    return text.replace("-", "−")


def _value_beside(axes: Axes, dots: doc.Dots, dot: doc.Dot, y: float) -> None:
    """The value in figures: right of all dots, where nothing crosses it; of a bar at its end."""
    noted = (dot.label, dot.group) == dots.noted
    axes.annotate(
        _in_figures(dots, dot),
        (dot.high if dots.bars else 1.0, y),
        xycoords="data" if dots.bars else ("axes fraction", "data"),
        xytext=(5, 1) if dots.bars else (6, 0),
        textcoords="offset points",
        va="bottom" if dots.bars else "center",
        fontsize=9 if noted else 8,
        fontweight="bold" if noted else "normal",
        annotation_clip=False,
    )


def group_names(axes: Axes, groups: Sequence[str], title: str = "") -> None:
    """Names of the groups in their colours and with their marks, above the figure.

    title: put before each of them.
    """
    from matplotlib.transforms import ScaledTranslation

    for at, group in enumerate(groups):
        colour = style.COLOURS[at % len(style.COLOURS)]
        up = ABOVE + NAME_STEP * (len(groups) - 1 - at)
        place = ScaledTranslation(0.08, up, axes.figure.dpi_scale_trans)
        axes.plot(
            [0],
            [1],
            style.MARKERS[at % len(style.MARKERS)],
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


def bars(canvas: Drawn, figure: doc.Bars) -> None:
    """Bars from 0, the highest with its value."""
    canvas.set_size_inches(style.WIDTH, 2.4)
    axes = canvas.add_subplot()
    axes.bar(range(len(figure.x)), figure.y, width=0.8, color=style.COLOURS[0])
    top = max(range(len(figure.y)), key=lambda at: figure.y[at])
    axes.annotate(
        f"{100 * figure.y[top]:.1f} %",
        (top, figure.y[top]),
        xytext=(0, 2),
        textcoords="offset points",
        ha="center",
        fontsize=8,
    )
    step = next(s for s in (1, 2, 5, 10, 20, 50) if len(figure.x) <= s * MOST_BAR_NAMES)
    named = [at for at, name in enumerate(figure.x) if step == 1 or _is_round(name, step)]
    axes.set_xticks(named, [figure.x[at].replace("-", "−") for at in named], fontsize=8)
    axes.tick_params(length=0, labelsize=8)
    axes.grid(axis="y", color=style.RULE, linewidth=0.6)
    axes.spines["left"].set_visible(False)
    axes.set_ylim(0, 1.1 * max(figure.y))
    style.in_per_cent(axes.yaxis)
    axes.set_xlabel(figure.x_label)
    axes.set_ylabel(figure.y_label)


def _is_round(name: str, step: int) -> bool:
    """Whether a bar gets a name if there is no room for all names."""
    return not name.lstrip("-").isdigit() or int(name) % step == 0


# Named points in a plane, in the colours and marks of their groups.

SPOTS_HEIGHT = 5.2  # inches: many names need room
SIZE = 7.5  # of names, points
AWAY = 4.5  # points from a mark to its name
LETTER = 0.62 * SIZE  # points that a letter takes, at most

Box = tuple[float, float, float, float]  # left, right, bottom, top in points


def spots(canvas: Drawn, figure: doc.Spots) -> None:
    """Points with their intervals and names; each name beside its mark, where there is room."""
    canvas.set_size_inches(style.WIDTH, SPOTS_HEIGHT)
    axes = canvas.add_subplot()
    groups = list(dict.fromkeys(spot.group for spot in figure.spots))
    for spot in figure.spots:
        at = groups.index(spot.group)
        colour = style.COLOURS[at % len(style.COLOURS)]
        axes.plot([spot.x, spot.x], [spot.low, spot.high], color=colour, linewidth=1.2)
        axes.plot(
            [spot.x], [spot.y], style.MARKERS[at % len(style.MARKERS)], color=colour, markersize=4.5
        )
    axes.margins(x=0.08)
    style.whole_ticks(axes.xaxis)
    axes.grid(axis="y", color=style.RULE, linewidth=0.6)
    axes.tick_params(length=2, labelsize=8)
    axes.set_xlabel(figure.x_label)
    axes.set_ylabel(figure.y_label)
    if len(groups) > 1:
        group_names(axes, groups, figure.key)
    _names(axes, figure, groups)


def _names(axes: Axes, spots: doc.Spots, groups: list[str]) -> None:
    """The names, lowest first, where they hide no mark and no other name, if that can be."""
    axes.figure.draw_without_rendering()  # type: ignore[union-attr]  # all have their places now
    scale = 72 / axes.figure.dpi
    room = axes.get_window_extent()
    ends = scale * room.x0, scale * room.x1
    marks = [scale * axes.transData.transform((spot.x, spot.y)) for spot in spots.spots]
    tips = [
        scale * axes.transData.transform([(spot.x, spot.low), (spot.x, spot.high)])
        for spot in spots.spots
    ]
    taken: list[Box] = [(x - 3, x + 3, y - 3, y + 3) for x, y in marks]
    taken += [(x - 1, x + 1, low, high) for (x, low), (_, high) in tips]
    for spot, (x, y) in sorted(
        zip(spots.spots, marks, strict=True), key=lambda pair: (pair[0].y, pair[0].x)
    ):
        choices = _places(spot, float(x), float(y))
        box, shift, side = min(choices, key=lambda choice: _hidden(choice[0], taken, ends))
        taken.append(box)
        axes.annotate(
            spot.label,
            (spot.x, spot.y),
            xytext=shift,
            textcoords="offset points",
            ha=side,
            va="center",
            fontsize=SIZE,
            color=style.COLOURS[groups.index(spot.group) % len(style.COLOURS)],
        )


def _hidden(box: Box, taken: list[Box], ends: tuple[float, float]) -> float:
    """The area that a box would hide, in square points, plus a penalty for leaving the figure."""
    out = max(0.0, ends[0] - box[0]) + max(0.0, box[1] - ends[1])
    return sum(_meet(box, other) for other in taken) + SIZE * out


def _places(spot: doc.Spot, x: float, y: float) -> list[tuple[Box, tuple[float, float], str]]:
    """Possible places of a name next to its mark, best first: its box, shift and alignment."""
    width = LETTER * len(spot.label)
    places: list[tuple[Box, tuple[float, float], str]] = []
    for up in (SIZE * step for step in (0.0, 0.6, -0.6, 1.2, -1.2, 1.8, -1.8)):
        low, high = y + up - SIZE / 2, y + up + SIZE / 2
        places.append(((x + AWAY, x + AWAY + width, low, high), (AWAY, up), "left"))
        places.append(((x - AWAY - width, x - AWAY, low, high), (-AWAY, up), "right"))
    return places


def _meet(a: Box, b: Box) -> float:
    """The room that two boxes share."""
    return max(0.0, min(a[1], b[1]) - max(a[0], b[0])) * max(0.0, min(a[3], b[3]) - max(a[2], b[2]))


# Several figures in one: curves below each other, dots of the same names, bars side by side.

FIRST = 1.5  # width of the first of dots, against each of the others
TITLE, TITLE_LINE = 0.3, 40  # inches, letters
LOWER = 0.4  # inches that each of several curves is lower than one alone


def beside(canvas: Drawn, figure: doc.Beside) -> None:
    """Draw every part in its place, with its title above it."""
    if any(isinstance(part, doc.Dots) and part.bars for part in figure.parts):
        _in_a_row(canvas, figure)
    else:
        _below_each_other(canvas, figure)


def _in_a_row(canvas: Drawn, figure: doc.Beside) -> None:
    """Dots and bars in one row, their names once at the left."""
    parts = [part for part in figure.parts if isinstance(part, doc.Dots)]
    canvas.set_layout_engine("constrained", w_pad=0.06, wspace=0.06)
    canvas.set_size_inches(style.WIDE, height_of(parts[0]) + 0.2)
    widths = [FIRST] + [1.0] * (len(parts) - 1)
    cells = canvas.subplots(1, len(parts), squeeze=False, width_ratios=widths, sharey="row").flat
    for at, (axes, part) in enumerate(zip(cells, parts, strict=True)):
        dots_on(axes, part)
        axes.tick_params(axis="y", labelleft=at == 0)
        if not part.bars:
            axes.margins(x=0.25)
        axes.set_title(part.title, fontsize=9, pad=4)


def _below_each_other(canvas: Drawn, figure: doc.Beside) -> None:
    """Every part over the whole width; panels in two columns, which pages show one by one."""
    panels = all(isinstance(part, doc.Curves) and part.panels for part in figure.parts)
    columns = min(2, len(figure.parts)) if panels else 1
    heights = [_height(part) for part in figure.parts]
    rows = [max(heights[at : at + columns]) for at in range(0, len(heights), columns)]
    canvas.set_size_inches(columns * style.WIDTH, sum(rows))
    places = canvas.subfigures(len(rows), columns, squeeze=False, height_ratios=rows)
    for place, part in zip(places.flat, figure.parts, strict=False):
        if isinstance(part, doc.Curves) and part.panels:
            panels_on(place, part)
            place.suptitle(part.title, fontsize=9.5, x=0.01, ha="left")
            continue
        axes = place.subplots()
        if isinstance(part, doc.Dots):
            dots_on(axes, part)
        else:
            curves_on(axes, part)
        axes.set_title(style.folded(part.title, TITLE_LINE), fontsize=9.5, pad=4)


def _height(part: doc.Curves | doc.Dots) -> float:
    """Inches of a part with its title."""
    if isinstance(part, doc.Dots):
        return height_of(part) + TITLE
    return (panels_height(part) if part.panels else HEIGHT - LOWER) + TITLE
