"""How records of No Prob-Lama are split into decisions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lama_odds.games.interface.capabilities import Recorded
from lama_odds.games.interface.records import Record, as_written, highest_wins, lowest_wins
from lama_odds.games.noprob.records.record import VERBS, Reader, read_record


def named(position: Any, words: Sequence[str], at: int) -> str:
    """Return a choice in the agreed notation: seats that get a special are counted from the
    giver.
    """
    if words[at] != "give":
        return as_written(position, words, at)
    return f"give {words[2]} to {(int(words[at + 1]) - int(words[0])) % position.players}"


def ranked(record: Record) -> list[Any]:
    """Return llamas by seat; in games of four rounds, points negated."""
    return lowest_wins(record) if record.rules.four_rounds else highest_wins(record)


RECORDED = Recorded(
    VERBS,
    read_record,
    luck="of own cards from the pile, if the player decides on them at once",
    named=named,
    ranked=ranked,
    fewer=3,
    standing=("scores", "llamas"),
    reader=Reader,
)
