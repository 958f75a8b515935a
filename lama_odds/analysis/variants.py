"""The rule sets of a comparison by name, and who plays them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lama_odds.core.checks import check_players
from lama_odds.core.errors import ReadError, near_names
from lama_odds.core.policies import Policy
from lama_odds.games.protocol import Game
from lama_odds.games.registry import game_of

SAME, RETUNED = "same", "retuned"


def read_variants(texts: Sequence[str], players: int) -> tuple[Game, list[Any]]:
    """The game, and its rule sets; ReadError for fewer than two, other games, twice the same."""
    if len(texts) < 2:
        raise ReadError("found one rule set, expected at least two: the baseline and another")
    game = game_of(texts[0])
    variants: dict[str, tuple[str, Any]] = {}
    for text in texts:
        other = game_of(text)
        if other.name != game.name:
            raise ReadError(
                f"{texts[0]} is {game.title}, {text} is {other.title}: "
                "expected rule sets of one game",
                text,
            )
        rules = game.rules(text)
        if rules.id in variants:
            before = variants[rules.id][0]
            again = f"both are {rules.id}" if text != before else "given twice"
            raise ReadError(f"the same rule set twice: {before} and {text} ({again})", text)
        check_players(rules, players)
        variants[rules.id] = (text, rules)
    return game, [rules for _, rules in variants.values()]


def read_policies(
    game: Game, variants: list[Any], players: int, policy: str | None, policies: str
) -> list[Policy]:
    """The policy of each rule set: one for all, or the best known for each."""
    if policies not in (SAME, RETUNED):
        raise ReadError(
            f"--policies {policies}: expected {SAME} or {RETUNED}",
            hints=near_names(policies, (SAME, RETUNED)),
        )
    if policies == RETUNED:
        if policy is not None:
            raise ReadError("--policy seats one policy, --policies retuned the best of each")
        return [game.best_policy(rules, players) for rules in variants]
    best = game.policy(policy) if policy is not None else game.best_policy(variants[0], players)
    return [best] * len(variants)
