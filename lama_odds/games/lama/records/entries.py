"""What you type in the card games played along: ``5`` is ``play 5``."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from lama_odds.core.errors import ReadError
from lama_odds.games.lama.records.record import VERBS
from lama_odds.games.shared.entries import Typed
from lama_odds.games.shared.record import HIDDEN


class CardEntries(Typed):
    """The entries of the card games."""

    verbs = VERBS
    letters: ClassVar[Mapping[str, str]] = {"p": "play", "d": "draw", "q": "quit"}
    card = re.compile(r"[1-6]\+?|[LP]")
    one_hand = True

    def verb_of(self, word: str) -> str | None:
        """Return the verb of a letter; ``P`` is the pink llama, and ``p`` alone is ambiguous."""
        if word == "p":
            raise ReadError("play which card? p5 plays a 5, P (or pp) the pink llama", word)
        return None if word == "P" else super().verb_of(word)

    def record_words(self, state: Any, entry: Sequence[str]) -> list[str]:
        """Return the words of the record; cards that others draw at a table are hidden."""
        words = self.in_full(entry)
        if len(words) == 1 and not words[0].islower():
            return ["play", *words]
        if words == ["draw"] and state.viewer not in (None, state.seat):
            return ["draw", HIDDEN]
        return words
