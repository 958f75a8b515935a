"""What you type in No Prob-Lama played along.

``d5 12 7`` is ``draw 5 replace 1,2 turns 7``; ``t 12 7`` takes the top discard, which needs no
name. The deal is ``11=3 12=7 #2:11,12``: cards that you looked at, and where player 2 did.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from lama_odds.core.errors import ReadError
from lama_odds.games.noprob.records.record import VERBS
from lama_odds.games.noprob.rules.position import LOOKED
from lama_odds.games.shared.entries import Typed, seat_of
from lama_odds.games.shared.record import HIDDEN

_CELL = re.compile(r"([1-3]),?([1-3])")
_LOOKED = re.compile(r"#(\d+):(.*)")


class GridEntries(Typed):
    """The entries of No Prob-Lama."""

    verbs = VERBS
    letters: ClassVar[Mapping[str, str]] = {
        **{"d": "draw", "t": "take", "p": "pass"},
        **{"r": "replace", "x": "discard", "g": "give"},
    }
    card = re.compile(r"10|-[125]|[3-9JDK]")

    def takes_cards(self, word: str) -> bool:
        """Return whether a card follows: a verb that names one, or a cell whose card is turned
        up.
        """
        return word in ("draw", "take", "turns") or _CELL.fullmatch(word) is not None

    def record_words(self, state: Any, entry: Sequence[str]) -> list[str]:
        """Return the words of the record: the source of a card, and its use."""
        words = self.in_full(entry)
        begun: list[str] = []
        if state.pending is None:
            if words[0] not in ("draw", "take"):
                return words
            begun, words = [words[0]], words[1:]
            top = state.rules.names[state.discards[-1]] if state.discards else HIDDEN
            if begun == ["take"] and words[:1] != [top]:
                begun.append(top)
            else:
                begun, words = begun + words[:1], words[1:]
        return [*begun, *_use(state, words)]

    def hands_of(self, words: Sequence[str], players: int, dealt: int) -> list[str]:
        """Return grids, or the cells that you looked at, each with its card: ``11=3 12=7``."""
        return list(words) if any("/" in word for word in words) else [self._grid(words)]

    def deal_words(self, me: int, players: int, words: Sequence[str], dealt: int) -> list[str]:
        """Return the words of a deal: your cards, and cells that others looked at: ``#2:11,12``."""
        looked = [one for word in words if (one := _LOOKED.fullmatch(word))]
        mine = [word for word in words if not _LOOKED.fullmatch(word)]
        found = super().deal_words(me, players, mine, dealt)
        for told in looked:
            seat = int(told[1]) - 1
            if not 0 <= seat < players or seat == me:
                raise ReadError(
                    f"found player {told[1]}, expected another of {players} players", told[0]
                )
            if found[1 + seat] != HIDDEN:
                raise ReadError(f"player {told[1]} is there twice", told[0])
            found[1 + seat] = _looked_at(told)
        return found

    def _grid(self, told: Sequence[str]) -> str:
        """Return a grid face down with some cells known: ``11=3`` in each word."""
        cells = ["?"] * 9
        for word in told:
            place, _, card = word.partition("=")
            cell = _CELL.fullmatch(place)
            if cell is None or not card:
                expected = "a cell and its card, such as 12=7: row 1, column 2"
                raise ReadError(f"found {word!r}, expected {expected}", word)
            row, column = map(int, cell.groups())
            cells[3 * row + column - 4] = f"({self.cards_of(card) or card})"
        return "/".join(",".join(cells[at : at + 3]) for at in (0, 3, 6))


def _looked_at(told: re.Match[str]) -> str:
    """Return a grid of which only the cells are known that its player has looked at."""
    cells = ["?"] * 9
    for place in told[2].split(","):
        cell = _CELL.fullmatch(place)
        if cell is None:
            raise ReadError(
                f"found {place!r}, expected a cell such as 12: row 1, column 2", told[0]
            )
        cells[3 * int(cell[1]) + int(cell[2]) - 4] = LOOKED
    return "/".join(",".join(cells[at : at + 3]) for at in (0, 3, 6))


def _use(state: Any, words: list[str]) -> list[str]:
    """Return the use of a card: replace a cell, or give a special to a seat."""
    if words[:1] == ["replace"]:
        words = words[1:] or words  # a place that is missing: the record says so
    elif words[:1] == ["give"]:
        seat = seat_of(words[-1])
        if seat is not None:
            return ["give", str(seat)]
        if len(words) == 4 and words[2] == "to" and words[3].isdigit():
            return ["give", str((state.seat + int(words[3])) % state.players)]
        return words
    cell = _CELL.fullmatch(words[0]) if words else None
    if cell is None:
        return words
    turned = words[1:] if len(words) != 2 else ["turns", words[1]]
    return ["replace", ",".join(cell.groups()), *turned]
