"""Small positions of the card games that are solved or sampled in a way of their own."""

from __future__ import annotations

from collections.abc import Sequence


def practice(players: int) -> Sequence[str]:
    """With everybody in, one left, and nobody left; without a pot and with one."""
    scores = "scores=" + ",".join(["3"] * players) + " first=0"
    everybody = ",".join(["2"] * (players - 1))
    some = ",".join(["2", *["q3"] * (players - 2)])
    nobody = ",".join(["q3"] * (players - 1))
    ends = (scores, f"{scores} pot=1")
    return [f"hand=35 top=3 opp={opp} {end}" for opp in (everybody, some, nobody) for end in ends]
