"""Leave the optimizing of what becomes part of a caller to the caller.

numba optimizes every function with all that it calls, also those that are compiled only to be built
into others. In a chain of ten, the innermost code is then optimized ten times. Skipped for such
parts, it is done once, where Python calls: a fifth to a third of the time of compiling.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from typing import Any

_HERE = threading.local()  # `part`: whether this thread compiles a part of a caller


def compiled_as(compiling: Callable[[Any], Any], part: bool) -> Callable[[Any], Any]:
    """Return a function that compiles like `compiling`. part: of callers only, for nobody else."""
    _parts_are_left_alone()

    def compile_it(signature: Any) -> Any:
        before = getattr(_HERE, "part", False)
        _HERE.part = part
        try:
            return compiling(signature)
        finally:
            _HERE.part = before

    return compile_it


@functools.cache
def _parts_are_left_alone() -> None:
    """Let numba skip the optimizing of parts, if it still has a step of its own for it."""
    from numba.core import codegen

    optimize = getattr(codegen.CPUCodeLibrary, "_optimize_final_module", None)
    if optimize is None:
        return

    def unless_a_part(self: Any) -> None:
        if not getattr(_HERE, "part", False):
            optimize(self)

    codegen.CPUCodeLibrary._optimize_final_module = unless_a_part
