"""Numbers, amounts and lists in words, for answers, pages and tables alike."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from lama_odds.core.estimate import Estimate
from lama_odds.core.language import ENGLISH, FRACTION, language, later, later_count, say, say_count

LEAST_SHOWN = 1e-4
DIGITS = 3  # after the point at most
DECIMALS = (1.0, 0.1, 0.01)  # the least number whose first digit that is not 0 is there
EXACT_DIGITS = 2
ROUNDED_UP = 0.4  # half-widths from 0.25 down have a digit after the point, from 0.025 down two
POINTS_OF_CHANCE = "percentage points"
MOST_DIGITS = 9  # after the point
SMALLEST = 5e-5  # chance that two digits after the point show
GROUPS = {"en": ",", "de": ".", "pl": "\u00a0", "fr": "\u202f"}  # between three digits
UNITS = {
    "points": later_count("{n} point", "{n} points"),
    "points vs. others": later_count("{n} point vs. others", "{n} points vs. others"),
    "worms": later_count("{n} worm", "{n} worms"),
    "llamas": later_count("{n} llama", "{n} llamas"),
    "percentage points": later_count("{n} percentage point", "{n} percentage points"),
    "percentage points of winning chance": later_count(
        "{n} percentage point of winning chance", "{n} percentage points of winning chance"
    ),
    "percentage points of chance to win the round": later_count(
        "{n} percentage point of chance to win the round",
        "{n} percentage points of chance to win the round",
    ),
    "rounds won": later_count("{n} rounds won", "{n} rounds won"),
    "wins": later_count("{n} wins", "{n} wins"),
}
NAMED_UNITS = frozenset(
    (
        later("points"),
        later("points vs. others"),
        later("worms"),
        later("percentage points"),
        later("percentage points of the chance to win"),
        later("percentage points of the chance to win the round"),
        later("rounds won"),
    )
)

NOUNS = {
    "card": later_count("{n} card", "{n} cards"),
    "point": later_count("{n} point", "{n} points"),
    "worm": later_count("{n} worm", "{n} worms"),
    "tile": later_count("{n} tile", "{n} tiles"),
    "value": later_count("{n} value", "{n} values"),
    "kind": later_count("{n} kind", "{n} kinds"),
}


def decimal(text: str) -> str:
    """Return a number that Python wrote as people write it: with a comma, but in English."""
    return text if language() == ENGLISH else text.replace(".", ",")


def significant(value: float, digits: int = 2) -> str:
    """Return a number with this many digits that are not leading zeros.

    An error or a bound below LEAST_SHOWN is rounded up to it.
    """
    return decimal(f"{max(value, LEAST_SHOWN) if value else 0.0:.{digits}g}")


def thousands(number: int) -> str:
    """Return a whole number in groups of three digits."""
    return f"{number:,}".replace(",", GROUPS[language()])


def in_percent(number: str) -> str:
    """Return a number that was written, with the sign of per cent."""
    return say("{number} %", number=number)


def with_sign(number: str, share: bool) -> str:
    """Return a number that was written; of a share in per cent."""
    return in_percent(number) if share else number


def with_unit(number: str | int, unit: str = "points") -> str:
    """Return a number with what it counts: 1 point, 2 points."""
    if unit in UNITS:
        return say_count(*UNITS[unit], count_of(number), n=number)
    return f"{number} {unit}".strip()


def beside_unit(number: str | int, unit: str) -> str:
    """Return a number beside its unit, which in English is the same for every number."""
    return f"{number} {unit}" if language() == ENGLISH else with_unit(number, unit)


def unit_name(unit: str) -> str:
    """Return a unit without a number; an unknown one stays unchanged."""
    return say(unit) if unit in NAMED_UNITS else unit


def count_of(number: str | int) -> int:
    """Return a number that was written, for `say_count`: one with decimals has its own form."""
    whole, point, _ = str(number).replace(",", ".").replace("−", "-").partition(".")
    digits = "".join(character for character in whole if character.isdigit())
    count = int(digits or 0) + (FRACTION if point else 0)
    return -count if whole.startswith("-") else count


def counted(number: int, noun: str) -> str:
    """Return a number of something in words, such as "1 card" and "2 cards"."""
    if noun in NOUNS:
        shown = "no" if language() == ENGLISH and not number else number
        return say_count(*NOUNS[noun], number, n=shown)
    return f"{number or 'no'} {noun}{'' if number == 1 else 's'}" if noun else str(number)


def ordinal(number: int) -> str:
    """Return a place in a row: 1st, 2nd, 11th."""
    if language() != ENGLISH:
        return say_count("{n}st", "{n}th", number)
    ends = {1: "st", 2: "nd", 3: "rd"}
    return f"{number}{'th' if 10 < number % 100 < 14 else ends.get(number % 10, 'th')}"


def listed(names: Sequence[str], last: str = "and") -> str:
    """Names in a sentence: a, b and c."""
    if len(names) < 2:
        return "".join(names)
    if last == "or":
        return say("{first} or {last}", first=", ".join(names[:-1]), last=names[-1])
    return say("{first} and {last}", first=", ".join(names[:-1]), last=names[-1])


def either(names: Iterable[str]) -> str:
    """Return names with *or* between them, in the language in force; empty without any."""
    joined = ""
    for name in names:
        joined = say("{first} or {last}", first=joined, last=name) if joined else name
    return joined


def capital(text: str) -> str:
    """A text that begins a sentence."""
    return text[:1].upper() + text[1:]


def with_minus(value: float, digits: int) -> str:
    """A number with a minus sign, not a hyphen."""
    return decimal(f"{value:.{digits}f}".replace("-", "−"))


def trimmed(value: float, digits: int) -> str:
    """A number with a minus sign and `digits` decimals; a whole one has none."""
    return with_minus(value + 0.0, digits).removesuffix(decimal("." + digits * "0"))


# Estimates in a short answer: as many digits as the error deserves, chances in whole per cent.


def rounded(value: float, digits: int) -> str:
    """A number with `digits` decimals; never a negative zero."""
    text = f"{value:.{digits}f}"
    return decimal(text.removeprefix("-") if float(text) == 0 else text)


def signed(value: float, digits: int) -> str:
    """A number with its sign and `digits` decimals; zero has a plus."""
    text = f"{value:+.{digits}f}"
    return decimal(text.replace("-", "+") if float(text) == 0 else text)


def digits_of(estimate: Estimate, scale: float = 1.0) -> int:
    """Digits after the point that an estimate deserves: the last one is about its half-width."""
    half = scale * (estimate.high - estimate.low) / 2
    if half == 0 or not math.isfinite(half):
        return EXACT_DIGITS
    most = DIGITS if estimate.stderr else EXACT_DIGITS
    return min(most, max(0, math.floor(ROUNDED_UP - math.log10(half))))


def first_digit(value: float) -> int:
    """Digits after the point up to the first that is not 0."""
    if not value:
        return 0
    return next((at for at, least in enumerate(DECIMALS) if abs(value) >= least), DIGITS)


def brief(estimate: Estimate, share: bool = False) -> str:
    """A value without its error, with as many digits as `error` has; of a share in per cent."""
    scale = 100 if share else 1
    half = scale * (estimate.high - estimate.low) / 2
    digits = first_digit(half) if half else EXACT_DIGITS if estimate.value else 0
    return with_sign(rounded(scale * estimate.value, digits), share)


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
    return with_sign(f"± {rounded(half, first_digit(half))}", share)


def widest(estimates: list[Estimate], share: bool = False) -> str:
    """The half-width of the widest of several intervals."""
    return error(max(estimates, key=lambda estimate: estimate.high - estimate.low), share)


def share_text(estimate: Estimate) -> str:
    """A chance in whole per cent."""
    percent = 100 * estimate.value
    if estimate.value > 0 and percent < 0.5:
        return in_percent("<1" if estimate.high > 0.0005 else "0")
    if percent > 99.5 and estimate.value < 1:
        return in_percent(">99" if estimate.low < 0.9995 else "100")
    return in_percent(f"{percent:.0f}")


# Estimates on a page, each with its error.


def with_error(estimate: Estimate, share: bool = False) -> str:
    """An estimate in a sentence: with its half-width, in per cent if it is a share."""
    value, half = _digits(estimate, 100 if share else 1)
    return with_sign(value if half is None else f"{value} ± {half}", share)


def size_with_error(estimate: Estimate, scale: float = 1.0) -> str:
    """How large an estimate is, whatever its sign, with its half-width."""
    value, half = _digits(estimate, scale)
    value = value.removeprefix("−")
    return value if half is None else f"{value} ± {half}"


def _digits(estimate: Estimate, scale: float) -> tuple[str, str | None]:
    """The value and the half-width with as many digits as that deserves; None: there is none."""
    half = scale * (estimate.high - estimate.low) / 2
    digits = 2 if half == 0 or half < 0.1 else 1
    digits = digits if half == 0 or half >= 0.005 else 3
    value = with_minus(scale * estimate.value, digits)
    return value, None if half == 0 else decimal(f"{half:.{digits}f}")


# Estimates in a table, each with its error.


def number(estimate: Estimate, share: bool = False) -> str:
    """A value with its half-width, as many digits as it deserves."""
    if share:
        return percent(estimate)
    half = (estimate.high - estimate.low) / 2
    if half == 0:
        return decimal(
            f"{estimate.value:.4f}".rstrip("0").rstrip(".")
            if estimate.n == 0
            else f"{estimate.value:.3f}"
        )
    digits = digits_for(half, 2)
    return decimal(f"{estimate.value:.{digits}f} ± {half:.{digits}f}")


def percent(estimate: Estimate) -> str:
    """A share in per cent with its half-width."""
    return in_percent(percentage(estimate))


def percentage(estimate: Estimate) -> str:
    """The same without the sign."""
    half = 50 * (estimate.high - estimate.low)
    if half == 0:
        return _exact_percentage(estimate.value)
    digits = digits_for(half, 1)
    return decimal(f"{100 * estimate.value:.{digits}f} ± {half:.{digits}f}")


def digits_for(half: float, least: int) -> int:
    """Digits after the point with which a half-width is not 0."""
    if not math.isfinite(half):
        return least
    return min(MOST_DIGITS, max(least, math.ceil(-math.log10(half))))


def _exact_percentage(value: float) -> str:
    """An exact chance; one that would round to 0 or 100 % is shown as <0.01 or >99.99 %."""
    if value in (0, 1):
        return f"{100 * value:.0f}"
    if value < SMALLEST:
        return decimal("<0.01")
    return decimal(">99.99" if value > 1 - SMALLEST else f"{100 * value:.2f}")
