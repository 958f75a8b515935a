"""What `help` in a game says: the verbs of the game, each with an example."""

from __future__ import annotations

from collections.abc import Sequence

AGAINST: dict[str, Sequence[tuple[str, str]]] = {
    "dice": (
        ("r", "roll"),
        ("d3L", "discard 3L: the cards that match"),
        ("t1", "take 1 from the llama row"),
        ("q", "quit: lay your cards down"),
    ),
    "lama": (
        ("5", "play 5; also p5, 3+ for a plus card, L for a llama"),
        ("d", "draw a card"),
        ("q", "quit: lay your cards down"),
    ),
    "pikomino": (
        ("r", "roll"),
        ("kW", "keep W: all worms rolled"),
        ("s27", "stop 27: take the tile from the centre"),
        ("t27", "steal 27 from another player"),
    ),
    "noprob": (
        ("d", "draw from the pile"),
        ("t", "take the top discard"),
        ("r12", "replace the card in row 1, column 2"),
        ("x", "discard the card that you drew"),
        ("g #3", "give the Drama or Karma to player 3"),
        ("p", "pass the last turn"),
    ),
}
TABLE: dict[str, Sequence[tuple[str, str]]] = {
    "dice": (
        ("r244 d24", "rolls 2 4 4 and discards 2 and 4"),
        ("r135 t1", "rolls 1 3 5 and takes the 1 from the llama row"),
        ("rLLL", "rolls three llamas"),
        ("q", "quits"),
    ),
    "lama": (
        ("5", "plays a 5; also p5, 3+, L, P"),
        ("d", "draws (your own draw names the card: d3)"),
        ("q", "quits"),
    ),
    "pikomino": (
        ("r1124444W k4", "rolls and keeps the fours"),
        ("s27", "stops and takes tile 27"),
        ("t27", "steals tile 27"),
    ),
    "noprob": (
        ("d5 12 7", "draws a 5 for row 1, column 2, where a 7 is turned up"),
        ("d5 x", "draws a 5 and discards it"),
        ("t 12 7", "takes the top discard for row 1, column 2, where a 7 is turned up"),
        ("dD g #3", "draws a Drama and gives it to player 3"),
        ("p", "passes the last turn"),
    ),
}
ALWAYS = (
    ("Enter", "play the advised action"),
    ("?", "show the whole advice and what it rests on"),
    ("undo", "take the last decision back"),
    ("save FILE", "write a copy"),
    ("quit!", "leave; lama-odds play --resume continues"),
)
AWAITED = {
    ("dice", "deal"): "Enter the cards of all players in order, for example: 11366L 12236L",
    ("lama", "deal"): "Enter your hand, for example: 11366L",
    ("noprob", "deal"): "Enter the two cards that you looked at, row and column first, "
    "for example: 11=3 12=7",
    ("lama", "top"): "Enter the opening card, for example: 4",
    ("noprob", "top"): "Enter the opening card, for example: 4",
    ("lama", "penalties"): "Enter the points of all players in order, for example: 4 0 17",
    ("noprob", "penalties"): "Enter the totals of all players in order, for example: 12 -3",
}


def help_text(game: str, table: bool) -> str:
    """The verbs of a game with an example each, then what can be typed in any game."""
    verbs = TABLE[game] if table else AGAINST[game]
    more = [("#2 …; …", "the player may stand first, ; stands between turns")] if table else []
    rows = [*verbs, *more, *ALWAYS]
    wide = max(len(typed) for typed, _ in rows)
    return "\n".join(f"  {typed:<{wide}}  {meaning}" for typed, meaning in rows)


def letters_of(game: str, table: bool) -> str:
    """The examples of a game in a line."""
    verbs = TABLE[game] if table else AGAINST[game]
    return ", ".join(typed for typed, _ in verbs)
