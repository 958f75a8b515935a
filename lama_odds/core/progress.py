"""How a long computation reports its progress."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[int, int], None]  # steps done, of
StageProgress = Callable[[float, str], None]  # share of the whole, 0 to 1, and what is being done


def stage(progress: StageProgress | None, doing: str) -> Progress | None:
    """Return a step counter that reports to `progress` as one stage; None without `progress`."""
    if progress is None:
        return None
    return lambda done, of: progress(done / of, doing)
