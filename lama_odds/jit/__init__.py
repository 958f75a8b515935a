"""The decorators for compiled functions, and the cache of their machine code.

Machine code is cached between processes. The name of a cache folder contains a hash of all source
that the function's module can reach through its imports. So after an edit, old machine code is
never used. Only functions of this package, and of packages that add games, go there: a user's own
``NUMBA_CACHE_DIR`` stays untouched.
"""

from __future__ import annotations

import contextlib
import hashlib
import pickle
import re
import sys
import threading
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from lama_odds.core.errors import LimitError
from lama_odds.jit import clock, places, turns, upkeep
from lama_odds.jit.deferred import Deferred, known_to_numba, leading_zeros

PACKAGE = "lama_odds"
ROOT = Path(__file__).resolve().parent.parent
SEAL = hashlib.sha256().digest_size  # bytes at the end of a file of machine code

users_folder, keeping = places.users_folder, places.keeping

__all__ = ["Compiled", "allocating", "compiled", "for_all", "inlined", "leading_zeros", "small"]

FOR_ALL = "for_all"  # set on a function by the decorator of this name
Function = TypeVar("Function", bound=Callable[..., Any])

# What numba makes of a function: it is called like the function, but carries no types.
Compiled = Any


def compiled(function: Callable[..., Any]) -> Compiled:
    """Compile `function` on first call; it holds no lock of the interpreter while it runs."""
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


def for_all(function: Function) -> Function:
    """Mark a function, below its decorator: one version of it serves all its callers.

    numba compiles a function again for every number that a caller writes out. That makes hot loops
    faster by up to a tenth. Elsewhere it costs time for nothing: LLVM also finds these numbers.
    """
    setattr(function, FOR_ALL, True)
    return function


def _part_of_callers(function: Callable[..., Any], counted: bool, plain: bool = False) -> Compiled:
    """Return what is inlined in compiled functions, and made again if Python calls it too.

    What Python can call needs code that converts the arguments. To make that code for each function
    that is inlined took a fifth of the time.
    """
    made, inside = (partial(_compile, function, True, counted, python) for python in (True, False))
    return Deferred(made, function, plain, partial(_folder, function), inside)


def _folder(function: Callable[..., Any], python: bool = True) -> Path:
    """Return where machine code of a function is kept. python: the code that Python calls."""
    return cache_folder(function.__module__) / ("called" if python else "inlined")


def _compile(
    function: Callable[..., Any], forceinline: bool, counted: bool = True, python: bool = True
) -> Compiled:
    """Compile a function when it is called. python: whether Python can call it."""
    numba = load_numba()
    config = numba.config
    if config.DISABLE_JIT:
        raise LimitError("NUMBA_DISABLE_JIT is set, but games need compiled code: unset it")
    folder = _folder(function, python)
    users_own = config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES
    config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES = str(folder), ""
    try:
        made = numba.njit(
            nogil=True,
            cache=True,
            error_model="numpy",
            forceinline=forceinline,
            _nrt=counted,
            no_cpython_wrapper=not python,
            no_cfunc_wrapper=True,
        )(function)
    finally:
        config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES = users_own
    _keep_whole(made, folder, counted, called=python)
    return made


def _keep_whole(made: Compiled, folder: Path, counted: bool, called: bool) -> None:
    """Let machine code be written one after the other, and be read only as it was written.

    called: Python calls it, so that it is also kept for use without numba.

    numba reads a function's index, picks a free file name and writes both. Two processes doing so
    at once could file one signature's code under the other's name. A cache that cannot be written
    (a full disk, for example) is not used. Neither is the place where numba would keep code
    instead, because nobody checks who owns it.

    Raises TypeError for a function that returns an array although its references are not counted.
    """
    kept = made._cache
    load, save = kept.load_overload, kept.save_overload
    if not Path(kept.cache_path).is_relative_to(folder):
        kept.disable()
    once = turns.OneAtATime(folder / f"{made.__name__}.turn")

    def checked(signature: Any, context: Any) -> Any:
        try:
            found = load(signature, context)
            if found is None and kept._enabled:
                once.take()
                found = load(signature, context)  # another process may have compiled it meanwhile
        except Exception:  # whatever a damaged file makes of unpickling: it is compiled again
            with contextlib.suppress(OSError):
                kept.flush()
            found = None
        if found is None:
            _about_to_compile()
        return found

    def locked(signature: Any, code: Any) -> None:
        if not counted and "array" in str(code.signature.return_type):
            raise TypeError(f"{made.__name__} returns an array: it is `allocating`, not `inlined`")
        import filelock  # needed only to compile

        from lama_odds.jit import native_kept

        with contextlib.suppress(OSError):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with filelock.FileLock(folder / "lock"):
                save(signature, code)
                if called and kept._enabled:
                    native_kept.keep(folder, made.__name__, code)

    compiling = made.compile
    if getattr(made.py_func, FOR_ALL, False):
        compiling = _whatever_the_number(compiling)
    made.compile = clock.compiling(once.ended_by(compiling))
    kept.load_overload, kept.save_overload = checked, locked
    _seal(kept._cache_file)


