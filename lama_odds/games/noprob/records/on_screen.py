"""How a screen shows No Prob-Lama played along."""

from __future__ import annotations

from typing import Any

from lama_odds.core.estimate import with_unit
from lama_odds.games.interface.capabilities import OnScreen
from lama_odds.games.shared.on_screen import word_of


def holds(position: Any, at: int) -> str:
    """Return the grid of a player as far as it is known, and the specials beside it."""
    shown = word_of(position, "grid") if at == 0 else word_of(position, "opp").split(";")[at - 1]
    mine = word_of(position, "mine") if at == 0 else ""
    beside = f" + {mine}" if mine else ""
    return shown.replace(",", " ").replace("/", " / ").replace(":", " + ") + beside


def score(position: Any, at: int) -> str:
    """Return the llamas of a player, or its points."""
    if position.llamas is not None and any(position.llamas):
        return f" ({position.llamas[at]} llamas)"
    return f" ({with_unit(position.totals[at])})" if position.totals and position.round != 1 else ""


def hand(rules: Any, position: Any) -> str:
    """Return the card that has to be used."""
    del rules
    drawn, taken = word_of(position, "drawn"), word_of(position, "taken")
    return f"You drew {drawn}" if drawn else f"You take {taken}" if taken else "Your turn"


def unit(rules: Any) -> str:
    """Return the unit by which games are won."""
    return "points" if rules.four_rounds else "llamas"


def in_words(rules: Any, position: Any) -> str:
    """Return your grid, and the card to use or to take."""
    del rules
    drawn, taken = word_of(position, "drawn"), word_of(position, "taken")
    card = f"you drew {drawn}" if drawn else f"you take {taken}" if taken else ""
    return f"grid {holds(position, 0)} · {card or 'top card ' + word_of(position, 'top')}"


ON_SCREEN = OnScreen(
    against=(
        ("d", "draw from the pile"),
        ("t", "take the top discard"),
        ("r12", "replace the card in row 1, column 2"),
        ("x", "discard the card that you drew"),
        ("g #3", "give the Drama or Karma to player 3"),
        ("p", "pass the last turn"),
    ),
    table=(
        ("d5 12 7", "draws a 5 for row 1, column 2, where a 7 is turned up"),
        ("d5 x", "draws a 5 and discards it"),
        ("t 12 7", "takes the top discard for row 1, column 2, where a 7 is turned up"),
        ("dD g #3", "draws a Drama and gives it to player 3"),
        ("p", "passes the last turn"),
    ),
    prompts={
        "deal": "Enter the two cards that you looked at, row and column first, "
        "for example: 11=3 12=7. If you saw where player 2 looked, add #2:11,12",
        "top": "Enter the opening card, for example: 4",
        "penalties": "Enter the totals of all players in order, for example: 12 -3",
    },
    middle={"top": "top", "pile": "pile", "last": "last turns", "target": "llamas to win"},
    holds=holds,
    score=score,
    hand=hand,
    unit=unit,
)
