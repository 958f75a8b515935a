"""The source that a module of compiled functions can reach: machine code is kept under its hash."""

from __future__ import annotations

import hashlib
import re
import sys
import threading
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

PACKAGE = "lama_odds"
ROOT = Path(__file__).resolve().parent.parent


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
    sources: set[Path] = set()
    waiting = set(_files_of(module))
    while waiting:
        path = waiting.pop()
        if path not in sources:
            sources.add(path)
            waiting |= _imported_by(path, own)
    return sources


@cache
def _imports(own: str) -> re.Pattern[str]:
    """Return a pattern that finds imports from this package, and from another one."""
    named = rf"((?:{PACKAGE}|{re.escape(own)})\b[\w.]*)"
    return re.compile(
        rf"^\s*(?:import\s+{named}|from\s+{named}\s+import\s+(\([^)]*\)|.+))", re.MULTILINE
    )


@cache
def _imported_by(path: Path, own: str) -> frozenset[Path]:
    files: set[Path] = set()
    for whole, module, names in _imports(own).findall(path.read_text(encoding="utf-8")):
        files |= _files_of(whole or module)
        for name in re.findall(r"\w+", names):
            files |= _files_of(f"{module}.{name}")
    return frozenset(files)


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


# Counts what this process has made because the cache did not hold it.


class Made(NamedTuple):
    """How many functions this process has compiled, and how many tables it has solved."""

    functions: int
    tables: int


_made_so_far = Made(0, 0)
_counting = threading.Lock()
_waiting: list[Callable[[], None]] = []


def made_so_far() -> Made:
    """Return what this process has made because the cache did not hold it."""
    return _made_so_far


def count_made(functions: int = 0, tables: int = 0) -> None:
    """Count what was made."""
    global _made_so_far
    with _counting:
        _made_so_far = Made(_made_so_far.functions + functions, _made_so_far.tables + tables)


def on_first_compile(tell: Callable[[], None]) -> None:
    """Call `tell` once, when something has to be compiled because the cache does not hold it."""
    _waiting.append(tell)


def about_to_compile() -> None:
    """Count a function, and tell who waits for the first."""
    count_made(functions=1)
    while _waiting:
        _waiting.pop(0)()
