"""How records of the card games are split into decisions."""

from __future__ import annotations

from lama_odds.games.interface.capabilities import Recorded
from lama_odds.games.lama.records.record import VERBS, Reader, read_record

RECORDED = Recorded(
    VERBS,
    read_record,
    luck="single draws are not separated",
    shown_at_once=False,
    reader=Reader,
)
