"""Parts of a position as a screen shows them, in games that are played along."""

from __future__ import annotations

import re
from typing import Any


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
