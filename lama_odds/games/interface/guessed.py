"""What of a position is a guess, with other values that it may well have."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

SIZES = 6  # a hand of more cards counts like one of this number


@dataclass(frozen=True)
class Guessed:
    """A number of a position that is a guess, and the same position with other values of it.

    what: is a guess, in words. when: a value in words, such as ``somebody holds {}``. unit: what
    is counted, one and several.
    values: in order. positions: one for each. at: the place of the position itself.
    whole: whether there is no value below the first or between two, and the last one stands for all
    that are higher. Otherwise each stands for what lies around it.
    assumed: whether only a value that is sure to change the verdict counts; so it is where nothing
    was written with the number.
    """

    what: str
    when: str
    unit: tuple[str, str]
    values: tuple[int, ...]
    positions: tuple[Any, ...]
    at: int
    whole: bool = False
    assumed: bool = False

    @property
    def counted(self) -> str:
        """What the values count, in words."""
        return self.when.format(f"… {self.unit[1]}")

    def label(self, place: int) -> str:
        """Return a value in short."""
        last = place == len(self.values) - 1
        return f"{self.values[place]}{'+' if self.whole and last else ''}"

    def one(self, place: int) -> str:
        """Return a value in words."""
        value = self.values[place]
        about = "" if self.whole else "about "
        return self.when.format(f"{about}{value} {self.unit[value != 1]}")

    def said(self, first: int, last: int) -> str:
        """Return the values from one place to another, in words; they are not all of them."""
        low, high, many = self.values[first], self.values[last], self.unit[1]
        about = "" if self.whole else "about "
        if last == len(self.values) - 1:
            return self.when.format(f"{about}{low} {many} or more")
        if first == last and (self.whole or first):
            return self.one(first)
        if self.whole:
            return self.when.format(f"{low} {'or' if last == first + 1 else 'to'} {high} {many}")
        return self.when.format(f"{about}{high} {many}{'' if first else ' or fewer'}")


def guessed_from(
    tried: Mapping[int, Any],
    position: Any,
    possible: Callable[[Any], bool],
    words: tuple[str, str],
    unit: tuple[str, str] = ("card", "cards"),
    whole: bool = False,
    assumed: bool = False,
) -> Guessed | None:
    """Return the values that are possible; None if only that of the position is.

    tried: positions by value, that of the position itself among them. words: `what` and `when`.
    """
    found = {
        value: other
        for value, other in sorted(tried.items())
        if other is position or possible(other)
    }
    if len(found) == 1:
        return None
    positions = tuple(found.values())
    return Guessed(*words, unit, tuple(found), positions, positions.index(position), whole, assumed)


def fewest_held(
    sizes: Mapping[int, int], resized: Callable[[dict[int, int]], Any], position: Any
) -> dict[int, Any]:
    """Return positions by the fewest cards in a hand that is a guess, the last for all beyond.

    sizes: guesses by seat. The other hands that are a guess keep theirs, or have as many.
    """
    fewest = min(sizes.values())
    holder = min(seat for seat, size in sizes.items() if size == fewest)
    found = {fewest: position}
    for value in (*range(1, SIZES), max(SIZES, fewest)):
        others = {seat: max(value, size) for seat, size in sizes.items()}
        found.setdefault(value, resized(others | {holder: value}))
    return found


def hands_in_words(seats: Sequence[int], everybody: bool) -> tuple[str, str]:
    """Return `what` and `when` for the hands of these seats; everybody: whether they are all."""
    who = named(seats)
    if len(seats) == 1:
        return f"the hand size of {who} is a guess", f"{who} holds {{}}"
    if everybody:
        return "the hand sizes are a guess", "somebody holds {}"
    return f"the hand sizes of {who} are a guess", f"one of {who} holds {{}}"


def around(number: int, least: int, most: int) -> tuple[int, int]:
    """Return the lowest and the highest value of a number that is roughly known."""
    off = max(3, -(-number // 2))
    return max(least, number - off), min(most, number + off)


def named(seats: Sequence[int]) -> str:
    """Return opponents in words."""
    *before, last = map(str, seats)
    return f"opponents {', '.join(before)} and {last}" if before else f"opponent {last}"
