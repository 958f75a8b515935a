"""How records of Pikomino are split into decisions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lama_odds.core.notation import Part
from lama_odds.games.interface.capabilities import Recorded
from lama_odds.games.interface.records import Record, as_written
from lama_odds.games.pikomino.records.record import VERBS, Reader, read_record


def named(position: Any, words: Sequence[str], at: int) -> str:
    """Return a choice in the agreed notation; a steal names the owner of the tile."""
    verb, what = words[at : at + 2]
    if verb == "steal":
        owner = next(i for i, top in enumerate(position.tops) if i and top == int(what))
        return f"steal {int(what)} from {owner}"
    return f"stop {int(what)}" if verb == "stop" else as_written(position, words, at)


def ranked(record: Record) -> list[Any]:
    """Return worms and highest tile by seat, which decide the game in this order."""
    assert record.outcome is not None
    stacks = record.state.stacks  # type: ignore[attr-defined]
    tallest = [max(stack, default=0) for stack in stacks]
    return list(zip(record.outcome, tallest, strict=True))


class _Worms(Reader):
    """Reads a record and keeps the worms by seat before each turn."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[list[int]] = []

    def turn(self, words: list[Part]) -> None:
        """Keep the worms, then carry the turn out."""
        self.found.append(self.table.worms)
        super().turn(words)


def worms_by_turn(text: str) -> list[list[int]]:
    """Return worms by seat before each turn of a record, and at its end."""
    reader = _Worms()
    reader.read(text)
    return [*reader.found, reader.table.worms]


RECORDED = Recorded(
    VERBS,
    read_record,
    luck="of own rolls, if the player decides on them at once",
    named=named,
    ranked=ranked,
    turn_points=worms_by_turn,
    turn_ends=("stop", "steal", "bust"),
    reader=Reader,
)
