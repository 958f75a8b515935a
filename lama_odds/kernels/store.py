"""Tables that are solved once for a rule set and kept beside the machine code that solved them."""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from lama_odds.kernels import cache_folder

MOST_KEPT = 24  # tables of one module; the oldest go


def kept(module: str, inputs: Sequence[np.ndarray], solve: Callable[[], np.ndarray]) -> np.ndarray:
    """The table that `solve` makes from `inputs`, from the user's cache folder if it is there.

    module: whose folder; it is named after all source that can matter, so an edited solver does
    not find its old tables. inputs: all that the table depends on. A cache that cannot be read
    or written is done without.
    """
    digest = hashlib.sha256()
    for array in inputs:
        digest.update(f"{array.dtype}{array.shape}".encode())
        digest.update(np.ascontiguousarray(array).tobytes())
    path = cache_folder(module) / f"table-{digest.hexdigest()[:24]}.npy"
    with contextlib.suppress(OSError, ValueError, EOFError):
        return np.asarray(np.load(path, allow_pickle=False))
    made = solve()
    with contextlib.suppress(OSError):
        _write(path, made)
    return made


def _write(path: Path, table: np.ndarray) -> None:
    """Write whole or not at all, then forget the oldest tables beyond MOST_KEPT."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            np.save(file, table, allow_pickle=False)
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise
    found = sorted(path.parent.glob("table-*.npy"), key=lambda file: file.stat().st_mtime)
    for old in found[:-MOST_KEPT]:
        old.unlink(missing_ok=True)
