"""Files of variants: TOML with a name, a base rule set, options and a sentence for each variant.

A file has one variant at its top, or several, each after ``[[variant]]``. All defects of a file are
reported together, each with its line and place.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from lama_odds.analysis.variants.given import SUFFIX, without
from lama_odds.core.errors import ReadError, near_names
from lama_odds.core.notation import Part
from lama_odds.core.reading import read_text
from lama_odds.core.rulesets import Option, SenselessError
from lama_odds.games.interface.game import AnyGame
from lama_odds.games.registry import game_of

# TOML with the place of every key: the standard library reads values, but forgets their lines.
#
# A file is cut into statements: a statement is as many lines as the library needs to read it alone.
# Each statement has one line in the file, and within it keys and values are found by their text. A
# key that is written in an unusual way (escaped, say) has the place of its statement.

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
        for size in range(len(path), 0, -1):
            if path[:size] in self.keys:
                return self.keys[path[:size]]
        return Place(1, "", 0)

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
    toml = Toml(values)
    _find_places(text, toml)
    return toml


def _located(message: str, text: str) -> TomlError:
    """Return the library's message with its place taken out of it."""
    lines = text.split("\n")
    where = _WHERE.search(message)
    reason = message[: where.start()] if where else message
    line, at = len(lines), len(lines[-1])
    if where and where[1]:
        line, at = int(where[1]), int(where[2]) - 1
    while line > 1 and not lines[line - 1].strip():  # the end of a file is after its last line
        line, at = line - 1, len(lines[line - 2])
    return TomlError(reason[:1].lower() + reason[1:], Place(line, lines[line - 1], at))


def _find_places(text: str, toml: Toml) -> None:
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
                toml.keys.setdefault(table[:size], place)
            continue
        _of_keys(plain, table, first, statement, toml)


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


def _of_keys(plain: dict[str, Any], table: Keys, first: int, statement: str, toml: Toml) -> None:
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
            toml.keys.setdefault(path, _place(first, statement, at))
        else:
            toml.keys[path] = _place(first, statement, written.start())
            toml.contents[path] = _place(first, statement, written.end())
            at = written.end()
        if isinstance(value, dict):
            waiting[:0] = [((*path, inner), content) for inner, content in value.items()]


def _place(first: int, statement: str, at: int) -> Place:
    """Return a place in a statement that begins in line `first`."""
    before = statement[:at]
    line = before.count("\n")
    return Place(first + line, statement.split("\n")[line], at - (before.rfind("\n") + 1))


NAME, BASE, ABOUT, OPTIONS, SEVERAL = "name", "base", "about", "options", "variant"
KEYS = (NAME, BASE, ABOUT, OPTIONS)
MOST_BYTES = 100_000
MOST_VARIANTS = 200
LONGEST_NAME, LONGEST_ABOUT = 40, 400
MOST_TOLD = 20  # defects
NOT_IN_NAMES = "#/@"  # a name follows #, and is neither a rule-set id nor a file
_SHOWN_PLACE = re.compile(r"^cannot read(?: in [^:]*)?: ")


@dataclass(frozen=True)
class Variant:
    """A rule set with a name. base, rules: canonical ids; options: those that the file sets."""

    name: str
    base: str
    rules: str
    about: str = ""
    options: tuple[str, ...] = ()


@dataclass(frozen=True)
class Defect:
    """What is wrong at a place of a file."""

    place: Place
    message: str
    hints: tuple[str, ...] = ()

    def lines(self) -> list[str]:
        """Return it in words, with the line of the file and a caret under the place."""
        where = f"line {self.place.line}, column {self.place.at + 1}: {self.message}"
        error = ReadError(where, self.place.text, self.place.at, self.hints)
        return [f"  {line}" for line in str(error).split("\n")]


def variants_in(path: Path) -> list[Variant]:
    """Return the variants of a file; raise ReadError with all its defects."""
    try:
        toml = read_toml(read_text(path, MOST_BYTES))
    except TomlError as error:
        defect = Defect(error.place, str(error))
        raise _refused([defect], f"{path} is not TOML") from None
    except OSError as error:
        hints = _files_near(path) if isinstance(error, FileNotFoundError) else ()
        message = f"variants {path}: {error.strerror or error}"
        raise ReadError(message, hints=hints) from None
    except ValueError as error:
        raise ReadError(f"variants {path}: {error}") from None
    defects: list[Defect] = []
    tables = _tables(toml, defects)
    variants = [_Reader(toml, at, defects).read() for at in tables]
    _check_names(toml, tables, defects)
    if defects:
        raise _refused(defects, f"{path} cannot be used")
    return [variant for variant in variants if variant is not None]


