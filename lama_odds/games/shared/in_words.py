"""Chances in a few lines, and situations of games played along, as several games show them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from lama_odds.core.estimate import Estimate
from lama_odds.games.interface.objectives import OddsInWords

# Chances in a few lines, as several games tell them.

BANDS = (10, 15, 20, 25, 30)  # points of a dealt hand at which the next row begins


def other_player(seat: int) -> str:
    """Another player by its place after you, who are player 1."""
    return "the player to your left" if seat == 1 else f"player {seat + 1}"


def either(names: Iterable[str]) -> str:
    """What can be chosen, in a sentence."""
    *some, last = names
    return f"{', '.join(some)} or {last}" if some else last


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
            named = f"{min(within)} to {max(within)}" if len(within) > 1 else f"{within[0]}"
            rows.append((named, sum(points[value] for value in within)))
    return OddsInWords(
        f"A dealt hand costs {chances['mean penalty'].value:.1f} points on average and has "
        f"{chances['mean kinds'].value:.1f} different values; with {{llamas 0}} it has no llama.",
        ("points of a dealt hand", "chance"),
        tuple(rows),
    )


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
    return f", score {position.scores[at]}"


def cards_text(cards: int) -> str:
    """Return a number of cards, in words."""
    return f"{cards} card{'s' * (cards != 1)}"


def opponent_word(position: Any, at: int) -> str:
    """Return a position's word for an opponent's hand; that player may have quit with it."""
    return word_of(position, "opp").split(",")[at - 1].removeprefix("q").removeprefix("=")


def as_quit(position: Any, at: int, held: str) -> str:
    """Return what an opponent holds, or has quit with."""
    return f"has quit with {held}" if position.opponents[at - 1].quit else held


def hand_text(rules: Any, position: Any) -> str:
    """Return what you have in hand, and what you rolled."""
    del rules
    hand = f"You hold {word_of(position, 'hand')}"
    rolled = word_of(position, "rolled")
    return f"{hand}, rolled {rolled}" if rolled else hand
