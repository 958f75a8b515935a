"""What numba makes, put off until it is needed: loading numba takes longer than many answers.

Rules and policies can be read, and much be answered, without any compiled code. So a compiled
function is made when Python calls it, or when another one that is being compiled names it.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import os
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from lama_odds.core.errors import LimitError
from lama_odds.jit.native import Arguments, Native, UnusualError, found
from lama_odds.jit.sources import ROOT, folder_name

MADE_AHEAD = ROOT / "machine_code"  # in a wheel only, see tools/machine_code.py


def _switched() -> str:
    """Return "plain" if the environment asks for unchanged numba, else "".

    Raises LimitError for another value.
    """
    value = os.environ.get("LAMA_ODDS_JIT", "")
    if value not in ("", "plain"):
        raise LimitError(f"LAMA_ODDS_JIT is {value!r}: expected plain, or nothing")
    return value


PLAIN = _switched()

# The time an answer takes, without the time that compiling takes: that is once per machine.

_compiled: list[float] = [0.0]  # seconds spent in compiling and loading machine code so far
_lock = threading.Lock()
_mine = threading.local()


class Clock:
    """Seconds since it was made, less those in which functions were compiled or loaded."""

    def __init__(self) -> None:
        self._began = time.perf_counter() - _compiled[0]

    @property
    def seconds(self) -> float:
        """What has passed; never negative, although threads may compile at the same time."""
        return max(0.0, time.perf_counter() - _compiled[0] - self._began)


def compiling(compiles: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The same function, whose time a `Clock` leaves out.

    Functions compile what they call: only the outermost one in each thread counts.
    """

    def timed(signature: Any) -> Any:
        if getattr(_mine, "inside", False):
            return compiles(signature)
        _mine.inside, began = True, time.perf_counter()
        try:
            return compiles(signature)
        finally:
            _mine.inside = False
            with _lock:
                _compiled[0] += time.perf_counter() - began

    return timed


_LOCK = threading.RLock()
_LOADED: list[bool] = []  # not empty once numba is


class Deferred:
    """A compiled function, or what only compiled functions can call, made on first use.

    It has the name and the docstring of `function`, and all attributes of what is made. If it is
    first called before numba has been loaded, Python runs the function as it stands if `plain`, or
    its machine code if `folder` has it (see `native`). `inside` makes what compiled functions call,
    if that is something else; Python cannot call it.
    """

    def __init__(
        self,
        make: Callable[[], Any],
        function: Callable[..., Any] | None = None,
        plain: bool = False,
        folder: Callable[[], Path] | None = None,
        inside: Callable[[], Any] | None = None,
    ) -> None:
        self._make = make
        self._made: Any = None
        self._inside = None if inside is None else Deferred(inside)
        self._plain = function if plain else None
        self._began = False  # whether it was called before numba was loaded
        self._folder = folder
        self._native: dict[str, Native | None] = {}
        self._passes = Arguments()
        self.chosen: Deferred | None = None  # what it calls where a table has a field (see `parts`)
        if function is not None:
            functools.update_wrapper(self, function)

    @property
    def is_made(self) -> bool:
        """Whether it has been needed."""
        inside = self._inside is not None and self._inside.is_made
        return inside or self._made is not None

    def made(self) -> Any:
        """What numba makes of it: made once, whichever thread asks."""
        if self._made is None:
            with _LOCK:
                if self._made is None:
                    self._made = self._make()
        return self._made

    def made_inside(self) -> Any:
        """What compiled functions call."""
        return (self._inside or self).made()

    def __call__(self, *arguments: Any) -> Any:
        """What the function returns; numbers are Python's own.

        A function that was called before numba was loaded is called in the same way ever after:
        what is ready is not loaded or compiled a second time.
        """
        self._began = self._began or not _LOADED
        if self._began:
            if self._plain is not None:
                with np.errstate(over="ignore"):  # integers of 64 bits, as in compiled code
                    result = self._plain(*arguments)
                return result.item() if isinstance(result, np.generic) else result
            if self._folder is not None:
                with contextlib.suppress(UnusualError):
                    kinds, values = self._passes(arguments)
                    native = self._native_for(kinds, self._folder)
                    if native is not None:
                        return native(values)
        return self.made()(*arguments)

    def _native_for(self, kinds: str, folder: Callable[[], Path]) -> Native | None:
        """Return its machine code for arguments of these kinds, if it is kept."""
        if kinds not in self._native and not _LOADED:
            with _LOCK:
                if kinds not in self._native:
                    load = compiling(partial(found, folder(), self.__name__, ahead=self._ahead()))
                    self._native[kinds] = load(kinds)
        return self._native.get(kinds)

    def _ahead(self) -> Path:
        """Return where its machine code is if it was made ahead."""
        return MADE_AHEAD / folder_name(self.__module__)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.made(), name)

    def __reduce__(self) -> str:
        """Another process finds it by its name in its module."""
        name: str = self.__qualname__
        return name


