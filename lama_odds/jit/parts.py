"""What becomes part of a caller: translated there alone, and left out where nothing needs it.

numba optimizes every function with all that it calls, and makes machine code of it, also of those
that are compiled only to be built into others. In a chain of ten, the innermost code is then
optimized and translated ten times. Skipped for such parts, it is done once, where Python calls:
that saves a quarter to a half of the time of compiling.

Tables have a field for what a policy reads. It is None where nobody plays this policy. Then what
reads it is left out of the caller: the first question would wait seconds for code that it does not
need.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import threading
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from lama_odds.jit.deferred import Deferred

_HERE = threading.local()  # `part`: whether this thread compiles a part of a caller


def compiled_as(compiling: Callable[[Any], Any], part: bool) -> Callable[[Any], Any]:
    """Return a function that compiles like `compiling`. part: of callers only, for nobody else."""
    _parts_are_left_alone()

    def compile_it(signature: Any) -> Any:
        before = _is_part()
        _HERE.part = part
        try:
            with _without_collecting():
                return compiling(signature)
        finally:
            _HERE.part = before

    return compile_it


def _is_part() -> bool:
    return getattr(_HERE, "part", False)


@contextlib.contextmanager
def _without_collecting() -> Iterator[None]:
    """Let Python not look for garbage meanwhile: a fifteenth of the time went into it."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


@functools.cache
def _parts_are_left_alone() -> None:
    """Let numba neither optimize parts nor make machine code of them.

    What it has no step of its own for any more, it does as ever: that takes longer, no more.
    """
    from numba.core.codegen import JITCodeLibrary, JITCPUCodegen

    steps = ("_optimize_final_module", "_finalize_final_module", "_finalize_dynamic_globals")
    others = ("serialize_using_object_code", "serialize_using_bitcode")
    if not all(hasattr(JITCodeLibrary, name) for name in steps + others):
        return
    optimize, translate, write = (getattr(JITCodeLibrary, name) for name in (*steps[:2], others[0]))
    name_environment = JITCPUCodegen.set_env

    def unless_a_part(self: Any) -> None:
        if not _is_part():
            optimize(self)

    def translate_unless_a_part(self: Any) -> None:
        if not _is_part():
            translate(self)
            return
        self._finalize_dynamic_globals()
        self._finalized = True

    def written(self: Any) -> Any:
        return self.serialize_using_bitcode() if _is_part() else write(self)

    def named_if_there(self: Any, name: str, environment: Any) -> None:
        """A part has no place of its own for what Python would need to call it."""
        if not _is_part():
            name_environment(self, name, environment)

    JITCodeLibrary._optimize_final_module = unless_a_part
    JITCodeLibrary._finalize_final_module = translate_unless_a_part
    JITCodeLibrary.serialize_using_object_code = written
    JITCPUCodegen.set_env = named_if_there


def chosen_by(field: str, function: Deferred, otherwise: Any) -> Deferred:
    """Return what calls `function`, or is `otherwise` if its first argument lacks this field.

    The first argument is a named tuple.
    """
    found = Deferred(partial(_make, field, function, otherwise), function.__wrapped__)
    found.chosen = function
    return found


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
