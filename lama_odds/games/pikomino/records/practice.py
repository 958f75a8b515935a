"""Small positions of Pikomino for practice: the solved ones and those in between."""

from __future__ import annotations

from collections.abc import Sequence


def practice(players: int) -> Sequence[str]:
    """Return positions with one tile to take and with few in play; after a roll and before it."""
    stacks = "/".join(["21", *["-"] * (players - 1)])
    few = "/".join(["21", "22", *["-"] * (players - 2)])
    return [
        *(f"kept=44W stacks={stacks}{end}" for end in ("", " rolled=12345")),
        *(f"kept=44W centre=25,26 stacks={few}{end}" for end in ("", " rolled=12345")),
    ]
