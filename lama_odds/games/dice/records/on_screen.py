"""How a screen shows Lama Dice played along."""

from __future__ import annotations

from typing import Any

from lama_odds.core.estimate import with_unit
from lama_odds.games.dice.rules.next_roll import penalty_of
from lama_odds.games.interface.capabilities import OnScreen
from lama_odds.games.shared.on_screen import (
    as_quit,
    hand_text,
    opponent_word,
    score_text,
    spaced,
    word_of,
)


def holds(position: Any, at: int) -> str:
    """Return the cards of a player, which are open."""
    if at == 0:
        return word_of(position, "hand")
    return as_quit(position, at, opponent_word(position, at))


def in_words(rules: Any, position: Any) -> str:
    """Return your cards, the llama row, and the rolled dice."""
    hand, rolled = word_of(position, "hand"), word_of(position, "rolled")
    cards = f"your cards {spaced(hand)} = {with_unit(penalty_of(rules, position.hand))}"
    row = f"row {spaced(word_of(position, 'row').removesuffix('?'))}"
    row += " (a guess)" if position.row_guess else ""
    return " · ".join((cards, row, *([f"rolled {spaced(rolled)}"] if rolled else [])))


ON_SCREEN = OnScreen(
    against=(
        ("r", "roll"),
        ("d3L", "discard 3L: the cards that match"),
        ("t1", "take 1 from the llama row"),
        ("q", "quit: lay your cards down"),
    ),
    table=(
        ("r244 d24", "rolls 2 4 4 and discards 2 and 4"),
        ("r135 t1", "rolls 1 3 5 and takes the 1 from the llama row"),
        ("rLLL", "rolls three llamas"),
        ("q", "quits"),
    ),
    prompts={"deal": "Enter the cards of all players in order, for example: 11366L 12236L"},
    middle={"row": "row"},
    holds=holds,
    score=score_text,
    hand=hand_text,
    scores=True,
)