def _files_near(path: Path) -> tuple[str, ...]:
    """Return a hint with similar names of files beside a missing one; none if there are none."""
    plain = path.name.partition("+")[0]
    if plain and plain != path.name and path.with_name(plain).is_file():
        return ("  options of a variant are written in its file",)
    try:
        names = sorted({file.name for file in path.parent.glob(f"*{SUFFIX}")} - {"pyproject.toml"})
    except OSError:
        names = []
    return near_names(path.name, names)


def _refused(defects: list[Defect], what: str) -> ReadError:
    ordered = sorted(defects, key=lambda defect: (defect.place.line, defect.place.at))
    number = f"{len(defects)} defects" if len(defects) > 1 else "1 defect"
    lines = [line for defect in ordered[:MOST_TOLD] for line in defect.lines()]
    lines += [f"  and {len(defects) - MOST_TOLD} more"] * (len(defects) > MOST_TOLD)
    return ReadError(f"{what}: {number}", hints=lines)


def _tables(toml: Toml, defects: list[Defect]) -> list[Keys]:
    """Return where the variants of a file are: at its top, or in a list."""
    if SEVERAL not in toml.values:
        return [()]
    tables = toml.values[SEVERAL]
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        defects.append(Defect(toml.key(SEVERAL), f"expected [[{SEVERAL}]] before each variant"))
        return []
    for name in toml.values:
        if name != SEVERAL:
            message = f"{name} belongs to a variant: expected it after [[{SEVERAL}]]"
            defects.append(Defect(toml.key(name), message))
    if len(tables) > MOST_VARIANTS:
        message = f"{len(tables)} variants, expected at most {MOST_VARIANTS}"
        defects.append(Defect(toml.key(SEVERAL), message))
        return []
    return [(SEVERAL, at) for at in range(len(tables))]


def _check_names(toml: Toml, tables: list[Keys], defects: list[Defect]) -> None:
    """Add a defect for each name that an earlier variant has."""
    known: set[str] = set()
    for at in tables:
        name = _at(toml, at).get(NAME)
        if not isinstance(name, str):
            continue
        if name.casefold() in known:
            message = f"another variant is called {name!r}: expected a name of its own"
            defects.append(Defect(toml.content(*at, NAME), message))
        known.add(name.casefold())


def _at(toml: Toml, at: Keys) -> Mapping[str, Any]:
    """Return the table of a variant."""
    table: Any = toml.values
    for step in at:
        table = table[step]
    return table  # type: ignore[no-any-return]


