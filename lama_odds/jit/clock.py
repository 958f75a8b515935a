"""The time an answer takes, without the time that compiling takes: that is once per machine."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

_compiled: list[float] = [0.0]  # seconds spent in compiling and loading machine code so far
_lock = threading.Lock()
_mine = threading.local()


class Clock:
    """Seconds since it was made, less those in which functions were compiled or loaded."""

    def __init__(self) -> None:
        self._began = time.perf_counter() - _compiled[0]

    @property
    def seconds(self) -> float:
        """What has passed; never negative, although threads may compile at the same time."""
        return max(0.0, time.perf_counter() - _compiled[0] - self._began)


def compiling(compiles: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The same function, whose time a `Clock` leaves out.

    Functions compile what they call: only the outermost one in each thread counts.
    """

    def timed(signature: Any) -> Any:
        if getattr(_mine, "inside", False):
            return compiles(signature)
        _mine.inside, began = True, time.perf_counter()
        try:
            return compiles(signature)
        finally:
            _mine.inside = False
            with _lock:
                _compiled[0] += time.perf_counter() - began

    return timed
