"""Small positions of Lama Dice for practice: the solved ones and those in between."""

from __future__ import annotations

from collections.abc import Sequence


def practice(players: int) -> Sequence[str]:
    """Return positions with all, one and none of the others in, early and late in the game."""
    scores = "scores=" + ",".join(["3"] * players) + " first=0"
    everybody = ",".join(["13"] * (players - 1))
    some = ",".join(["13", *["q16"] * (players - 2)])
    nobody = ",".join(["q6LL"] * (players - 1))
    opponents = (everybody, some, nobody)
    return [f"hand=2L row=1 opp={opp}{end}" for opp in opponents for end in _ends(scores)]


def _ends(scores: str) -> Sequence[str]:
    rolled, last = " rolled=12L", scores.replace("3", "39")  # the game ends with the round
    return (f" {scores}", f"{rolled} {scores}", f" {last}", f"{rolled} {last}")
