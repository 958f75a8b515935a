"""The one list of games; a game is imported when it is asked for."""

from __future__ import annotations

import importlib

from lama_odds.core.errors import ReadError, near_names
from lama_odds.games.interface.game import AnyGame

GAMES = ("lama", "dice", "pikomino", "noprob")


def game_of(rules: str) -> AnyGame:
    """The game that a rule-set id names; ReadError with near names for another."""
    name = rules.partition("/")[0].partition("+")[0]
    if name not in GAMES:
        found = f"unknown game {name!r}" if name else "no game named"
        raise ReadError(f"{found}: a rule set is game/edition", rules, 0, near_names(name, GAMES))
    game: AnyGame = importlib.import_module(f"lama_odds.games.{name}.game").GAME
    return game
