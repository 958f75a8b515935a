"""A file that grows: written at its end only, by one process at a time."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any, BinaryIO

BLOCK = 1 << 20  # bytes that are read at a time


class GrowingFile:
    """An open file; `BlockingIOError` if another process has it open so.

    file: for readers; its place is their own.
    """

    def __init__(self, path: Path) -> None:
        self.file: BinaryIO = open(path, "r+b" if path.exists() else "x+b")  # noqa: SIM115
        try:
            _lock(self.file)
        except OSError:
            self.file.close()
            raise

    def put(self, at: int, data: bytes) -> None:
        """Write data at a place and drop what was behind it; it is on the disk at return."""
        self.file.seek(at)
        self.file.truncate()
        self.file.write(data)
        self.file.flush()
        os.fsync(self.file.fileno())

    def close(self) -> None:
        """Close the file, so that other processes may open it."""
        self.file.close()


def _lock(file: BinaryIO) -> None:
    """Keep other processes from opening the file like this, where the system can do that."""
    try:
        import fcntl
    except ImportError:  # Windows
        return
    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def hash_of_first(path: Path, count: int | None = None) -> Any:
    """Return the SHA-256 of the first bytes of a file (None: of all), open for more.

    It is None if the file is shorter.
    """
    digest, left = hashlib.sha256(), path.stat().st_size if count is None else count
    with open(path, "rb") as file:
        while left and (block := file.read(min(left, BLOCK))):
            digest.update(block)
            left -= len(block)
    return None if left else digest
