"""The table as it lies before a decision, in two lines, players in the order of their seats."""

from __future__ import annotations

from typing import Any

from lama_odds.analysis.coach.parts import live_play_of
from lama_odds.games.interface.game import AnyGame
from lama_odds.games.shared.on_screen import words_of
from lama_odds.report.text.played_along.moves import action_text, player

MANY = 9  # this many actions of a kind are shown as one


def table_text(game: AnyGame, position: Any, me: int) -> str:
    """What everybody sees, and what you know: a position of yours."""
    seats = [(seat - me) % position.players for seat in range(position.players)]
    shown = live_play_of(game).on_screen
    told = [
        f"{player(seat, me)}: {shown.holds(position, at)}{shown.score(position, at)}"
        for seat, at in enumerate(seats)
    ]
    words = words_of(position)
    middle = [f"{name} {words[word]}" for word, name in shown.middle.items() if word in words]
    return " · ".join([*middle, *told])


def question_text(game: AnyGame, rules: Any, position: Any, actions: list[str], me: int) -> str:
    """Your cards or dice, and what you may do."""
    hand = live_play_of(game).on_screen.hand(rules, position)
    return f"{hand}: {choices_text(actions, me, position.players)}"


def choices_text(actions: list[str], me: int, players: int) -> str:
    """Actions in a line; nine cells to replace are one choice."""
    cells = [action for action in actions if action.startswith("replace ")]
    named = [action_text(action, me, players) for action in actions]
    if len(cells) >= MANY:
        rest = [name for name in named if not name.startswith("replace ")]
        named = ["replace ROW,COLUMN (r12: row 1, column 2)", *rest]
    return ", ".join(named)
