"""How a long computation reports its progress, and where it can be stopped."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Progress = Callable[[int, int], None]  # steps done, of
StageProgress = Callable[[float, str], None]  # share of the whole, 0 to 1, and what is being done

_CHECK: ContextVar[Callable[[], None] | None] = ContextVar("check", default=None)


@contextmanager
def stopped_by(check: Callable[[], None]) -> Iterator[None]:
    """Call `check` between the parts of all work meanwhile; it raises what is to stop the work."""
    token = _CHECK.set(check)
    try:
        yield
    finally:
        _CHECK.reset(token)


def may_stop() -> None:
    """Stop here if somebody wants that (see `stopped_by`)."""
    stopper()()


def stopper() -> Callable[[], None]:
    """Return what `may_stop` does here, for the threads that share the work."""
    return _CHECK.get() or _never_stop


def _never_stop() -> None:
    """Do nothing: the check where nobody can stop the work."""


def stage(progress: StageProgress | None, doing: str) -> Progress | None:
    """Return a step counter that reports to `progress` as one stage.

    It is also a place where work can be stopped. None without `progress`, if nobody wants to.
    """
    if progress is None:
        return None if _CHECK.get() is None else lambda done, of: may_stop()

    def tell(done: int, of: int) -> None:
        may_stop()
        progress(done / of, doing)

    return tell
