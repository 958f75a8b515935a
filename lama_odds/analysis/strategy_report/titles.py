"""Titles of figures that say what they show: sentences made from the numbers that are drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lama_odds.analysis.strategy_report.document import Dot, Dots, Line, Spot
from lama_odds.core.wording import POINTS_OF_CHANCE

RIGHT = 0.5  # share of cases from which on a rule holds


def dot_at(found: Dots, label: str, group: str = "") -> Dot | None:
    """The dot of a name in a group; None: there is none."""
    return next((d for d in found.dots if (d.label, d.group) == (label, group)), None)


def of_copies(found: Dots, card: str, first: str, second: str) -> str | None:
    """What a second card of a number costs against the first; None: one of them is missing."""
    one, two = dot_at(found, card, first), dot_at(found, card, second)
    if one is None or two is None:
        return None
    more = "more" if two.low > one.high else "less" if two.high < one.low else "about as much"
    than = "as" if more == "about as much" else "than"
    return (
        f"A second {card} costs {more} {than} the first: {two.value:.1f} points "
        f"against {one.value:.1f}."
    )


def of_first(found: Dots, label: str, group: str, one: str, other: str) -> str | None:
    """Which of two cards goes first; None: nothing is known of them. one: above 0 it is better."""
    dot = dot_at(found, label, group)
    if dot is None:
        return None
    if dot.low <= 0 <= dot.high:
        return f"Whether the {one} or the {other} goes first makes no clear difference."
    first, then = (one, other) if dot.value > 0 else (other, one)
    return f"Play the {first} before the {then}: the other order costs {abs(dot.value):.1f} points."


def of_winner(found: Dots) -> str:
    """The policy that wins most, against an even share."""
    first = max(found.dots, key=lambda dot: dot.value)
    even = f"; an even share is {100 * found.reference:.0f} %" if found.reference else ""
    return f"{_quoted(first.label)} wins most: {100 * first.value:.0f} %{even}."


def _quoted(name: str) -> str:
    return name[:1].upper() + name[1:] if " " in name else f"“{name}”"


def of_amounts_and_wins(spots: Sequence[Spot], amount: str) -> str:
    """Whether who gathers most wins most. amount: what is gathered, in the plural."""
    most, wins = max(spots, key=lambda s: s.x), max(spots, key=lambda s: s.y)
    if most is wins:
        return f"{_quoted(most.label)} gathers most {amount} and wins most: {100 * wins.y:.0f} %."
    return (
        f"Most {amount} do not win most games: {100 * most.y:.0f} % with {most.x:.1f} {amount}, "
        f"{100 * wins.y:.0f} % with {wins.x:.1f}."
    )


def of_reach(line: Line) -> str:
    """How likely the lowest total and a middle one are. line: chances of at least each total."""
    chances = dict(zip(line.x, line.y, strict=True))
    low, high = min(chances), sorted(chances)[(len(chances) - 1) // 2]
    return (
        f"A turn reaches {low:.0f} in {100 * chances[low]:.0f} % of cases, and {high:.0f} in "
        f"{100 * chances[high]:.0f} %."
    )


def of_first_face(shares: Mapping[int, float], face: str) -> str:
    """From how many dice on a face is worth keeping. shares: how often it is best, by dice."""
    least = min((dice for dice, share in shares.items() if share >= RIGHT), default=None)
    if least is None:
        return f"The {face} is seldom worth keeping first."
    kept = f"eep {_dice(least)} or more: right in {100 * shares[least]:.0f} % of first rolls"
    if least == 1:
        return f"K{kept}."
    return (
        f"Leave {_dice(least - 1)} {face} (worth keeping in {100 * shares[least - 1]:.0f} %), "
        f"k{kept}."
    )


def _dice(number: int) -> str:
    return ("one", "two", "three", "four", "five", "six", "seven", "eight")[number - 1]


def of_rolls(shares: Mapping[int, float], dice: int) -> str:
    """From which total on to roll or stop. shares: how often rolling is better, by total."""
    always = [total for total, share in shares.items() if share == 1]
    seldom = min(shares, key=lambda total: shares[total])
    rolled = f"always roll at {always[0]}" if always else "it depends on the faces kept"
    return (
        f"With {_dice(dice)} dice left, {rolled}; at {seldom}, stop in "
        f"{100 * (1 - shares[seldom]):.0f} % of cases."
    )


def of_cost(found: Dots) -> str:
    """The most costly thing to do. Values are percentage points."""
    most = max(found.dots, key=lambda dot: dot.value)
    return f"It costs most, {most.value:.0f} {POINTS_OF_CHANCE}, where {most.label}."


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def of_lead(line: Line, below: str, above: str) -> str:
    """From which lead on an action is surely better. below, above: what to do there.

    Above 0, `above` is better. Only the stretch at the upper end of the line counts.
    """
    points = sorted(zip(line.x, line.low, line.y, strict=True), reverse=True)
    last = None
    for x, low, _ in points:
        if low <= 0:
            break
        last = x
    if last is None:
        return f"{_capital(below)} at all these leads."
    most, _, gain = points[0]
    return (
        f"With a lead of {last:.0f} or more, {above}: at {most:.0f} that adds {100 * gain:.0f} "
        f"{POINTS_OF_CHANCE}."
    )
