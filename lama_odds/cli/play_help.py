"""The text of `help` in a game: the verbs of the game, each with an example."""

from __future__ import annotations

from collections.abc import Sequence

from lama_odds.games.interface.capabilities import OnScreen

ALWAYS = (
    ("Enter", "play the advised action"),
    ("?", "show the whole advice and its assumptions"),
    ("undo", "take the last decision back"),
    ("save FILE", "write a copy"),
    ("quit!", "leave; lama-odds play --resume continues"),
)


def help_text(shown: OnScreen, table: bool) -> str:
    """The verbs of a game with an example each, then what can be typed in any game."""
    more = [("#2 …; …", "you may name the player first, and put ; between turns")] if table else []
    rows = [*_verbs(shown, table), *more, *ALWAYS]
    wide = max(len(typed) for typed, _ in rows)
    return "\n".join(f"  {typed:<{wide}}  {meaning}" for typed, meaning in rows)


def letters_of(shown: OnScreen, table: bool) -> str:
    """The examples of a game in a line."""
    return ", ".join(typed for typed, _ in _verbs(shown, table))


def _verbs(shown: OnScreen, table: bool) -> Sequence[tuple[str, str]]:
    return shown.table if table else shown.against
