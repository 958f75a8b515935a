"""What there is to choose from: games, editions, rule sets."""

from __future__ import annotations

from functools import cache
from typing import Any

from lama_odds.api.asked import stored_of
from lama_odds.games.interface.game import AnyGame
from lama_odds.games.registry import game_of, names
from lama_odds.web.questions import check_rules


@cache
def games() -> dict[str, Any]:
    """Return all games with their editions and the words of their positions."""
    return {"games": [_game(game_of(name)) for name in names()]}


def rule_set(rules: str) -> dict[str, Any]:
    """Return the players and options of a rule set; raise LamaOddsError if there is none."""
    check_rules(rules)
    _, found = stored_of(rules)
    players = found.players
    return {"id": found.id, "players": [players[0], players[-1]], "values": dict(found.values)}


def _game(game: AnyGame) -> dict[str, Any]:
    return {
        "name": game.name,
        "title": game.title,
        "editions": [
            {"says": says, **rule_set(f"{game.name}/{edition}")}
            for edition, says in game.editions.items()
        ],
        "options": {name: option.meaning for name, option in game.options.items()},
        "words": dict(game.words),
        "example": game.example,
        "objectives": [
            {
                "name": each.name,
                "head": each.head,
                "unit": each.unit,
                "brief": each.brief,
                "higher": each.higher,
                "share": each.share,
            }
            for each in game.objectives.values()
        ],
        "follows": game.live_play() is not None,
    }
