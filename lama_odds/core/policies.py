"""Policies by name: ``family`` or ``family:parameter``, read against a game's list of families."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from lama_odds.core.errors import ReadError, near_names
from lama_odds.core.notation import Part

BEST = "best"
# What names a policy in every game, beside its families; read by `analysis.policy_files`.
EVERYWHERE = {
    BEST: "the strongest known for the rule set, the number of players and what is asked for "
    "(winning the game, or points); the default for everybody",
    "@FILE": "the policy of a file that `tune --out FILE` has written",
}


@dataclass(frozen=True)
class Family:
    """A family of policies.

    code: what the compiled functions know it by. parameter: name of its parameter (empty: it
    has none), a whole number within bounds unless `read` and `write` say otherwise. default: the
    parameter of the bare name (None: it must be given). meaning: what it decides, in full.
    space: where a parameter of several numbers (or one with its own reader) can be searched, by
    name (lowest, highest); pack, unpack: from such numbers to the parameter, and back.
    allowed: what its own reader accepts, in words. brief: what it is in a few words, for labels;
    {} stands for its parameter.
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
    space: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    pack: Callable[[Mapping[str, int]], int] | None = None
    unpack: Callable[[int], Mapping[str, int]] | None = None
    brief: str = ""

    @property
    def searchable(self) -> Mapping[str, tuple[int, int]]:
        """Its numbers and their bounds, by name; none if it has no parameter."""
        if self.space or not self.parameter:
            return self.space
        return {self.parameter: (self.low, self.high)}

    def with_numbers(self, numbers: Mapping[str, int]) -> Policy:
        """The policy with these numbers of `searchable`."""
        if self.pack is not None:
            return Policy(self, self.pack(numbers))
        return Policy(self, numbers[self.parameter])

    def numbers_of(self, parameter: int) -> dict[str, int]:
        """Inverse of `with_numbers`."""
        if self.unpack is not None:
            return dict(self.unpack(parameter))
        return {name: parameter for name in self.searchable}

    @property
    def usage(self) -> str:
        """How it is written."""
        if not self.parameter:
            return self.name
        given = f":{self.parameter}"
        return f"{self.name}{given}" if self.default is None else f"{self.name}[{given}]"

    @property
    def bounds(self) -> str:
        """What its parameter may be, in words; empty if it has none."""
        if self.allowed or not self.parameter:
            return self.allowed
        return f"{self.parameter} from {self.low} to {self.high}"


@dataclass(frozen=True)
class Policy:
    """A policy as a player names it."""

    family: Family
    parameter: int = 0

    @property
    def name(self) -> str:
        """Canonical name, which reads back as this policy."""
        written = self.family.write(self.parameter) if self.family.parameter else ""
        return f"{self.family.name}:{written}" if written else self.family.name

    @property
    def brief(self) -> str:
        """What it is in a few words; its name if nothing shorter is known."""
        return self.family.brief.format(self.parameter) or self.name


def read_policy(text: str, families: Sequence[Family], more: Sequence[str] = ()) -> Policy:
    """The policy of a name; ReadError with near names or the bounds of the parameter.

    more: what else could have been meant where the name is given.
    """
    name, colon, _ = text.partition(":")
    family = next((f for f in families if f.name == name), None)
    if family is None:
        known = [*(f.name for f in families), *more]
        raise ReadError(f"unknown policy {name!r}", text, 0, near_names(name, known))
    rest = Part(text, text[len(name) + 1 :], len(name) + 1)
    if not family.parameter:
        if colon:
            raise rest.fail(f"{name} without a parameter", what="policy")
        return Policy(family)
    if not colon and family.default is not None:
        return Policy(family, family.default)
    if not colon:
        raise ReadError(f"policy {name} needs its parameter: {family.usage}", text, len(text))
    if family.read is not None:
        return Policy(family, family.read(rest))
    value = rest.integer("policy")
    if not family.low <= value <= family.high:
        raise rest.fail(f"{family.low} to {family.high}", what="policy")
    return Policy(family, value)
