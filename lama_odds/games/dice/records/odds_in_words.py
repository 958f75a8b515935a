"""What the next roll can bring in Lama Dice, in a few lines."""

from __future__ import annotations

from collections.abc import Mapping

from lama_odds.core.estimate import Estimate
from lama_odds.games.dice.rules.odds import legal_actions
from lama_odds.games.dice.rules.position import Position
from lama_odds.games.dice.rules.ruleset import DiceRules
from lama_odds.games.interface.solution import OddsInWords
from lama_odds.games.shared.odds_in_words import dealt_hand, either

MOST = 7  # discards and cards of the row in the table
CASES = {
    "match": "it matches: you discard",
    "miss": "it misses: you take a card of the row",
    "three llamas": "three llamas: you return a token",
    "blown": "you blow it",
}


def odds_in_words(
    rules: DiceRules, position: Position | None, chances: Mapping[str, Estimate]
) -> OddsInWords | None:
    """Which cases a roll can be, and what it then allows."""
    if position is None:
        return dealt_hand(chances)
    actions = {
        name: chance.value
        for name, chance in chances.items()
        if name.startswith(("discard ", "take "))
    }
    if position.rolled is not None:
        if chances["three llamas"].value:
            return OddsInWords("Three llamas: you return a token, if you hold one.")
        if chances["blown"].value:
            return OddsInWords("You blow it.")
        named = [action.split() for action in legal_actions(rules, position)]
        verb, cards = named[0][0], [card for _, card in named]
        out = ": you can go out" if chances["out"].value else ""
        return OddsInWords(f"You can {verb} {either(cards)}{out}.")
    cases: list[tuple[str | float, ...]] = [
        (said, chances[name].value) for name, said in CASES.items() if chances[name].value
    ]
    likely = sorted(actions, key=lambda name: -actions[name])[:MOST]
    rows = [*cases, *((f"it lets you {name}", actions[name]) for name in actions if name in likely)]
    blown = "you blow it with {blown}" if chances["blown"].value else "it cannot be blown"
    finding = f"Your roll matches a card with {{match}}, and lets you go out with {{out}}; {blown}."
    return OddsInWords(finding, ("your roll", "chance"), tuple(rows))
