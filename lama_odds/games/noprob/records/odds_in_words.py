"""What the next card, or the one in your hand, does in No Prob-Lama, in a few lines."""

from __future__ import annotations

from collections.abc import Mapping

from lama_odds.core.estimate import Estimate, with_unit
from lama_odds.games.interface.solution import OddsInWords
from lama_odds.games.noprob.rules.odds import BETTER_BY
from lama_odds.games.noprob.rules.position import Position
from lama_odds.games.noprob.rules.ruleset import NoprobRules
from lama_odds.games.noprob.rules.transition import NUMBERS
from lama_odds.games.shared.odds_in_words import other_player

TITLES = {"J": "joker", "D": "Drama", "K": "Karma"}
SAVED = "mean points saved by replace "


def odds_in_words(
    rules: NoprobRules, position: Position | None, chances: Mapping[str, Estimate]
) -> OddsInWords | None:
    """Whether the next card improves your grid; with a card in hand, what it saves where."""
    if position is None:
        return _dealt(rules)
    if position.drawn is not None:
        return _held(rules, position.drawn, chances)
    rows: list[tuple[str | float, ...]] = [("it saves you points", chances["improves"].value)]
    for least in BETTER_BY:
        chance = chances[f"improves by {least} or more"].value
        if chance:
            rows.append((f"{with_unit(least)} or more", chance))
    rows += [
        ("it completes a line", chances["completes a line"].value),
        ("it is a special", chances["draw a special"].value),
    ]
    finding = (
        "The next card saves you points with {improves}, and completes a line with "
        "{completes a line}."
    )
    lines = tuple(filter(None, (_hidden(chances), _ends(position, chances))))
    return OddsInWords(finding, ("the next card", "chance"), tuple(rows), lines)


def _dealt(rules: NoprobRules) -> OddsInWords:
    """What any one card may be, by name; kinds of which there are none are left out."""
    kinds = list(zip(rules.names, rules.deck, strict=True))
    cards, numbers = rules.cards, kinds[:NUMBERS]
    low, high = numbers[0][0], numbers[-1][0]
    others = [(name, n) for name, n in kinds[NUMBERS:] if n]
    rows: list[tuple[str | float, ...]] = [
        (f"{low} to {high}", sum(n for _, n in numbers) / cards),
        *(
            (f"{TITLES[name]} ({name})" if name in TITLES else name, n / cards)
            for name, n in others
        ),
    ]
    named = [f"a {TITLES[name]} ({name}) with {{{name}}}" for name, _ in others if name in TITLES]
    finding = f"A card counts {rules.mean_card:.1f} points on average"
    if named:
        finding += f". It is {', '.join(named)}"
    return OddsInWords(f"{finding}.", ("any one card", "chance"), tuple(rows))


def _held(rules: NoprobRules, drawn: int, chances: Mapping[str, Estimate]) -> OddsInWords | None:
    """By cell, what the card in your hand saves, the best first."""
    name = rules.names[drawn]
    saved = {n.removeprefix(SAVED): e.value for n, e in chances.items() if n.startswith(SAVED)}
    if not saved:
        return None
    best = max(saved, key=lambda cell: saved[cell])
    finding = (
        f"The {name} saves most in {best}: {saved[best]:.1f} points on average."
        if saved[best] > 0
        else f"The {name} saves points nowhere."
    )
    rows = []
    for cell in sorted(saved, key=lambda cell: -saved[cell]):
        line = "yes" if f"{name} completes a line in {cell}" in chances else ""
        rows.append((f"replace {cell}", f"{saved[cell]:+.1f}", line))
    heads = ("", "points saved", "completes a line")
    return OddsInWords(finding, heads, tuple(rows))


def _hidden(chances: Mapping[str, Estimate]) -> str:
    """What the hidden cards come to on average."""
    told = []
    mine = chances.get("mean of my hidden cards")
    if mine is not None:
        told.append(f"yours {with_unit(f'{mine.value:.0f}')}")
    start = "mean of the hidden cards of "
    for name, mean in chances.items():
        if name.startswith(start):
            seat = int(name.removeprefix(start))
            told.append(f"those of {other_player(seat)} {mean.value:.0f}")
    return f"Hidden cards on average: {', '.join(told)}." if told else ""


def _ends(position: Position, chances: Mapping[str, Estimate]) -> str:
    """The players that can end the round at the next turn."""
    told = [
        f"{other_player(seat)} with {{{seat} can end the round by drawing}}"
        for seat in range(1, position.players)
        if chances[f"{seat} can end the round by drawing"].value
    ]
    return f"Players that can end the round by drawing: {', '.join(told)}." if told else ""
