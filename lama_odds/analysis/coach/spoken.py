"""Entries of `play` as people say them: ``player 2 plays a 6`` is ``#2 play 6``."""

from __future__ import annotations

import re
from collections.abc import Collection

PLAYER = re.compile(r"player (\d+)", re.IGNORECASE)
ME = ("i", "you")
FILLING = ("a", "an", "the", "card")


def in_short(entry: str, verbs: Collection[str], me: str) -> list[str]:
    """Return the words of an entry, said in any of these ways, as they are typed in short.

    verbs: of the game. me: what stands for you before a turn; empty: only your turns are entered.
    """
    words = PLAYER.sub(r"#\1", " ".join(entry.split())).split()
    if words[0].lower() in ME and words[1:]:
        words[:1] = [me] if me else []
    first, *more = [_verb(word.lower(), verbs) or word for word in words]
    return [first, *(word for word in more if word.lower() not in FILLING)]


def _verb(word: str, verbs: Collection[str]) -> str:
    """Return the verb of which a word is the third person; nothing for other words."""
    return next((verb for verb in verbs if word in (f"{verb}s", f"{verb}es")), "")
