"""How work tells how far it is."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[int, int], None]  # done, of
StageProgress = Callable[[float, str], None]  # part of the whole, 0 to 1, and what is being done


def stage(progress: StageProgress | None, doing: str) -> Progress | None:
    """The progress of what counts its steps, told as one stage; None if nobody listens."""
    if progress is None:
        return None
    return lambda done, of: progress(done / of, doing)
