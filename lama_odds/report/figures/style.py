"""The common style of all figures in reports: colours, sizes, axes, names and percentages.

Lines carry their names, and bands are intervals. The colours are Okabe & Ito's, which colour-blind
readers can distinguish too. Blue is darker than orange, so maps can be printed in grey.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from lama_odds.report.figures.files import COLOURS, GREY, STYLE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Inches: at this width letters can be read on a phone without scrolling; WIDE is for figures that
# have several columns whatever they are shown on.
WIDTH, WIDE = 4.0, 6.4
INK, RULE = "#1b1b1b", "#dddddd"
PAGE_STYLE: Any = STYLE | {
    "axes.edgecolor": INK,
    "figure.constrained_layout.use": True,
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
    COLOURS[3].lower(): "#e29ac6",
    COLOURS[4].lower(): "#f0b93a",
}
LONG_NAME = 24


def folded(name: str, most: int = LONG_NAME) -> str:
    """A long name in several lines, broken after colons, commas and words."""
    lines = [""]
    for part in re.findall(r"[^:, ]+[:, ]*", name) if len(name) > most else [name]:
        if lines[-1] and len(lines[-1]) + len(part.rstrip()) > most:
            lines.append("")
        lines[-1] += part
    return "\n".join(line.rstrip() for line in lines)


def whole_ticks(axis: Any) -> None:
    """Ticks at whole numbers only."""
    from matplotlib.ticker import MaxNLocator

    axis.set_major_locator(MaxNLocator("auto", steps=[1, 2, 5, 10], integer=True))
    axis.set_major_formatter(lambda value, _: f"{value:.0f}".replace("-", "−"))


def in_per_cent(axis: Any, bare: bool = False) -> None:
    """Chances as per cent; bare: differences of them, whose label names the unit."""
    sign = "" if bare else " %"
    axis.set_major_formatter(lambda value, _: f"{100 * value:.4g}{sign}".replace("-", "−"))


def mark_line(axes: Axes, at: float, text: str) -> None:
    """An upright dashed line to compare with, its name above it."""
    axes.axvline(at, color=GREY, linewidth=1.0, linestyle=(0, (3, 2)), zorder=0)
    axes.annotate(
        text,
        (at, 1),
        xycoords=("data", "axes fraction"),
        xytext=(0, 2),
        textcoords="offset points",
        ha="center",
        fontsize=8,
        color=GREY,
    )
