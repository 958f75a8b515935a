"""The decorators for compiled functions, and the cache of their machine code.

Machine code is cached between processes. The name of a cache folder contains a hash of all source
that the function's module can reach through its imports. So after an edit, old machine code is
never used. Only functions of this package, and of packages that add games, go there: a user's own
``NUMBA_CACHE_DIR`` stays untouched.

With ``LAMA_ODDS_JIT=plain`` in the environment all this is numba's own ``njit(cache=True)``:
answers have the same bits, but the first call takes longer, and so does loading. It is for versions
of numba in which something has changed that the rest of this folder relies on.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, TypeVar

from lama_odds.core.errors import LimitError
from lama_odds.jit import places
from lama_odds.jit.deferred import (
    PLAIN,
    Deferred,
    chosen_by,
    compiled_as,
    high_half,
    known_to_numba,
    leading_zeros,
)
from lama_odds.jit.numba_files import keep_whole
from lama_odds.jit.sources import folder_name

__all__ = [
    "Compiled",
    "allocating",
    "compiled",
    "for_all",
    "given_or",
    "high_half",
    "inlined",
    "leading_zeros",
    "of_each_game",
    "small",
    "stamped",
]

STAMP = "stamp"  # set on a function by the decorator `of_each_game`
FOR_ALL = "for_all"  # set on a function by the decorator of this name
Function = TypeVar("Function", bound=Callable[..., Any])

# What numba makes of a function: it is called like the function, but carries no types.
Compiled = Any


def compiled(function: Callable[..., Any]) -> Compiled:
    """Compile `function` on first call; it holds no lock of the interpreter while it runs."""
    if PLAIN:
        return _plain(function)
    made, folder = partial(_compile, function, forceinline=False), partial(_folder, function)
    return Deferred(made, function, folder=folder)


def inlined(function: Callable[..., Any]) -> Compiled:
    """Like `compiled`, for functions that hot loops call: their code becomes part of the caller's.

    References to arrays are not counted in it: counting took three quarters of a loop that passes a
    dozen arrays along. So it must neither make nor return an array; `allocating` is for that.
    """
    return _part_of_callers(function, counted=False)


def small(function: Callable[..., Any]) -> Compiled:
    """Like `inlined`, for a rule of a few lines on single numbers, which Python asks too.

    As long as nothing has been compiled, Python runs it as it stands: that takes less time than
    loading numba. So it must do without what only compiled functions can do.
    """
    return _part_of_callers(function, counted=False, plain=True)


def allocating(function: Callable[..., Any]) -> Compiled:
    """Like `inlined`, for functions that make or return arrays."""
    return _part_of_callers(function, counted=True)


def given_or(field: str, otherwise: Any) -> Callable[[Compiled], Compiled]:
    """Return a decorator for compiled functions that few questions need, put above the other one.

    Their first argument is a named tuple of tables. Where this field is None, callers get
    `otherwise` (of the type that the function returns), and nothing of the function is compiled.
    """
    return lambda function: chosen_by(field, function, otherwise)


def for_all(function: Function) -> Function:
    """Mark a function, below its decorator: one version of it serves all its callers.

    numba compiles a function again for every number that a caller writes out. That makes hot loops
    faster by up to a tenth. Elsewhere it costs time for nothing: LLVM also finds these numbers.
    """
    setattr(function, FOR_ALL, True)
    return function


def of_each_game(decorator: Callable[..., Compiled]) -> Callable[[Function], Function]:
    """Return a decorator for a function of a template: each game has a copy, see `stamped`.

    decorator: `compiled`, `inlined` or `allocating`, for the copies.
    """

    def marked(function: Function) -> Function:
        setattr(function, STAMP, decorator)
        return function

    return marked


def stamped(function: Callable[..., Any], module: str, **parts: ModuleType) -> Compiled:
    """Return the compiled copy that a module of a game has of a function `of_each_game`.

    parts: what names stand for in the copy that stand for nothing in the template. Functions of the
    template that the copy calls are copies as well. All are compiled as if they stood in the
    module, where a kernel must have its name.
    """
    return _copies(function.__module__, module, tuple(parts.items()))[function.__name__]


@cache
def _copies(template: str, module: str, parts: tuple[tuple[str, ModuleType], ...]) -> Any:
    """Return what names stand for in a module's copies of a template's functions, by name."""
    names = {**vars(sys.modules[template]), **dict(parts)}
    for name, function in tuple(names.items()):
        if isinstance(function, FunctionType) and hasattr(function, STAMP):
            copy = FunctionType(function.__code__, names, name)
            copy.__doc__, copy.__module__ = function.__doc__, module
            names[name] = getattr(function, STAMP)(copy)
    return names


def _part_of_callers(function: Callable[..., Any], counted: bool, plain: bool = False) -> Compiled:
    """Return what is inlined in compiled functions, and made again if Python calls it too.

    What Python can call needs code that converts the arguments. To make that code for each function
    that is inlined took a fifth of the time.
    """
    if PLAIN:
        return _plain(function)
    made, inside = (partial(_compile, function, True, counted, python) for python in (True, False))
    return Deferred(made, function, plain, partial(_folder, function), inside)


def _plain(function: Callable[..., Any]) -> Compiled:
    """Return what numba itself makes of a function."""
    options = {"nogil": True, "cache": True, "error_model": "numpy"}
    return _kept_in(cache_folder(function.__module__) / PLAIN, options, function)


def _folder(function: Callable[..., Any], python: bool = True) -> Path:
    """Return where machine code of a function is kept. python: the code that Python calls."""
    return cache_folder(function.__module__) / ("called" if python else "inlined")


def _compile(
    function: Callable[..., Any], forceinline: bool, counted: bool = True, python: bool = True
) -> Compiled:
    """Compile a function when it is called. python: whether Python can call it."""
    if load_numba().config.DISABLE_JIT:
        raise LimitError("NUMBA_DISABLE_JIT is set, but games need compiled code: unset it")
    options = {
        "nogil": True,
        "cache": True,
        "error_model": "numpy",
        "forceinline": forceinline,
        "_nrt": counted,
        "no_cpython_wrapper": not python,
        "no_cfunc_wrapper": True,
    }
    folder = _folder(function, python)
    try:
        made = _kept_in(folder, options, function)
    except RuntimeError:  # the folder could be used when this process began, but no longer
        folder = places.fallback() / function.__module__ / folder.name
        made = _kept_in(folder, options, function)
    if getattr(function, FOR_ALL, False):
        made.compile = _whatever_the_number(made.compile)
    made.compile = compiled_as(made.compile, part=not python)
    keep_whole(made, folder, counted, called=python)
    return made


def _kept_in(folder: Path, options: dict[str, Any], function: Callable[..., Any]) -> Compiled:
    """Return what numba makes of a function, kept in this folder and nowhere else.

    Raises RuntimeError if the folder cannot be used.
    """
    numba = load_numba()
    config = numba.config
    users_own = config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES
    config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES = str(folder), "UserProvidedCacheLocator"
    try:
        return numba.njit(**options)(function)
    finally:
        config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES = users_own


def _whatever_the_number(compiling: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return a function that compiles like `compiling`, whatever numbers callers write out."""

    def compiled_for_all(signature: Any) -> Any:
        if isinstance(signature, tuple):
            signature = tuple(map(load_numba().types.unliteral, signature))
        return compiling(signature)

    return compiled_for_all


@cache
def cache_folder(module: str) -> Path:
    """Return the folder for the machine code of `module`, named after all source it can reach.

    The folder exists, and only this user can have written into it (see `places`).
    """
    return places.used(places.module_folder(folder_name(module)))


def load_numba() -> Any:
    """Load numba, which takes a third of a second, and return the module."""
    if PLAIN:
        import numba

        return numba
    with _nothing_of_scipy() if _alone else contextlib.nullcontext():
        import numba
        import numba.np.arraymath
    known_to_numba()
    return numba


_alone: list[bool] = []


def alone() -> None:
    """Say that this process is our own, so that numba may be loaded without what we do not use.

    It loads scipy's linear algebra if there is any, for functions that no kernel here uses.
    """
    _alone.append(True)


@contextlib.contextmanager
def _nothing_of_scipy() -> Iterator[None]:
    """As if scipy were not installed, unless it has been imported already."""
    if "scipy" in sys.modules:
        yield
        return
    sys.modules["scipy"] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        del sys.modules["scipy"]
