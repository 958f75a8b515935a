"""``lama-odds help``: a command, or how to enter a position."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Annotated

import typer

from lama_odds.cli.common import line_out
from lama_odds.cli.help_text import listed, wrapped
from lama_odds.core.errors import ReadError, near_names
from lama_odds.games.interface.game import AnyGame
from lama_odds.games.registry import game_of, in_our_names, names

POSITIONS = "positions"
EXAMPLES = """
lama-odds help advise

lama-odds help positions

lama-odds help dice
"""
A_POSITION = """
A position is one string of name=value words in any order: what is yours first, then the others in
turn order. Some words are needed, and the rest has a default.

scores=12,3,20 are the points in tokens now, yours first; first=1 is the player who started this
round, counted from you (0).

A number that is a guess ends in ?, as in opp=4?,4?, and pile=~10 is roughly known. Other guesses
are tried then. If one of them changes what is best, you get a rule by that number.
"""


def instead(args: Sequence[str], commands: Sequence[str]) -> list[str]:
    """Return the arguments with --help for ``help`` and for ``help COMMAND``; others unchanged."""
    if args[:1] != ["help"] or args[1:2] == ["--help"]:
        return list(args)
    if not args[1:]:
        return ["--help"]
    return [args[1], "--help"] if args[1] in commands else list(args)


def help(
    topic: Annotated[
        str | None,
        typer.Argument(metavar="TOPIC", help="A command, the word positions, or a game."),
    ] = None,
) -> None:
    """Explain a command, or how to enter a position."""
    assert topic is not None, "without a topic it is --help"
    if topic == POSITIONS:
        line_out(_all_games())
        return
    if in_our_names(topic).partition("/")[0] not in names():
        from lama_odds.cli.commands import COMMANDS

        known = (POSITIONS, *names(), *COMMANDS)
        expected = f"expected a command, {POSITIONS} or a game ({', '.join(names())})"
        raise ReadError(f"unknown topic {topic!r}: {expected}", hints=near_names(topic, known))
    line_out(_one_game(game_of(topic)))


def _all_games() -> str:
    rows = [
        (f"lama-odds help {name}", f'{game.title}, for example "{game.example}"')
        for name in names()
        for game in [game_of(name)]
    ]
    paragraphs = map(wrapped, A_POSITION.strip().split("\n\n"))
    return "\n\n".join((*paragraphs, listed("Words of a game", rows)))


def _one_game(game: AnyGame) -> str:
    words = game.words.items()
    rows = [(f"{word}=", f"{meaning[0].upper()}{meaning[1:]}.") for word, meaning in words]
    example = f'lama-odds advise {game.name}/{next(iter(game.editions))} "{game.example}"'
    return "\n\n".join(
        (
            listed(f"Words of a position of {game.title}", rows),
            f"For example:\n{textwrap.indent(example, '  ')}",
            wrapped("lama-odds help positions explains guesses, marked by ?."),
        )
    )
