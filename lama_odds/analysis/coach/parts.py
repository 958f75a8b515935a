"""What a session of `play` needs besides its record: a game's turns, and errors in entries."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lama_odds.core.errors import ReadError
from lama_odds.games.interface.capabilities import LivePlay, needed
from lama_odds.games.interface.game import AnyGame
from lama_odds.games.shared.record import HIDDEN


def live_play_of(game: AnyGame) -> LivePlay:
    """How a game is played along; LimitError if it cannot be."""
    return needed(
        game.live_play(),
        lambda: f"{game.name} cannot be played along with: use lama-odds advise",
    )


def of_entry(error: ReadError, words: Sequence[str], hints: tuple[str, ...] = ()) -> ReadError:
    """An error in the record that an entry caused, reworded for the entry as it was read.

    The message of the record names one of its lines, which nobody has typed.
    """
    message = re.sub(r"^line [0-9]+: ", "", error.message)
    read = " ".join(words)
    begins = len(error.text or "") - len(read)
    if error.text is None or begins < 0 or not error.text.endswith(read):
        return ReadError(message, error.text, error.at, error.hints + hints)
    if words[0] == "deal":  # nobody has typed that, nor the hands that are hidden
        known = [at for at, word in enumerate(words) if at and word != HIDDEN] or [0]
        hands = " ".join(words[known[0] : known[-1] + 1])
        message = message.replace("found 'deal'", f"found {hands!r}")
        at = error.at - begins - len(" ".join([*words[: known[0]], ""]))
        return ReadError(message, hands, max(0, at), error.hints + hints)
    if begins:  # the line of the record begins with a seat that nobody has typed
        message = message.replace("SEAT ", "")
    if error.at < begins:
        message = re.sub(r"found '[^']*'", f"found {words[0]!r}", message)
    return ReadError(message, read, max(0, error.at - begins), error.hints + hints)


def name_of(line: str) -> str:
    """The first word of a line of a record."""
    return line.split()[0] if line.split() else ""
