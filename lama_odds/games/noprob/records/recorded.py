"""Records of No Prob-Lama, taken apart decision by decision."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lama_odds.games.interface.capabilities import Recorded
from lama_odds.games.interface.records import Record, as_written, highest_wins, lowest_wins
from lama_odds.games.noprob.records.record import VERBS, read_record


def named(position: Any, words: Sequence[str], at: int) -> str:
    """A choice in the agreed notation: a special is given to a seat counted from the giver's."""
    if words[at] != "give":
        return as_written(position, words, at)
    return f"give {words[2]} to {(int(words[at + 1]) - int(words[0])) % position.players}"


def ranked(record: Record) -> list[Any]:
    """Who has most llamas wins; after four rounds, who has fewest points."""
    return lowest_wins(record) if record.rules.four_rounds else highest_wins(record)


RECORDED = Recorded(
    VERBS,
    read_record,
    luck="of the own cards from the pile, where the seat decides on them at once",
    named=named,
    ranked=ranked,
    fewer=3,
)
