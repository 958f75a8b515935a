"""How records of Lama Dice are split into decisions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lama_odds.games.dice.records.record import VERBS, Reader, read_record
from lama_odds.games.interface.capabilities import Recorded


def named(position: Any, words: Sequence[str], at: int) -> str:
    """Return a choice in the agreed notation: its cards sorted."""
    del position
    return f"{words[at]} {''.join(sorted(words[at + 1]))}"


RECORDED = Recorded(
    VERBS,
    read_record,
    luck="of own rolls, if the player decides on them at once or they end the round",
    named=named,
    reader=Reader,
)
