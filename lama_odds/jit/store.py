"""Keep tables that were solved for a rule set, beside the machine code that solved them."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from lama_odds.core.files import write_whole_bytes
from lama_odds.jit import cache_folder, places
from lama_odds.jit.arrays import array_of, bytes_of
from lama_odds.jit.places import opened, sealed
from lama_odds.jit.sources import count_made

MOST_KEPT = 24  # tables of one module; the oldest are removed


def kept(
    module: str,
    inputs: Sequence[np.ndarray],
    solve: Callable[[], np.ndarray],
    like: tuple[str, tuple[int, ...]] | None = None,
) -> np.ndarray:
    """Return the table that `solve` makes from `inputs`, kept in the user's cache folder.

    module: the module whose folder is used. The folder is named after all source that can matter,
    so an edited solver does not find old tables.
    inputs: everything the table depends on.
    like: type and shape that the table must have, if they are known.

    If the cache cannot be read or written, the table is solved again. The same happens if it was
    changed after it was written, or if others can have written it.
    """
    digest = hashlib.sha256()
    for array in inputs:
        digest.update(f"{array.dtype}{array.shape}".encode())
        digest.update(np.ascontiguousarray(array).tobytes())
    path = cache_folder(module) / f"table-{digest.hexdigest()[:24]}.npy"
    table = _read(path, digest.digest(), like)
    if table is not None:
        return table
    made = solve()
    count_made(tables=1)
    with contextlib.suppress(OSError, ValueError):
        _write(path, digest.digest(), made)
    return made


def _read(path: Path, key: bytes, like: tuple[str, tuple[int, ...]] | None) -> np.ndarray | None:
    """Return the table in a file; None unless it is what was written for these inputs."""
    with contextlib.suppress(OSError, ValueError, MemoryError):
        table = array_of(opened(places.read_ours(path), key))
        if like is None or (table.dtype, table.shape) == (np.dtype(like[0]), like[1]):
            return table
    return None


def _write(path: Path, key: bytes, table: np.ndarray) -> None:
    """Write a table whole or not at all, then remove the oldest tables beyond MOST_KEPT."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_whole_bytes(path, sealed(bytes_of(table), key), mode=0o600)
    tables = sorted(path.parent.glob("table-*.npy"), key=_age)
    for old in tables[:-MOST_KEPT]:
        old.unlink(missing_ok=True)


def _age(file: Path) -> float:
    try:
        return file.lstat().st_mtime
    except FileNotFoundError:  # another process has just removed it
        return 0.0
