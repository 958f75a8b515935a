"""The games there are; each is imported when it is asked for.

Four games are built in. Other packages bring games of their own by an entry point of the group
`lama_odds.games`: its name is the game's, its object a `Game` (see docs/howto/add_a_game.md).
For a built-in game nothing of other packages is looked at.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator

from lama_odds.core.errors import LamaOddsError, LimitError, ReadError, near_names
from lama_odds.core.other_packages import offered, package
from lama_odds.games.interface.game import AnyGame, Game

GAMES = ("lama", "dice", "pikomino", "noprob")  # built in


def game_of(rules: str) -> AnyGame:
    """The game that a rule-set id names.

    ReadError with near names for another one. LimitError if its package cannot be imported or
    brings no game, and if several packages bring a game of this name.
    """
    name = rules.partition("/")[0].partition("+")[0]
    if name in GAMES:
        game: AnyGame = importlib.import_module(f"lama_odds.games.{name}.game").GAME
        return game
    if name not in offered():
        found = f"unknown game {name!r}" if name else "no game named"
        known = near_names(name, names())
        raise ReadError(f"{found}: a rule set is game/edition", rules, 0, known)
    return _loaded(name)


def built_in() -> Iterator[AnyGame]:
    """The built-in games, each imported in turn."""
    return map(game_of, GAMES)


def having(method: str) -> list[str]:
    """Names of the built-in games with a method of the face that a game may lack."""
    return [game.name for game in built_in() if game.has(method)]


def names() -> tuple[str, ...]:
    """Names of all games, built-in ones first; no game is imported."""
    return (*GAMES, *(name for name in offered() if name not in GAMES))


def defects() -> dict[str, str]:
    """By name, why a game that another package brings cannot be used; it is imported."""
    found = {}
    for name in offered():
        try:
            _loaded(name)
        except LamaOddsError as error:
            found[name] = str(error)
    return found


def _loaded(name: str) -> AnyGame:
    """The game of a name that another package brings; LimitError if there is none to be used."""
    points = offered()[name]
    packages = " and ".join(map(package, points))
    if name in GAMES:
        raise LimitError(f"{packages} brings a game {name!r}, which is the name of a built-in one")
    if len(points) > 1:
        raise LimitError(f"{packages} bring a game {name!r} each: uninstall all but one")
    try:
        game = points[0].load()
    except (Exception, SystemExit) as error:  # whatever the package does on import
        said = f"{type(error).__name__}: {error}"
        raise LimitError(f"the game {name!r} of {packages} cannot be imported: {said}") from error
    if not isinstance(game, Game):
        raise LimitError(f"{packages} brings a game {name!r}, but {points[0].value} is no Game")
    if game.name != name:
        raise LimitError(f"{packages} brings a game {name!r}, which calls itself {game.name!r}")
    return game