class _Reader:
    """Reads one variant of a file, and collects what is wrong with it."""

    def __init__(self, toml: Toml, at: Keys, defects: list[Defect]) -> None:
        self.toml = toml
        self.at = at
        self.defects = defects
        self.table = _at(toml, at)

    def read(self) -> Variant | None:
        """Return the variant, or None if it has a defect."""
        before = len(self.defects)
        for key in self.table:
            if key not in KEYS:
                self._wrong(
                    self.toml.key(*self.at, key), f"unknown key {key!r}", near_names(key, KEYS)
                )
        name, about = self._name(), self._about()
        base = self._base()
        options = self.table.get(OPTIONS, {})
        if not isinstance(options, dict):
            message = f"{OPTIONS}: expected a table of options, such as {OPTIONS}.target = 30"
            self._wrong(self.toml.content(*self.at, OPTIONS), message)
        elif base is not None:
            game, rules = base
            so_far = len(self.defects)
            written = dict(self._written(game, options))
            # What is left of faulty options may make no sense for that reason alone.
            id_ = self._id(game, rules.id, written) if len(self.defects) == so_far else None
            if id_ is not None and len(self.defects) == before:
                return Variant(name, rules.id, id_, about, tuple(written))
        return None

    def _wrong(self, place: Place, message: str, hints: tuple[str, ...] = ()) -> None:
        self.defects.append(Defect(place, message, hints))

    def _text(self, key: str, needed: bool) -> str | None:
        """Return a text; None if there is none, or if it is something else."""
        value = self.table.get(key)
        if isinstance(value, str):
            return value
        if value is not None:
            self._wrong(self.toml.content(*self.at, key), f"{key}: expected text between quotes")
        elif needed:
            self._wrong(self.toml.key(*self.at), f"{key} is missing")
        return None

    def _name(self) -> str:
        name = self._text(NAME, needed=True)
        if name is None:
            return ""
        message = ""
        if not name.strip() or name != name.strip() or len(name) > LONGEST_NAME:
            message = f"expected 1 to {LONGEST_NAME} characters without spaces around them"
        elif not name.isprintable() or set(NOT_IN_NAMES) & set(name):
            message = f"expected letters, digits and signs except {' '.join(NOT_IN_NAMES)}"
        if message:
            self._wrong(self.toml.content(*self.at, NAME), f"{NAME} {name!r}: {message}")
        return name

    def _about(self) -> str:
        about = self._text(ABOUT, needed=False) or ""
        if len(about) > LONGEST_ABOUT or not about.isprintable():
            message = f"{ABOUT}: expected a sentence of at most {LONGEST_ABOUT} characters"
            self._wrong(self.toml.content(*self.at, ABOUT), message)
        return about

    def _base(self) -> tuple[AnyGame, Any] | None:
        """Return the game and the rule set that the variant begins from."""
        text = self._text(BASE, needed=True)
        if text is None:
            return None
        place = self.toml.content(*self.at, BASE)
        if text.startswith("@"):
            message = f"{BASE}: expected a rule-set id such as GAME/EDITION, not another file"
            self._wrong(place, message)
            return None
        try:
            game = game_of(text)
            return game, game.rules(text)
        except ReadError as error:
            at = place.at + 1 + error.at if error.text == text else place.at
            self._wrong(replace(place, at=at), f"{BASE}: {error.message}", error.hints)
            return None

    def _written(self, game: AnyGame, options: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        """Yield each option with its value as an id has it; add what cannot be an option."""
        for name, value in options.items():
            option = game.options.get(name)
            if option is None:
                hints = near_names(name, game.options)
                message = f"unknown option {name!r} of {game.name}"
                self._wrong(self.toml.key(*self.at, OPTIONS, name), message, hints)
                continue
            place = self.toml.content(*self.at, OPTIONS, name)
            written = written_value(value)
            expected = f"option {name}: expected {expected_of(option)}"
            if written is None or (isinstance(value, bool) != (option.kind == "switch")):
                self._wrong(place, expected)
                continue
            try:
                option.parse(name, Part(written, written, 0), Part(name, name, 0))
            except ReadError as error:
                reason = _SHOWN_PLACE.sub("", error.message)
                quoted = isinstance(value, str)
                at = place.at + (error.at + 1 if quoted else 0)
                self._wrong(replace(place, at=at), f"option {name}: {reason}")
                continue
            yield name, written

    def _id(self, game: AnyGame, base: str, written: Mapping[str, str]) -> str | None:
        """Return the id of the variant; None if its options make no sense together."""
        text = with_values(base, written)
        try:
            return str(game.rules(text).id)
        except SenselessError as error:
            for name, reason in dict(error.found).items():
                given = name in written
                place = (
                    self.toml.key(*self.at, OPTIONS, name)
                    if given
                    else self.toml.content(*self.at, BASE)
                )
                self._wrong(place, f"option {name} makes no sense here: {reason}")
        except ReadError as error:
            self._wrong(self.toml.key(*self.at, OPTIONS), error.message, error.hints)
        return None


def written_value(value: Any) -> str | None:
    """Return a value of TOML as a rule-set id has it; None for a kind of value that none has."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, int | str):
        return str(value)
    if isinstance(value, list) and all(type(item) is int for item in value) and value:
        return ".".join(map(str, value))
    return None


def expected_of(option: Option) -> str:
    """Return what a file may have for an option."""
    if option.kind == "switch":
        return "true or false"
    if option.kind == "number":
        return f"a whole number, {option.allowed}"
    return "text between quotes, or a list of whole numbers"


def with_values(base: str, written: Mapping[str, str]) -> str:
    """Return an id with some options set, whatever the base has for them."""
    options = (f"{name}={value}" for name, value in written.items())
    return "+".join([without(base, written), *options])
