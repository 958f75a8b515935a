"""Named points in a plane, in the colours and marks of their groups."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lama_odds.analysis.strategy_report.document import Spot, Spots
from lama_odds.report.figures.files import COLOURS, GREY, MARKERS
from lama_odds.report.figures.style import RULE, WIDTH

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawn

WIDER, HEIGHT = 0.9, 4.8  # inches: many names need room
SIZE = 7.5  # of names, points
AWAY = 4.5  # points from a mark to its name
LETTER = 0.62 * SIZE  # points that a letter takes, at most
KEY_AT = 0.79, 0.05  # of the lower right corner, which rising points leave

Box = tuple[float, float, float, float]  # left, right, bottom, top in points


def spots(canvas: Drawn, found: Spots) -> None:
    """Points with their intervals and names; each name beside its mark, where there is room."""
    from matplotlib.ticker import MaxNLocator

    canvas.set_size_inches(WIDTH + WIDER, HEIGHT)
    axes = canvas.add_subplot()
    groups = list(dict.fromkeys(spot.group for spot in found.spots))
    for spot in found.spots:
        at = groups.index(spot.group)
        colour = COLOURS[at % len(COLOURS)]
        axes.plot([spot.x, spot.x], [spot.low, spot.high], color=colour, linewidth=1.2)
        axes.plot([spot.x], [spot.y], MARKERS[at % len(MARKERS)], color=colour, markersize=4.5)
    axes.margins(x=0.08)
    axes.xaxis.set_major_locator(MaxNLocator("auto", steps=[1, 2, 5, 10], integer=True))
    axes.grid(axis="y", color=RULE, linewidth=0.6)
    axes.tick_params(length=2, labelsize=8)
    axes.set_xlabel(found.x_label)
    axes.set_ylabel(found.y_label)
    _names(axes, found, groups)
    _key(axes, found.key, groups)


def _names(axes: Axes, found: Spots, groups: list[str]) -> None:
    """The names, lowest first, where they hide no mark and no other name, if that can be."""
    axes.autoscale_view()  # marks have their places now
    scale = 72 / axes.figure.dpi
    centres = [scale * axes.transData.transform((spot.x, spot.y)) for spot in found.spots]
    taken: list[Box] = [(x - 3, x + 3, y - 3, y + 3) for x, y in centres]
    for spot, (x, y) in sorted(
        zip(found.spots, centres, strict=True), key=lambda pair: (pair[0].y, pair[0].x)
    ):
        choices = _places(spot, float(x), float(y))
        box, shift, side = min(choices, key=lambda choice: sum(_meet(choice[0], b) for b in taken))
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


def _places(spot: Spot, x: float, y: float) -> list[tuple[Box, tuple[float, float], str]]:
    """Where a name can stand beside its mark, the best first: its box, shift and alignment."""
    width = LETTER * len(spot.label)
    found: list[tuple[Box, tuple[float, float], str]] = []
    for up in (0.0, 0.9 * SIZE, -0.9 * SIZE, 1.8 * SIZE, -1.8 * SIZE):
        low, high = y + up - SIZE / 2, y + up + SIZE / 2
        found.append(((x + AWAY, x + AWAY + width, low, high), (AWAY, up), "left"))
        found.append(((x - AWAY - width, x - AWAY, low, high), (-AWAY, up), "right"))
    return found


def _meet(a: Box, b: Box) -> bool:
    """Whether two boxes share any room."""
    return a[0] < b[1] and b[0] < a[1] and a[2] < b[3] and b[2] < a[3]


def _key(axes: Axes, title: str, groups: list[str]) -> None:
    """The groups with their marks; none if there is one."""
    if len(groups) < 2:
        return
    x, bottom = KEY_AT
    for at, name in enumerate([title, *groups]):
        colour = COLOURS[(at - 1) % len(COLOURS)] if at else GREY
        y = bottom + 0.05 * (len(groups) - at)
        axes.annotate(
            name, (x, y), xycoords="axes fraction", va="center", fontsize=8.5, color=colour
        )
        if at:
            mark = MARKERS[(at - 1) % len(MARKERS)]
            axes.plot([x - 0.02], [y], mark, color=colour, markersize=4.5, transform=axes.transAxes)
