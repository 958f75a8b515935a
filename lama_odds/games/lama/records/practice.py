"""Small positions of the card games for practice: the solved ones and those in between."""

from __future__ import annotations

from collections.abc import Sequence


def practice(players: int) -> Sequence[str]:
    """Return positions with all, one and none of the others in, with and without a pot."""
    scores = "scores=" + ",".join(["3"] * players) + " first=0"
    everybody = ",".join(["2"] * (players - 1))
    some = ",".join(["2", *["q3"] * (players - 2)])
    nobody = ",".join(["q3"] * (players - 1))
    ends = (scores, f"{scores} pot=1")
    return [f"hand=35 top=3 opp={opp} {end}" for opp in (everybody, some, nobody) for end in ends]
