"""What a sweep answers: the measures of every variant, trends along options, and wishes."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, product
from math import prod
from typing import Any

import lama_odds
from lama_odds.analysis.compare import design
from lama_odds.analysis.compare.answer import Compared
from lama_odds.analysis.variants.files import with_values, written_value
from lama_odds.core.checks import check_players
from lama_odds.core.errors import LimitError, ReadError, near_names
from lama_odds.core.estimate import EXACT, Estimate
from lama_odds.core.notation import Part
from lama_odds.core.plain import Plain
from lama_odds.core.rulesets import Option, SenselessError
from lama_odds.games.interface.game import AnyGame

# A grid of rule sets: every combination of the values that some options take.

MOST_VARIANTS = 100
MOST_TOLD = 8  # variants that cannot be played, in a message
SWITCHED = "off,on"  # the values of a switch that is named alone
_OPTION_RANGE = re.compile(r"(-?\d+)\s*\.\.\s*(-?\d+)(?:\s*\.\.\s*(-?\d+))?")
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
class LeftOut(Plain):
    """A variant that cannot be played, and why."""

    KEYS = "values reason"

    values: Mapping[str, Value]
    reason: str


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
    written = [written_value(list(v) if isinstance(v, tuple) else v) for v in values]
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
    values: dict[str, Value] = {}
    parsed: list[Any] = []
    for part in Part(text, given, start).split(","):
        for piece in _pieces(name, option, part):
            value = option.parse(name, piece, piece)
            if value in parsed:
                raise ReadError(f"option {name}: {piece.text} is given twice", text, part.at)
            parsed.append(value)
            written = ("on" if value else "off") if option.kind == "switch" else piece.text
            plain = value if option.kind in ("number", "switch") else written
            values[str(value) if option.kind == "number" else written] = plain
    if len(values) < 2:
        message = f"option {name}: one value, expected two or more (one alone belongs in RULES)"
        raise ReadError(message, text, start)
    pairs = list(values.items())
    if option.kind != "text":
        pairs.sort(key=lambda pair: int(pair[1]))
    return Axis(name, option.kind, *(tuple(column) for column in zip(*pairs, strict=True)))


def _pieces(name: str, option: Option, part: Part) -> list[Part]:
    """A value, or all numbers of a range ``a..b`` or ``a..b..step``, each where it stands."""
    match = _OPTION_RANGE.fullmatch(part.text) if option.kind == "number" else None
    if match is None:
        if option.kind == "number" and ".." in part.text:
            raise part.fail("a range such as 4..8 or 30..60..10", what=f"option {name}")
        return [part]
    first, last, step = (int(digits or 1) for digits in match.groups())
    for group, value in ((1, first), (2, last)):
        if not option.low <= value <= option.high:
            raise part.fail(option.allowed, offset=match.start(group), what=f"option {name}")
    if last < first or step < 1:
        offset = match.start(2 if last < first else 3)
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
        reasons = [f"  {named_values(omitted.values)}: {omitted.reason}" for omitted in left_out]
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


# Wishes for a measure, and which variants fulfil them: surely, perhaps, or surely not.

SURELY, MAYBE, SURELY_NOT = "surely", "maybe", "surely_not"
_WISH = re.compile(r"\s*(?P<name>[^<>=]*?)\s*(?P<sign><=|>=|<|>|=)\s*(?P<value>.*?)\s*")
_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_AMOUNT = re.compile(rf"({_NUMBER})\s*(%?)")
_WISH_RANGE = re.compile(rf"({_NUMBER})\s*(%?)\s*\.\.\s*({_NUMBER})\s*(%?)")
EXPECTED = "a measure with a range or a bound, such as rounds=4..6 or seat bias<1%"


@dataclass(frozen=True)
class Wish:
    """A range that a measure should be in. strict: whether the bounds themselves are outside."""

    text: str
    measure: str
    low: float
    high: float
    strict: bool = False

    def verdict(self, estimate: Estimate) -> str:
        """Whether the whole interval is in the range, a part of it, or nothing."""
        if self._inside(estimate.low) and self._inside(estimate.high):
            return SURELY
        if self.strict:
            apart = estimate.high <= self.low or estimate.low >= self.high
        else:
            apart = estimate.high < self.low or estimate.low > self.high
        return SURELY_NOT if apart else MAYBE

    def _inside(self, value: float) -> bool:
        if self.strict:
            return self.low < value < self.high
        return self.low <= value <= self.high


@dataclass(frozen=True)
class Judged:
    """A wish, or several together, with the ids of the variants by verdict."""

    wish: Wish | None
    by_verdict: Mapping[str, tuple[str, ...]]

    def verdict(self, rules: str) -> str:
        """The verdict on a variant."""
        return next(name for name, ids in self.by_verdict.items() if rules in ids)

    def to_json(self) -> dict[str, Any]:
        """Ids by verdict; the wish with its range, where there is one. A missing bound is null."""
        verdicts = {name: list(ids) for name, ids in self.by_verdict.items()}
        if self.wish is None:
            return dict(verdicts)
        low, high = (None if math.isinf(edge) else edge for edge in (self.wish.low, self.wish.high))
        named = {"wish": self.wish.text, "measure": self.wish.measure, "low": low, "high": high}
        return {**named, **verdicts}


def read_wishes(
    texts: Iterable[str], known: Mapping[str, Compared], title: str = ""
) -> tuple[Wish, ...]:
    """Wishes as they are written; ReadError for one that cannot be read, or that is there twice.

    known: measures by name. Shares may be written in per cent. title: of the game.
    """
    wishes: list[Wish] = []
    for text in texts:
        wish = _wish(text, known, title)
        if wish in wishes:
            raise ReadError(f"the wish {text} is given twice")
        wishes.append(wish)
    return tuple(wishes)


def name_in(wish: Any) -> str:
    """The name in a wish, as it is written; empty if it cannot be read."""
    read = _WISH.fullmatch(wish) if isinstance(wish, str) else None
    return read["name"] if read else ""


def _wish(text: Any, known: Mapping[str, Compared], title: str) -> Wish:
    if not isinstance(text, str):
        raise ReadError(f"wish {text!r}: expected text, {EXPECTED}")
    read = _WISH.fullmatch(text)
    if read is None or not read["name"]:
        raise ReadError(f"a wish: expected {EXPECTED}", text, 0)
    measure = _measure(text, read, known, title)
    low, high = _bounds(text, read, known[measure])
    written = " ".join(text.split())
    return Wish(written, measure, low, high, strict=read["sign"] in "<>")


def _measure(text: str, read: re.Match[str], known: Mapping[str, Compared], title: str) -> str:
    """The one measure that a wish is about."""
    name, at = read["name"], read.start("name")
    measures = design.matching(name, known.values())
    if len(measures) == 1:
        return measures[0].name
    if measures:
        seats = [measure.name for measure in measures]
        hint = f"  one of: {', '.join(seats)}; for all seats together: {design.SEAT_BIAS}"
        raise ReadError(f"{design.plain_name(name)} is measured for each seat", text, at, (hint,))
    refused = not_swept(name) or design.no_measure(name, known, title, design.NEW)
    raise ReadError(refused.message, text, at, refused.hints)


def not_swept(name: str) -> ReadError | None:
    """The refusal of a measure that only `compare` has; None for others."""
    plain = design.plain_name(name)
    if plain not in design.SINGLE:
        return None
    return ReadError(f"{plain} is for compare: a sweep does not look at single decisions")


def _bounds(text: str, read: re.Match[str], measure: Compared) -> tuple[float, float]:
    """The range of a wish."""
    at, sign, value = read.start("value"), read["sign"], read["value"]
    if sign == "=":
        pair = _WISH_RANGE.fullmatch(value)
        if pair is None:
            raise ReadError("a wish with =: expected a range such as 4..6", text, at)
        percent = pair[4] or pair[2]  # 24..26% and 24%..26% are the same
        low, high = (
            _amount(text, at + pair.start(group), pair[group], percent, measure) for group in (1, 3)
        )
        if high < low:
            raise ReadError(f"{pair[3]} is less than {pair[1]}", text, at + pair.start(3))
        return low, high
    amount = _AMOUNT.fullmatch(value)
    if amount is None:
        raise ReadError("a wish: expected a number", text, at)
    bound = _amount(text, at, amount[1], amount[2], measure)
    return (-math.inf, bound) if sign.startswith("<") else (bound, math.inf)


def _amount(text: str, at: int, number: str, percent: str, measure: Compared) -> float:
    value = float(number)
    if percent and not (measure.share or measure.per_cent):
        raise ReadError("this measure is not a share: expected a number without %", text, at)
    if not math.isfinite(value):
        raise ReadError("expected a finite number", text, at)
    if not measure.share:
        return value
    if not percent and 1 <= value <= 100:
        raise ReadError(f"a share: {value:g} % or {value / 100:g}?", text, at)
    value = value / 100 if percent else value
    if not 0 <= value <= 1:
        raise ReadError("a share: expected 0 to 1, or 0% to 100%", text, at)
    return value


def judged(
    wishes: Sequence[Wish], measures: Mapping[str, Mapping[str, Estimate]]
) -> tuple[tuple[Judged, ...], Judged | None]:
    """Each wish with the variants by verdict, and all of them together if there are several.

    measures: of each variant by its id. The intervals of all hold together, and so do the verdicts.
    """
    verdicts = {
        rules: [wish.verdict(row[wish.measure]) for wish in wishes]
        for rules, row in measures.items()
    }
    by_wish = tuple(
        Judged(wish, _sets({rules: row[at] for rules, row in verdicts.items()}))
        for at, wish in enumerate(wishes)
    )
    if len(wishes) < 2:
        return by_wish, None
    return by_wish, Judged(None, _sets({rules: _all(row) for rules, row in verdicts.items()}))


def _all(verdicts: Sequence[str]) -> str:
    if SURELY_NOT in verdicts:
        return SURELY_NOT
    return MAYBE if MAYBE in verdicts else SURELY


def _sets(verdicts: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    return {
        name: tuple(rules for rules, verdict in verdicts.items() if verdict == name)
        for name in (SURELY, MAYBE, SURELY_NOT)
    }


GROWS, FALLS, UNCLEAR = "grows", "falls", "unclear"
NOT_MONOTONE = "turns"  # a shape: up here, down there


@dataclass(frozen=True)
class Variant(Plain):
    """A rule set of the grid: the values of its options, and its measures by name.

    apart: by name, how far each measure is from its mean over all variants.
    """

    KEYS = "rules values measures apart"

    rules: str
    policy: str
    values: Mapping[str, Value]
    measures: Mapping[str, Estimate]
    apart: Mapping[str, Estimate]


@dataclass(frozen=True)
class Step(Plain):
    """What changes from one value of an option to the next, the other options alike."""

    KEYS = "from=before to=after difference"

    before: Value
    after: Value
    difference: Estimate


@dataclass(frozen=True)
class Trend(Plain):
    """How a measure depends on an option: the slope of the least squares line.

    slope: per 1 of a number, or from off to on; the other options alike.
    rare: it rests on few blocks of games, so no trend is claimed.
    steps: from each value to the next.
    """

    KEYS = "option measure=measure.name unit=measure.unit slope verdict shape steps"

    option: str
    measure: Compared
    slope: Estimate
    steps: tuple[Step, ...] = ()
    rare: bool = False

    @property
    def identical(self) -> bool:
        """Whether no game showed a dependence, though one could."""
        return self.slope.value == self.slope.stderr == 0 and self.slope.method != EXACT

    @property
    def verdict(self) -> str:
        """``grows``, ``falls``, or ``unclear`` where the interval includes 0."""
        return UNCLEAR if self.rare else direction(self.slope)

    @property
    def shape(self) -> str:
        """``turns`` if one step certainly goes up and another down; else the verdict."""
        directions = {direction(step.difference) for step in self.steps}
        return NOT_MONOTONE if {GROWS, FALLS} <= directions and not self.rare else self.verdict

    @property
    def throughout(self) -> bool:
        """Whether every single step certainly goes the way of the trend."""
        directions = {direction(step.difference) for step in self.steps}
        return self.verdict != UNCLEAR and directions == {self.verdict}


def direction(estimate: Estimate) -> str:
    """The side of 0 on which an interval is."""
    return GROWS if estimate.low > 0 else FALLS if estimate.high < 0 else UNCLEAR


@dataclass(frozen=True)
class Sweep(Plain):
    """The answer. rules: what options are varied of.

    measures: those that are shown, in order; intervals: how many hold together.
    together: all wishes at once, if there are several. seconds: of playing.
    variant: the name of the rule set in a file of variants.
    """

    KEYS = (
        "rules players policies retuned games seed vary variants trends wishes "
        "all_wishes=together left_out intervals version"
    )

    rules: str
    players: int
    retuned: bool
    axes: tuple[Axis, ...]
    variants: tuple[Variant, ...]
    measures: tuple[Compared, ...]
    trends: tuple[Trend, ...]
    wishes: tuple[Judged, ...]
    together: Judged | None
    left_out: tuple[LeftOut, ...]
    intervals: int
    games: int
    seed: int
    seconds: float
    interrupted: bool = False
    version: str = field(default=lama_odds.__version__)
    variant: str = ""

    @property
    def policies(self) -> tuple[str, ...]:
        """The policy of all seats in each variant."""
        return tuple(variant.policy for variant in self.variants)

    @property
    def vary(self) -> dict[str, tuple[Value, ...]]:
        """The values of the options."""
        return {axis.option: axis.values for axis in self.axes}
