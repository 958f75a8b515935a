"""The one reader of files: a file from outside cannot block it, fill the memory or lead elsewhere.

A file must be regular, is opened without waiting, and is read up to a limit. A file that cannot be
opened raises OSError. One that cannot be used raises ValueError with the reason. Callers turn these
into errors of their own.
"""

from __future__ import annotations

import errno
import hashlib
import json
import math
import os
import re
import stat
import sys
from collections.abc import Callable, Collection, Mapping
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

from lama_odds.core.errors import LamaOddsError

# Strict JSON, both ways, and objects whose fields are checked as they are read.
#
# NaN, infinity, whole numbers beyond 64 bits, repeated keys, lone surrogates and very deep nesting
# are refused when JSON is read. NaN and infinity are never written.

DEEPEST = 100  # lists and objects inside each other
_DIGITS = 20
_MOST = 1 << 64
_HALF = re.compile("[\ud800-\udfff]")


def from_json(text: str) -> Any:
    """Return the value of a JSON text.

    Raises ValueError, with the reason, if it is not strict JSON.
    """
    try:
        found = json.loads(
            text,
            parse_int=_whole,
            parse_float=_number,
            parse_constant=_refuse,
            object_pairs_hook=_object,
        )
    except RecursionError:
        raise ValueError("nested too deeply") from None
    _check(found)
    return found


def to_json(value: Any, indent: int | None = None) -> str:
    """Return a JSON text; raise ValueError for numbers that JSON cannot express."""
    return json.dumps(value, allow_nan=False, indent=indent)


def _whole(text: str) -> int:
    if len(text) > _DIGITS or not -_MOST < int(text) < _MOST:
        raise ValueError(f"{_clipped(text)} is too large for a whole number")
    return int(text)


def _number(text: str) -> float:
    if not math.isfinite(float(text)):
        raise ValueError(f"{_clipped(text)} is too large for a number")
    return float(text)


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        met: set[str] = set()
        twice = next(name for name, _ in pairs if name in met or met.add(name))  # type: ignore[func-returns-value]
        raise ValueError(f"key {_clipped(twice)!r} is given twice")
    return found


def _check(found: Any) -> None:
    """Raise ValueError for a value nested too deeply, and for text with a lone surrogate."""
    level = [found]
    for _ in range(DEEPEST):
        inner: list[Any] = []
        for value in level:
            if isinstance(value, dict):
                inner += [*value, *value.values()]
            elif isinstance(value, list):
                inner += value
            elif isinstance(value, str) and _HALF.search(value):
                raise ValueError(f"{_clipped(value)!a} has half of a character (a lone surrogate)")
        if not inner:
            return
        level = inner
    raise ValueError("nested too deeply")


def _clipped(text: str) -> str:
    return text if len(text) <= 30 else text[:29] + "…"


class Fields:
    """The fields of a JSON object, each checked when it is read.

    Every reader raises ValueError with the key, what was found and what is expected.
    """

    def __init__(self, found: Any, known: Collection[str] | None = None) -> None:
        """Take a value that was read from JSON; `known` are the only keys it may have."""
        if not isinstance(found, Mapping):
            raise ValueError(f"found {_kind(found)}, expected an object")
        for name in found:
            if known is not None and name not in known:
                raise ValueError(f"unknown key {_clipped(name)!r}")
        self._found = found

    def has(self, name: str) -> bool:
        """Return whether a key is there and its value is not null."""
        return self._found.get(name) is not None

    def whole(self, name: str, least: int, most: int) -> int:
        """Return a whole number from `least` to `most`."""
        found = self._found.get(name)
        if isinstance(found, bool) or not isinstance(found, int) or not least <= found <= most:
            whole = isinstance(found, int) and not isinstance(found, bool)
            shown = _clipped(str(found)) if whole else _kind(found)
            raise ValueError(
                f"{name}: found {shown}, expected a whole number, {least:,} to {most:,}"
            )
        return found

    def truth(self, name: str) -> bool:
        """Return true or false."""
        found = self._found.get(name)
        if not isinstance(found, bool):
            raise ValueError(f"{name}: found {_kind(found)}, expected true or false")
        return found

    def text(self, name: str) -> str:
        """Return a text."""
        found = self._found.get(name)
        if not isinstance(found, str):
            raise ValueError(f"{name}: found {_kind(found)}, expected text")
        return found

    def texts(self, name: str) -> list[str]:
        """Return a list of texts."""
        found = self._found.get(name)
        if not isinstance(found, list) or not all(isinstance(item, str) for item in found):
            raise ValueError(f"{name}: found {_kind(found)}, expected a list of texts")
        return found

    def object(self, name: str) -> dict[str, Any]:
        """Return an object."""
        found = self._found.get(name)
        if not isinstance(found, dict):
            raise ValueError(f"{name}: found {_kind(found)}, expected an object")
        return found


