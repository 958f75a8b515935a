"""Policies with several numbers, written ``name=5,other=3`` and packed into one parameter."""

from __future__ import annotations

from collections.abc import Mapping

from lama_odds.core.notation import Part

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
                raise piece.fail(f"one of {named}", what="policy")
            if name in values:
                raise piece.fail(f"{name} only once", what="policy")
            value = Part(piece.whole, text, piece.at + len(name) + 1)
            values[name] = value.integer("policy")
            low, high, _ = self.bounds[name]
            if not low <= values[name] <= high:
                raise value.fail(f"{low} to {high}", what=f"policy, {name}")
        return self.pack(values)

    def write(self, parameter: int) -> str:
        """Return the text of a parameter, without defaults: the inverse of `read`."""
        values = self.unpack(parameter)
        return ",".join(f"{n}={v}" for n, v in values.items() if v != self.bounds[n][2])
