"""How a screen shows the card games played along: situations, chances, practice rounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lama_odds.core.estimate import Estimate
from lama_odds.core.language import later, say
from lama_odds.core.wording import share_text, with_unit
from lama_odds.games.interface.capabilities import OnScreen
from lama_odds.games.interface.objectives import OddsInWords
from lama_odds.games.lama.rules.odds import next_draw
from lama_odds.games.lama.rules.position import Position, can_play
from lama_odds.games.lama.rules.ruleset import NAMES, LamaRules
from lama_odds.games.shared.in_words import (
    as_quit,
    cards_text,
    dealt_hand,
    hand_text,
    opponent_word,
    other_player,
    score_text,
    spaced,
    word_of,
)

# How a screen shows the card games played along.


def holds(position: Any, at: int) -> str:
    """Return the number of cards of a player, in words."""
    if at == 0:
        return cards_text(sum(position.hand))
    return as_quit(position, at, cards_text(int(opponent_word(position, at))))


def in_words(rules: Any, position: Any) -> str:
    """Return your hand and the top card."""
    cards = spaced(word_of(position, "hand"))
    return say(
        "your hand {cards} = {points} · top card {top}",
        cards=cards,
        points=with_unit(rules.penalty(position.hand)),
        top=word_of(position, "top"),
    )


ON_SCREEN = OnScreen(
    against=(
        ("5", later("play 5; also p5, 3+ for a plus card, L for a llama")),
        ("d", later("draw a card")),
        ("q", later("quit: lay your cards down")),
    ),
    table=(
        ("5", later("plays a 5; also p5, 3+, L, P")),
        ("d", later("draws (your own draw names the card: d3)")),
        ("q", later("quits")),
    ),
    prompts={
        "deal": later("Enter your hand, for example: 11366L"),
        "top": later("Enter the opening card, for example: 4"),
        "penalties": later("Enter the points of all players in order, for example: 4 0 17"),
    },
    middle={"top": later("top"), "pile": later("pile"), "pot": later("pot")},
    holds=holds,
    score=score_text,
    hand=hand_text,
    scores=True,
    hidden=("draw",),
    told={
        "pays": later("{what} goes into the drama pot"),
        "takes": later("the pot of {what} comes along"),
    },
    ended={"out": later("the last card is gone"), "quit": later("everybody has quit")},
    mine=lambda position: word_of(position, "hand"),
)


# What can happen next in the card games, in a few lines.


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
    playable = share_text(chances["playable"])
    if chances["raises"].value:
        finding = say(
            "A drawn card can be played on the {top} with {playable}, and costs you points with "
            "{raises}.",
            top=top,
            playable=playable,
            raises=share_text(chances["raises"]),
        )
    else:
        finding = say(
            "A drawn card can be played on the {top} with {playable}, and costs you points in no "
            "case.",
            top=top,
            playable=playable,
        )
    return OddsInWords(finding, _heads(top), _rows(rules, position, chances), others)


def _heads(top: str) -> tuple[str, ...]:
    return say("you draw"), say("chance"), say("points then"), say("on the {top}?", top=top)


def _rows(
    rules: LamaRules, position: Position, chances: Mapping[str, Estimate]
) -> tuple[tuple[str | float, ...], ...]:
    """A row for each card that you may draw: its chance, the points then, and whether it fits."""
    rows: list[tuple[str | float, ...]] = []
    for kind, name in enumerate(NAMES):
        chance = chances.get(f"draw {name}")
        if chance is not None:
            hand = tuple(held + (k == kind) for k, held in enumerate(position.hand))
            goes = say("yes") if can_play(kind, position.top) else ""
            rows.append((name, chance.value, str(rules.penalty(hand)), goes))
    return tuple(rows)


def _others(position: Position, chances: Mapping[str, Estimate]) -> tuple[str, ...]:
    """A sentence on the others who are still in."""
    parts = []
    for seat in range(1, position.players):
        if f"opponent {seat} playable" in chances:
            player = other_player(seat)
            chance = share_text(chances[f"opponent {seat} playable"])
            if f"opponent {seat} out" in chances:
                parts.append(say("{player} with {chance} (then out)", player=player, chance=chance))
            else:
                parts.append(say("{player} with {chance}", player=player, chance=chance))
    if not parts:
        return ()
    top, players = NAMES[position.top], ", ".join(parts)
    return (say("Can play on the {top}: {players}.", top=top, players=players),)


# Small positions of the card games for practice: the solved ones and those in between.


def practice(players: int) -> Sequence[str]:
    """Return positions with all, one and none of the others in, with and without a pot."""
    scores = "scores=" + ",".join(["3"] * players) + " first=0"
    everybody = ",".join(["2"] * (players - 1))
    some = ",".join(["2", *["q3"] * (players - 2)])
    nobody = ",".join(["q3"] * (players - 1))
    ends = (scores, f"{scores} pot=1")
    return [f"hand=35 top=3 opp={opp} {end}" for opp in (everybody, some, nobody) for end in ends]
