"""The time that an answer takes: nothing is compiled meanwhile."""

from __future__ import annotations

import time


class Clock:
    """Seconds since it was made."""

    def __init__(self) -> None:
        self._began = time.perf_counter()

    @property
    def seconds(self) -> float:
        """What has passed."""
        return time.perf_counter() - self._began
