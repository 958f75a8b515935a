"""Checks of what is asked that are the same from the command line and from Python."""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import Any

from lama_odds.core.errors import ReadError, near_names

MAX_SECONDS = 100_000.0
MAX_PRECISION = 1000.0


def check_players(rules: Any, players: int, name: str = "players") -> None:
    """ReadError if a rule set is not for so many players; name: what the message calls them."""
    if players not in rules.players:
        first, last = rules.players[0], rules.players[-1]
        raise ReadError(f"{name} {players}: {rules.id} is for {first} to {last} players")


def check_precision(precision: float, name: str = "precision") -> None:
    """ReadError for a half-width that is no number above 0."""
    _check_above_0(precision, MAX_PRECISION, name)


def check_seconds(seconds: float, name: str = "seconds") -> None:
    """ReadError for a time limit that is nan, infinity, zero, negative or absurd."""
    _check_above_0(seconds, MAX_SECONDS, name)


def _check_above_0(value: float, most: float, name: str) -> None:
    if not (math.isfinite(value) and 0 < value <= most):
        raise ReadError(f"{name} {value}: expected a number above 0, at most {most:g}")


def check_whole(value: int | None, least: int, most: int, name: str) -> None:
    """ReadError for a whole number out of its bounds; None is not asked for."""
    if value is not None and not (isinstance(value, int) and least <= value <= most):
        raise ReadError(f"{name} {value!r}: expected a whole number, {least:,} to {most:,}")


def check_name(name: str | None, known: Collection[str], what: str) -> None:
    """ReadError with near names for one that is not known; None is not asked for."""
    if name is not None and name not in known:
        raise ReadError(f"unknown {what}", name, 0, near_names(name, known))
