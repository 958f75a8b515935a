"""What becomes part of a caller: optimized there alone, and left out where nothing needs it.

numba optimizes every function with all that it calls, also those that are compiled only to be built
into others. In a chain of ten, the innermost code is then optimized ten times. Skipped for such
parts, it is done once, where Python calls: a fifth to a third of the time of compiling.

Tables have a field for what a policy reads. It is None where nobody plays this policy. Then what
reads it is left out of the caller: the first question would wait seconds for code that it does not
need.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from functools import partial
from typing import Any

from lama_odds.jit.deferred import Deferred

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


def chosen_by(field: str, function: Deferred, otherwise: Any) -> Deferred:
    """Return what calls `function`, or is `otherwise` if its first argument lacks this field.

    The first argument is a named tuple.
    """
    return Deferred(partial(_make, field, function, otherwise), function.__wrapped__)


def _make(field: str, function: Deferred, otherwise: Any) -> Callable[..., Any]:
    from numba import types
    from numba.extending import overload

    def choose(*arguments: Any) -> Any:
        return otherwise if getattr(arguments[0], field) is None else function(*arguments)

    def chosen(*arguments: Any) -> Callable[..., Any]:
        tables = arguments[0]
        if tables.types[tables.fields.index(field)] == types.none:
            return lambda *arguments: otherwise
        return lambda *arguments: function(*arguments)

    # As for `inlined`: references to the arrays in the tables are not counted.
    options = {"error_model": "numpy", "forceinline": True, "_nrt": False}
    overload(choose, jit_options=options, strict=False)(chosen)
    return choose
