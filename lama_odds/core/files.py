"""Files are written whole or not at all."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path


def write_whole(path: Path, text: str, durable: bool = False) -> None:
    """Write a text file; a file of that name stays as it was until the new one is complete."""
    write_whole_bytes(path, text.encode(), durable)


def write_whole_bytes(path: Path, content: bytes, durable: bool = False) -> None:
    """Write a file; a file of that name stays as it was until the new one is complete.

    durable: it is on the disk when this returns, and outlasts a power failure.
    """
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            if durable:
                file.flush()
                os.fsync(file.fileno())
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(name, 0o666 & ~mask)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise
    if durable:
        sync_folder(path.parent)


def sync_folder(path: Path) -> None:
    """Let the names in a folder outlast a power failure, where the system can do that."""
    with contextlib.suppress(OSError):  # Windows and some network drives cannot
        folder = os.open(path, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
