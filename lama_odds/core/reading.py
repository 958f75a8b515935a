"""The one reader of files: a file from outside cannot block it, fill the memory or lead elsewhere.

A file must be regular, is opened without waiting, and is read up to a limit. A file that cannot be
opened raises OSError. One that cannot be used raises ValueError with the reason. Callers turn these
into errors of their own.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
import stat
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO

from lama_odds.core.errors import LamaOddsError
from lama_odds.core.language import later, say
from lama_odds.core.strict_json import from_json
from lama_odds.core.wording import thousands

STDIN = Path("-")
MOST_RECORD = 16_000_000  # bytes of a user's file: a record or a policy
MOST_JSON = 64_000_000  # bytes of this program's own JSON
# Streams that the parent process has opened for this one: `<(...)` in a shell is one.
_HANDED = re.compile(r"/dev/stdin|/(?:dev|proc/self)/fd/([0-9]{1,6})")
_KINDS = (
    (stat.S_ISDIR, later("a folder")),
    (stat.S_ISFIFO, later("a pipe")),
    (stat.S_ISSOCK, later("a socket")),
    (stat.S_ISCHR, later("a device")),
    (stat.S_ISBLK, later("a device")),
)
NO_FILE = later("no file")


def read_bytes(
    path: Path,
    most: int,
    links: bool = True,
    trusted: Callable[[os.stat_result], bool] = lambda found: True,
) -> bytes:
    """Return the content of a regular file of at most `most` bytes.

    links: whether the path itself may be a link. trusted: whether a file may be read, by its owner
    and permissions. Raises OSError if the file cannot be opened. Raises ValueError with the reason
    for a forbidden link, a file that is not regular or not trusted, and too many bytes.
    """
    flags = os.O_RDONLY
    for name in ("O_NONBLOCK", "O_CLOEXEC", "O_NOCTTY", "O_BINARY", "" if links else "O_NOFOLLOW"):
        flags |= getattr(os, name, 0)
    try:
        handle = os.open(path, flags)
    except OSError as error:
        if not links and error.errno in (errno.ELOOP, getattr(errno, "EMLINK", errno.ELOOP)):
            raise ValueError(say("it is {kind}, expected a file", kind=say("a link"))) from None
        if error.errno == errno.ENXIO:  # a socket cannot be opened at all
            raise ValueError(say("it is {kind}, expected a file", kind=say("a socket"))) from None
        raise
    with os.fdopen(_regular(handle), "rb") as file:
        status = os.fstat(file.fileno())
        if not trusted(status):
            raise ValueError(say("others can have written it"))
        if status.st_size > most:
            size, limit = thousands(status.st_size), thousands(most)
            raise ValueError(
                say("it has {size} bytes, at most {limit} can be read", size=size, limit=limit)
            )
        return _up_to(file, most)


def _regular(handle: int) -> int:
    """Return the same handle if its file is regular; otherwise close it and raise ValueError."""
    mode = os.fstat(handle).st_mode
    if stat.S_ISREG(mode):
        return handle
    os.close(handle)
    kind = next((name for is_it, name in _KINDS if is_it(mode)), NO_FILE)
    raise ValueError(say("it is {kind}, expected a file", kind=say(kind)))


def read_text(path: Path, most: int, links: bool = True) -> str:
    """Return the text of a file, like `read_bytes`.

    ValueError gives the place of a byte that is not UTF-8.
    """
    return text_of(read_bytes(path, most, links))


def read_handed(path: Path, most: int = MOST_RECORD) -> str:
    """Return the text of a file that the user named: stdin for ``-``, and pipes of the shell too.

    Raises OSError and ValueError like `read_text`.
    """
    handed = _HANDED.fullmatch(str(path))
    if path != STDIN and handed is None:
        return read_text(path, most)
    number = 0 if handed is None or handed[1] is None else int(handed[1])
    if number == 0 and sys.stdin is None:
        raise ValueError(say("there is no stdin"))
    # Read a copy of the descriptor: the stream stays open for other readers.
    with os.fdopen(os.dup(number), "rb") as stream:
        return text_of(_up_to(stream, most))


def read_json(path: Path, most: int = MOST_JSON, links: bool = True) -> Any:
    """Return the value in a JSON file.

    Raises OSError and ValueError like `read_text` and `from_json`.
    """
    return from_json(read_text(path, most, links))


def text_of(content: bytes) -> str:
    """Return UTF-8 text with line ends of this system.

    ValueError gives the place of a byte that is not UTF-8.
    """
    try:
        text = content.removeprefix(b"\xef\xbb\xbf").decode("utf-8")
    except UnicodeDecodeError as error:
        before = error.object[: error.start]
        line, column = before.count(b"\n") + 1, error.start - before.rfind(b"\n")
        raise ValueError(
            say(
                "it is not text: byte {byte} at line {line}, byte {column}, expected UTF-8",
                byte=f"0x{error.object[error.start]:02x}",
                line=line,
                column=column,
            )
        ) from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _up_to(file: BinaryIO, most: int) -> bytes:
    content = file.read(most + 1)
    if content is None:  # it waits for writers, and nothing was written yet
        raise ValueError(say("there is nothing to read in it yet"))
    if len(content) > most:
        raise ValueError(
            say("it has more than the {limit} bytes that can be read", limit=thousands(most))
        )
    return content


# Find the tables and parameters that are shipped: in data/ of a checkout, or inside the wheel.

MOST_BYTES = 1 << 30
_PACKAGE = Path(__file__).resolve().parent.parent


def data_file(name: str) -> Path:
    """Return the path of a shipped file; raise LamaOddsError if the installation lacks it."""
    for folder in (_PACKAGE / "data", _PACKAGE.parent / "data"):
        if (folder / name).is_file():
            return folder / name
    raise LamaOddsError(
        say("this installation lacks its data file {name}: install lama-odds again", name=name)
    )


@cache
def data_json(name: str) -> Any:
    """Return the content of a shipped JSON file, read once.

    Raises LamaOddsError if it is damaged.
    """
    path = data_file(name)
    try:
        return read_json(path)
    except ValueError as error:
        raise LamaOddsError(
            say("{path} is damaged ({why}): install lama-odds again", path=path, why=error)
        ) from None


def data_bytes(name: str, digest: str) -> bytes:
    """Return the content of a shipped file.

    Raises LamaOddsError unless its SHA-256 hash is `digest`.
    """
    path = data_file(name)
    try:
        content = read_bytes(path, MOST_BYTES)
    except ValueError:
        content = b""
    if hashlib.sha256(content).hexdigest() != digest:
        raise LamaOddsError(f"{path} differs from its manifest: install lama-odds again")
    return content
