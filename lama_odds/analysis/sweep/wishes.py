"""Wishes for a measure, and which variants fulfil them: surely, perhaps, or surely not."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lama_odds.core.errors import ReadError, near_names
from lama_odds.core.estimate import Estimate

SURELY, MAYBE, SURELY_NOT = "surely", "maybe", "surely_not"
_WISH = re.compile(r"\s*(?P<name>[^<>=]*?)\s*(?P<sign><=|>=|<|>|=)\s*(?P<value>.*?)\s*")
_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_AMOUNT = re.compile(rf"({_NUMBER})\s*(%?)")
_RANGE = re.compile(rf"({_NUMBER})\s*(%?)\s*\.\.\s*({_NUMBER})\s*(%?)")
EXPECTED = "a measure with a range or a bound, such as rounds=4..6 or seat bias<1%"


@dataclass(frozen=True)
class Wish:
    """A range that a measure should be in. strict: whether the bounds themselves are outside."""

    text: str
    measure: str
    low: float
    high: float
    strict: bool = False

    def verdict(self, found: Estimate) -> str:
        """Whether the whole interval is in the range, a part of it, or nothing."""
        if self._inside(found.low) and self._inside(found.high):
            return SURELY
        if self.strict:
            apart = found.high <= self.low or found.low >= self.high
        else:
            apart = found.high < self.low or found.low > self.high
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
        return next(name for name, found in self.by_verdict.items() if rules in found)

    def to_json(self) -> dict[str, Any]:
        """Ids by verdict; the wish with its range, where there is one. A missing bound is null."""
        found = {name: list(ids) for name, ids in self.by_verdict.items()}
        if self.wish is None:
            return dict(found)
        low, high = (None if math.isinf(each) else each for each in (self.wish.low, self.wish.high))
        named = {"wish": self.wish.text, "measure": self.wish.measure, "low": low, "high": high}
        return {**named, **found}


def read_wishes(texts: Iterable[str], shares: Mapping[str, bool]) -> tuple[Wish, ...]:
    """Wishes as they are written; ReadError for one that cannot be read, or that is there twice.

    shares: names of measures, and whether each is a share, which may be written in per cent.
    """
    found: list[Wish] = []
    for text in texts:
        wish = _wish(text, shares)
        if wish in found:
            raise ReadError(f"the wish {text} is given twice")
        found.append(wish)
    return tuple(found)


def plain_name(name: str) -> str:
    """A measure as a person writes it: spaces or underscores, small or capital letters."""
    return " ".join(name.replace("_", " ").casefold().split())


def name_in(wish: Any) -> str:
    """The name in a wish, as it is written; empty if it cannot be read."""
    read = _WISH.fullmatch(wish) if isinstance(wish, str) else None
    return read["name"] if read else ""


def measure_named(name: str, known: Iterable[str]) -> str | None:
    """The measure of a name; None if there is none."""
    names = {plain_name(each): each for each in known}
    return names.get(plain_name(name))


def _wish(text: Any, shares: Mapping[str, bool]) -> Wish:
    if not isinstance(text, str):
        raise ReadError(f"wish {text!r}: expected text, {EXPECTED}")
    read = _WISH.fullmatch(text)
    if read is None or not read["name"]:
        raise ReadError(f"a wish: expected {EXPECTED}", text, 0)
    measure = measure_named(read["name"], shares)
    if measure is None:
        hints = near_names(read["name"], shares)
        raise ReadError(f"no measure {read['name']!r} here", text, read.start("name"), hints)
    low, high = _bounds(text, read, shares[measure])
    written = " ".join(text.split())
    return Wish(written, measure, low, high, strict=read["sign"] in "<>")


def _bounds(text: str, read: re.Match[str], share: bool) -> tuple[float, float]:
    """The range of a wish."""
    at, sign, value = read.start("value"), read["sign"], read["value"]
    if sign == "=":
        pair = _RANGE.fullmatch(value)
        if pair is None:
            raise ReadError("a wish with =: expected a range such as 4..6", text, at)
        percent = pair[4] or pair[2]  # 24..26% and 24%..26% are the same
        low, high = (_amount(text, at, each, percent, share) for each in (pair[1], pair[3]))
        if high < low:
            raise ReadError(f"{pair[3]} is less than {pair[1]}", text, at + pair.start(3))
        return low, high
    amount = _AMOUNT.fullmatch(value)
    if amount is None:
        raise ReadError("a wish: expected a number", text, at)
    bound = _amount(text, at, amount[1], amount[2], share)
    return (-math.inf, bound) if sign.startswith("<") else (bound, math.inf)


def _amount(text: str, at: int, number: str, percent: str, share: bool) -> float:
    value = float(number)
    if percent and not share:
        raise ReadError("this measure is not a share: expected a number without %", text, at)
    value = value / 100 if percent else value
    if share and not 0 <= value <= 1:
        raise ReadError("a share: expected 0 to 1, or 0% to 100%", text, at)
    if not math.isfinite(value):
        raise ReadError("expected a finite number", text, at)
    return value


def judged(
    wishes: Sequence[Wish], measures: Mapping[str, Mapping[str, Estimate]]
) -> tuple[tuple[Judged, ...], Judged | None]:
    """Each wish with the variants by verdict, and all of them together if there are several.

    measures: of each variant by its id. The intervals of all hold together, and so do the verdicts.
    """
    verdicts = {
        rules: [wish.verdict(found[wish.measure]) for wish in wishes]
        for rules, found in measures.items()
    }
    each = tuple(
        Judged(wish, _sets({rules: found[at] for rules, found in verdicts.items()}))
        for at, wish in enumerate(wishes)
    )
    if len(wishes) < 2:
        return each, None
    return each, Judged(None, _sets({rules: _all(found) for rules, found in verdicts.items()}))


def _all(verdicts: Sequence[str]) -> str:
    if SURELY_NOT in verdicts:
        return SURELY_NOT
    return MAYBE if MAYBE in verdicts else SURELY


def _sets(verdicts: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    return {
        name: tuple(rules for rules, found in verdicts.items() if found == name)
        for name in (SURELY, MAYBE, SURELY_NOT)
    }
