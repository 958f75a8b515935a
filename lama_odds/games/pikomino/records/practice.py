"""Small positions of Pikomino that are solved or sampled in a way of their own."""

from __future__ import annotations

from collections.abc import Sequence


def practice(players: int) -> Sequence[str]:
    """With one tile to be had and with few in play; after a roll and before it."""
    stacks = "/".join(["21", *["-"] * (players - 1)])
    few = "/".join(["21", "22", *["-"] * (players - 2)])
    return [
        *(f"kept=44W stacks={stacks}{end}" for end in ("", " rolled=12345")),
        *(f"kept=44W centre=25,26 stacks={few}{end}" for end in ("", " rolled=12345")),
    ]
