"""The table as it lies before a decision, in two lines, players in the order of their seats."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from lama_odds.analysis.coach.parts import live_play_of
from lama_odds.games.interface.game import AnyGame
from lama_odds.games.shared.on_screen import words_of
from lama_odds.report.text.played_along.moves import action_text, player

MANY = 9  # this many actions of a kind are shown as one


def table_text(game: AnyGame, position: Any, me: int) -> str:
    """What everybody sees, and what you know: a position of yours."""
    holds = live_play_of(game).on_screen.holds
    return " · ".join([*_middle(game, position), *_players(game, position, me, me, holds)])


def table_lines(game: AnyGame, position: Any, me: int, seat: int) -> list[str]:
    """The same as a line for the middle and one for each player, with your cards.

    seat: the one whose position it is.
    """
    shown = live_play_of(game).on_screen

    def holds(position: Any, at: int) -> str:
        mine = shown.mine is not None and at == (me - seat) % position.players
        return shown.mine(position) if shown.mine and mine else shown.holds(position, at)

    middle = " · ".join(_middle(game, position))
    return [*([middle] if middle else []), *_players(game, position, me, seat, holds)]


def _middle(game: AnyGame, position: Any) -> list[str]:
    words = words_of(position)
    shown = live_play_of(game).on_screen
    return [f"{name} {words[word]}" for word, name in shown.middle.items() if word in words]


def _players(
    game: AnyGame, position: Any, me: int, viewer: int, holds: Callable[[Any, int], str]
) -> Iterator[str]:
    """Yield what each player holds, in the order of the seats. viewer: whose position it is."""
    score = live_play_of(game).on_screen.score
    for seat in range(position.players):
        at = (seat - viewer) % position.players
        yield f"{player(seat, me)}: {holds(position, at)}{score(position, at)}"


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
