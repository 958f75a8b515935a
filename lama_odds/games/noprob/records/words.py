"""How a screen shows No Prob-Lama played along: situations, chances, practice rounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lama_odds.core.estimate import Estimate
from lama_odds.core.language import later, say
from lama_odds.core.wording import decimal, rounded, share_text, with_unit
from lama_odds.games.interface.actions import action_words
from lama_odds.games.interface.capabilities import OnScreen
from lama_odds.games.interface.objectives import OddsInWords
from lama_odds.games.noprob.rules.odds import BETTER_BY
from lama_odds.games.noprob.rules.position import Position
from lama_odds.games.noprob.rules.ruleset import NoprobRules
from lama_odds.games.noprob.rules.transition import NUMBERS
from lama_odds.games.shared.in_words import other_player, span, word_of

# How a screen shows No Prob-Lama played along.


def holds(position: Any, at: int) -> str:
    """Return the grid of a player as far as it is known, and the specials beside it."""
    shown = word_of(position, "grid") if at == 0 else word_of(position, "opp").split(";")[at - 1]
    mine = word_of(position, "mine") if at == 0 else ""
    specials = f" + {mine}" if mine else ""
    return shown.replace(",", " ").replace("/", " / ").replace(":", " + ") + specials


def score(position: Any, at: int) -> str:
    """Return the llamas of a player, or its points."""
    if position.llamas is not None and any(position.llamas):
        return f" ({with_unit(position.llamas[at], 'llamas')})"
    return f" ({with_unit(position.totals[at])})" if position.totals and position.round != 1 else ""


def hand(rules: Any, position: Any) -> str:
    """Return the card that has to be used."""
    del rules
    drawn, taken = word_of(position, "drawn"), word_of(position, "taken")
    if drawn:
        return say("You drew {card}", card=drawn)
    return say("You take {card}", card=taken) if taken else say("Your turn")


def unit(rules: Any) -> str:
    """Return the unit by which games are won."""
    return "points" if rules.four_rounds else "llamas"


def in_words(rules: Any, position: Any) -> str:
    """Return your grid, and the card to use or to take."""
    del rules
    drawn, taken = word_of(position, "drawn"), word_of(position, "taken")
    grid = holds(position, 0)
    if drawn:
        return say("grid {grid} · you drew {card}", grid=grid, card=drawn)
    if taken:
        return say("grid {grid} · you take {card}", grid=grid, card=taken)
    return say("grid {grid} · top card {card}", grid=grid, card=word_of(position, "top"))


ON_SCREEN = OnScreen(
    against=(
        ("d", later("draw from the pile")),
        ("t", later("take the top discard")),
        ("r12", later("replace the card in row 1, column 2")),
        ("x", later("discard the card that you drew")),
        ("g #3", later("give the Drama or Karma to player 3")),
        ("p", later("pass the last turn")),
    ),
    table=(
        ("d5 12 7", later("draws a 5 for row 1, column 2, where a 7 is turned up")),
        ("d5 x", later("draws a 5 and discards it")),
        ("t 12 7", later("takes the top discard for row 1, column 2, where a 7 is turned up")),
        ("dD g #3", later("draws a Drama and gives it to player 3")),
        ("p", later("passes the last turn")),
    ),
    prompts={
        "deal": later(
            "Enter the two cards that you looked at, row and column first, "
            "for example: 11=3 12=7. If you saw where player 2 looked, add #2:11,12"
        ),
        "top": later("Enter the opening card, for example: 4"),
        "penalties": later("Enter the totals of all players in order, for example: 12 -3"),
    },
    middle={
        "top": later("top"),
        "pile": later("pile"),
        "last": later("last turns"),
        "target": later("llamas to win"),
    },
    holds=holds,
    score=score,
    hand=hand,
    unit=unit,
    told={"turns": later("which turns up {what}"), "give": later("give it to {player}")},
    aimed=("give",),
    many={"replace": later("replace ROW,COLUMN (r12: row 1, column 2)")},
    ended={"done": later("all cards of a grid lie face up"), "empty": later("the pile is empty")},
)


# What the next card, or the one in your hand, does in No Prob-Lama, in a few lines.

TITLES = {
    "J": (later("joker (J)"), later("a joker (J) with {chance}")),
    "D": (later("Drama (D)"), later("a Drama (D) with {chance}")),
    "K": (later("Karma (K)"), later("a Karma (K) with {chance}")),
}  # of a special card, and what its chance is
SAVED = "mean points saved by replace "


def odds_in_words(
    rules: NoprobRules, position: Position | None, chances: Mapping[str, Estimate]
) -> OddsInWords | None:
    """Whether the next card improves your grid; with a card in hand, what it saves where."""
    if position is None:
        return _dealt(rules, chances)
    if position.drawn is not None:
        return _held(rules, position.drawn, chances)
    rows: list[tuple[str | float, ...]] = [(say("it saves you points"), chances["improves"].value)]
    for least in BETTER_BY:
        chance = chances[f"improves by {least} or more"].value
        if chance:
            rows.append((say("{amount} or more", amount=with_unit(least)), chance))
    rows += [
        (say("it completes a line"), chances["completes a line"].value),
        (say("it is a special"), chances["draw a special"].value),
    ]
    finding = say(
        "The next card saves you points with {improves}, and completes a line with {completes}.",
        improves=share_text(chances["improves"]),
        completes=share_text(chances["completes a line"]),
    )
    lines = tuple(filter(None, (_hidden(chances), _ends(position, chances))))
    return OddsInWords(finding, (say("the next card"), say("chance")), tuple(rows), lines)


def _dealt(rules: NoprobRules, chances: Mapping[str, Estimate]) -> OddsInWords:
    """What any one card may be, by name; kinds of which there are none are left out."""
    kinds = list(zip(rules.names, rules.deck, strict=True))
    cards, numbers = rules.cards, kinds[:NUMBERS]
    low, high = numbers[0][0], numbers[-1][0]
    others = [(name, n) for name, n in kinds[NUMBERS:] if n]
    rows: list[tuple[str | float, ...]] = [
        (span(low, high), sum(n for _, n in numbers) / cards),
        *((say(TITLES[name][0]) if name in TITLES else name, n / cards) for name, n in others),
    ]
    named = [
        say(TITLES[name][1], chance=share_text(chances[name]))
        for name, _ in others
        if name in TITLES
    ]
    finding = say("A card counts {points} points on average.", points=rounded(rules.mean_card, 1))
    if named:
        finding += f" {say('It is {cards}.', cards=', '.join(named))}"
    return OddsInWords(finding, (say("any one card"), say("chance")), tuple(rows))


def _held(rules: NoprobRules, drawn: int, chances: Mapping[str, Estimate]) -> OddsInWords | None:
    """By cell, what the card in your hand saves, the best first."""
    name = rules.names[drawn]
    saved = {n.removeprefix(SAVED): e.value for n, e in chances.items() if n.startswith(SAVED)}
    if not saved:
        return None
    best = max(saved, key=lambda cell: saved[cell])
    finding = (
        say(
            "The {card} saves most in {cell}: {points} points on average.",
            card=name,
            cell=best,
            points=rounded(saved[best], 1),
        )
        if saved[best] > 0
        else say("The {card} saves points nowhere.", card=name)
    )
    rows = []
    for cell in sorted(saved, key=lambda cell: -saved[cell]):
        line = say("yes") if f"{name} completes a line in {cell}" in chances else ""
        rows.append((action_words(f"replace {cell}"), decimal(f"{saved[cell]:+.1f}"), line))
    heads = ("", say("points saved"), say("completes a line"))
    return OddsInWords(finding, heads, tuple(rows))


def _hidden(chances: Mapping[str, Estimate]) -> str:
    """What the hidden cards come to on average."""
    parts = []
    mine = chances.get("mean of my hidden cards")
    if mine is not None:
        parts.append(say("yours {points}", points=with_unit(f"{mine.value:.0f}")))
    start = "mean of the hidden cards of "
    for name, mean in chances.items():
        if name.startswith(start):
            seat = int(name.removeprefix(start))
            player, points = other_player(seat), f"{mean.value:.0f}"
            parts.append(say("those of {player} {points}", player=player, points=points))
    return say("Hidden cards on average: {cards}.", cards=", ".join(parts)) if parts else ""


def _ends(position: Position, chances: Mapping[str, Estimate]) -> str:
    """The players that can end the round at the next turn."""
    players = []
    for seat in range(1, position.players):
        chance = chances[f"{seat} can end the round by drawing"]
        if chance.value:
            player, shown = other_player(seat), share_text(chance)
            players.append(say("{player} with {chance}", player=player, chance=shown))
    if not players:
        return ""
    return say("Players that can end the round by drawing: {players}.", players=", ".join(players))


# Small positions of No Prob-Lama for practice: the solved ones and those in between.

_HELD = ("", "drawn=9 ", "taken=4 ", "drawn=D ")


def practice(players: int) -> Sequence[str]:
    """Return positions in mid-round and in its last turn, with every kind of card in hand."""
    grid, up = "?,?,?/?,?,?/?,?,?", "3,4,5/6,7,8/9,10,?"
    llamas = f"llamas={','.join(['1'] * players)} first=0"
    others = ";".join([grid] * (players - 1))
    late = ";".join(["3,4,5/6,7,8/9,10,3", *[up] * (players - 2)])
    positions = []
    for end in (llamas, f"scores={','.join(['1'] * players)} round=2 first=0"):
        positions += [f"grid={up} top=4 opp={others} {held}{end}" for held in _HELD]
        positions += [f"grid={up} top=4 opp={late} {held}last=1 {end}" for held in _HELD]
    return positions
