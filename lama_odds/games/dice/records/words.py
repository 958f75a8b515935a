"""How a screen shows Lama Dice played along: situations, chances, practice rounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lama_odds.core.estimate import Estimate
from lama_odds.core.language import later, say
from lama_odds.core.wording import share_text, with_unit
from lama_odds.games.dice.rules.odds import legal_actions, penalty_of
from lama_odds.games.dice.rules.position import Position
from lama_odds.games.dice.rules.ruleset import DiceRules
from lama_odds.games.interface.actions import action_words
from lama_odds.games.interface.capabilities import OnScreen
from lama_odds.games.interface.objectives import OddsInWords
from lama_odds.games.shared.in_words import (
    as_quit,
    dealt_hand,
    either,
    hand_text,
    opponent_word,
    score_text,
    spaced,
    word_of,
)

# How a screen shows Lama Dice played along.


def holds(position: Any, at: int) -> str:
    """Return the cards of a player, which are open."""
    if at == 0:
        return word_of(position, "hand")
    return as_quit(position, at, opponent_word(position, at))


def in_words(rules: Any, position: Any) -> str:
    """Return your cards, the llama row, and the rolled dice."""
    hand, rolled = word_of(position, "hand"), word_of(position, "rolled")
    points = with_unit(penalty_of(rules, position.hand))
    parts = [say("your cards {cards} = {points}", cards=spaced(hand), points=points)]
    row = spaced(word_of(position, "row").removesuffix("?"))
    if position.row_guess:
        parts.append(say("row {cards} (a guess)", cards=row))
    else:
        parts.append(say("row {cards}", cards=row))
    parts += [say("rolled {dice}", dice=spaced(rolled))] if rolled else []
    return " · ".join(parts)


ON_SCREEN = OnScreen(
    against=(
        ("r", later("roll")),
        ("d3L", later("discard 3L: the cards that match")),
        ("t1", later("take 1 from the llama row")),
        ("q", later("quit: lay your cards down")),
    ),
    table=(
        ("r244 d24", later("rolls 2 4 4 and discards 2 and 4")),
        ("r135 t1", later("rolls 1 3 5 and takes the 1 from the llama row")),
        ("rLLL", later("rolls three llamas")),
        ("d24, t1, blown", later("the result alone: discards, takes, blows it")),
        ("q", later("quits")),
    ),
    prompts={"deal": later("Enter the cards of all players in order, for example: 11366L 12236L")},
    middle={"row": later("row")},
    holds=holds,
    score=score_text,
    hand=hand_text,
    scores=True,
    told={"blown": later("blown")},
    ended={
        "out": later("the last card is gone"),
        "quit": later("everybody has quit"),
        "blown": later("the last roll blew it"),
        "row": later("the llama row is empty"),
    },
)


# What the next roll can bring in Lama Dice, in a few lines.

MOST = 7  # discards and cards of the row in the table
CASES = {
    "match": later("it matches: you discard"),
    "miss": later("it misses: you take a card of the row"),
    "three llamas": later("three llamas: a token goes back, no card is laid down"),
    "blown": later("you blow it"),
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
            return OddsInWords(
                say("Three llamas: you return a token if you hold one; no card is laid down.")
            )
        if chances["blown"].value:
            return OddsInWords(say("You blow it."))
        named = [action.split() for action in legal_actions(rules, position)]
        cards = either(card for _, card in named)
        if named[0][0] == "take":
            return OddsInWords(say("You can take {cards}.", cards=cards))
        if chances["out"].value:
            return OddsInWords(say("You can discard {cards}: you can go out.", cards=cards))
        return OddsInWords(say("You can discard {cards}.", cards=cards))
    cases: list[tuple[str | float, ...]] = [
        (say(label), chances[name].value) for name, label in CASES.items() if chances[name].value
    ]
    likely = sorted(actions, key=lambda name: -actions[name])[:MOST]
    allowed = [
        (say("it lets you {action}", action=action_words(name)), actions[name])
        for name in actions
        if name in likely
    ]
    shares = {name: share_text(chances[name]) for name in ("match", "out", "blown")}
    if chances["blown"].value:
        finding = say(
            "Your roll matches a card with {match}, and lets you go out with {out}; you blow it "
            "with {blown}.",
            **shares,
        )
    else:
        finding = say(
            "Your roll matches a card with {match}, and lets you go out with {out}; it cannot be "
            "blown.",
            **shares,
        )
    return OddsInWords(finding, (say("your roll"), say("chance")), (*cases, *allowed))


# Small positions of Lama Dice for practice: the solved ones and those in between.


def practice(players: int) -> Sequence[str]:
    """Return positions with all, one and none of the others in, early and late in the game."""
    scores = "scores=" + ",".join(["3"] * players) + " first=0"
    everybody = ",".join(["13"] * (players - 1))
    some = ",".join(["13", *["q16"] * (players - 2)])
    nobody = ",".join(["q6LL"] * (players - 1))
    opponents = (everybody, some, nobody)
    return [f"hand=2L row=1 opp={opp}{end}" for opp in opponents for end in _ends(scores)]


def _ends(scores: str) -> Sequence[str]:
    rolled, last = " rolled=12L", scores.replace("3", "39")  # the game ends with the round
    return (f" {scores}", f"{rolled} {scores}", f" {last}", f"{rolled} {last}")
