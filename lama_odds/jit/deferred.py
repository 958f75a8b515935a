"""What numba makes, put off until it is needed: loading numba takes longer than many answers.

Rules and policies can be read, and much be answered, without any compiled code. So a compiled
function is made when Python calls it, or when another one that is being compiled names it.
"""

from __future__ import annotations

import contextlib
import functools
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from lama_odds.jit import clock
from lama_odds.jit.native import Native, found
from lama_odds.jit.passing import Arguments, UnusualError

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
                    load = clock.compiling(partial(found, folder(), self.__name__))
                    self._native[kinds] = load(kinds)
        return self._native.get(kinds)

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


def _leading_zeros() -> Any:
    from numba.cpython.unsafe.numbers import leading_zeros

    return leading_zeros


# The number of zeros before the first one of an integer; for compiled functions only.
leading_zeros = Deferred(_leading_zeros)


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
high_half = Deferred(_high_half)
