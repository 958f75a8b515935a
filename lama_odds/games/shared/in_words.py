"""Chances in a few lines, and situations of games played along, as several games show them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from lama_odds.core.estimate import Estimate
from lama_odds.core.language import say, say_count
from lama_odds.core.wording import listed, rounded, share_text
from lama_odds.games.interface.objectives import OddsInWords

# Chances in a few lines, as several games tell them.

BANDS = (10, 15, 20, 25, 30)  # points of a dealt hand at which the next row begins


def other_player(seat: int) -> str:
    """Another player by its place after you, who are player 1."""
    return say("the player to your left") if seat == 1 else say("player {n}", n=seat + 1)


def either(names: Iterable[str]) -> str:
    """What can be chosen, in a sentence."""
    return listed(list(names), "or")


def dealt_hand(chances: Mapping[str, Estimate]) -> OddsInWords:
    """A dealt hand: what it costs on average, and how its points are spread."""
    points = {
        int(name.split()[1]): chance.value
        for name, chance in chances.items()
        if name.startswith("penalty ")
    }
    rows = []
    for low, end in zip((0, *BANDS), (*BANDS, max(points) + 1), strict=True):
        within = [value for value in points if low <= value < end]
        if within:
            named = span(min(within), max(within))
            rows.append((named, sum(points[value] for value in within)))
    return OddsInWords(
        say(
            "A dealt hand costs {points} points on average and has {kinds} different values; with "
            "{none} it has no llama.",
            points=rounded(chances["mean penalty"].value, 1),
            kinds=rounded(chances["mean kinds"].value, 1),
            none=share_text(chances["llamas 0"]),
        ),
        (say("points of a dealt hand"), say("chance")),
        tuple(rows),
    )


def span(low: int | str, high: int | str) -> str:
    """Return a range of numbers in words."""
    return say("{low} to {high}", low=low, high=high) if low != high else str(low)


def headed(rules: str, players: int, text: str) -> str:
    """Return the head of an answer: the rule set, the players, and the position in words."""
    return f"{rules} · {say_count('{n} player', '{n} players', players)} · {text}"


# Parts of a position as a screen shows them, in games that are played along.


def spaced(cards: str) -> str:
    """Return cards or dice with spaces between them."""
    return " ".join(re.findall(r".\+?", cards))


def words_of(position: Any) -> dict[str, str]:
    """Return the values of a position by name, as they are written."""
    return dict(word.split("=", 1) for word in position.format().split())


def word_of(position: Any, name: str) -> str:
    """Return one of these values; an empty text if it is not written."""
    return words_of(position).get(name, "")


def score_text(position: Any, at: int) -> str:
    """Return the score of a player, as text after the hand; empty before anybody has points."""
    if position.scores is None or not any(position.scores):
        return ""
    return say(", score {points}", points=position.scores[at])


def cards_text(cards: int) -> str:
    """Return a number of cards, in words."""
    return say_count("{n} card", "{n} cards", cards)


def opponent_word(position: Any, at: int) -> str:
    """Return a position's word for an opponent's hand; that player may have quit with it."""
    return word_of(position, "opp").split(",")[at - 1].removeprefix("q").removeprefix("=")


def as_quit(position: Any, at: int, held: str) -> str:
    """Return what an opponent holds, or has quit with."""
    return say("has quit with {held}", held=held) if position.opponents[at - 1].quit else held


def hand_text(rules: Any, position: Any) -> str:
    """Return what you have in hand, and what you rolled."""
    del rules
    hand, rolled = word_of(position, "hand"), word_of(position, "rolled")
    if rolled:
        return say("You hold {hand}, rolled {rolled}", hand=hand, rolled=rolled)
    return say("You hold {hand}", hand=hand)
