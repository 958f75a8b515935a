"""How work tells how far it is."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[int, int], None]  # done, of
StageProgress = Callable[[float, str], None]  # part of the whole, 0 to 1, and what is being done
