"""Answers as text that a player likes to read."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from rich.console import RenderableType

from lama_odds.core.estimate import Estimate
from lama_odds.report.terminal.console import Screen
from lama_odds.report.terminal.fitted import Fitted, Meanings

WIDTH = 160  # of text that goes to a file or another program
MOST_DIGITS = 9  # after the point
SMALLEST = 5e-5  # chance that two digits after the point show


def printed(answer: RenderableType, width: int | None = WIDTH, plain: bool = False) -> str:
    """An answer as it is printed; width None: that of the terminal; plain: without any style."""
    terminal = False if plain else None
    console = Screen(
        width=width, highlight=False, force_terminal=terminal, force_jupyter=False, no_color=plain
    )
    with console.capture() as captured:
        # What must stay on one line (a position to be copied) may be wider than the screen.
        console.print(answer, crop=False)
    return "\n".join(line.rstrip() for line in captured.get().rstrip().splitlines())


def sentence(text: str) -> str:
    """A text with a capital."""
    return text[:1].upper() + text[1:]


def number(estimate: Estimate, share: bool = False) -> str:
    """A value with its half-width, as many digits as it deserves."""
    if share:
        return percent(estimate)
    half = (estimate.high - estimate.low) / 2
    if half == 0:
        return (
            f"{estimate.value:.4f}".rstrip("0").rstrip(".")
            if estimate.n == 0
            else f"{estimate.value:.3f}"
        )
    digits = digits_for(half, 2)
    return f"{estimate.value:.{digits}f} ± {half:.{digits}f}"


def percent(estimate: Estimate) -> str:
    """A share in per cent with its half-width."""
    half = 50 * (estimate.high - estimate.low)
    if half == 0:
        return _exact_percent(estimate.value)
    digits = digits_for(half, 1)
    return f"{100 * estimate.value:.{digits}f} ± {half:.{digits}f} %"


def digits_for(half: float, least: int) -> int:
    """Digits after the point with which a half-width is not 0."""
    if not math.isfinite(half):
        return least
    return min(MOST_DIGITS, max(least, math.ceil(-math.log10(half))))


def _exact_percent(value: float) -> str:
    """An exact chance; one that would round to 0 or 100 % is shown as <0.01 or >99.99 %."""
    if value in (0, 1):
        return f"{100 * value:.0f} %"
    if value < SMALLEST:
        return "<0.01 %"
    return ">99.99 %" if value > 1 - SMALLEST else f"{100 * value:.2f} %"


def table(columns: Sequence[str], rows: Iterable[Sequence[str]], keys: int = 1) -> Fitted:
    """A table without ruling lines; the first column to the left, the others to the right.

    keys: how many columns identify a row. A table that is too wide for the screen is shown in
    parts, and each part has these columns.
    """
    return Fitted(tuple(columns), tuple(map(tuple, rows)), keys)


def listing(rows: Iterable[tuple[str, str]], columns: tuple[str, str]) -> Meanings:
    """Names with their meanings, wrapped."""
    return Meanings(columns, tuple(rows))