def _whatever_the_number(compiling: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return a function that compiles like `compiling`, whatever numbers callers write out."""

    def compiled_for_all(signature: Any) -> Any:
        if isinstance(signature, tuple):
            signature = tuple(map(load_numba().types.unliteral, signature))
        return compiling(signature)

    return compiled_for_all


def _seal(files: Any) -> None:
    """Let files of machine code end with their hash, and be read only if it is theirs."""
    plain = files._dump

    def sealed(thing: Any) -> bytes:
        content: bytes = plain(thing)
        return content + hashlib.sha256(content).digest()

    def unsealed(name: str) -> Any:
        content = Path(files._data_path(name)).read_bytes()
        if hashlib.sha256(content[:-SEAL]).digest() != content[-SEAL:]:
            raise ValueError(f"{name} is damaged")
        return pickle.loads(content[:-SEAL])

    files._dump, files._load_data = sealed, unsealed


@cache
def cache_folder(module: str) -> Path:
    """Return the folder for the machine code of `module`, named after all source it can reach.

    The folder exists, and only this user can have written into it (see `places`).
    """
    return upkeep.used(places.module_folder(folder_name(module)))


def folder_name(module: str) -> str:
    """Return the name of a module's folder, from the module and all source it can reach."""
    return f"{module.removeprefix(PACKAGE + '.')}-{source_digest(module)}"


@cache
def source_digest(module: str) -> str:
    """Return the hash of all source of this package that `module` can reach (16 hex digits)."""
    digest = hashlib.sha256()
    for path in sorted(reachable_sources(module)):
        inside = path.is_relative_to(ROOT)
        digest.update((path.relative_to(ROOT).as_posix() if inside else path.name).encode())
        digest.update(_digest(path))
    return digest.hexdigest()[:16]


def reachable_sources(module: str) -> set[Path]:
    """Return the source files that `module` imports, directly or not, itself included.

    They are files of this package and of the module's own. Imports are read from the text; they
    must be absolute, as in the whole package.
    """
    own = module.partition(".")[0]
    found: set[Path] = set()
    waiting = set(_files_of(module))
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting |= _imported_by(path, own)
    return found


@cache
def _imports(own: str) -> re.Pattern[str]:
    """Return a pattern that finds imports from this package, and from another one."""
    named = rf"((?:{PACKAGE}|{re.escape(own)})\b[\w.]*)"
    return re.compile(
        rf"^\s*(?:import\s+{named}|from\s+{named}\s+import\s+(\([^)]*\)|.+))", re.MULTILINE
    )


@cache
def _imported_by(path: Path, own: str) -> frozenset[Path]:
    found: set[Path] = set()
    for whole, module, names in _imports(own).findall(path.read_text(encoding="utf-8")):
        found |= _files_of(whole or module)
        for name in re.findall(r"\w+", names):
            found |= _files_of(f"{module}.{name}")
    return frozenset(found)


@cache
def _files_of(module: str) -> frozenset[Path]:
    """Return the file of a module or package; nothing if there is no such module."""
    package, *names = module.split(".")
    path = _root_of(package).joinpath(*names)
    files = (path.with_suffix(".py"), path / "__init__.py")
    return frozenset(file for file in files if file.is_file())


@cache
def _root_of(package: str) -> Path:
    """Return the folder of this package, or of another one that is imported."""
    loaded = sys.modules.get(package)
    folders = list(getattr(loaded, "__path__", [])) if package != PACKAGE else []
    return Path(folders[0]).resolve() if folders else ROOT


@cache
def _digest(path: Path) -> bytes:
    return hashlib.sha256(path.read_bytes()).digest()


def load_numba() -> Any:
    """Load numba, which takes a third of a second, and return the module."""
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


class Made(NamedTuple):
    """How many functions this process has compiled, and how many tables it has solved."""

    functions: int
    tables: int


_made_so_far = Made(0, 0)


def made_so_far() -> Made:
    """Return what this process has made because the cache did not hold it."""
    return _made_so_far


def count_made(functions: int = 0, tables: int = 0) -> None:
    """Count what was made."""
    global _made_so_far
    with _counting:
        _made_so_far = Made(_made_so_far.functions + functions, _made_so_far.tables + tables)


_counting = threading.Lock()
_waiting: list[Callable[[], None]] = []


def on_first_compile(tell: Callable[[], None]) -> None:
    """Call `tell` once, when something has to be compiled because the cache does not hold it."""
    _waiting.append(tell)


def _about_to_compile() -> None:
    count_made(functions=1)
    while _waiting:
        _waiting.pop(0)()
