"""What all questions read: the rule set, policies and numbers that are given."""

from __future__ import annotations

import functools
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from lama_odds.core.checks import check_players, check_whole

if TYPE_CHECKING:
    from lama_odds.core.policies import Policy
    from lama_odds.games.protocol import Game

FIRST_USE = "first use: compiling for this machine, some 20 seconds; kept for next time"
MAX_GAMES = 1 << 40  # that luck has addresses for (see `luck.stream`)
MAX_THREADS = 256
MAX_SEED = (1 << 63) - 1


@functools.cache
def ready() -> None:
    """Say on stderr when something has to be compiled: a first use takes a while."""
    from lama_odds import kernels

    kernels.on_first_compile(lambda: print(f"lama-odds: {FIRST_USE}", file=sys.stderr))


def asked_of(rules: str, players: int | None = None) -> tuple[Game, Any]:
    """The game and the rule set of an id; ReadError if it is not for so many players."""
    ready()
    from lama_odds.games.registry import game_of

    game = game_of(rules)
    rule_set = game.rules(rules)
    if players is not None:
        check_players(rule_set, players)
    return game, rule_set


def policy_of(game: Game, rules: Any, name: str, players: int) -> Policy:
    """The policy of a name, of a file ``@FILE``, or the ``best`` known."""
    from lama_odds.analysis.policy_files import named_policy

    return named_policy(game, rules, name, players)


def names_of(given: str | Iterable[str]) -> list[str]:
    """One name, or several."""
    return [given] if isinstance(given, str) else list(given)


def check_numbers(games: int | None, threads: int | None, seed: int) -> None:
    """ReadError for numbers out of their bounds."""
    check_whole(games, 1, MAX_GAMES, "games")
    check_whole(threads, 1, MAX_THREADS, "threads")
    check_whole(seed, 0, MAX_SEED, "seed")
