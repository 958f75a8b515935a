"""Wishes for a measure, and which variants fulfil them: surely, perhaps, or surely not."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lama_odds.analysis.compare.design import NEW
from lama_odds.analysis.compare.measures import Compared
from lama_odds.analysis.compare.names import (
    SEAT_BIAS,
    SINGLE,
    matching,
    no_measure,
    plain_name,
)
from lama_odds.core.errors import ReadError
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


def read_wishes(
    texts: Iterable[str], known: Mapping[str, Compared], title: str = ""
) -> tuple[Wish, ...]:
    """Wishes as they are written; ReadError for one that cannot be read, or that is there twice.

    known: measures by name. Shares may be written in per cent. title: of the game.
    """
    found: list[Wish] = []
    for text in texts:
        wish = _wish(text, known, title)
        if wish in found:
            raise ReadError(f"the wish {text} is given twice")
        found.append(wish)
    return tuple(found)


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
    found = matching(name, known.values())
    if len(found) == 1:
        return found[0].name
    if found:
        seats = [measure.name for measure in found]
        hint = f"  one of: {', '.join(seats)}; for all seats together: {SEAT_BIAS}"
        raise ReadError(f"{plain_name(name)} is measured for each seat", text, at, (hint,))
    refused = not_swept(name) or no_measure(name, known, title, NEW)
    raise ReadError(refused.message, text, at, refused.hints)


def not_swept(name: str) -> ReadError | None:
    """The refusal of a measure that only `compare` has; None for others."""
    plain = plain_name(name)
    if plain not in SINGLE:
        return None
    return ReadError(f"{plain} is for compare: a sweep does not look at single decisions")


def _bounds(text: str, read: re.Match[str], measure: Compared) -> tuple[float, float]:
    """The range of a wish."""
    at, sign, value = read.start("value"), read["sign"], read["value"]
    if sign == "=":
        pair = _RANGE.fullmatch(value)
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
