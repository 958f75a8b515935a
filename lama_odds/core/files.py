"""Write files whole or not at all; `reading` reads them."""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO, TextIO

from lama_odds.core.errors import LimitError, ReadError
from lama_odds.core.language import say

LONGEST = 255  # bytes in the name of a file, on most systems


def write_whole(path: Path, text: str, durable: bool = False) -> None:
    """Write a text file; an existing file stays until the new one is complete."""
    write_whole_bytes(path, text.encode(), durable)


def write_whole_bytes(
    path: Path, content: bytes, durable: bool = False, mode: int | None = None
) -> None:
    """Write a file; an existing file stays until the new one is complete.

    This is for folders of this program: a link at the path is itself replaced, not its target.

    durable: the file is on the disk when the function returns, and survives a power failure. mode:
    its permissions (default: the umask's). OSError names the path.
    """
    with whole_file(path, durable, mode) as file:
        file.write(content)


@contextlib.contextmanager
def whole_file(path: Path, durable: bool = False, mode: int | None = None) -> Iterator[BinaryIO]:
    """Yield a new file that takes this path when it is complete; see `write_whole_bytes`."""
    with _named(path):
        handle, name = _new_file(path, 0o666 if mode is None else 0o600)
        try:
            with os.fdopen(handle, "wb") as file:
                yield file
                if mode is not None:
                    os.chmod(name, mode)
                if durable:
                    file.flush()
                    os.fsync(file.fileno())
            os.replace(name, path)
        except BaseException:
            os.unlink(name)
            raise
    if durable:
        sync_folder(path.parent)


def write_output(path: Path, content: str | bytes) -> None:
    """Write a file that the user named: whole, at the target of a link, with its old permissions.

    A pipe or device is written to directly, and so is the stream of this program's own output.
    OSError names the path.
    """
    data = content.encode() if isinstance(content, str) else content
    with _named(path):
        try:
            status = path.stat()
        except FileNotFoundError:
            status = None
        stream = None if status is None else _stream_to(status)
        if stream is not None:
            stream.flush()
            stream.buffer.write(data)
            stream.buffer.flush()
        elif status is None or stat.S_ISREG(status.st_mode):
            mode = None if status is None else stat.S_IMODE(status.st_mode)
            write_whole_bytes(Path(os.path.realpath(path)), data, mode=mode)
        else:
            with open(path, "wb") as file:
                file.write(data)


def check_output(option: str, path: Path) -> None:
    """Raise LimitError, before anything is computed, if a file cannot be written."""
    file = f"{option} {path}"
    try:
        status = path.stat()
    except FileNotFoundError:
        status = None
    except OSError as error:
        why = error.strerror
        raise LimitError(
            say("{file}: {why}, expected a file to write", file=file, why=why)
        ) from None
    if status is not None and stat.S_ISDIR(status.st_mode):
        raise LimitError(say("{file}: found a folder, expected a file to write", file=file))
    if status is not None and not os.access(path, os.W_OK):
        raise LimitError(say("{file}: this file cannot be written to", file=file))
    if status is not None and not stat.S_ISREG(status.st_mode):
        return
    folder = Path(os.path.realpath(path)).parent
    shown = folder if path.is_symlink() else path.parent
    if not folder.exists():
        raise LimitError(say("{file}: there is no folder {folder}", file=file, folder=shown))
    if not folder.is_dir():
        raise LimitError(
            say("{file}: {folder} is a file, expected a folder", file=file, folder=shown)
        )
    if not os.access(folder, os.W_OK | os.X_OK):
        raise LimitError(
            say("{file}: folder {folder} cannot be written to", file=file, folder=shown)
        )


def check_outputs(files: Mapping[str, Path | None], read: Mapping[str, Path] | None = None) -> None:
    """Check with `check_output` all files that a command will write.

    files: the files by option; None if an option is not given. read: files that the command reads.
    Raises ReadError if two outputs are the same file, or if an output is a file that is read.
    """
    taken = {os.path.realpath(path): name for name, path in (read or {}).items()}
    for option, path in files.items():
        if path is None:
            continue
        check_output(option, path)
        place = os.path.realpath(path)
        if place in taken and not _is_special(path):
            raise ReadError(
                say(
                    "{file}: {other} is the same file, expected another name",
                    file=f"{option} {path}",
                    other=taken[place],
                )
            )
        taken[place] = option


def sync_folder(path: Path) -> None:
    """Make the names in a folder survive a power failure, where the system can do that."""
    with contextlib.suppress(OSError):  # Windows and some network drives cannot
        folder = os.open(path, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _is_special(path: Path) -> bool:
    return path.exists() and not path.is_file()


def _stream_to(status: os.stat_result) -> TextIO | None:
    """Return the standard stream that writes to this file, for example for ``/dev/stdout``.

    It is None for other files. If the file were opened a second time, later output would overwrite
    it.
    """
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError, AttributeError):
            if os.path.samestat(status, os.fstat(stream.fileno())):
                return stream
    return None


def _new_file(path: Path, mode: int) -> tuple[int, str]:
    """Return a new file beside another, open for writing, and its name.

    The system subtracts the user's umask from the mode. Reading the umask would mean changing it
    for a moment, for all threads.
    """
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    for flag in ("O_CLOEXEC", "O_NOFOLLOW", "O_BINARY"):
        flags |= getattr(os, flag, 0)
    shown = path.name
    while len(os.fsencode(shown)) > LONGEST - 14:
        shown = shown[:-1]
    while True:
        name = os.path.join(path.parent, f".{shown}.{os.urandom(6).hex()}")
        with contextlib.suppress(FileExistsError):
            return os.open(name, flags, mode), name


@contextlib.contextmanager
def _named(path: Path) -> Iterator[None]:
    """Name the requested file in errors, not the temporary one beside it."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), str(path)) from error


# A file that grows: written at its end only, by one process at a time.

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
