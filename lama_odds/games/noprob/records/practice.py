"""Small positions of No Prob-Lama for practice: the solved ones and those in between."""

from __future__ import annotations

from collections.abc import Sequence

_HELD = ("", "drawn=9 ", "taken=4 ", "drawn=D ")


def practice(players: int) -> Sequence[str]:
    """Return positions in mid-round and in its last turn, with every kind of card in hand."""
    grid, up = "?,?,?/?,?,?/?,?,?", "3,4,5/6,7,8/9,10,?"
    llamas = f"llamas={','.join(['1'] * players)} first=0"
    others = ";".join([grid] * (players - 1))
    late = ";".join(["3,4,5/6,7,8/9,10,3", *[up] * (players - 2)])
    told = []
    for end in (llamas, f"scores={','.join(['1'] * players)} round=2 first=0"):
        told += [f"grid={up} top=4 opp={others} {held}{end}" for held in _HELD]
        told += [f"grid={up} top=4 opp={late} {held}last=1 {end}" for held in _HELD]
    return told
