"""Named points in a plane, in the colours and marks of their groups."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lama_odds.analysis.strategy_report.document import Spot, Spots
from lama_odds.report.figures.dots import group_names
from lama_odds.report.figures.files import COLOURS, MARKERS
from lama_odds.report.figures.style import RULE, WIDTH, whole_ticks

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawn

HEIGHT = 5.2  # inches: many names need room
SIZE = 7.5  # of names, points
AWAY = 4.5  # points from a mark to its name
LETTER = 0.62 * SIZE  # points that a letter takes, at most

Box = tuple[float, float, float, float]  # left, right, bottom, top in points


def spots(canvas: Drawn, found: Spots) -> None:
    """Points with their intervals and names; each name beside its mark, where there is room."""
    canvas.set_size_inches(WIDTH, HEIGHT)
    axes = canvas.add_subplot()
    groups = list(dict.fromkeys(spot.group for spot in found.spots))
    for spot in found.spots:
        at = groups.index(spot.group)
        colour = COLOURS[at % len(COLOURS)]
        axes.plot([spot.x, spot.x], [spot.low, spot.high], color=colour, linewidth=1.2)
        axes.plot([spot.x], [spot.y], MARKERS[at % len(MARKERS)], color=colour, markersize=4.5)
    axes.margins(x=0.08)
    whole_ticks(axes.xaxis)
    axes.grid(axis="y", color=RULE, linewidth=0.6)
    axes.tick_params(length=2, labelsize=8)
    axes.set_xlabel(found.x_label)
    axes.set_ylabel(found.y_label)
    if len(groups) > 1:
        group_names(axes, groups, found.key)
    _names(axes, found, groups)


def _names(axes: Axes, found: Spots, groups: list[str]) -> None:
    """The names, lowest first, where they hide no mark and no other name, if that can be."""
    axes.figure.draw_without_rendering()  # type: ignore[union-attr]  # all have their places now
    scale = 72 / axes.figure.dpi
    room = axes.get_window_extent()
    ends = scale * room.x0, scale * room.x1
    marks = [scale * axes.transData.transform((spot.x, spot.y)) for spot in found.spots]
    tips = [
        scale * axes.transData.transform([(spot.x, spot.low), (spot.x, spot.high)])
        for spot in found.spots
    ]
    taken: list[Box] = [(x - 3, x + 3, y - 3, y + 3) for x, y in marks]
    taken += [(x - 1, x + 1, low, high) for (x, low), (_, high) in tips]
    for spot, (x, y) in sorted(
        zip(found.spots, marks, strict=True), key=lambda pair: (pair[0].y, pair[0].x)
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
            color=COLOURS[groups.index(spot.group) % len(COLOURS)],
        )


def _hidden(box: Box, taken: list[Box], ends: tuple[float, float]) -> float:
    """The area that a box would hide, in square points, plus a penalty for leaving the figure."""
    out = max(0.0, ends[0] - box[0]) + max(0.0, box[1] - ends[1])
    return sum(_meet(box, other) for other in taken) + SIZE * out


def _places(spot: Spot, x: float, y: float) -> list[tuple[Box, tuple[float, float], str]]:
    """Possible places of a name next to its mark, best first: its box, shift and alignment."""
    width = LETTER * len(spot.label)
    found: list[tuple[Box, tuple[float, float], str]] = []
    for up in (SIZE * step for step in (0.0, 0.6, -0.6, 1.2, -1.2, 1.8, -1.8)):
        low, high = y + up - SIZE / 2, y + up + SIZE / 2
        found.append(((x + AWAY, x + AWAY + width, low, high), (AWAY, up), "left"))
        found.append(((x - AWAY - width, x - AWAY, low, high), (-AWAY, up), "right"))
    return found


def _meet(a: Box, b: Box) -> float:
    """The room that two boxes share."""
    return max(0.0, min(a[1], b[1]) - max(a[0], b[0])) * max(0.0, min(a[3], b[3]) - max(a[2], b[2]))
