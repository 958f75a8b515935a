"""Policies by name: ``family`` or ``family:parameter``, read from a game's list of families."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from lama_odds.core.errors import ReadError, near_names
from lama_odds.core.language import say
from lama_odds.core.notation import Part

# Policies with several numbers, written ``name=5,other=3`` and packed into one parameter.

BITS = 8  # of each number in a parameter; compiled functions unpack them in the same way
MASK = (1 << BITS) - 1


class Numbers:
    """The numbers of a family: name -> (lowest, highest, default), at most 1 << BITS values each.

    A parameter holds each number minus its lowest value, the first number in the lowest BITS bits.
    """

    def __init__(self, **bounds: tuple[int, int, int]) -> None:
        self.bounds = bounds

    @property
    def default(self) -> int:
        """Return the parameter with all defaults."""
        return self.pack({})

    @property
    def allowed(self) -> str:
        """Return the allowed range of each number, in words."""
        return ", ".join(f"{name} {low} to {high}" for name, (low, high) in self.space.items())

    @property
    def space(self) -> dict[str, tuple[int, int]]:
        """Return (lowest, highest) by name."""
        return {name: (low, high) for name, (low, high, _) in self.bounds.items()}

    def pack(self, values: Mapping[str, int]) -> int:
        """Return numbers as one parameter; missing ones have their defaults."""
        packed = 0
        for at, (name, (low, _, default)) in enumerate(self.bounds.items()):
            packed |= values.get(name, default) - low << BITS * at
        return packed

    def unpack(self, parameter: int) -> dict[str, int]:
        """Return all numbers of a parameter: the inverse of `pack`."""
        return {
            name: (parameter >> BITS * at & MASK) + low
            for at, (name, (low, _, _)) in enumerate(self.bounds.items())
        }

    def read(self, part: Part) -> int:
        """Return the parameter of numbers in a text, in any order.

        Raises ReadError if they cannot be read.
        """
        values: dict[str, int] = {}
        for piece in part.split(","):
            name, equals, text = piece.text.partition("=")
            if name not in self.bounds or not equals:
                named = ", ".join(f"{n}=NUMBER" for n in self.bounds)
                raise piece.fail(say("one of {names}", names=named), what=say("policy"))
            if name in values:
                raise piece.fail(say("{name} only once", name=name), what=say("policy"))
            value = Part(piece.whole, text, piece.at + len(name) + 1)
            values[name] = value.integer(say("policy"))
            low, high, _ = self.bounds[name]
            if not low <= values[name] <= high:
                expected = say("{low} to {high}", low=low, high=high)
                raise value.fail(expected, what=say("policy, {name}", name=name))
        return self.pack(values)

    def write(self, parameter: int) -> str:
        """Return the text of a parameter, without defaults: the inverse of `read`."""
        values = self.unpack(parameter)
        return ",".join(f"{n}={v}" for n, v in values.items() if v != self.bounds[n][2])


BEST = "best"
CARD = "card"  # in games that have such policies; without its rules it is the published one
# Names that mean a policy in every game; `analysis.policy_files` reads them.
EVERYWHERE = {
    "search:GAMES": "thinks at each decision, as `advise` does: plays every action out in up to "
    "GAMES games (16 to 4096), in which all play `best`. Hidden cards are drawn by what the others "
    "did. It leaves the action of `best` only for one that proved better. Slow: for whole games in "
    "`simulate` and `tournament`, and for `play`. Not every game can be followed like that",
    BEST: "the strongest known policy for the rule set, the number of players and the objective "
    "(winning the game, or points); the default for all players",
    "@FILE": "the policy in a file that `tune --out FILE` wrote",
}


@dataclass(frozen=True)
class Family:
    """A family of policies.

    code: its number in compiled functions.
    parameter: the name of its parameter (empty: it has none). It is a whole number from `low` to
    `high` unless `read` and `write` are given.
    default: the parameter of the bare name (None: it must be given).
    meaning: what the policy decides, in full.
    space: for a parameter of several numbers (or with its own reader), the numbers that can be
    searched, by name: (lowest, highest).
    pack, unpack: convert these numbers to the parameter and back.
    allowed: what its own reader accepts, in words.
    """

    name: str
    code: int
    meaning: str
    parameter: str = ""
    low: int = 0
    high: int = 0
    allowed: str = ""
    read: Callable[[Part], int] | None = None
    write: Callable[[int], str] = str
    default: int | None = None
    space: Mapping[str, tuple[int, int]] = field(default_factory=dict, hash=False)
    pack: Callable[[Mapping[str, int]], int] | None = None
    unpack: Callable[[int], Mapping[str, int]] | None = None
    brief: str = ""

    @property
    def searchable(self) -> Mapping[str, tuple[int, int]]:
        """Return the bounds of its numbers, by name; nothing if it has no numbers."""
        if self.space or not self.parameter or self.read is not None:
            return self.space
        return {self.parameter: (self.low, self.high)}

    def with_numbers(self, numbers: Mapping[str, int]) -> Policy:
        """Return the policy with these values of the numbers in `searchable`."""
        if self.pack is not None:
            return Policy(self, self.pack(numbers))
        return Policy(self, numbers[self.parameter])

    def numbers_of(self, parameter: int) -> dict[str, int]:
        """Return the numbers of a parameter: the inverse of `with_numbers`."""
        if self.unpack is not None:
            return dict(self.unpack(parameter))
        return {name: parameter for name in self.searchable}

    @property
    def usage(self) -> str:
        """Return how a policy of this family is written."""
        if not self.parameter:
            return self.name
        given = f":{self.parameter}"
        return f"{self.name}{given}" if self.default is None else f"{self.name}[{given}]"

    @property
    def bounds(self) -> str:
        """Return what its parameter may be, in words; an empty text if it has none."""
        if self.allowed or not self.parameter:
            return self.allowed
        return f"{self.parameter} from {self.low} to {self.high}"

    @property
    def explained(self) -> str:
        """Return its meaning and what its parameter may be."""
        return f"{self.meaning}. Values: {self.bounds}" if self.bounds else self.meaning


# Nothing compiled knows it: `analysis.search` plays it. Kernels refuse its code.
SEARCH = Family(
    "search", -1, EVERYWHERE["search:GAMES"], "GAMES", 16, 4096, brief="thinks one step ahead"
)


@dataclass(frozen=True)
class Policy:
    """A policy: a family with its parameter."""

    family: Family
    parameter: int = 0

    @property
    def name(self) -> str:
        """Return the canonical name, which reads back as this policy."""
        written = self.family.write(self.parameter) if self.family.parameter else ""
        return f"{self.family.name}:{written}" if written else self.family.name

    @property
    def brief(self) -> str:
        """What it is in a few words; its name if nothing shorter is known."""
        return self.family.brief.format(self.parameter) or self.name


def read_policy(text: str, families: Sequence[Family], more: Sequence[str] = ()) -> Policy:
    """Return the policy with this name.

    Raises ReadError with similar names or the parameter's bounds.
    more: other names that are possible where this one is given.
    """
    name, colon, _ = text.partition(":")
    family = next((f for f in families if f.name == name), None)
    known = [*(f.name for f in families), *more]
    second = text.find(",") + 1
    if second and text[second:].strip().partition(":")[0] in known:
        message = say(
            "expected one policy, found several: where each seat has its own, give the option once "
            "for each"
        )
        raise ReadError(message, text, second)
    if family is None:
        hints = _with_number(text, families) or near_names(name, known)
        raise ReadError(say("unknown policy {name}", name=repr(name)), text, 0, hints)
    rest = Part(text, text[len(name) + 1 :], len(name) + 1)
    if not family.parameter:
        if colon:
            expected = say("{name} without a parameter", name=name)
            raise rest.fail(expected, what=say("policy"))
        return Policy(family)
    if not colon and family.default is not None:
        return Policy(family, family.default)
    if not colon:
        message = say("policy {name} needs its parameter: {usage}", name=name, usage=family.usage)
        raise ReadError(message, text, len(text))
    if family.read is not None:
        return Policy(family, family.read(rest))
    value = rest.integer(say("policy"))
    if not family.low <= value <= family.high:
        expected = say("{low} to {high}", low=family.low, high=family.high)
        raise rest.fail(expected, what=say("policy"))
    return Policy(family, value)


def _with_number(text: str, families: Sequence[Family]) -> tuple[str, ...]:
    """Return the policies that need a number, if a number is all that was given, as a hint."""
    if not text.isdecimal():
        return ()
    names = [f"{f.name}:{text}" for f in families if f.parameter and f.read is None]
    return ("  " + say("did you mean {names}?", names=say(" or ").join(names)),) if names else ()
