"""Numbers in a short answer: as many digits as the error deserves, chances in whole per cent."""

from __future__ import annotations

import math

from lama_odds.core.estimate import Estimate, with_unit

DIGITS = 3  # after the point at most
EXACT_DIGITS = 2
ROUNDED_UP = 0.4  # half-widths from 0.25 down have a digit after the point, from 0.025 down two
POINTS_OF_CHANCE = "percentage points"


def rounded(value: float, digits: int) -> str:
    """A number with `digits` decimals; never a negative zero."""
    text = f"{value:.{digits}f}"
    return text.removeprefix("-") if float(text) == 0 else text


def signed(value: float, digits: int) -> str:
    """A number with its sign and `digits` decimals; zero has a plus."""
    text = f"{value:+.{digits}f}"
    return text.replace("-", "+") if float(text) == 0 else text


def digits_of(estimate: Estimate, scale: float = 1.0) -> int:
    """Digits after the point that an estimate deserves: the last one is about its half-width."""
    half = scale * (estimate.high - estimate.low) / 2
    if half == 0 or not math.isfinite(half):
        return EXACT_DIGITS
    most = DIGITS if estimate.stderr else EXACT_DIGITS
    return min(most, max(0, math.floor(ROUNDED_UP - math.log10(half))))


def first_digit(value: float) -> int:
    """Digits after the point up to the first that is not 0."""
    return min(DIGITS, max(0, math.ceil(-math.log10(abs(value))))) if value else 0


def brief(estimate: Estimate, share: bool = False) -> str:
    """A value without its error, with as many digits as `error` has; of a share in per cent."""
    scale = 100 if share else 1
    half = scale * (estimate.high - estimate.low) / 2
    digits = first_digit(half) if half else EXACT_DIGITS if estimate.value else 0
    return rounded(scale * estimate.value, digits) + " %" * share


def size(estimate: Estimate, share: bool = False) -> str:
    """How large a difference is, without its sign: at least its first digit that is not 0."""
    scale = 100 if share else 1
    value = scale * abs(estimate.value)
    half = scale * (estimate.high - estimate.low) / 2
    return rounded(value, max(first_digit(half) if half else EXACT_DIGITS, first_digit(value)))


def amount(estimate: Estimate, unit: str, share: bool = False) -> str:
    """How large a difference is, with its unit: percentage points of a share."""
    return with_unit(size(estimate, share), POINTS_OF_CHANCE if share else unit)


def error(estimate: Estimate, share: bool = False) -> str:
    """The half-width of an interval, with one digit that is not 0; of a share in per cent."""
    half = (100 if share else 1) * (estimate.high - estimate.low) / 2
    return f"± {rounded(half, first_digit(half))}{' %' * share}"


def widest(estimates: list[Estimate], share: bool = False) -> str:
    """The half-width of the widest of several intervals."""
    return error(max(estimates, key=lambda estimate: estimate.high - estimate.low), share)


def share_text(estimate: Estimate) -> str:
    """A chance in whole per cent."""
    percent = 100 * estimate.value
    if estimate.value > 0 and percent < 0.5:
        return "<1 %" if estimate.high > 0.0005 else "0 %"
    if percent > 99.5 and estimate.value < 1:
        return ">99 %" if estimate.low < 0.9995 else "100 %"
    return f"{percent:.0f} %"


def listed(names: list[str], last: str = "and") -> str:
    """Names in a sentence: a, b and c."""
    return "".join(names) if len(names) < 2 else f"{', '.join(names[:-1])} {last} {names[-1]}"
