"""What you type in Pikomino played along."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from lama_odds.games.pikomino.records.record import VERBS
from lama_odds.games.shared.entries import Typed


class TileEntries(Typed):
    """The entries of Pikomino."""

    verbs = VERBS
    letters: ClassVar[Mapping[str, str]] = {"r": "roll", "k": "keep", "s": "stop", "t": "steal"}
    card = re.compile(r"[1-5W]")
    several = ("roll",)

    def record_words(self, state: Any, entry: Sequence[str]) -> list[str]:
        """Return the words of the record.

        The player that a tile is stolen from need not be typed.
        """
        words = self.in_full(entry)
        if words[0] == "steal" and len(words) == 4 and words[2] == "from":
            return words[:2]
        return words
