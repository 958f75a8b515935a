"""Find the tables and parameters that are shipped: in data/ of a checkout, or inside the wheel."""

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