def _kind(found: Any) -> str:
    """Return the type of a value, in words."""
    if found is None:
        return "nothing"
    if isinstance(found, bool):
        return str(found).lower()
    kinds = {dict: "an object", list: "a list", str: "text"}
    return next((said for kind, said in kinds.items() if isinstance(found, kind)), "a number")


STDIN = Path("-")
MOST_RECORD = 16_000_000  # bytes of a user's file: a record or a policy
MOST_JSON = 64_000_000  # bytes of this program's own JSON
# Streams that the parent process has opened for this one: `<(...)` in a shell is one.
_HANDED = re.compile(r"/dev/stdin|/(?:dev|proc/self)/fd/([0-9]{1,6})")
_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


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
            raise ValueError("it is a link, expected a file") from None
        if error.errno == errno.ENXIO:  # a socket cannot be opened at all
            raise ValueError("it is a socket, expected a file") from None
        raise
    with os.fdopen(_regular(handle), "rb") as file:
        found = os.fstat(file.fileno())
        if not trusted(found):
            raise ValueError("others can have written it")
        if found.st_size > most:
            raise ValueError(f"it has {found.st_size:,} bytes, at most {most:,} can be read")
        return _up_to(file, most)


def _regular(handle: int) -> int:
    """Return the same handle if its file is regular; otherwise close it and raise ValueError."""
    mode = os.fstat(handle).st_mode
    if stat.S_ISREG(mode):
        return handle
    os.close(handle)
    kind = next((name for is_it, name in _KINDS if is_it(mode)), "no file")
    raise ValueError(f"it is {kind}, expected a file")


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
        raise ValueError("there is no stdin")
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
            f"it is not text: byte 0x{error.object[error.start]:02x} at line {line}, "
            f"byte {column}, expected UTF-8"
        ) from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _up_to(file: BinaryIO, most: int) -> bytes:
    content = file.read(most + 1)
    if content is None:  # it waits for writers, and nothing was written yet
        raise ValueError("there is nothing to read in it yet")
    if len(content) > most:
        raise ValueError(f"it has more than the {most:,} bytes that can be read")
    return content


# Find the tables and parameters that are shipped: in data/ of a checkout, or inside the wheel.

MOST_BYTES = 1 << 30
_PACKAGE = Path(__file__).resolve().parent.parent


def data_file(name: str) -> Path:
    """Return the path of a shipped file; raise LamaOddsError if the installation lacks it."""
    for folder in (_PACKAGE / "data", _PACKAGE.parent / "data"):
        if (folder / name).is_file():
            return folder / name
    raise LamaOddsError(f"this installation lacks its data file {name}: install lama-odds again")


@cache
def data_json(name: str) -> Any:
    """Return the content of a shipped JSON file, read once.

    Raises LamaOddsError if it is damaged.
    """
    path = data_file(name)
    try:
        return read_json(path)
    except ValueError as error:
        raise LamaOddsError(f"{path} is damaged ({error}): install lama-odds again") from None


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
