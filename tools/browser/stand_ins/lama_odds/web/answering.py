"""What the page asks, answered without a server: the same questions as `lama_odds/web` reads."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from lama_odds.analysis.odds import odds as found_odds
from lama_odds.api.advising import adviser
from lama_odds.api.asked import read_rules
from lama_odds.core.errors import LamaOddsError
from lama_odds.core.language import speaking
from lama_odds.web.guard import error_of
from lama_odds.web.training import answer_with, next_with

DEAL = "deal"
DICE = "dice/"


# Rounds of two players of Lama Dice that are larger are sampled: these take some 300 MB.
MOST_STATES, MOST_WON = 6_000_000, 12_000_000


def _without_large_tables(rules: str) -> None:
    """Let only small rounds of two players of Lama Dice be solved."""
    if rules.startswith(DICE):
        from lama_odds.games.dice.solvers import solve

        solve.MOST_STATES, solve.MOST_WON = MOST_STATES, MOST_WON


# Arguments of `adviser` that the page leaves out.
NOT_GIVEN = {
    **dict.fromkeys(("opponents", "objective", "seconds", "games", "precision", "threads")),
    **{"sensitivity": False, "play_out": False, "seed": 0},
}


def advise(options: Mapping[str, Any], tell: Callable[[Any], None]) -> dict[str, Any]:
    """Return the answer of `advise`, with reasons; tell: called with answers so far."""
    _without_large_tables(options["rules"])
    given = {name: value for name, value in options.items() if name != "position"}
    how = adviser(**{**NOT_GIVEN, **given})
    position = how.game.position(how.rules, options["position"])
    advice = how.advice(
        position,
        interim=lambda early: tell(early.to_json()),
        settled=lambda advice: tell({**advice.to_json(), "settled": True}),
        why=True,
    )
    return advice.to_json()


def odds(options: Mapping[str, Any], tell: Callable[[Any], None]) -> dict[str, Any]:
    """Return the chances of what comes next."""
    del tell
    given = read_rules(options["rules"])
    text = options["position"]
    position = None if text == DEAL else given.game.position(given.rules, text)
    return found_odds(given.game, given.rules, position).to_json()


def rule_set(options: Mapping[str, Any], tell: Callable[[Any], None]) -> dict[str, Any]:
    """Return the players and options of a rule set."""
    del tell
    rules = read_rules(options["rules"]).rules
    players = rules.players
    return {"id": rules.id, "players": [players[0], players[-1]], "values": dict(rules.values)}


def ready(options: Mapping[str, Any], tell: Callable[[Any], None]) -> dict[str, Any]:
    """Load and solve what most questions about a rule set need, before the first one comes."""
    del tell
    given, players = read_rules(options["rules"]), options["players"]
    best = given.game.best_policy(given.rules, players)
    given.game.simulation(given.rules, [best] * players, rounds=False)
    return {}


def following(options: Mapping[str, Any], tell: Callable[[Any], None]) -> dict[str, Any]:
    """Return the next position to train with."""
    del tell
    return next_with(options["game"], options["log"], options["day"])


def trained(options: Mapping[str, Any], tell: Callable[[Any], None]) -> dict[str, Any]:
    """Return whether an answer was right, and the line to keep."""
    del tell
    given = (options[name] for name in ("game", "log", "day", "id", "action"))
    return answer_with(*given)


ASKED = {
    "next": following,
    "trained": trained,
    "advise": advise,
    "odds": odds,
    "rules": rule_set,
    "ready": ready,
}


def answer(
    what: str, options: Mapping[str, Any], tell: Callable[[Any], None], language: str
) -> dict[str, Any]:
    """Return the answer to a question, or why there is none: ``{"error": …}``."""
    with speaking(language):
        try:
            return ASKED[what](options, tell)
        except LamaOddsError as error:
            return error_of(error)
