"""Rule sets: their options, each declared once, and their ids: ``<game>/<edition>`` plus options.

``+x`` switches an option on, ``+x=off`` switches it off, ``+x=value`` sets it, in any order. The
canonical form is alphabetical and leaves out defaults.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, ClassVar, Self

from lama_odds.core.errors import ReadError, near_names
from lama_odds.core.language import say
from lama_odds.core.notation import Part


@dataclass(frozen=True)
class Option:
    """One option of a rule set.

    kind: ``switch``, ``number`` or ``text``.
    low, high: bounds of a number.
    read, write: for ``text``, convert a part of the id to the value (it may raise ReadError), and
    back.
    meaning, source: what ``lama-odds rules`` shows.
    """

    kind: str
    meaning: str
    source: str
    low: int = 0
    high: int = 0
    read: Callable[[Part], Any] = field(default=lambda part: part.text)
    write: Callable[[Any], str] = field(default=str)

    def parse(self, name: str, part: Part | None, word: Part) -> Any:
        """Return the value that is written as `part` (None: the bare name)."""
        if self.kind == "switch":
            if part is None or part.text == "on":
                return True
            if part.text == "off":
                return False
            raise part.fail(say("on or off"), what=said_option(name))
        if part is None:
            expected = say("{name}=value", name=name)
            raise word.fail(expected, offset=len(word.text), what=said_option(name))
        if self.kind == "number":
            value = part.integer(said_option(name))
            if not self.low <= value <= self.high:
                raise part.fail(self.allowed, what=said_option(name))
            return value
        return self.read(part)

    @property
    def allowed(self) -> str:
        """Return the values that it can have, in words."""
        if self.kind == "number":
            return say("{low} to {high}", low=self.low, high=self.high)
        return say("on or off") if self.kind == "switch" else say("text")

    def format(self, name: str, value: Any) -> str:
        """Return the option as it is written in an id."""
        if self.kind == "switch":
            return f"+{name}" if value else f"+{name}=off"
        return f"+{name}={self.write(value)}"


def said_option(name: str) -> str:
    """Return an option as messages name it."""
    return say("option {name}", name=name)


def read_rules(
    text: str, editions: Mapping[str, Mapping[str, Any]], options: Mapping[str, Option]
) -> tuple[str, dict[str, Any], set[str]]:
    """Return the edition of an id, all values of the rule set, and the options that the id names.

    Raises ReadError with a caret for a missing or unknown edition, an unknown option, an option
    that is given twice, and a value that is not allowed.
    """
    game, slash, rest = text.partition("/")
    if not slash:
        named = ", ".join(f"{game}/{edition}" for edition in editions)
        raise ReadError(
            say("which edition of {game}? a rule set is game/edition", game=game),
            text,
            len(text),
            ("  " + say("known: {names}", names=named),),
        )
    words = Part(text, rest, len(game) + 1).split("+")
    edition = words[0].text
    if edition not in editions:
        raise ReadError(
            say("unknown edition {edition} of {game}", edition=repr(edition), game=game),
            text,
            words[0].at,
            near_names(edition, editions),
        )
    values = dict(editions[edition])
    given: set[str] = set()
    for word in words[1:]:
        name, equals, _ = word.text.partition("=")
        if not re.fullmatch(r"[a-z_]+", name) or name not in options:
            raise ReadError(
                say("unknown option {name} of {rules}", name=repr(name), rules=f"{game}/{edition}"),
                text,
                word.at,
                near_names(name, options),
            )
        if name in given:
            raise ReadError(say("option {name} is given twice", name=name), text, word.at)
        given.add(name)
        start = len(name) + 1
        part = Part(text, word.text[start:], word.at + start) if equals else None
        values[name] = options[name].parse(name, part, word)
    return edition, values, given


class SenselessError(ReadError):
    """Options that make no sense together.

    found: all (option, reason) pairs; the first one is shown.
    """

    def __init__(self, text: str, reasons: Sequence[tuple[str, str]]) -> None:
        name, reason = reasons[0]
        at = re.search(rf"\+{name}(?=[+=]|$)", text)
        place = at.start() + 1 if at else len(text)
        message = say("option {name} makes no sense here: {reason}", name=name, reason=reason)
        super().__init__(message, text, place)
        self.found = tuple(reasons)


def refuse_senseless(text: str, reasons: Sequence[tuple[str, str]]) -> None:
    """Raise SenselessError for (option, reason) pairs that make no sense together, if any."""
    if reasons:
        raise SenselessError(text, reasons)


def format_rules(
    edition: str, values: Mapping[str, Any], usual: Mapping[str, Any], options: Mapping[str, Option]
) -> str:
    """Return an id without its game: options in alphabetical order, without the usual values."""
    changed = (name for name in sorted(options) if values[name] != usual[name])
    return "".join((edition, *(options[name].format(name, values[name]) for name in changed)))


# An option is a field of its game's rule sets: everything about it in one place.


def option(usual: Any, described: Option, column: int | None = None) -> Any:
    """Declare an option as a field of a `RuleSet`.

    usual: its value where an edition says nothing else. column: where compiled functions read it,
    if they read the value itself.
    """
    return field(metadata={"option": described, "usual": usual, "column": column})


def number(
    usual: int, meaning: str, source: str, low: int, high: int, column: int | None = None
) -> Any:
    """Declare an option that is a number; see `Option` and `option`."""
    return option(usual, Option("number", meaning, source, low, high), column)


def switch(usual: bool, meaning: str, source: str, column: int | None = None) -> Any:
    """Declare an option that is on or off; see `Option` and `option`."""
    return option(usual, Option("switch", meaning, source), column)


def text(
    usual: Any,
    meaning: str,
    source: str,
    read: Callable[[Part], Any],
    write: Callable[[Any], str] = str,
) -> Any:
    """Declare an option with another way to write it; see `Option` and `option`."""
    return option(usual, Option("text", meaning, source, read=read, write=write))


@dataclass(frozen=True)
class RuleSet:
    """A rule set; its fields are the options of the game.

    GAME: its name. CHANGES: by edition, the options that do not have their usual value.
    """

    GAME: ClassVar[str]
    CHANGES: ClassVar[Mapping[str, Mapping[str, Any]]]

    edition: str

    @cached_property
    def id(self) -> str:
        """The canonical id, which reads back as this rule set."""
        cls = type(self)
        usual = editions_of(cls)[self.edition]
        return f"{self.GAME}/{format_rules(self.edition, self.values, usual, options_of(cls))}"

    @property
    def values(self) -> dict[str, Any]:
        """The options by name."""
        return {name: getattr(self, name) for name in self.options()}

    @classmethod
    def options(cls) -> dict[str, Option]:
        """The options of the game by name."""
        return options_of(cls)

    @classmethod
    def read(cls, id_: str) -> tuple[Self, set[str]]:
        """Return the rule set of an id, and the options that the id names; see `read_rules`."""
        edition, values, given = read_rules(id_, editions_of(cls), options_of(cls))
        return cls(edition=edition, **values), given

    def in_columns(self) -> dict[int, int]:
        """Return the options whose value compiled functions read itself, by their column."""
        read = ((f.metadata.get("column"), getattr(self, f.name)) for f in fields(self))
        return {column: int(value) for column, value in read if column is not None}


def options_of(rules: type[RuleSet]) -> dict[str, Option]:
    """Return the options of a game's `RuleSet` by name."""
    return {f.name: f.metadata["option"] for f in fields(rules) if f.metadata}


def editions_of(rules: type[RuleSet]) -> dict[str, dict[str, Any]]:
    """Return the values of all options in each edition of a game's `RuleSet`."""
    usual = {f.name: f.metadata["usual"] for f in fields(rules) if f.metadata}
    return {edition: {**usual, **changed} for edition, changed in rules.CHANGES.items()}
