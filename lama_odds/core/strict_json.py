"""Strict JSON, both ways, and objects whose fields are checked as they are read.

NaN, infinity, whole numbers beyond 64 bits, repeated keys, lone surrogates and very deep nesting
are refused when JSON is read. NaN and infinity are never written.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Collection, Mapping
from typing import Any, NoReturn, TypeVar

from lama_odds.core.language import later, say
from lama_odds.core.wording import thousands

T = TypeVar("T")

DEEPEST = 100  # lists and objects inside each other
_DIGITS = 20
_MOST = 1 << 64
_HALF = re.compile("[\ud800-\udfff]")


def from_json(text: str) -> Any:
    """Return the value of a JSON text.

    Raises ValueError, with the reason, if it is not strict JSON.
    """
    try:
        value = json.loads(
            text,
            parse_int=_whole,
            parse_float=_number,
            parse_constant=_refuse,
            object_pairs_hook=_object,
        )
    except RecursionError:
        raise ValueError(say("nested too deeply")) from None
    _check(value)
    return value


def to_json(value: Any, indent: int | None = None) -> str:
    """Return a JSON text; raise ValueError for numbers that JSON cannot express."""
    return json.dumps(value, allow_nan=False, indent=indent)


def _whole(text: str) -> int:
    if len(text) > _DIGITS or not -_MOST < int(text) < _MOST:
        raise ValueError(say("{text} is too large for a whole number", text=_clipped(text)))
    return int(text)


def _number(text: str) -> float:
    if not math.isfinite(float(text)):
        raise ValueError(say("{text} is too large for a number", text=_clipped(text)))
    return float(text)


def _refuse(name: str) -> NoReturn:
    raise ValueError(say("{text} is not a JSON number", text=name))


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        seen: set[str] = set()
        twice = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise ValueError(say("key {key} is given twice", key=repr(_clipped(twice))))
    return fields


def _check(root: Any) -> None:
    """Raise ValueError for a value nested too deeply, and for text with a lone surrogate."""
    level = [root]
    for _ in range(DEEPEST):
        inner: list[Any] = []
        for value in level:
            if isinstance(value, dict):
                inner += [*value, *value.values()]
            elif isinstance(value, list):
                inner += value
            elif isinstance(value, str) and _HALF.search(value):
                shown = ascii(_clipped(value))
                raise ValueError(
                    say("{text} has half of a character (a lone surrogate)", text=shown)
                )
        if not inner:
            return
        level = inner
    raise ValueError(say("nested too deeply"))


def _clipped(text: str) -> str:
    return text if len(text) <= 30 else text[:29] + "…"


class Fields:
    """The fields of a JSON object, each checked when it is read.

    Every reader raises ValueError with the key, what was found and what is expected.
    """

    def __init__(self, value: Any, known: Collection[str] | None = None) -> None:
        """Take a value that was read from JSON; `known` are the only keys it may have."""
        if not isinstance(value, Mapping):
            raise ValueError(say("found {kind}, expected an object", kind=_kind(value)))
        for name in value:
            if known is not None and name not in known:
                raise ValueError(say("unknown key {key}", key=repr(_clipped(name))))
        self._found = value

    def has(self, name: str) -> bool:
        """Return whether a key is there and its value is not null."""
        return self._found.get(name) is not None

    def whole(self, name: str, least: int, most: int) -> int:
        """Return a whole number from `least` to `most`."""
        value = self._found.get(name)
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            whole = isinstance(value, int) and not isinstance(value, bool)
            shown = _clipped(str(value)) if whole else _kind(value)
            limits = {"least": thousands(least), "most": thousands(most)}
            raise _expecting(name, shown, say("a whole number, {least} to {most}", **limits))
        return value

    def truth(self, name: str) -> bool:
        """Return true or false."""
        return self._of_kind(name, bool, later("true or false"))

    def text(self, name: str) -> str:
        """Return a text."""
        return self._of_kind(name, str, later("text"))

    def texts(self, name: str) -> list[str]:
        """Return a list of texts."""
        value = self._found.get(name)
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise _expecting(name, _kind(value), say("a list of texts"))
        return value

    def object(self, name: str) -> dict[str, Any]:
        """Return an object."""
        return self._of_kind(name, dict, later("an object"))

    def _of_kind(self, name: str, kind: type[T], expected: str) -> T:
        value = self._found.get(name)
        if not isinstance(value, kind):
            raise _expecting(name, _kind(value), say(expected))
        return value


def _expecting(name: str, shown: str, expected: str) -> ValueError:
    return ValueError(
        say("{name}: found {found}, expected {expected}", name=name, found=shown, expected=expected)
    )


def _kind(value: Any) -> str:
    """Return the type of a value, in words."""
    if value is None:
        return say("nothing")
    if isinstance(value, bool):
        return str(value).lower()
    kinds = {dict: say("an object"), list: say("a list"), str: say("text")}
    return next((text for kind, text in kinds.items() if isinstance(value, kind)), say("a number"))
