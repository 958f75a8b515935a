"""Processes that need the same function compile it once: one does, the others wait and read it."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

PATIENCE = 120.0  # seconds; after it a process compiles what another one seems to be stuck with


class OneAtATime:
    """The turns of processes at compiling one function; a file beside its machine code is locked.

    Functions compile what they call while it is their turn. No process waits for itself, and no
    two for each other: calls make no circle.
    """

    def __init__(self, file: Path) -> None:
        self.file = file
        self.mine = threading.local()

    def take(self) -> None:
        """Take a turn, when no other process has one; it ends with the call of `ended_by`.

        After it, look again for what another process may have compiled meanwhile.
        """
        if getattr(self.mine, "turn", None) is None:
            return
        import filelock  # only who compiles needs it

        with contextlib.suppress(OSError):  # one that takes too long (filelock.Timeout), too
            self.file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.mine.turn.enter_context(filelock.FileLock(self.file).acquire(timeout=PATIENCE))

    def ended_by(self, compiling: Callable[[Any], Any]) -> Callable[[Any], Any]:
        """What compiles a function, and gives up its turn when it has."""

        def compiled_once(signature: Any) -> Any:
            before = getattr(self.mine, "turn", None)
            with contextlib.ExitStack() as turn:
                self.mine.turn = turn
                try:
                    return compiling(signature)
                finally:
                    self.mine.turn = before

        return compiled_once
