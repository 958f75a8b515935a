"""Chances in a few lines, as several games tell them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from lama_odds.core.estimate import Estimate
from lama_odds.games.interface.solution import OddsInWords

BANDS = (10, 15, 20, 25, 30)  # points of a dealt hand at which the next row begins


def other_player(seat: int) -> str:
    """Another player by its place after you, who are player 1."""
    return "the player to your left" if seat == 1 else f"player {seat + 1}"


def either(names: Iterable[str]) -> str:
    """What can be chosen, in a sentence."""
    *some, last = names
    return f"{', '.join(some)} or {last}" if some else last


def dealt_hand(chances: Mapping[str, Estimate]) -> OddsInWords:
    """A dealt hand: what it costs on average, and how its points are spread."""
    points = {
        int(name.split()[1]): chance.value
        for name, chance in chances.items()
        if name.startswith("penalty ")
    }
    rows = []
    for low, end in zip((0, *BANDS), (*BANDS, max(points) + 1), strict=True):
        within = [value for value in points if low <= value < end]
        if within:
            named = f"{min(within)} to {max(within)}" if len(within) > 1 else f"{within[0]}"
            rows.append((named, sum(points[value] for value in within)))
    return OddsInWords(
        f"A dealt hand costs {chances['mean penalty'].value:.1f} points on average and has "
        f"{chances['mean kinds'].value:.1f} different values; with {{llamas 0}} it has no llama.",
        ("points of a dealt hand", "chance"),
        tuple(rows),
    )
