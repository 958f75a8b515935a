"""The one reader of files: what somebody else wrote cannot hang it, fill the memory or lead away.

A file is opened without waiting for it, must be a regular one, and is read up to a limit. Errors
are an OSError for a file that cannot be opened and a ValueError, with the reason, for one that
cannot be used; callers turn them into errors of their own.
"""

from __future__ import annotations

import errno
import os
import re
import stat
import sys
from pathlib import Path
from typing import Any, BinaryIO

from lama_odds.core.strict_json import from_json

STDIN = Path("-")
MOST_RECORD = 16_000_000  # bytes of what a user hands in: a record, a policy
MOST_JSON = 64_000_000  # bytes of what this program keeps as JSON
# Streams that whoever starts this process has opened for it: `<(...)` of a shell is one.
_HANDED = re.compile(r"/dev/stdin|/(?:dev|proc/self)/fd/([0-9]{1,6})")
_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


def read_bytes(path: Path, most: int, links: bool = True) -> bytes:
    """The content of a regular file of at most `most` bytes.

    links: whether the path itself may be a link. OSError if it cannot be opened; ValueError, with
    the reason, for a link that may be none, what is no regular file, and too many bytes.
    """
    flags = os.O_RDONLY
    for name in ("O_NONBLOCK", "O_CLOEXEC", "O_NOCTTY", "O_BINARY", "" if links else "O_NOFOLLOW"):
        flags |= getattr(os, name, 0)
    try:
        handle = os.open(path, flags)
    except OSError as error:
        if not links and error.errno in (errno.ELOOP, getattr(errno, "EMLINK", errno.ELOOP)):
            raise ValueError("it is a link, expected a file") from None
        if error.errno == errno.ENXIO:  # a socket cannot be opened at all
            raise ValueError("it is a socket, expected a file") from None
        raise
    with os.fdopen(_regular(handle), "rb") as file:
        found = os.fstat(file.fileno())
        if found.st_size > most:
            raise ValueError(f"it has {found.st_size:,} bytes, at most {most:,} are read")
        return _up_to(file, most)


def _regular(handle: int) -> int:
    """The same handle; ValueError, and it is closed, if it is not of a regular file."""
    mode = os.fstat(handle).st_mode
    if stat.S_ISREG(mode):
        return handle
    os.close(handle)
    kind = next((name for is_it, name in _KINDS if is_it(mode)), "no file")
    raise ValueError(f"it is {kind}, expected a file")


def read_text(path: Path, most: int, links: bool = True) -> str:
    """The text of a file, as `read_bytes`; ValueError with the place of what is no UTF-8."""
    return text_of(read_bytes(path, most, links))


def read_handed(path: Path, most: int = MOST_RECORD) -> str:
    """The text of a file that the user named: ``-`` is stdin, and pipes of the shell are read too.

    OSError and ValueError as `read_text`.
    """
    handed = _HANDED.fullmatch(str(path))
    if path != STDIN and handed is None:
        return read_text(path, most)
    number = 0 if handed is None or handed[1] is None else int(handed[1])
    if number == 0 and sys.stdin is None:
        raise ValueError("there is no stdin")
    # A copy of the number: the stream stays open for whoever else has it.
    with os.fdopen(os.dup(number), "rb") as stream:
        return text_of(_up_to(stream, most))


def read_json(path: Path, most: int = MOST_JSON, links: bool = True) -> Any:
    """The value in a file of JSON; OSError and ValueError as `read_text` and `from_json`."""
    return from_json(read_text(path, most, links))


def text_of(content: bytes) -> str:
    """Text in UTF-8, lines ending as on this system's own; ValueError with the place otherwise."""
    try:
        text = content.removeprefix(b"\xef\xbb\xbf").decode("utf-8")
    except UnicodeDecodeError as error:
        before = error.object[: error.start]
        line, column = before.count(b"\n") + 1, error.start - before.rfind(b"\n")
        raise ValueError(
            f"it is not text: byte 0x{error.object[error.start]:02x} at line {line}, "
            f"byte {column}, expected UTF-8"
        ) from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _up_to(file: BinaryIO, most: int) -> bytes:
    content = file.read(most + 1)
    if content is None:  # it waits for others to write, and nobody has
        raise ValueError("there is nothing to read in it yet")
    if len(content) > most:
        raise ValueError(f"it has more than {most:,} bytes, at most so many are read")
    return content
