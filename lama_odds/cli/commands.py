"""The commands by name, and one run of them."""

from __future__ import annotations

import functools
import gc
import importlib
import io
import os
import re
import sys
from collections.abc import Sequence

import typer

import lama_odds
from lama_odds.cli import completion, help_text
from lama_odds.cli.errors import CANNOT, reported
from lama_odds.cli.help_text import NAME
from lama_odds.core.screen import PLAIN, tidy_sizes

HELP = "Odds and advice for push-your-luck games: L.A.M.A. and its kin."
NO_COMMAND = 2  # the exit code without arguments, after the help
NUMBERS = ("--games", "--rounds", "--seed", "--questions")  # options with large numbers
_GROUPED = re.compile(r"\d{1,3}([,_]\d{3})+")
_POWER = re.compile(r"(\d+)(?:\.(\d+))?(?:[eE]\+?(\d{1,2})|[kKM])")
_THOUSANDS = {"k": 3, "K": 3, "M": 6}
COMPLETE = "_LAMA_ODDS_COMPLETE"  # set by a shell that wants words, see `completion`

# Every command has a module of its name with a function of its name, and EXAMPLES. They are loaded
# by `app` only.
COMMANDS = (
    *("advise", "odds", "thresholds", "equity", "play", "serve", "review", "train"),
    *("simulate", "compare", "sweep", "tournament", "tune", "report", "runs", "cache", "warm"),
    *("rules", "policies", "help"),
)


@functools.cache
def app(*names: str) -> typer.Typer:
    """Return the program with these commands, or with all: each takes a few milliseconds."""
    made = typer.Typer(
        name=NAME,
        help=HELP,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        cls=help_text.Commands,
    )
    made.callback()(_main)
    for name in names or COMMANDS:
        module = importlib.import_module(f"lama_odds.cli.{name}")
        command = made.command(name, cls=help_text.Command, epilog=module.EXAMPLES)
        command(reported(getattr(module, name)))
    return made


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"lama-odds {lama_odds.__version__}")
        raise typer.Exit


def _main(
    version: bool = typer.Option(
        False, "--version", help="Show the version and stop.", is_eager=True, callback=_show_version
    ),
) -> None:
    del version


def run() -> None:
    """Run the command of this process's arguments; SystemExit with the agreed code.

    The entry point is `main.main`, which also handles Ctrl-C before and after.
    """
    if sys.stdout is None or sys.stderr is None:  # closed by the caller: nobody to answer
        sys.exit(CANNOT)
    tidy_sizes(os.environ)
    for stream in (sys.stdout, sys.stderr):
        # A terminal that lacks a character shows what stands for it, not a traceback.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=PLAIN)
    # A command is short; looking for garbage while modules load takes an eighth of its time.
    gc.disable()
    try:
        if completion.asked_by_bash(os.environ, COMPLETE):
            completion.offered_to_bash(os.environ, reported(_answer))
        else:
            reported(_answer)()
    finally:
        gc.enable()


def _counted(args: Sequence[str]) -> list[str]:
    """Return the arguments with large numbers in plain digits."""
    words = []
    for before, word in zip(("", *args), args, strict=False):
        name, equals, value = word.partition("=")
        if before in NUMBERS:
            word = in_digits(word)
        elif equals and name in NUMBERS:
            word = f"{name}={in_digits(value)}"
        words.append(word)
    return words


def in_digits(text: str) -> str:
    """Return a number such as 1,000, 1_000, 2.5e6 or 20k in plain digits; other text unchanged."""
    if _GROUPED.fullmatch(text):
        return text.replace(",", "").replace("_", "")
    match = _POWER.fullmatch(text)
    if match is None:
        return text
    whole, part, power = match.groups(default="")
    zeros = (int(power) if power else _THOUSANDS[text[-1]]) - len(part)
    return text if zeros < 0 else f"{whole}{part}{'0' * zeros}"


def _answer() -> None:
    """Pass the arguments to typer, which exits with 1 if the pipe of its help is closed."""
    try:
        args = _counted(sys.argv[1:])
        if args[:1] == ["play"]:
            args = importlib.import_module("lama_odds.cli.play").last_resumed(args)
        if args[:1] == ["help"]:
            args = importlib.import_module("lama_odds.cli.help").instead(args, COMMANDS)
        chosen = [name for name in args[:1] if name in COMMANDS]
        code = app(*chosen)(args=args or ["--help"], prog_name=NAME, standalone_mode=False)
        code = code if args else NO_COMMAND
    except SystemExit as end:
        code = 0 if end.code == 1 else end.code
    sys.stdout.flush()
    sys.exit(code)
