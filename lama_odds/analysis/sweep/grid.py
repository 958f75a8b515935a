"""A grid of rule sets: every combination of the values that some options take."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from math import prod
from typing import Any

from lama_odds.analysis.variants.files import with_values, written_value
from lama_odds.core.checks import check_players
from lama_odds.core.errors import LimitError, ReadError, near_names
from lama_odds.core.notation import Part
from lama_odds.core.rulesets import Option, SenselessError
from lama_odds.games.interface.game import AnyGame

MOST_VARIANTS = 100
MOST_TOLD = 8  # variants that cannot be played, in a message
SWITCHED = "off,on"  # the values of a switch that is named alone
_RANGE = re.compile(r"(-?\d+)\s*\.\.\s*(-?\d+)(?:\s*\.\.\s*(-?\d+))?")
Value = int | bool | str


@dataclass(frozen=True)
class Axis:
    """An option and its values: as they are written in an id, and as the answer has them.

    kind: that of the option: ``number``, ``switch`` or ``text``.
    """

    option: str
    kind: str
    written: tuple[str, ...]
    values: tuple[Value, ...]

    @property
    def step(self) -> int:
        """The smallest distance of two numbers; 1 for others."""
        if self.kind != "number":
            return 1
        numbers = [int(value) for value in self.values]
        return min(b - a for a, b in pairwise(numbers))

    @property
    def unordered(self) -> bool:
        """Whether its values have no order, and so no trend."""
        return self.kind == "text" and len(self.values) > 2

    def named(self, value: Value) -> str:
        """The option with one of its values, in words."""
        return f"{self.option}={self.written[self.values.index(value)]}"


@dataclass(frozen=True)
class Cell:
    """A variant: its rule set, and for each axis the index of its value."""

    rules: Any
    at: tuple[int, ...]


@dataclass(frozen=True)
class LeftOut:
    """A variant that cannot be played, and why."""

    values: Mapping[str, Value]
    reason: str

    def to_json(self) -> dict[str, Any]:
        """All of it."""
        return {"values": dict(self.values), "reason": self.reason}


@dataclass(frozen=True)
class Grid:
    """Rule sets of one game: the one that options are varied of, and the variants."""

    game: AnyGame
    base: Any
    axes: tuple[Axis, ...]
    cells: tuple[Cell, ...]
    left_out: tuple[LeftOut, ...] = ()

    @property
    def rules(self) -> list[Any]:
        """The rule sets of all variants."""
        return [cell.rules for cell in self.cells]

    def values(self, cell: Cell) -> dict[str, Value]:
        """The values of a variant by option."""
        return _values(self.axes, cell.at)


def _values(axes: Sequence[Axis], at: Sequence[int]) -> dict[str, Value]:
    return {axis.option: axis.values[place] for axis, place in zip(axes, at, strict=True)}


def read_axes(game: AnyGame, vary: Iterable[str] | Mapping[str, Any]) -> tuple[Axis, ...]:
    """The options and their values, from texts such as ``target=30..50..10``, or a mapping.

    ReadError for an unknown option, a value that it cannot have, an option or value twice, or
    fewer than two values. LimitError for too many variants.
    """
    if isinstance(vary, str) or not isinstance(vary, Iterable):
        raise ReadError(f"vary {vary!r}: expected a list of texts, or values by option")
    texts = (
        [_as_text(name, values) for name, values in vary.items()]
        if isinstance(vary, Mapping)
        else list(vary)
    )
    if not texts:
        raise ReadError(
            "nothing is varied: expected an option with its values, such as target=30,40"
        )
    axes: list[Axis] = []
    for text in texts:
        if not isinstance(text, str):
            raise ReadError(f"vary {text!r}: expected text such as target=30,40")
        axis = _axis(game, text)
        if axis.option in [known.option for known in axes]:
            raise ReadError(f"option {axis.option} is varied twice", text)
        axes.append(axis)
    number = prod(len(axis.values) for axis in axes)
    if number > MOST_VARIANTS:
        sizes = " × ".join(f"{len(axis.values)} of {axis.option}" for axis in axes)
        raise LimitError(f"{number:,} variants ({sizes}): at most {MOST_VARIANTS} can be compared")
    return tuple(axes)


def _as_text(name: Any, values: Any) -> str:
    """An option and its values, given in Python, as on the command line."""
    if isinstance(values, str):
        return f"{name}={values}"
    if not isinstance(values, Iterable):
        raise ReadError(f"vary {name}: {values!r}, expected a list of values or text")
    written = [written_value(list(each) if isinstance(each, tuple) else each) for each in values]
    if None in written:
        raise ReadError(f"vary {name}: expected whole numbers, True and False, or text")
    return f"{name}={','.join(map(str, written))}"


def _axis(game: AnyGame, text: str) -> Axis:
    name, equals, given = text.partition("=")
    name = name.strip()
    option = game.options.get(name)
    if option is None:
        hints = near_names(name, game.options)
        raise ReadError(f"unknown option {name!r} of {game.name}", text, 0, hints)
    start = len(text) - len(given)
    if not equals and option.kind == "switch":
        text, given, start = f"{name}={SWITCHED}", SWITCHED, len(name) + 1
    if not given.strip():
        expected = "values such as 4..8 or 30,40" if option.kind == "number" else "values"
        raise ReadError(f"option {name}: expected {expected}", text, len(text))
    found: dict[str, Value] = {}
    parsed: list[Any] = []
    for part in Part(text, given, start).split(","):
        for piece in _pieces(name, option, part):
            value = option.parse(name, piece, piece)
            if value in parsed:
                raise ReadError(f"option {name}: {piece.text} is given twice", text, part.at)
            parsed.append(value)
            written = ("on" if value else "off") if option.kind == "switch" else piece.text
            plain = value if option.kind in ("number", "switch") else written
            found[str(value) if option.kind == "number" else written] = plain
    if len(found) < 2:
        message = f"option {name}: one value, expected two or more (one alone belongs in RULES)"
        raise ReadError(message, text, start)
    pairs = list(found.items())
    if option.kind != "text":
        pairs.sort(key=lambda pair: int(pair[1]))
    return Axis(name, option.kind, *(tuple(each) for each in zip(*pairs, strict=True)))


def _pieces(name: str, option: Option, part: Part) -> list[Part]:
    """A value, or all numbers of a range ``a..b`` or ``a..b..step``, each where it stands."""
    found = _RANGE.fullmatch(part.text) if option.kind == "number" else None
    if found is None:
        if option.kind == "number" and ".." in part.text:
            raise part.fail("a range such as 4..8 or 30..60..10", what=f"option {name}")
        return [part]
    first, last, step = (int(each or 1) for each in found.groups())
    for group, value in ((1, first), (2, last)):
        if not option.low <= value <= option.high:
            raise part.fail(option.allowed, offset=found.start(group), what=f"option {name}")
    if last < first or step < 1:
        offset = found.start(2 if last < first else 3)
        expected = f"{first} or more" if last < first else "a step of 1 or more"
        raise part.fail(expected, offset=offset, what=f"option {name}")
    return [Part(part.whole, str(value), part.at) for value in range(first, last + 1, step)]


def grid_of(game: AnyGame, base: Any, axes: Sequence[Axis], players: int) -> Grid:
    """All variants; those that cannot be played are left out, with the reason.

    ReadError if fewer than two are left.
    """
    cells, left_out = [], []
    for at in product(*(range(len(axis.values)) for axis in axes)):
        written = {axis.option: axis.written[place] for axis, place in zip(axes, at, strict=True)}
        try:
            rules = game.rules(with_values(base.id, written))
            check_players(rules, players)
        except SenselessError as error:
            name, reason = error.found[0]
            left_out.append(LeftOut(_values(axes, at), f"{name}: {reason}"))
        except ReadError as error:
            left_out.append(LeftOut(_values(axes, at), error.message))
        else:
            cells.append(Cell(rules, at))
    if len(cells) < 2:
        reasons = [f"  {named_values(each.values)}: {each.reason}" for each in left_out]
        some = "none" if not cells else "only one"
        number = len(cells) + len(left_out)
        raise ReadError(f"{some} of {number} variants can be played", hints=reasons[:MOST_TOLD])
    return Grid(game, base, tuple(axes), tuple(cells), tuple(left_out))


def named_values(values: Mapping[str, Value]) -> str:
    """The values of a variant in words."""
    return " ".join(
        f"{name}={('on' if value else 'off') if isinstance(value, bool) else value}"
        for name, value in values.items()
    )
