"""The one decorator for compiled functions, and where their machine code is kept.

Machine code is cached between processes. The folder's name carries a hash of
all source that the function's module can reach through its imports, so an
edited rule is never answered with yesterday's machine code. Only functions of
this package go there: a user's own ``NUMBA_CACHE_DIR`` is left as it is.
"""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numba
import platformdirs
from numba.core import event

PACKAGE = "lama_odds"
ROOT = Path(__file__).resolve().parent.parent

F = TypeVar("F", bound=Callable[..., Any])


def compiled(function: F) -> F:
    """Compile `function` on first call; it holds no lock of the interpreter while it runs.

    Call each compiled function with one combination of argument types only:
    two processes that compile for the first time at once then write the same file.
    """
    return _compile(function, forceinline=False)


def inlined(function: F) -> F:
    """Like `compiled`, for what hot loops call: its code becomes part of the caller's."""
    return _compile(function, forceinline=True)


def _compile(function: F, forceinline: bool) -> F:
    users_own = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(cache_folder(function.__module__))
    try:
        return numba.njit(nogil=True, cache=True, error_model="numpy", forceinline=forceinline)(
            function
        )
    finally:
        numba.config.CACHE_DIR = users_own


@cache
def cache_folder(module: str) -> Path:
    """Folder of the machine code of `module`, named after all source it can reach."""
    digest = hashlib.sha256()
    for path in sorted(reachable_sources(module)):
        digest.update(path.relative_to(ROOT).as_posix().encode())
        digest.update(path.read_bytes())
    name = f"{module.removeprefix(PACKAGE + '.')}-{digest.hexdigest()[:16]}"
    return _writable_base() / "kernels" / name


def reachable_sources(module: str) -> set[Path]:
    """Files of this package that `module` imports, directly or not, itself included.

    Imports are read from the text (absolute ones, as the whole package writes
    them); importing from a package counts for every module in its folder.
    """
    found: set[Path] = set()
    waiting = _files_of(module)
    while waiting:
        path = waiting.pop()
        if path in found:
            continue
        found.add(path)
        for name in _IMPORT.findall(path.read_text(encoding="utf-8")):
            waiting |= _files_of(name)
    return found


_IMPORT = re.compile(rf"^\s*(?:from|import)\s+({PACKAGE}(?:\.\w+)*)", re.MULTILINE)


def _files_of(module: str) -> set[Path]:
    path = ROOT.joinpath(*module.split(".")[1:])
    if path.with_suffix(".py").is_file():
        return {path.with_suffix(".py")}
    return set(path.glob("*.py"))


@cache
def _writable_base() -> Path:
    """The user's cache folder, or one for this user among the temporary files."""
    own = Path(platformdirs.user_cache_dir("lama-odds"))
    try:
        own.mkdir(parents=True, exist_ok=True)
        if os.access(own, os.W_OK):
            return own
    except OSError:
        pass
    user = os.getuid() if hasattr(os, "getuid") else "user"
    return Path(tempfile.gettempdir()) / f"lama-odds-{user}"


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
