"""What you type in Lama Dice played along: dice and cards; ``244`` alone is a roll."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from lama_odds.games.dice.records.record import VERBS
from lama_odds.games.shared.entries import Typed


class DiceEntries(Typed):
    """The entries of Lama Dice."""

    verbs = VERBS
    letters: ClassVar[Mapping[str, str]] = {"r": "roll", "d": "discard", "t": "take", "q": "quit"}
    card = re.compile(r"[1-6L]")
    several = ("roll", "discard")

    def record_words(self, state: Any, entry: Sequence[str]) -> list[str]:
        """Return the words of the record; several dice without a verb are a roll."""
        words = self.in_full(entry)
        if len(words) == 1 and state.pending is None and _shows_dice(words[0]):
            return ["roll", *words]
        return words

    def action_words(self, state: Any, entry: Sequence[str]) -> list[str]:
        """Return these words with the cards of a discard sorted."""
        found = self.record_words(state, entry)
        if found[0] == "discard" and len(found) == 2:
            found[1] = "".join(sorted(found[1]))
        return found


def _shows_dice(word: str) -> bool:
    return len(word) > 1 and set(word) <= set("123456L")
