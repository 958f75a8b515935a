"""Checks of what is asked that are the same from the command line and from Python."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from lama_odds.core.errors import ReadError, near_names

MAX_SECONDS = 100_000.0
MAX_PRECISION = 1000.0
DEFAULT_PLAYERS = 4


def check_players(rules: Any, players: int, name: str = "players") -> None:
    """ReadError if a rule set is not for so many players; name: what the message calls them."""
    if isinstance(players, bool) or not isinstance(players, int) or players not in rules.players:
        first, last = rules.players[0], rules.players[-1]
        raise ReadError(f"{name} {players!r}: {rules.id} is for {first} to {last} players")


def default_players(*rules: Any) -> int:
    """How many play where nobody says: 4, or the nearest that all these rule sets are for.

    ReadError if they have no number of players in common.
    """
    shared = set(rules[0].players).intersection(*(each.players for each in rules[1:]))
    if not shared:
        names = " and ".join(each.id for each in rules)
        raise ReadError(f"{names} are for no number of players in common")
    return int(min(shared, key=lambda count: (abs(count - DEFAULT_PLAYERS), count)))


def check_precision(precision: float, name: str = "precision") -> None:
    """ReadError for a half-width that is no number above 0."""
    check_above_0(precision, MAX_PRECISION, name)


def check_seconds(seconds: float, name: str = "seconds") -> None:
    """ReadError for a time limit that is nan, infinity, zero, negative or absurd."""
    check_above_0(seconds, MAX_SECONDS, name)


def check_above_0(value: float, most: float, name: str) -> None:
    """ReadError for what is no finite number above 0, or more than the most."""
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not (number and math.isfinite(value) and 0 < value <= most):
        limit = "" if math.isinf(most) else f", at most {most:g}"
        raise ReadError(f"{name} {value!r}: expected a number above 0{limit}")


def check_whole(value: int | None, least: int, most: int, name: str, needed: bool = False) -> None:
    """ReadError for what is no whole number within bounds; None is not asked for unless needed."""
    if value is None and not needed:
        return
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise ReadError(f"{name} {value!r}: expected a whole number, {least:,} to {most:,}")


def check_path(value: Any, name: str, needed: bool = False) -> None:
    """ReadError for what names no file or folder; None is not asked for unless needed."""
    if not (isinstance(value, (str, Path)) or (value is None and not needed)):
        raise ReadError(f"{name} {value!r}: expected a path")


def check_text(value: str | None, name: str, needed: bool = False) -> None:
    """ReadError for what is no text; None is not asked for unless needed."""
    if not (isinstance(value, str) or (value is None and not needed)):
        raise ReadError(f"{name} {value!r}: expected text")


def check_flag(value: bool, name: str) -> None:
    """ReadError for what is neither True nor False."""
    if not isinstance(value, bool):
        raise ReadError(f"{name} {value!r}: expected True or False")


def check_one(given: Mapping[str, Any]) -> None:
    """ReadError if more than one of these is given, as each would do without the others.

    given: what is there by name, None for what is not.
    """
    names = list(given)
    if sum(value is not None for value in given.values()) > 1:
        raise ReadError(f"expected one of {', '.join(names[:-1])} and {names[-1]}")


def check_name(name: str | None, known: Collection[str], what: str, needed: bool = False) -> None:
    """ReadError with near names for one that is not known; None is not asked for unless needed."""
    if name is None and not needed:
        return
    if not isinstance(name, str):
        raise ReadError(f"{what}: expected text", hints=near_names("", known))
    if name not in known:
        raise ReadError(f"unknown {what}", name, 0, near_names(name, known))
