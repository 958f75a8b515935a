"""How a screen shows Pikomino played along."""

from __future__ import annotations

from typing import Any

from lama_odds.games.interface.capabilities import OnScreen
from lama_odds.games.shared.on_screen import score_text, spaced, word_of


def holds(position: Any, at: int) -> str:
    """Return the top tile of a player."""
    stack = position.stacks[at]
    return f"tile {stack[-1]} of {len(stack)}" if stack else "no tile"


def hand(rules: Any, position: Any) -> str:
    """Return the dice kept and rolled."""
    kept, rolled = word_of(position, "kept"), word_of(position, "rolled")
    total = rules.total(position.kept)
    told = [f"you keep {kept} = {total}"] * bool(kept) + [f"you rolled {rolled}"] * bool(rolled)
    text = ", ".join(told) or "your turn"
    return text[0].upper() + text[1:]


def in_words(rules: Any, position: Any) -> str:
    """Return the dice kept and rolled, in words."""
    kept, rolled = word_of(position, "kept"), word_of(position, "rolled")
    told = [f"kept {spaced(kept)} = {rules.total(position.kept)}"] if kept else []
    told += [f"rolled {spaced(rolled)}"] if rolled else []
    return " · ".join(told) or "your turn begins"


ON_SCREEN = OnScreen(
    against=(
        ("r", "roll"),
        ("kW", "keep W: all worms rolled"),
        ("s27", "stop 27: take the tile from the centre"),
        ("t27", "steal 27 from another player"),
    ),
    table=(
        ("r1124444W k4", "rolls and keeps the fours"),
        ("s27", "stops and takes tile 27"),
        ("t27", "steals tile 27"),
    ),
    middle={"centre": "centre"},
    holds=holds,
    score=score_text,
    hand=hand,
    unit=lambda rules: "worms",
    tie_break="the highest tile",
)
