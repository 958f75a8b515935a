"""Figures of a strategy report, from their data, as files or within a page: one style for all."""

from __future__ import annotations

import base64

from lama_odds.analysis.strategy_report.document import Beside, Curves, Dots, Figure, HeatMap, Spots
from lama_odds.report.figures.curves import curves, heat_map, panels
from lama_odds.report.figures.dots import bars, beside, dots, spots
from lama_odds.report.figures.style import DARK, PAGE_STYLE, drawn, slim

FONTS = "'DejaVu Sans', Verdana, 'Segoe UI', Roboto, sans-serif"


def draw(figure: Figure, format_: str, titled: bool = False) -> bytes:
    """A figure as the content of a file, ``svg`` or ``png``.

    titled: with its title above it, for a file of its own; a page has its own title.
    """
    from matplotlib import rc_context
    from matplotlib.figure import Figure as Canvas

    style = PAGE_STYLE if format_ == "svg" else PAGE_STYLE | {"figure.facecolor": "white"}
    with rc_context(style):
        canvas = Canvas()
        if isinstance(figure, HeatMap):
            heat_map(canvas, figure)
        elif isinstance(figure, Curves):
            (panels if figure.panels else curves)(canvas, figure)
        elif isinstance(figure, Dots):
            dots(canvas, figure)
        elif isinstance(figure, Spots):
            spots(canvas, figure)
        elif isinstance(figure, Beside):
            beside(canvas, figure)
        else:
            bars(canvas, figure)
        content = drawn(canvas, format_, figure.title if titled else "")
    if format_ == "svg":
        content = slim(content)
    return on_paper(content) if titled and format_ == "svg" else content


def on_paper(svg: bytes) -> bytes:
    """An SVG with a white background, for a file: readable on any ground."""
    end = svg.index(b">", svg.index(b"<svg")) + 1
    return svg[:end] + b'\n <rect width="100%" height="100%" fill="#ffffff"/>' + svg[end:]


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
