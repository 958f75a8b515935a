"""Rule sets and policies by name: files cannot be named in a page."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

from lama_odds.core.errors import ReadError
from lama_odds.core.policies import BEST, Policy, read_policy
from lama_odds.games.registry import game_of

ALL = "all:"  # before the others' policy: you continue with it too


@dataclass(frozen=True)
class Given:
    """A game and one of its rule sets."""

    game: Any
    rules: Any
    name: str = ""


@functools.lru_cache(maxsize=64)
def read_rules(rules: str) -> Given:
    """Return the rule set of an id; read once, so that what is derived from it is, too."""
    game = game_of(rules)
    return Given(game, game.rules(rules))


def split_all(name: str | None) -> tuple[str | None, bool]:
    """Return the others' policy as it is named, and whether you continue with it too."""
    if not isinstance(name, str) or not name.startswith(ALL):
        return name, False
    return name.removeprefix(ALL).strip(), True


def opponents_of(
    game: Any, rules: Any, name: str | None, players: int, objective: str, notes: list[str]
) -> Policy | None:
    """Return the policy of the others; None for the ``best`` known, which they play by default."""
    del rules, players, objective, notes
    if name is None or name == BEST:
        return None
    if name.startswith("@"):
        raise ReadError(f"policy {name!r}: files cannot be named here", name, 0)
    return read_policy(name, game.families)
