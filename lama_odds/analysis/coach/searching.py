"""What a policy that thinks at each decision does in a game played along."""

from __future__ import annotations

from itertools import takewhile
from typing import Any

from lama_odds.analysis.search.choice import thinks_no_more
from lama_odds.analysis.search.games import thinker_of
from lama_odds.core.policies import Policy
from lama_odds.games.interface.game import AnyGame
from lama_odds.games.interface.records import Record, Situation
from lama_odds.games.shared.decisions import is_turn
from lama_odds.games.shared.policy_query import query_of
from lama_odds.luck.stream import MAX_GAMES


def thought_of(
    game: AnyGame, record: Record, text: str, position: Any, policy: Policy, seed: int, step: int
) -> str:
    """Return the action that `search:GAMES` takes at a position, as `advise` names it.

    text: of the record. step: a number of its own for each moment of the game.
    """
    thinker = thinker_of(game, record.rules, record.players, policy, seed)
    query = query_of(game)
    actions = query.legal_actions(record.rules, position)
    if len(actions) == 1:
        return actions[0]
    player = query.player(record.rules, thinker.policies[0], record.players)
    turns = turns_of_round(text)
    usual = player.decides(Situation(0, position, turns), 0)
    if thinks_no_more(turns, record.players):
        return usual
    first = step * thinker.words % (MAX_GAMES - thinker.words)
    only = tuple(actions) if query.in_parts(position) else ()
    return thinker.pick(position, usual, first, only).action


def turns_of_round(text: str) -> int:
    """Return the turns of the last round of a record so far."""
    lines = takewhile(lambda line: not line.startswith("round "), reversed(text.splitlines()))
    return sum(map(is_turn, lines))
