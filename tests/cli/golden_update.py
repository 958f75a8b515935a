"""What the commands print, in files: ``python -m tests.cli.golden_update`` writes all again.

``golden/COMMAND.txt`` has calls, each with what follows it: stdout as it is, the lines of stderr
after ``! ``, then the exit code if it is not 0. Names of commands after the
command write their files alone. To add a call, add its first line, and update. A
sentence of the program is in no other test. Read the difference before you commit it.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

from rich.console import RenderableType

import lama_odds
from lama_odds.report import terminal
from tests.cli.calls import CARDS_RECORD, RECORD, Said, inside
from tests.games.golden import Golden

START = "$ lama-odds"
ENTRIES = "<<<"  # before what is typed, its lines separated by " / "
FOLDER = Path(__file__).parent / "golden"
# What differs from run to run: seconds, threads, speed, the version.
VARY = re.compile(
    r"\d[\d.,]* s\b|on \d+ threads|[\d,]+ (?:games|rounds) (?:a|per) second"
    f"|{re.escape(lama_odds.__version__)}"
)
# What the calls read, in the folder where they are made.
FILES = {
    "game.txt": RECORD,
    "cards.txt": CARDS_RECORD,
    "several.txt": RECORD + RECORD,
    "over.txt": "lama-odds record 1\nrules dice/amigo\nplayers 2\n",
    "positions.txt": "hand=25L row=1346L opp=13\nhand=9\n",
    "quick.toml": 'name = "quick"\nbase = "dice/amigo"\nabout = "Ends at 20."\n'
    "options.target = 20\n",
    "bad.toml": 'name = "x"\nbase = "dice/amigo"\n[options]\ntarget = 0\ntaget = 1\n',
    "policy.json": '{"kind": "lama-odds policy 1", "rules": "dice/amigo", "policy": "threshold:7"}',
}


def calls_in(text: str) -> list[str]:
    """Return the lines that begin a call."""
    return [line for line in text.splitlines() if line.startswith(START)]


CALLS = {file.stem: calls_in(file.read_text(encoding="utf-8")) for file in FOLDER.glob("*.txt")}


@contextlib.contextmanager
def in_a_folder(stdin: io.StringIO | None = None) -> Iterator[None]:
    """Be in a new folder with FILES, where no game was played yet, and none is from outside."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        for name, text in FILES.items():
            Path(folder, name).write_text(text, encoding="utf-8")
        os.chdir(folder)
        try:
            with (
                mock.patch("platformdirs.user_data_dir", lambda name: name),
                mock.patch("lama_odds.analysis.thresholds.thresholds.PILOT_GAMES", 400),
                mock.patch("lama_odds.games.registry.offered", dict),
                mock.patch("sys.stdin", stdin),
                mock.patch.dict(os.environ, {"LC_ALL": "C"}),
            ):
                yield
        finally:
            os.chdir(before)


def shown(said: Said) -> str:
    """Return what a call ended with, as it stands in a file."""
    told = "".join(f"! {line}\n" for line in said.err.splitlines())
    out = said.out if said.out.endswith("\n") or not said.out else f"{said.out}\n"
    code = f"exit code {said.code}\n" if said.code else ""
    text = "".join(f"{line.rstrip()}\n" for line in f"{out}{told}{code}".splitlines())
    return VARY.sub("…", text)


def record(command: str, seen: list[RenderableType] | None = None) -> str:
    """Return the text of a file, its calls made again. seen: gets answers before their layout."""
    real = terminal.printed

    def printed(answer: RenderableType, *args: int | None) -> str:
        if seen is not None:
            seen.append(answer)
        return real(answer, *args)

    made = []
    with mock.patch.object(terminal, "printed", printed):
        for call in CALLS[command]:
            words = shlex.split(call)[2:]
            typed = None
            if ENTRIES in words:
                *words, _, text = words
                typed = io.StringIO(text.replace(" / ", "\n") + "\n")
            with in_a_folder(typed):
                said = inside(*words)
            made.append(f"{call}\n{shown(said)}")
    return "\n".join(made)


GOLDEN = Golden(__file__, CALLS, record)

if __name__ == "__main__":
    if not sys.argv[1:]:
        GOLDEN.update()
    for name in sys.argv[1:]:
        GOLDEN.path(name).write_text(record(name), encoding="utf-8", newline="\n")
