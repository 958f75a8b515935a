"""Find games by name; each is imported when it is needed.

Four games are built in. Other packages add games by an entry point of the group `lama_odds.games`.
Its name is the game's name, its object a `Game` (see docs/howto/add_a_game.md). A built-in game is
found without looking at other packages.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator

from lama_odds.core.errors import LamaOddsError, LimitError, ReadError, near_names
from lama_odds.core.language import say
from lama_odds.core.other_packages import offered, package
from lama_odds.games.interface.game import AnyGame, Game

GAMES = ("lama", "dice", "pikomino", "noprob")  # built in
ALSO_CALLED = {"heckmeck": "pikomino", "pickomino": "pikomino"}  # boxes of the same game


def game_of(rules: str) -> AnyGame:
    """Return the game that a rule-set id names.

    Raises ReadError with similar names for an unknown game. Raises LimitError if its package cannot
    be imported or contains no game, and if several packages add a game of this name.
    """
    name = in_our_names(rules).partition("/")[0].partition("+")[0]
    if name in GAMES:
        game: AnyGame = importlib.import_module(f"lama_odds.games.{name}.game").GAME
        return game
    if name not in offered():
        known = _with_edition(name) or near_names(name, names())
        message = say("no game named: a rule set is game/edition")
        if name:
            message = say("unknown game {name}: a rule set is game/edition", name=repr(name))
        raise ReadError(message, rules, 0, known)
    return _loaded(name)


def in_our_names(rules: str) -> str:
    """Return a game or a rule-set id with the name that the game has here."""
    name = rules.partition("/")[0].partition("+")[0]
    return ALSO_CALLED.get(name, name) + rules[len(name) :]


def _with_edition(name: str) -> tuple[str, ...]:
    """Return the rule sets with an edition of this name, as a hint; nothing without any."""
    names = [f"{game.name}/{name}" for game in built_in() if name in game.editions]
    return ("  " + say("did you mean {names}?", names=say(" or ").join(names)),) if names else ()


def built_in() -> Iterator[AnyGame]:
    """Yield the built-in games, each imported in turn."""
    return map(game_of, GAMES)


def having(method: str) -> list[str]:
    """Return the names of the built-in games that have an optional method of `Game`."""
    return [game.name for game in built_in() if game.has(method)]


def names() -> tuple[str, ...]:
    """Return the names of all games, built-in ones first; no game is imported."""
    return (*GAMES, *(name for name in offered() if name not in GAMES))


def defects() -> dict[str, str]:
    """Return, by name, why a game of another package cannot be used; each one is imported."""
    reasons = {}
    for name in offered():
        try:
            _loaded(name)
        except LamaOddsError as error:
            reasons[name] = str(error)
    return reasons


def _loaded(name: str) -> AnyGame:
    """Return the game of this name from another package; raise LimitError if it cannot be used."""
    points = offered()[name]
    packages = " and ".join(map(package, points))
    if name in GAMES:
        raise LimitError(f"{packages} brings a game {name!r}, which is the name of a built-in one")
    if len(points) > 1:
        raise LimitError(f"{packages} bring a game {name!r} each: keep one, uninstall the others")
    try:
        game = points[0].load()
    except (Exception, SystemExit) as error:  # whatever the package does on import
        reason = f"{type(error).__name__}: {error}"
        raise LimitError(f"the game {name!r} of {packages} cannot be imported: {reason}") from error
    if not isinstance(game, Game):
        raise LimitError(f"{packages} brings a game {name!r}, but {points[0].value} is not a Game")
    if game.name != name:
        raise LimitError(f"{packages} brings a game {name!r}, which calls itself {game.name!r}")
    return game
