"""TOML with the place of every key: the standard library reads values, but forgets their lines.

A file is cut into statements: a statement is as many lines as the library needs to read it alone.
Each statement has one line in the file, and within it keys and values are found by their text. A
key that is written in an unusual way (escaped, say) has the place of its statement.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

Keys = tuple[str | int, ...]  # of keys, and of places in lists, from the top

MOST_LINES = 200  # of a statement
_WHERE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
_SPACE = re.compile(r"\s*")


@dataclass(frozen=True)
class Place:
    """A place in a file: its line, counted from 1, the text of that line, and the offset in it."""

    line: int
    text: str
    at: int


class TomlError(ValueError):
    """A file that is not TOML, with the place of the fault."""

    def __init__(self, message: str, place: Place) -> None:
        super().__init__(message)
        self.place = place


@dataclass(frozen=True)
class Toml:
    """What a file says, and where: of each key the place of its name, and of its value."""

    values: dict[str, Any]
    keys: dict[Keys, Place] = field(default_factory=dict)
    contents: dict[Keys, Place] = field(default_factory=dict)

    def key(self, *path: str | int) -> Place:
        """Return the place of a key; of what holds it if its own is not known."""
        return _nearest(self.keys, path)

    def content(self, *path: str | int) -> Place:
        """Return the place of a value, or of its key if that is all that is known."""
        return self.contents.get(path) or self.key(*path)


def read_toml(text: str) -> Toml:
    """Return the values of a text and their places; TomlError if it is not TOML."""
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _located(str(error), text) from None
    except RecursionError:
        raise TomlError("it is nested too deeply", Place(1, text.split("\n")[0], 0)) from None
    found = Toml(values)
    _find_places(text, found)
    return found


def _located(message: str, text: str) -> TomlError:
    """Return the library's message with its place taken out of it."""
    lines = text.split("\n")
    where = _WHERE.search(message)
    said = message[: where.start()] if where else message
    line, at = len(lines), len(lines[-1])
    if where and where[1]:
        line, at = int(where[1]), int(where[2]) - 1
    while line > 1 and not lines[line - 1].strip():  # the end of a file is after its last line
        line, at = line - 1, len(lines[line - 2])
    return TomlError(said[:1].lower() + said[1:], Place(line, lines[line - 1], at))


def _find_places(text: str, found: Toml) -> None:
    """Fill in where each key and value of a readable text is."""
    table: Keys = ()
    lists: dict[Keys, int] = {}
    for first, statement in _statements(text.split("\n")):
        plain = tomllib.loads(statement)
        header = statement.lstrip().startswith("[")
        if header:
            table = _opened(plain, statement.lstrip().startswith("[["), lists)
            at = len(statement) - len(statement.lstrip())
            place = Place(first, statement, at)
            for size in range(1, len(table) + 1):
                found.keys.setdefault(table[:size], place)
            continue
        _of_keys(plain, table, first, statement, found)


def _statements(lines: list[str]) -> Iterator[tuple[int, str]]:
    """Yield each statement with the number of its first line."""
    at = 0
    while at < len(lines):
        if not lines[at].strip() or lines[at].lstrip().startswith("#"):
            at += 1
            continue
        for end in range(at + 1, min(len(lines), at + MOST_LINES) + 1):
            statement = "\n".join(lines[at:end])
            try:
                tomllib.loads(statement)
            except tomllib.TOMLDecodeError:
                continue
            yield at + 1, statement
            at = end
            break
        else:
            return  # the rest has the places of what holds it


def _opened(plain: dict[str, Any], is_list: bool, lists: dict[Keys, int]) -> Keys:
    """Return the path of the table that a header opens; lists: how many tables each has so far."""
    path: Keys = ()
    inner: Any = plain
    while isinstance(inner, dict) and inner:
        name, inner = next(iter(inner.items()))
        path = (*path, name)
        if isinstance(inner, list):  # the last key of [[…]]
            break
        if path in lists:
            path = (*path, lists[path] - 1)
    if is_list:
        lists[path] = lists.get(path, 0) + 1
        path = (*path, lists[path] - 1)
    return path


def _of_keys(plain: dict[str, Any], table: Keys, first: int, statement: str, found: Toml) -> None:
    """Fill in the places of what one statement sets: a key, or several of an inline table."""
    at = _SPACE.match(statement).end()  # type: ignore[union-attr]
    waiting: list[tuple[Keys, Any]] = [((*table, name), value) for name, value in plain.items()]
    while waiting:
        path, value = waiting.pop(0)
        name = str(path[-1])
        written = re.compile(rf"(?<![\w-]){re.escape(name)}[\"']?[ \t]*=[ \t]*").search(
            statement, at
        )
        if written is None:
            found.keys.setdefault(path, _place(first, statement, at))
        else:
            found.keys[path] = _place(first, statement, written.start())
            found.contents[path] = _place(first, statement, written.end())
            at = written.end()
        if isinstance(value, dict):
            waiting[:0] = [((*path, inner), each) for inner, each in value.items()]


def _place(first: int, statement: str, at: int) -> Place:
    """Return a place in a statement that begins in line `first`."""
    before = statement[:at]
    line = before.count("\n")
    return Place(first + line, statement.split("\n")[line], at - (before.rfind("\n") + 1))


def _nearest(places: dict[Keys, Place], path: Keys) -> Place:
    for size in range(len(path), 0, -1):
        if path[:size] in places:
            return places[path[:size]]
    return Place(1, "", 0)
