"""The common style of all figures in reports: colours, sizes, axes, names and percentages.

Lines carry their names, and bands are intervals. The colours are Okabe & Ito's, which colour-blind
readers can distinguish too. Blue is darker than orange, so maps can be printed in grey.
"""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lama_odds.core.errors import ReadError
from lama_odds.core.language import say

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


# Figures: one style for all, and their files. matplotlib is loaded when first needed.

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
TITLE_LETTER, SHORT_TITLE = 0.08, 40  # inches; letters of a line that is not folded


def check_format(path: Path) -> str:
    """The format that a file's suffix names; ReadError for another than FORMATS."""
    suffix = path.suffix.lower().removeprefix(".")
    if suffix not in FORMATS:
        suffix = repr(path.suffix)
        raise ReadError(
            say("{path}: found suffix {suffix}, expected .svg or .png", path=path, suffix=suffix)
        )
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
        most = max(SHORT_TITLE, int(inside.width / TITLE_LETTER))
        title = "\n".join(folded(line, most) for line in title.splitlines())
        # Not mathematics, whatever a position may hold.
        figure.text(*place, title, fontsize=11, va="bottom", parse_math=False)
    figure.savefig(content, format=format_, dpi=160, bbox_inches="tight", metadata=metadata)
    return content.getvalue()


# SVG as matplotlib writes it, made smaller: the same picture to a hundredth of a point.
#
# Styles that are written out at every element become classes; what nothing refers to is removed.

_METADATA = re.compile(r"\s*<metadata>.*?</metadata>", re.S)
_COMMENT = re.compile(r"\s*<!--.*?-->", re.S)
_UNTURNED = re.compile(r' transform="rotate\(-?0 [^)]*\)"')
_ID = re.compile(r' id="([^"]+)"')
_USED = re.compile(r'(?:url\(#|href="#)([^")]+)')
_TAG = re.compile(r"<[^>]*>")
_LONG = re.compile(r"-?\d+\.\d{3,}")
_STYLE = re.compile(r' style="([^"]*)"')
_PATH = re.compile(r' d="([^"]*)"')
_GROUP = re.compile(r"(<g(?: [^>]*)?>|</g>)\n?")
_EMPTY = re.compile(r"<g(?: [^>]*)?/>\s*")
_DIGITS = 2


def slim(svg: bytes) -> bytes:
    """The same picture in fewer bytes."""
    text = _COMMENT.sub("", _METADATA.sub("", svg.decode()))
    text = _UNTURNED.sub("", text)
    used = set(_USED.findall(text))
    text = _ID.sub(lambda match: match[0] if match[1] in used else "", text)
    # Within tags: what is written in the figure stays.
    text = _TAG.sub(lambda tag: _LONG.sub(lambda match: _rounded(match[0]), tag[0]), text)
    text = _PATH.sub(lambda match: f' d="{" ".join(match[1].split())}"', text)
    return _classed(_ungrouped(re.sub(r">\s+<", ">\n<", text))).encode()


def _rounded(number: str) -> str:
    """A number with no more digits than can be seen."""
    short = f"{float(number):.{_DIGITS}f}".rstrip("0").rstrip(".")
    return "0" if short == "-0" else short


def _ungrouped(text: str) -> str:
    """Without groups that have no attributes."""
    parts: list[str] = []
    kept: list[bool] = []
    for part in _GROUP.split(_EMPTY.sub("", text)):
        if part.startswith("<g"):
            kept.append(part != "<g>")
        if not part.startswith(("<g", "</g")) or kept[-1]:
            parts.append(part)
        if part == "</g>":
            kept.pop()
    return "".join(parts)


def _classed(text: str) -> str:
    """Replace styles that occur more than once by classes, in the order of their first use."""
    styles = _STYLE.findall(text)
    names = {
        style: f"s{at}"
        for at, style in enumerate(dict.fromkeys(s for s in styles if styles.count(s) > 1))
    }
    text = _STYLE.sub(
        lambda match: f' class="{names[match[1]]}"' if match[1] in names else match[0], text
    )
    rules = "".join(f".{name}{{{style}}}" for style, name in names.items())
    return text.replace("</style>", f"{rules}</style>", 1)


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
