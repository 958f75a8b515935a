"""How a screen shows the card games played along."""

from __future__ import annotations

from typing import Any

from lama_odds.core.estimate import with_unit
from lama_odds.games.interface.capabilities import OnScreen
from lama_odds.games.shared.on_screen import (
    as_quit,
    cards_text,
    hand_text,
    opponent_word,
    score_text,
    spaced,
    word_of,
)


def holds(position: Any, at: int) -> str:
    """Return the number of cards of a player, in words."""
    if at == 0:
        return cards_text(sum(position.hand))
    return as_quit(position, at, cards_text(int(opponent_word(position, at))))


def in_words(rules: Any, position: Any) -> str:
    """Return your hand and the top card."""
    cards = spaced(word_of(position, "hand"))
    points = rules.penalty(position.hand)
    return f"your hand {cards} = {with_unit(points)} · top card {word_of(position, 'top')}"


ON_SCREEN = OnScreen(
    against=(
        ("5", "play 5; also p5, 3+ for a plus card, L for a llama"),
        ("d", "draw a card"),
        ("q", "quit: lay your cards down"),
    ),
    table=(
        ("5", "plays a 5; also p5, 3+, L, P"),
        ("d", "draws (your own draw names the card: d3)"),
        ("q", "quits"),
    ),
    prompts={
        "deal": "Enter your hand, for example: 11366L",
        "top": "Enter the opening card, for example: 4",
        "penalties": "Enter the points of all players in order, for example: 4 0 17",
    },
    middle={"top": "top", "pile": "pile", "pot": "pot"},
    holds=holds,
    score=score_text,
    hand=hand_text,
    scores=True,
    hides_draws=True,
    mine=lambda position: word_of(position, "hand"),
)
