"""The one decorator for compiled functions, and where their machine code is kept.

Machine code is cached between processes. The folder's name carries a hash of
all source that the function's module can reach through its imports, so an
edited rule is never answered with yesterday's machine code. Only functions of
this package go there: a user's own ``NUMBA_CACHE_DIR`` is left as it is.
"""

from __future__ import annotations

import atexit
import contextlib
import hashlib
import os
import re
import shutil
import stat
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numba
import platformdirs
from numba.core import config, event

from lama_odds.kernels import upkeep

PACKAGE = "lama_odds"
ROOT = Path(__file__).resolve().parent.parent

# What numba makes of a function: it is called like the function, but carries no types.
Compiled = Any


def compiled(function: Callable[..., Any]) -> Compiled:
    """Compile `function` on first call; it holds no lock of the interpreter while it runs."""
    return _compile(function, forceinline=False)


def inlined(function: Callable[..., Any]) -> Compiled:
    """Like `compiled`, for what hot loops call: its code becomes part of the caller's.

    References to arrays are not counted in it (counting took three quarters of a loop that hands
    a dozen arrays on): it must neither make nor return an array, see `allocating`.
    """
    return _compile(function, forceinline=True, counted=False)


def allocating(function: Callable[..., Any]) -> Compiled:
    """Like `inlined`, for functions that make or return arrays."""
    return _compile(function, forceinline=True)


def _compile(function: Callable[..., Any], forceinline: bool, counted: bool = True) -> Compiled:
    folder = cache_folder(function.__module__)
    users_own = config.CACHE_DIR
    config.CACHE_DIR = str(folder)
    try:
        made = numba.njit(
            nogil=True, cache=True, error_model="numpy", forceinline=forceinline, _nrt=counted
        )(function)
    finally:
        config.CACHE_DIR = users_own
    _save_one_at_a_time(made, folder, counted)
    return made


def _save_one_at_a_time(made: Compiled, folder: Path, counted: bool) -> None:
    """Let processes that compile at once write their machine code one after the other.

    numba reads a function's index, picks a free file name and writes both: two
    processes doing so at once could file one signature's code under the other's
    name. A cache that cannot be written (a full disk, say) is done without.

    TypeError for a function that returns an array whose references are not counted.
    """
    save = made._cache.save_overload

    def locked(signature: Any, code: Any) -> None:
        if not counted and "array" in str(code.signature.return_type):
            raise TypeError(f"{made.__name__} returns an array: it is `allocating`, not `inlined`")
        import filelock  # only who compiles needs it

        with contextlib.suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            with filelock.FileLock(folder / "lock"):
                save(signature, code)

    made._cache.save_overload = locked


@cache
def cache_folder(module: str) -> Path:
    """Folder of the machine code of `module`, named after all source it can reach."""
    return upkeep.used(_writable_base() / "kernels" / folder_name(module))


def folder_name(module: str) -> str:
    """The name of a module's folder: that of the module, and of all source it can reach."""
    return f"{module.removeprefix(PACKAGE + '.')}-{source_digest(module)}"


@cache
def source_digest(module: str) -> str:
    """The hash of all source of this package that `module` can reach (16 hex digits)."""
    digest = hashlib.sha256()
    for path in sorted(reachable_sources(module)):
        digest.update(path.relative_to(ROOT).as_posix().encode())
        digest.update(_digest(path))
    return digest.hexdigest()[:16]


def reachable_sources(module: str) -> set[Path]:
    """Files of this package that `module` imports, directly or not, itself included.

    Imports are read from the text: absolute ones, as the whole package writes them.
    """
    found: set[Path] = set()
    waiting = set(_files_of(module))
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting |= _imported_by(path)
    return found


_IMPORT = re.compile(
    rf"^\s*(?:import\s+({PACKAGE}[\w.]*)|from\s+({PACKAGE}[\w.]*)\s+import\s+(\([^)]*\)|.+))",
    re.MULTILINE,
)


@cache
def _imported_by(path: Path) -> frozenset[Path]:
    found: set[Path] = set()
    for whole, module, names in _IMPORT.findall(path.read_text(encoding="utf-8")):
        found |= _files_of(whole or module)
        for name in re.findall(r"\w+", names):
            found |= _files_of(f"{module}.{name}")
    return frozenset(found)


@cache
def _files_of(module: str) -> frozenset[Path]:
    """The file of a module or package; none if there is no such."""
    path = ROOT.joinpath(*module.split(".")[1:])
    files = (path.with_suffix(".py"), path / "__init__.py")
    return frozenset(file for file in files if file.is_file())


@cache
def _digest(path: Path) -> bytes:
    return hashlib.sha256(path.read_bytes()).digest()


@cache
def _writable_base() -> Path:
    """The user's cache folder, or one for this user among the temporary files, or a new one."""
    own = users_folder()
    with contextlib.suppress(OSError):
        own.mkdir(parents=True, exist_ok=True)
        if os.access(own, os.W_OK):
            return own
    among = _among_temporary()
    with contextlib.suppress(OSError):
        among.mkdir(mode=0o700, exist_ok=True)
        if _is_ours(among.lstat()):
            return among
    made = Path(tempfile.mkdtemp(prefix="lama-odds-"))
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return made


def _is_ours(found: os.stat_result) -> bool:
    """Whether only this user can have put anything into a folder: machine code in it is run."""
    if not hasattr(os, "getuid"):
        return stat.S_ISDIR(found.st_mode)
    shared = found.st_uid != os.getuid() or found.st_mode & 0o022
    return stat.S_ISDIR(found.st_mode) and not shared


def _among_temporary() -> Path:
    user = os.getuid() if hasattr(os, "getuid") else "user"
    return Path(tempfile.gettempdir()) / f"lama-odds-{user}"


def users_folder() -> Path:
    """Where machine code belongs: in the user's cache folder."""
    return Path(platformdirs.user_cache_dir("lama-odds"))


def keeping() -> str:
    """What becomes of machine code that is made now, in words."""
    base = _writable_base()
    if base == users_folder():
        return "kept for next time"
    kept = f"kept in {base}" if base == _among_temporary() else "not kept"
    return f"{kept}: {users_folder()} cannot be written to"


class _FirstCompile(event.Listener):
    """Calls `tell` once, when the first function has to be compiled."""

    def __init__(self, tell: Callable[[], None]) -> None:
        self.tell: Callable[[], None] | None = tell

    def on_start(self, event: event.Event) -> None:
        if self.tell is not None:
            self.tell()
            self.tell = None

    def on_end(self, event: event.Event) -> None:
        pass


def on_first_compile(tell: Callable[[], None]) -> None:
    """Call `tell` when something has to be compiled because the cache does not hold it."""
    event.register("numba:compile", _FirstCompile(tell))
