"""The table as it lies before a decision, in two lines, players in the order of their seats."""

from __future__ import annotations

from typing import Any

from lama_odds.games.interface.game import AnyGame
from lama_odds.report.text.played import action_text, player

MANY = 9  # actions of a kind are told as one


def table_text(game: AnyGame, position: Any, me: int) -> str:
    """What everybody sees, and what you know: a position of yours."""
    seats = [(seat - me) % position.players for seat in range(position.players)]
    told = [
        f"{player(seat, me)}: {_holds(game, position, at)}{_score(game, position, at)}"
        for seat, at in enumerate(seats)
    ]
    return " · ".join([*_middle(game, position), *told])


def question_text(game: AnyGame, rules: Any, position: Any, actions: list[str], me: int) -> str:
    """Your cards or dice, and what you may do."""
    return f"{_mine(game, rules, position)}: {choices_text(actions, me, position.players)}"


def choices_text(actions: list[str], me: int, players: int) -> str:
    """Actions in a line; nine cells to replace are one choice."""
    cells = [action for action in actions if action.startswith("replace ")]
    named = [action_text(action, me, players) for action in actions]
    if len(cells) >= MANY:
        rest = [name for name in named if not name.startswith("replace ")]
        named = ["replace ROW,COLUMN (r12: row 1, column 2)", *rest]
    return ", ".join(named)


def _middle(game: AnyGame, position: Any) -> list[str]:
    words = _words(position)
    shown = {
        "lama": ("top", "pile", "pot"),
        "dice": ("row",),
        "pikomino": ("centre",),
        "noprob": ("top", "pile", "last", "target"),
    }[game.name]
    names = {"last": "last turns", "target": "llamas to win"}
    return [f"{names.get(name, name)} {words[name]}" for name in shown if name in words]


def _words(position: Any) -> dict[str, str]:
    """The values of a position by name, as they are written."""
    return dict(word.split("=", 1) for word in position.format().split())


def _word(position: Any, name: str) -> str:
    return _words(position).get(name, "")


def _holds(game: AnyGame, position: Any, at: int) -> str:
    """What a player holds, as far as all can see."""
    if game.name == "pikomino":
        stack = position.stacks[at]
        return f"tile {stack[-1]} of {len(stack)}" if stack else "no tile"
    if game.name == "noprob":
        shown = _word(position, "grid") if at == 0 else _word(position, "opp").split(";")[at - 1]
        beside = f" + {_word(position, 'mine')}" if at == 0 and _word(position, "mine") else ""
        return shown.replace(",", " ").replace("/", " / ").replace(":", " + ") + beside
    if at == 0:
        cards = sum(position.hand)
        return _word(position, "hand") if game.name == "dice" else _count(cards)
    opponent = position.opponents[at - 1]
    text = _word(position, "opp").split(",")[at - 1].removeprefix("q").removeprefix("=")
    held = text if game.name == "dice" else _count(int(text))
    return f"has quit with {held}" if opponent.quit else held


def _count(cards: int) -> str:
    return f"{cards} card{'s' * (cards != 1)}"


def _score(game: AnyGame, position: Any, at: int) -> str:
    """How the game stands for a player, after the cards."""
    if game.name == "noprob":
        if position.llamas is not None and any(position.llamas):
            return f" ({position.llamas[at]} llamas)"
        return f" ({position.totals[at]} points)" if position.totals and position.round != 1 else ""
    if position.scores is None or not any(position.scores):
        return ""
    return f", score {position.scores[at]}"


def _mine(game: AnyGame, rules: Any, position: Any) -> str:
    """What you have in hand."""
    if game.name == "pikomino":
        kept, rolled = _word(position, "kept"), _word(position, "rolled")
        total = rules.total(position.kept)
        told = [f"you keep {kept} = {total}"] * bool(kept) + [f"you rolled {rolled}"] * bool(rolled)
        return _sentence(", ".join(told) or "your turn")
    if game.name == "noprob":
        drawn, taken = _word(position, "drawn"), _word(position, "taken")
        return f"You drew {drawn}" if drawn else f"You take {taken}" if taken else "Your turn"
    hand = f"You hold {_word(position, 'hand')}"
    rolled = _word(position, "rolled")
    return f"{hand}, rolled {rolled}" if rolled else hand


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:]
