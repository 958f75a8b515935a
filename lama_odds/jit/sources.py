"""The source that a module of compiled functions can reach: machine code is kept under its hash."""

from __future__ import annotations

import hashlib
import io
import math
import re
import sys
import threading
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

# Convert arrays to the bytes of an ``.npy`` file and back, without pickles or archives.


def bytes_of(array: np.ndarray) -> bytes:
    """Return what ``np.save`` writes; raise ValueError for an array of objects."""
    file = io.BytesIO()
    np.save(file, array, allow_pickle=False)
    return file.getvalue()


def array_of(content: bytes) -> np.ndarray:
    """Return the array of a whole ``.npy`` file; raise ValueError, with the reason, otherwise.

    The size in the header is checked against the bytes that follow.
    """
    file = io.BytesIO(content)
    try:
        version = np.lib.format.read_magic(file)
        if version not in ((1, 0), (2, 0)):
            raise ValueError(f"found version {version}, expected 1.0 or 2.0")
        read = np.lib.format.read_array_header_1_0
        if version == (2, 0):
            read = np.lib.format.read_array_header_2_0
        shape, by_columns, dtype = read(file)
    except Exception as error:  # whatever error a damaged header causes in its parser
        raise ValueError(f"it holds no array ({_first_line(error)})") from None
    if dtype.hasobject or not dtype.itemsize:
        raise ValueError("it holds objects, expected numbers")
    if min(shape, default=0) < 0 or any(isinstance(size, bool) for size in shape):
        raise ValueError("its header does not give the shape of an array")
    there = len(content) - file.tell()
    if math.prod(shape) * dtype.itemsize != there:
        raise ValueError(f"its header and the {there:,} bytes after it do not fit together")
    flat = np.frombuffer(content, dtype=dtype, offset=file.tell())
    return flat.reshape(shape, order="F" if by_columns else "C").copy(order="K")


def _first_line(error: BaseException) -> str:
    lines = str(error).splitlines()
    return lines[0][:100] if lines else type(error).__name__


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
