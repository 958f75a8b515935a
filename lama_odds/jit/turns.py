"""Make processes take turns: one compiles a function, the others wait and read the result."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

PATIENCE = 120.0  # seconds; after it a process compiles for itself, in case another one is stuck


class OneAtATime:
    """The turns of processes that compile one function; a file beside its machine code is locked.

    While a function has its turn, it also compiles the functions that it calls. No process waits
    for itself, and no two wait for each other, because calls are never circular.
    """

    def __init__(self, file: Path) -> None:
        self.file = file
        self.mine = threading.local()

    def take(self) -> None:
        """Wait for a turn and take it; it ends with the call of `ended_by`.

        After that, look again for what another process may have compiled meanwhile.
        """
        if getattr(self.mine, "turn", None) is None:
            return
        import filelock  # needed only to compile

        with contextlib.suppress(OSError):  # also filelock.Timeout, after waiting too long
            self.file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.mine.turn.enter_context(filelock.FileLock(self.file).acquire(timeout=PATIENCE))

    def ended_by(self, compiling: Callable[[Any], Any]) -> Callable[[Any], Any]:
        """Return a function that compiles like `compiling` and then ends the turn."""

        def compiled_once(signature: Any) -> Any:
            before = getattr(self.mine, "turn", None)
            with contextlib.ExitStack() as turn:
                self.mine.turn = turn
                try:
                    return compiling(signature)
                finally:
                    self.mine.turn = before

        return compiled_once
