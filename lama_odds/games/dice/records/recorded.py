"""Records of Lama Dice, taken apart decision by decision."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lama_odds.games.dice.records.record import VERBS, read_record
from lama_odds.games.interface.capabilities import Recorded


def named(position: Any, words: Sequence[str], at: int) -> str:
    """A choice in the agreed notation: its cards sorted."""
    del position
    return f"{words[at]} {''.join(sorted(words[at + 1]))}"


RECORDED = Recorded(
    VERBS,
    read_record,
    luck="of the own rolls, where the seat decides on them at once or they end the round",
    named=named,
)
