"""Titles of figures that say what they show: sentences made from the numbers that are drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lama_odds.analysis.strategy_report.document import SMALL, Bars, Dot, Dots, Line
from lama_odds.core.wording import POINTS_OF_CHANCE, capital, trimmed, with_minus

RIGHT = 0.5  # share of cases from which on a rule holds


def dot_at(dots: Dots, label: str, group: str = "") -> Dot | None:
    """The dot of a name in a group; None: there is none."""
    return next((d for d in dots.dots if (d.label, d.group) == (label, group)), None)


def of_copies(dots: Dots, card: str, first: str, second: str) -> str | None:
    """What a second card of a number costs against the first; None: one of them is missing."""
    one, two = dot_at(dots, card, first), dot_at(dots, card, second)
    if one is None or two is None:
        return None
    more = "more" if two.low > one.high else "less" if two.high < one.low else "about as much"
    than = "as" if more == "about as much" else "than"
    return (
        f"A second {card} costs {more} {than} the first: {two.value:.1f} points "
        f"against {one.value:.1f}."
    )


def of_first(dots: Dots, label: str, group: str, one: str, other: str) -> str | None:
    """Which of two cards goes first; None: nothing is known of them. one: above 0 it is better."""
    dot = dot_at(dots, label, group)
    if dot is None:
        return None
    if dot.low <= 0 <= dot.high:
        return f"Whether the {one} or the {other} goes first makes no clear difference."
    first, then = (one, other) if dot.value > 0 else (other, one)
    return f"Play the {first} before the {then}: the other order costs {abs(dot.value):.1f} points."


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
    kept = f"eep {SMALL[least]} or more: right in {100 * shares[least]:.0f} % of first rolls"
    if least == 1:
        return f"K{kept}."
    return (
        f"Leave {SMALL[least - 1]} {face} (worth keeping in {100 * shares[least - 1]:.0f} %), "
        f"k{kept}."
    )


def of_cost(dots: Dots) -> str:
    """The most costly thing to do. Values are percentage points."""
    most = max(dots.dots, key=lambda dot: dot.value)
    return f"It costs most, {most.value:.0f} {POINTS_OF_CHANCE}, where {most.label}."


def of_most(dots: Dots, text: str) -> str:
    """The largest value. text: a sentence with {label}, {group} and {value}."""
    most = max(dots.dots, key=lambda dot: dot.value)
    in_group = most.group and f" ({most.group})"
    return text.format(label=most.label, group=in_group, value=with_minus(most.value, 1))


def of_mode(line: Line | Bars, text: str) -> str:
    """The most frequent value. text: a sentence with {value} and {share}, a whole percentage."""
    at = max(range(len(line.y)), key=lambda at: line.y[at])
    value, share = line.x[at], f"{100 * line.y[at]:.0f}"
    return text.format(value=trimmed(value, 1) if isinstance(value, float) else value, share=share)


def of_ends(line: Line, text: str, digits: int = 0) -> str:
    """The first and the last point of a curve. text: with {first}, {at_first}, {last}, {at_last}.

    digits: of the values, which are shares in per cent if there are none.
    """

    def shown(value: float) -> str:
        return with_minus(value, digits) if digits else f"{100 * value:.0f} %"

    ends = {"first": trimmed(line.x[0], 1), "last": trimmed(line.x[-1], 1)}
    return text.format(**ends, at_first=shown(line.y[0]), at_last=shown(line.y[-1]))


def of_apart(lines: Sequence[Line], where: str, doing: str, unit: str, times: float = 1) -> str:
    """What differs between curves where it matters: at both sides of 0, or nearest to it.

    where: with {x}. doing: what costs these points.
    """
    by_x: dict[float, list[tuple[float, int, int]]] = {}
    for number, line in enumerate(lines):
        for at, x in enumerate(line.x):
            by_x.setdefault(x, []).append((line.y[at], at, number))
    ends = [(max(on), min(on), x) for x, on in by_x.items() if len(on) > 1]
    if not ends:
        return f"What {doing} costs is known for one case only."
    (high, i, most), (low, j, least), x = max(ends, key=lambda end: min(end[0][0], -end[1][0]))
    place = where.format(x=trimmed(x, 1))
    if lines[most].low[i] <= lines[least].high[j]:
        return f"What {doing} costs hardly differs: by {times * (high - low):.1f} {unit} {place}."
    return (
        f"{capital(place)}, {doing} costs {with_minus(times * high, 1)} {unit} "
        f"({lines[most].label}) or {with_minus(times * low, 1)} ({lines[least].label})."
    )


def of_blow(chances: Mapping[float, float]) -> str:
    """How often a roll is blown with three numbers and with one. chances: with the llama too."""
    return (
        f"Three numbers and a llama within reach: a roll blows it in {100 * chances[3]:.1f} % "
        f"of cases; with one number in {100 * chances[1]:.0f} %."
    )


def of_change(
    what: str, dots: Sequence[Dot], clear: Sequence[str], unit: str, share: bool = False
) -> str:
    """Which clear change against the first value is the largest. clear: labels that differ."""

    def shown(dot: Dot) -> str:
        return f"{100 * dot.value:.1f} %" if share else trimmed(dot.value, 2)

    before, changed = dots[0], [dot for dot in dots[1:] if dot.label in clear]
    if len(dots) == 1:
        return f"The mean of {what} is {shown(before)} {unit}."
    if not changed:
        return f"Nothing here clearly changes {what}: {shown(before)} {unit}."
    most = max(changed, key=lambda dot: abs(dot.value - before.value))
    return f"{most.label} changes {what} from {shown(before)} to {shown(most)} {unit}."
