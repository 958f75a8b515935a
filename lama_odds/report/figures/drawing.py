"""Figures of a report, drawn in processes of their own while later sections are computed."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from types import TracebackType
from typing import Self

from lama_odds.analysis.strategy_report.document import Figure, Section
from lama_odds.report.figures.draw import draw

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

    def begin(self, section: Section) -> None:
        """Have the figures of a section drawn."""
        if self._pool is None:
            return
        try:
            for figure in section.figures:
                for image in self._images:
                    self._begun[figure.name, image] = self._pool.submit(draw, figure, image)
        except (BrokenProcessPool, OSError):
            self._pool = None

    def fetch(self, figure: Figure, image: str) -> bytes:
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
