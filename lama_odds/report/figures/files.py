"""Figures: one style for all, and their files. matplotlib is loaded when first needed."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lama_odds.core.errors import ReadError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Okabe & Ito (2008), "Color universal design": told apart by the colour-blind too. Their orange
# is darker here and their black a grey, so that lines are seen on a dark page too.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#B8860B", "#56B4E9", "#888888")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
FORMATS = ("svg", "png")
STYLE: Any = {
    "font.size": 9,
    "font.family": "DejaVu Sans",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 11,
    "axes.titlelocation": "left",
    "axes.axisbelow": True,
    "svg.fonttype": "none",
    "svg.hashsalt": "lama-odds",  # the same figure is the same file
}
GREY = "#777777"
TITLE_GAP = 0.1  # inches


def check_format(path: Path) -> str:
    """The format that a file's suffix names; ReadError for another than FORMATS."""
    suffix = path.suffix.lower().removeprefix(".")
    if suffix not in FORMATS:
        raise ReadError(f"{path}: found suffix {path.suffix!r}, expected .svg or .png")
    return suffix


def drawn(figure: Figure, format_: str, title: str = "") -> bytes:
    """A figure as the content of a file, without a date; title: above all that is in it."""
    content = io.BytesIO()
    metadata = {"Date": None} if format_ == "svg" else {"Software": None}
    if title:
        figure.draw_without_rendering()
        figure.set_layout_engine("none")  # all has its place now
        inside = figure.get_tightbbox()  # in inches
        width, height = figure.get_size_inches()
        place = inside.x0 / width, (inside.y1 + TITLE_GAP) / height
        # Not mathematics, whatever a position may hold.
        figure.text(*place, title, fontsize=11, va="bottom", parse_math=False)
    figure.savefig(content, format=format_, dpi=160, bbox_inches="tight", metadata=metadata)
    return content.getvalue()
