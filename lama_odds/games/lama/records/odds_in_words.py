"""What can happen next in the card games, in a few lines."""

from __future__ import annotations

from collections.abc import Mapping

from lama_odds.core.estimate import Estimate
from lama_odds.games.interface.solution import OddsInWords
from lama_odds.games.lama.rules.odds import next_draw
from lama_odds.games.lama.rules.position import Position, can_play
from lama_odds.games.lama.rules.ruleset import NAMES, LamaRules
from lama_odds.games.shared.odds_in_words import dealt_hand, other_player


def odds_in_words(
    rules: LamaRules, position: Position | None, chances: Mapping[str, Estimate]
) -> OddsInWords | None:
    """Whether the next card can be played and what it costs, and which others can play."""
    if position is None:
        return dealt_hand(chances)
    others = _others(position, chances)
    if not next_draw(rules, position):
        return OddsInWords(others[0], lines=others[1:]) if others else None
    top = NAMES[position.top]
    costs = "with {raises}" if chances["raises"].value else "in no case"
    finding = (
        f"A drawn card can be played on the {top} with {{playable}}, and costs you points {costs}."
    )
    rows: list[tuple[str | float, ...]] = []
    for kind, name in enumerate(NAMES):
        chance = chances.get(f"draw {name}")
        if chance is not None:
            hand = tuple(held + (k == kind) for k, held in enumerate(position.hand))
            goes = "yes" if can_play(kind, position.top) else ""
            rows.append((name, chance.value, str(rules.penalty(hand)), goes))
    heads = ("you draw", "chance", "points then", f"on the {top}?")
    return OddsInWords(finding, heads, tuple(rows), others)


def _others(position: Position, chances: Mapping[str, Estimate]) -> tuple[str, ...]:
    """A sentence on the others who are still in."""
    told = []
    for seat in range(1, position.players):
        if f"opponent {seat} playable" in chances:
            out = " (then out)" if f"opponent {seat} out" in chances else ""
            told.append(f"{other_player(seat)} with {{opponent {seat} playable}}{out}")
    if not told:
        return ()
    return (f"Can play on the {NAMES[position.top]}: {', '.join(told)}.",)
