"""The strongest policies known and the best cards of rules, shipped by edition and players.

`tools/publish policies` writes data/best.json: the tuned parameters, and their values on fresh
games. Rule sets with options use the policies of their edition, or another that is in the file too,
if a game says that these do not suit them. `tools/publish cards` writes data/cards.json, and
`tools/publish best-response` data/best_responses.json.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lama_odds.core.estimate import Estimate
from lama_odds.core.policies import Family, Policy, read_policy
from lama_odds.core.reading import data_json

BEST = "best.json"
CARDS = "cards.json"
RESPONSES = "best_responses.json"
WIN = "win"
POINTS = "points"
OTHERWISE = "otherwise"  # for options that the others do not suit


def best_of(
    game: str, edition: str, players: int, objective: str, families: Sequence[Family]
) -> Policy:
    """Return the strongest known policy for an objective: WIN (the game) or POINTS (of a round).

    OTHERWISE: the one for options that these do not suit; in games that have one.
    """
    best: dict[str, Any] = data_json(BEST)["best"][game][edition][str(players)]
    return read_policy(best.get(objective, best[WIN])["policy"], families)


def card_of(game: str, edition: str, players: int, families: Sequence[Family]) -> Policy | None:
    """Return the published card of rules; None if there is none."""
    entry = card_entry(game, edition, players)
    return None if entry is None else read_policy(entry["policy"], families)


def card_entry(game: str, edition: str, players: int) -> dict[str, Any] | None:
    """Return what is known of the published card of rules; None if there is none."""
    entries: dict[str, Any] = data_json(CARDS)["cards"].get(game, {}).get(edition, {})
    return entries.get(str(players))


def response_to(policy: str, rules: str, players: int, objective: str) -> Estimate | None:
    """Return what a player who thinks one step ahead gains among players of a policy.

    objective: one that counts a chance. The gain is in that chance, over one of them in the same
    seat. It is None where nobody measured it.
    """
    measured: dict[str, Any] = data_json(RESPONSES)["gains"].get(rules, {})
    entry = measured.get(str(players), {}).get(objective)
    if entry is None or entry["policy"] != policy:
        return None
    low, high = entry["low"], entry["high"]
    return Estimate.from_interval(entry["gain"], entry["stderr"], low, high, entry["games"])
