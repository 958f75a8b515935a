"""JSON without its loopholes, both ways, and objects whose fields are checked as they are read.

What is read has no NaN or infinity, no whole number beyond 64 bits, no key twice, no half of a
character, and is not nested without end. What is written has no NaN or infinity either.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Collection, Mapping
from typing import Any, NoReturn

DEEPEST = 100  # lists and objects in each other
_DIGITS = 20
_MOST = 1 << 64
_HALF = re.compile("[\ud800-\udfff]")


def from_json(text: str) -> Any:
    """The value of a JSON text; ValueError, with the reason, for what is not strict JSON."""
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
    """A JSON text; ValueError for numbers that JSON has not."""
    return json.dumps(value, allow_nan=False, indent=indent)


def _whole(text: str) -> int:
    if len(text) > _DIGITS or not -_MOST < int(text) < _MOST:
        raise ValueError(f"{_clipped(text)} is too large a whole number")
    return int(text)


def _number(text: str) -> float:
    if not math.isfinite(float(text)):
        raise ValueError(f"{_clipped(text)} is too large a number")
    return float(text)


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        met: set[str] = set()
        twice = next(name for name, _ in pairs if name in met or met.add(name))  # type: ignore[func-returns-value]
        raise ValueError(f"key {_clipped(twice)!r} is given twice")
    return found


def _check(found: Any) -> None:
    """ValueError for what is nested too deeply, and for text with half a character in it."""
    level = [found]
    for _ in range(DEEPEST):
        inner: list[Any] = []
        for value in level:
            if isinstance(value, dict):
                inner += [*value, *value.values()]
            elif isinstance(value, list):
                inner += value
            elif isinstance(value, str) and _HALF.search(value):
                raise ValueError(f"{_clipped(value)!a} holds half a character")
        if not inner:
            return
        level = inner
    raise ValueError("nested too deeply")


def _clipped(text: str) -> str:
    return text if len(text) <= 30 else text[:29] + "…"


class Fields:
    """The fields of a JSON object; each is checked as it is read.

    Every reading raises ValueError with the key, what was found and what is expected.
    """

    def __init__(self, found: Any, known: Collection[str] | None = None) -> None:
        """found: a value read from JSON; known: the only keys that it may have."""
        if not isinstance(found, Mapping):
            raise ValueError(f"found {_kind(found)}, expected an object")
        for name in found:
            if known is not None and name not in known:
                raise ValueError(f"unknown key {_clipped(name)!r}")
        self._found = found

    def has(self, name: str) -> bool:
        """Whether there is anything under a key but null."""
        return self._found.get(name) is not None

    def whole(self, name: str, least: int, most: int) -> int:
        """A whole number from `least` to `most`."""
        found = self._found.get(name)
        if isinstance(found, bool) or not isinstance(found, int) or not least <= found <= most:
            whole = isinstance(found, int) and not isinstance(found, bool)
            shown = _clipped(str(found)) if whole else _kind(found)
            raise ValueError(
                f"{name}: found {shown}, expected a whole number, {least:,} to {most:,}"
            )
        return found

    def text(self, name: str) -> str:
        """A text."""
        found = self._found.get(name)
        if not isinstance(found, str):
            raise ValueError(f"{name}: found {_kind(found)}, expected text")
        return found

    def texts(self, name: str) -> list[str]:
        """A list of texts."""
        found = self._found.get(name)
        if not isinstance(found, list) or not all(isinstance(item, str) for item in found):
            raise ValueError(f"{name}: found {_kind(found)}, expected a list of texts")
        return found

    def object(self, name: str) -> dict[str, Any]:
        """An object."""
        found = self._found.get(name)
        if not isinstance(found, dict):
            raise ValueError(f"{name}: found {_kind(found)}, expected an object")
        return found


def _kind(found: Any) -> str:
    """What a value is, in words."""
    if found is None:
        return "nothing"
    if isinstance(found, bool):
        return str(found).lower()
    kinds = {dict: "an object", list: "a list", str: "text"}
    return next((said for kind, said in kinds.items() if isinstance(found, kind)), "a number")
