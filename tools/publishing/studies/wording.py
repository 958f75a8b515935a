"""What studies share: sentences that depend on intervals, tables, and the frame of a page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lama_odds.analysis.sweep.answer import FALLS, GROWS, direction
from lama_odds.core.estimate import Estimate
from lama_odds.report.text.numbers import error, listed, rounded, size
from lama_odds.statistics.ranking import critical_value, simultaneous_share

SURE = "surely"


def either(found: Estimate, up: str, down: str, neither: str) -> str:
    """The words for a difference that is surely above 0, surely below 0, or neither."""
    return {GROWS: up, FALLS: down}.get(direction(found), neither)


def by(found: Estimate, unit: str = "", share: bool = False) -> str:
    """How large a difference is, with its error: percentage points of shares."""
    unit = "percentage points" if share else unit
    half = error(found, share).removesuffix(" %")
    return f"{size(found, share)} {half} {unit}".strip()


def at(found: Estimate, share: bool = False) -> str:
    """A value in a sentence, with as many digits as its error deserves."""
    half = error(found, share).removeprefix("± ").removesuffix(" %")
    digits = len(half.partition(".")[2])
    scale = 100 if share else 1
    return f"{rounded(scale * found.value, digits)} ± {half}{' %' * share}"


def together(found: Estimate, intervals: int, share: bool = False) -> Estimate:
    """The same value with an interval that is one of several that hold together with 95 %."""
    if share:
        return simultaneous_share(found, intervals, found.n)
    return found.with_half(critical_value(intervals) * found.stderr)


def counted(number: int, one: str, many: str = "") -> str:
    """A number of things in words."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def names(found: Iterable[str], none: str = "none") -> str:
    """Names in a sentence; `none` if there are no names."""
    return listed(list(found)) or none


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """A Markdown table, its first column to the left; an empty line after it."""
    lines = [f"| {' | '.join(heads)} |", "|---|" + "---:|" * (len(heads) - 1)]
    return [*lines, *(f"| {' | '.join(row)} |" for row in rows), ""]


def section(title: str, *paragraphs: str) -> list[str]:
    """A part of a page; each paragraph has an empty line after it."""
    return [f"## {title}", "", *(line for text in paragraphs for line in (text, ""))]


def bullets(title: str, sentences: Iterable[str]) -> list[str]:
    """A part of a page with a sentence on each line."""
    return [f"## {title}", "", *(f"- {text}" for text in sentences), ""]


def opening(title: str, question: str, says: Iterable[str], picture: str) -> list[str]:
    """The first part of a page: the question, what the study says, and a picture."""
    return [f"# {title}", "", question, "", *bullets("What it says", says), picture, ""]
