"""Card values of the L.A.M.A. family, 1 to 6 and the llama: their points, and hands of them."""

from __future__ import annotations

from math import comb

from lama_odds.core.notation import Part
from lama_odds.core.rulesets import Option

NUMBERS = 6


def read_points(part: Part) -> tuple[int, ...]:
    """Return points of the values 1 to 6, written as ``1.2.3.4.5.6``: six numbers from 1 to 40."""
    values = tuple(piece.integer("option points") for piece in part.split("."))
    if len(values) != NUMBERS or not all(1 <= value <= 40 for value in values):
        raise part.fail("six numbers from 1 to 40 between dots", what="option points")
    return values


POINTS = Option(
    "text",
    "points of the values 1-6",
    "amigo, gigamic, egmont",
    read=read_points,
    write=lambda points: ".".join(map(str, points)),
)


def hands_of(counts: tuple[int, ...], size: int) -> list[tuple[tuple[int, ...], int]]:
    """Return all hands of `size` cards from a pack with these counts, each with its ways."""
    hands: list[tuple[tuple[int, ...], int]] = [((), 1)]
    for at, count in enumerate(counts):
        rest = sum(counts[at + 1 :])
        hands = [
            ((*hand, held), ways * comb(count, held))
            for hand, ways in hands
            for held in range(count + 1)
            if sum(hand) + held <= size <= sum(hand) + held + rest
        ]
    return hands
