"""What was typed in a game played along: its parts, its short form, and errors reworded for it.

The short form of ``player 2 plays a 6`` is ``#2 play 6``.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from lama_odds.core.errors import ReadError
from lama_odds.core.language import say
from lama_odds.games.shared.record import DEAL, HIDDEN, STANDS, InLineError

_POSITION = re.compile(rf"(?:^|;)\s*{STANDS}\b", re.IGNORECASE)


def parts_of(entry: str) -> list[str]:
    """The entries in one, with `;` between; a position, which may contain `;`, is the last one."""
    match = _POSITION.search(entry)
    if match is None:
        return entry.split(";")
    before = entry[: match.start()].split(";") if match.start() else []
    return [*before, entry[match.start() :].lstrip(";")]


def of_entry(error: ReadError, words: Sequence[str], hints: tuple[str, ...] = ()) -> ReadError:
    """An error in the record that an entry caused, reworded for the entry as it was read.

    The message of the record names one of its lines, which nobody has typed.
    """
    message = without_line(error)
    read = " ".join(words)
    begins = len(error.text or "") - len(read)
    if error.text is None or begins < 0 or not error.text.endswith(read):
        return ReadError(message, error.text, error.at, error.hints + hints)
    if words[0] == DEAL:  # nobody has typed that, nor the hands that are hidden
        known = [at for at, word in enumerate(words) if at and word != HIDDEN] or [0]
        hands = " ".join(words[known[0] : known[-1] + 1])
        message = message.replace(_found(repr(DEAL)), _found(repr(hands)))
        at = error.at - begins - len(" ".join([*words[: known[0]], ""]))
        return ReadError(message, hands, max(0, at), error.hints + hints)
    if begins:  # the line of the record begins with a seat that nobody has typed
        message = message.replace("SEAT ", "")
    if error.at < begins:
        pattern = re.escape(_found("@")).replace("@", "'[^']*'")
        message = re.sub(pattern, lambda _: _found(repr(words[0])), message)
    return ReadError(message, read, max(0, error.at - begins), error.hints + hints)


def without_line(error: ReadError) -> str:
    """Return the message of an error in a record, without the line."""
    return error.told if isinstance(error, InLineError) else error.message


def _found(text: str) -> str:
    return say("found {text}", text=text)


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
