"""Where shipped tables and parameters lie: data/ of a checkout, or inside the wheel."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import Any

from lama_odds.core.errors import LamaOddsError
from lama_odds.core.reading import read_bytes, read_json

MOST_BYTES = 1 << 30
_PACKAGE = Path(__file__).resolve().parent.parent


def data_file(name: str) -> Path:
    """Path of a shipped file; LamaOddsError if the installation lacks it."""
    for folder in (_PACKAGE / "data", _PACKAGE.parent / "data"):
        if (folder / name).is_file():
            return folder / name
    raise LamaOddsError(f"this installation lacks its data file {name}: install lama-odds again")


@cache
def data_json(name: str) -> Any:
    """A shipped JSON file, read once; LamaOddsError if it is damaged."""
    path = data_file(name)
    try:
        return read_json(path)
    except ValueError as error:
        raise LamaOddsError(f"{path} is damaged ({error}): install lama-odds again") from None


def data_bytes(name: str, digest: str) -> bytes:
    """The content of a shipped file; LamaOddsError if its hash (SHA-256) is another one."""
    path = data_file(name)
    try:
        content = read_bytes(path, MOST_BYTES)
    except ValueError:
        content = b""
    if hashlib.sha256(content).hexdigest() != digest:
        raise LamaOddsError(f"{path} is not the table of its manifest: install lama-odds again")
    return content