@functools.cache
def known_to_numba() -> None:
    """Let compiled functions name what is deferred; called once, when numba is loaded."""
    from numba.core.registry import cpu_target
    from numba.core.typing.typeof import typeof_impl

    def type_of(value: Deferred, context: Any) -> Any:  # noqa: ARG001 (numba hands it over)
        made = value.made_inside()
        cpu_target.typing_context.refresh()  # what has been made just now may be new to it
        cpu_target.target_context.refresh()
        return cpu_target.typing_context.resolve_value_type(made)

    typeof_impl.register(Deferred)(type_of)
    _LOADED.append(True)


def named_by_compiled(make: Callable[[], Any]) -> Any:
    """Return what only compiled functions can name: what `make` returns, made when one does."""
    return make() if PLAIN else Deferred(make)


def _leading_zeros() -> Any:
    from llvmlite import ir
    from numba.extending import intrinsic

    def count(context: Any, builder: Any, signature: Any, words: Any) -> Any:  # noqa: ARG001
        return builder.ctlz(words[0], ir.Constant(ir.IntType(1), 0))

    @intrinsic  # type: ignore[untyped-decorator]
    def leading_zeros(typing: Any, word: Any) -> Any:  # noqa: ARG001
        return word(word), count

    return leading_zeros


# The number of zeros before the first one of an integer; for compiled functions only.
leading_zeros = named_by_compiled(_leading_zeros)


def _high_half() -> Any:
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic

    def multiply(context: Any, builder: Any, signature: Any, words: Any) -> Any:  # noqa: ARG001
        wide = ir.IntType(128)
        product = builder.mul(*(builder.zext(word, wide) for word in words))
        return builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), ir.IntType(64))

    @intrinsic  # type: ignore[untyped-decorator]
    def high_half(typing: Any, first: Any, second: Any) -> Any:  # noqa: ARG001
        return types.uint64(types.uint64, types.uint64), multiply

    return high_half


# The high half of the product of two uint64, which processors compute at once, and Python cannot
# say in 64 bits; for compiled functions only.
high_half = named_by_compiled(_high_half)


# What becomes part of a caller: translated there alone, and left out where nothing needs it.
#
# numba optimizes every function with all that it calls, and makes machine code of it, also of those
# that are compiled only to be built into others. In a chain of ten, the innermost code is then
# optimized and translated ten times. Skipped for such parts, it is done once, where Python calls:
# that saves a quarter to a half of the time of compiling.
#
# Tables have a field for what a policy reads. It is None where nobody plays this policy. Then what
# reads it is left out of the caller: the first question would wait seconds for code that it does
# not need.

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


def chosen_by(field: str, function: Any, otherwise: Any) -> Any:
    """Return what calls `function`, or is `otherwise` if its first argument lacks this field.

    The first argument is a named tuple.
    """
    if PLAIN:
        return _make(field, function, otherwise)
    chooser = Deferred(partial(_make, field, function, otherwise), function.__wrapped__)
    chooser.chosen = function
    return chooser


def _make(field: str, function: Any, otherwise: Any) -> Callable[..., Any]:
    from numba import types
    from numba.extending import overload

    def choose(*arguments: Any) -> Any:
        return otherwise if getattr(arguments[0], field) is None else function(*arguments)

    def chosen(*arguments: Any) -> Callable[..., Any]:
        tables = arguments[0]
        if tables.types[tables.fields.index(field)] == types.none:
            return lambda *arguments: otherwise
        return lambda *arguments: function(*arguments)

    options: dict[str, Any] = {"error_model": "numpy", "forceinline": True}
    if not PLAIN:  # as for `inlined`: references to the arrays in the tables are not counted
        options["_nrt"] = False
    overload(choose, jit_options=options, strict=False)(chosen)
    return choose
