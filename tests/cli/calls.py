"""Calls of the command line: as a process of its own, or inside this one."""

from __future__ import annotations

import contextlib
import io
import json
import os
import signal
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import typer.main

from lama_odds.cli.commands import run
from lama_odds.jit import sources

# Building the commands takes longer than most calls.
BUILT = cache(typer.main.get_command)
SCRIPT = Path(sys.executable).with_name("lama-odds")
# A first use compiles, on a busy machine; nothing here waits for so long otherwise.
PATIENCE = 120


# A record that ends where seat 0 decides.
RECORD = """lama-odds record 1
rules dice/amigo
players 2
policies threshold:5 random
luck 0 17
round 0 first 0
scores 0 0
deal 12344L 1256LL
0 roll 13L discard 3L
1 roll LLL
0 roll 356 take 5
1 roll 124 discard 12
"""

# The same of the card game, for seat 1 of three; three cards are known to others only.
CARDS_RECORD = """lama-odds record 1
rules lama/party+drama
players 3
round 0 first 0
scores 10 4 0
pot 1 10
deal 112+35L 225LLL 344456
top 6
0 play L pays 10
1 play L pays 1
2 draw 3+
0 play 1
"""

# What answers each function.
WORK = {
    "advise": ("advice.advise.advise",),
    "odds": ("odds.odds",),
    "thresholds": ("thresholds.thresholds.thresholds", "thresholds.thresholds.game_thresholds"),
    "review": ("coach.review.review",),
    "review_many": ("coach.review.review",),
    "simulate": ("simulate.simulate",),
    "simulate_rows": ("simulate.rows_of",),
    "equity": ("equity.equities", "equity.best_play_equities", "equity.standings"),
    "compare": ("compare.compare.compare",),
    "plan": ("compare.planning.plan_comparison",),
    "sweep": ("sweep.sweep.sweep",),
    "tournament": ("tournament.tournament",),
    "tune": ("tune.tune.tune",),
}

# Questions that many tests ask.
SAMPLED = ("advise", "dice/amigo", "hand=25L row=1346L opp=13,6LL")
EXACT = ("advise", "dice/amigo", "hand=25L row=1346L opp=13")
CARDS = ("advise", "lama/party+drama", "hand=33+5LP top=4 opp=4,q2,6 pot=1,1,10 scores=9,1,20,3")
FORCED = ("advise", "dice/amigo", "hand=25L row=1346L opp=13 rolled=13L")
PLAY = ("simulate", "dice/amigo", "--players", "3", "--policy", "threshold:5")
GAMES = (*PLAY, "--games", "5000")
ROUNDS = (*PLAY, "--games", "5000", "--rounds")
# What may differ between two runs of the same question.
VARY = ("threads", "seconds", "games_per_second")


class Said(NamedTuple):
    """What a call ended with: exit code, stdout, stderr."""

    code: int | str | None
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        """The one object on stdout; ValueError for anything else."""
        return json.loads(self.out)


def environment(**changes: str) -> dict[str, str]:
    """This environment without what makes a terminal of a pipe."""
    colours = ("FORCE_COLOR", "CLICOLOR_FORCE", "PY_COLORS", "GITHUB_ACTIONS", "COLUMNS", "TTY")
    kept = {name: value for name, value in os.environ.items() if name not in colours}
    return kept | {"PYTHONIOENCODING": "utf-8", "TERM": "dumb"} | changes


def quiet(tell: object) -> None:
    """Instead of listening for compilers."""


def inside(*args: str) -> Said:
    """The command line in this process; any exception but SystemExit comes through."""
    out, err = io.StringIO(), io.StringIO()
    code: int | str | None = 0
    with (
        mock.patch.object(sys, "argv", ["lama-odds", *args]),
        mock.patch.object(typer.main, "get_command", BUILT),
        # Each call would leave a listener behind; one of before would speak into its answer.
        mock.patch.object(sources, "on_first_compile", quiet),
        mock.patch.object(sources, "_waiting", []),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            run()
        except SystemExit as end:
            code = 0 if end.code is None else end.code
    return Said(code, out.getvalue(), err.getvalue())


def told(*args: str) -> dict[str, Any]:
    """The JSON object of a call in this process that answers."""
    said = inside(*args, "--json")
    assert said.code == 0, said.err
    return said.json


def caret(said: Said) -> tuple[str, int]:
    """The line that a message shows, and the place in it that the caret marks."""
    lines = said.err.splitlines()
    marks = [i for i, line in enumerate(lines) if line.strip() == "^"]
    assert len(marks) == 1, said.err
    return lines[marks[0] - 1][2:], lines[marks[0]].index("^") - 2


def same(answer: dict[str, Any]) -> str:
    """An answer as text, without what may differ between two runs."""
    return json.dumps({name: value for name, value in answer.items() if name not in VARY})


def heed_ctrl_c() -> None:
    """Heed SIGINT in a child even where this process, run in the background, ignores it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def started(*args: str, **changes: str) -> subprocess.Popen[str]:
    """The command line, running."""
    return subprocess.Popen(
        [str(SCRIPT), *args],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        env=environment(**changes),
        preexec_fn=heed_ctrl_c,
    )
