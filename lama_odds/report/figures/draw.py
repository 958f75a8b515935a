"""Figures of a strategy report, from their data, as files or within a page: one style for all."""

from __future__ import annotations

import base64
import multiprocessing
import os
import signal
import threading
from collections.abc import Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from types import TracebackType
from typing import Self

from lama_odds.analysis.strategy_report import document as doc
from lama_odds.report.figures.curves import curves, heat_map, panels
from lama_odds.report.figures.dots import bars, beside, dots, spots
from lama_odds.report.figures.style import DARK, PAGE_STYLE, drawn, slim

FONTS = "'DejaVu Sans', Verdana, 'Segoe UI', Roboto, sans-serif"


def draw(figure: doc.Figure, format_: str, titled: bool = False) -> bytes:
    """A figure as the content of a file, ``svg`` or ``png``.

    titled: with its title above it, for a file of its own; a page has its own title.
    """
    from matplotlib import rc_context
    from matplotlib.figure import Figure as Canvas

    style = PAGE_STYLE if format_ == "svg" else PAGE_STYLE | {"figure.facecolor": "white"}
    with rc_context(style):
        canvas = Canvas()
        if isinstance(figure, doc.HeatMap):
            heat_map(canvas, figure)
        elif isinstance(figure, doc.Curves):
            (panels if figure.panels else curves)(canvas, figure)
        elif isinstance(figure, doc.Dots):
            dots(canvas, figure)
        elif isinstance(figure, doc.Spots):
            spots(canvas, figure)
        elif isinstance(figure, doc.Beside):
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


# Figures of a report, drawn in processes of their own while later sections are computed.

MOST_PROCESSES = 2  # more wait for what is to be drawn


class Drawing:
    """Draws figures in processes of their own while the program works; use it as a context.

    images: the formats to draw, ``svg`` or ``png`` or both.
    processors: how many may be used. With one, or if no process can be started, figures are
    drawn in this process when they are fetched. The bytes are the same.
    """

    def __init__(self, images: Sequence[str], processors: int = 1) -> None:
        self._images = tuple(images)
        self._pool = _processes(min(processors, MOST_PROCESSES)) if processors > 1 else None
        self._begun: dict[tuple[str, str], Future[bytes]] = {}

    def begin(self, section: doc.Section) -> None:
        """Have the figures of a section drawn."""
        if self._pool is None:
            return
        try:
            for figure in section.figures:
                for image in self._images:
                    self._begun[figure.name, image] = self._pool.submit(draw, figure, image)
        except (BrokenProcessPool, OSError):
            self._pool = None

    def fetch(self, figure: doc.Figure, image: str) -> bytes:
        """The content of a figure's file, once it is drawn."""
        begun = self._begun.pop((figure.name, image), None)
        try:
            return draw(figure, image) if begun is None else begun.result()
        except BrokenProcessPool:  # killed from outside, say
            return draw(figure, image)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)


def _processes(number: int) -> ProcessPoolExecutor | None:
    """Fresh processes: a forked one would hold locks of threads that do not exist in it."""
    fresh = multiprocessing.get_context("spawn")
    try:
        return ProcessPoolExecutor(number, mp_context=fresh, initializer=_prepare)
    except (NotImplementedError, OSError):  # no semaphores, say
        return None


def _prepare() -> None:
    """Leave Ctrl-C to the parent process, and end with it, even if it is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    asking = multiprocessing.parent_process()

    def end_with() -> None:
        if asking is not None:
            asking.join()
            os._exit(1)

    threading.Thread(target=end_with, daemon=True).start()
