"""Answers as plain values: the keys of their JSON, declared once beside their fields."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple

ALL_OF = "*"  # instead of a name: all keys of a mapping


class Key(NamedTuple):
    """A key of an answer, where its value is, and whether it is missing if that is empty."""

    name: str
    path: tuple[str, ...]
    optional: bool


class Plain:
    """A part of an answer whose JSON is declared by its keys.

    KEYS: in the order of the JSON. A key is an attribute of that name (a field or a property), or
    ``key=attribute``, or ``key=attribute.of.it``; of several things each. ``key?`` is missing if
    its value is None or has no parts. ``*attribute`` stands for all keys of a mapping. The schemas
    read the same keys (`tools/publishing/schemas`).
    """

    KEYS: ClassVar[str]

    def to_json(self) -> dict[str, Any]:
        """Return the keys with plain values."""
        values: dict[str, Any] = {}
        for key in keys_in(self.KEYS):
            value = value_at(self, key.path)
            if key.name == ALL_OF:
                values.update(plain(value))
            elif not (key.optional and (value is None or value in ((), "", {}))):
                values[key.name] = plain(value)
        return values


@functools.cache
def keys_in(text: str) -> tuple[Key, ...]:
    """Return the keys that a text declares, see `Plain`."""
    keys = []
    for word in text.split():
        name, _, path = word.partition("=") if word[0] != ALL_OF else (ALL_OF, "", word[1:])
        optional, name = name.endswith("?"), name.removesuffix("?")
        keys.append(Key(name, tuple((path or name).split(".")), optional))
    return tuple(keys)


def value_at(thing: Any, path: tuple[str, ...]) -> Any:
    """Return the attribute of a thing at a path; of a tuple those of its parts, of None None."""
    for name in path:
        if thing is None:
            return None
        if isinstance(thing, tuple):
            thing = tuple(getattr(part, name) for part in thing)
        else:
            thing = getattr(thing, name)
    return thing


def plain(value: Any) -> Any:
    """Return a value as JSON has it: lists, and objects by name."""
    if hasattr(value, "to_json"):
        return value.to_json()
    if isinstance(value, Mapping):
        return {name: plain(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    return value
