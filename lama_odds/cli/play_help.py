"""The text of `help` in a game: the verbs of the game, each with an example."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lama_odds.games.interface.capabilities import OnScreen

ALWAYS = (
    ("Enter", "play the advised action"),
    ("?", "show the whole advice and its assumptions"),
    ("undo", "take the last decision back"),
    ("save FILE", "write a copy"),
    ("quit!", "leave; lama-odds play --resume continues"),
)
_PLAYER = re.compile(r"(#|player )(\d)")


def help_text(shown: OnScreen, table: bool, players: int, seat: int) -> str:
    """The verbs of a game with an example each, then what can be typed in any game.

    seat: the player of the examples, whose cards go to another of these players.
    """
    more = [("#2 …; …", "you may name the player first, and put ; between turns")] if table else []
    rows = [*_verbs(shown, table, players, seat), *more, *ALWAYS]
    wide = max(len(typed) for typed, _ in rows)
    return "\n".join(f"  {typed:<{wide}}  {meaning}" for typed, meaning in rows)


def letters_of(shown: OnScreen, players: int, seat: int) -> str:
    """The examples of a game at a table in a line; players, seat: as in `help_text`."""
    return ", ".join(typed for typed, _ in _verbs(shown, True, players, seat))


def of_others(text: str, players: int, seat: int) -> str:
    """An example for a seat: a player who does not exist, or is that seat, becomes another."""
    other = 1 if seat else 2

    def named(found: re.Match[str]) -> str:
        number = int(found[2])
        return found[1] + str(number if number <= players and number != seat + 1 else other)

    return _PLAYER.sub(named, text)


def _verbs(shown: OnScreen, table: bool, players: int, seat: int) -> Sequence[tuple[str, str]]:
    rows = shown.table if table else shown.against
    return [
        (of_others(typed, players, seat), of_others(meaning, players, seat))
        for typed, meaning in rows
    ]
