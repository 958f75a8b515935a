"""`play` at a terminal: the prompt is there at once, advice comes above it, Ctrl-C leaves."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import sys
import time
from pathlib import Path
from typing import Self

import pytest

from tests.cli.calls import PATIENCE, SCRIPT, environment, heed_ctrl_c

PRESSED = 40  # times; of a prompt that drops every fifth, one in ten thousand would pass
# A prompt, read again and again, while another thread keeps the interpreter busy.
BUSY = """
import threading
from lama_odds.cli.play_screen import Screen

def think():
    while True:
        sum(range(1000))

threading.Thread(target=think, daemon=True).start()
screen = Screen()
while True:
    screen.read("> ")
    print("left", flush=True)
"""


def _sit_down(terminal: int) -> None:
    """Make this the terminal that Ctrl-C comes from."""
    heed_ctrl_c()
    os.login_tty(terminal)


class Terminal:
    """A command with a terminal of its own."""

    def __init__(self, folder: Path, *command: str) -> None:
        self.ours, theirs = pty.openpty()
        self.run = subprocess.Popen(
            command,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env=environment(TERM="xterm", COLUMNS="100", XDG_DATA_HOME=str(folder)),
            preexec_fn=lambda: _sit_down(theirs),
            pass_fds=(theirs,),
        )
        os.close(theirs)
        self.seen = ""

    def until(self, pattern: str) -> str:
        """What is shown, up to what matches; AssertionError if that does not come."""
        end = time.monotonic() + PATIENCE
        while not (found := re.search(pattern, self.seen)):
            assert time.monotonic() < end, self.seen[-2000:]
            if select.select([self.ours], [], [], 1)[0]:
                try:
                    self.seen += os.read(self.ours, 1 << 16).decode("utf-8", "replace")
                except OSError:
                    break
        assert found or re.search(pattern, self.seen), self.seen[-2000:]
        text, self.seen = self.seen[: found.end()], self.seen[found.end() :]
        return text

    def type(self, text: str) -> None:
        """Type it."""
        os.write(self.ours, text.encode())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.run.kill()
        self.run.wait()
        os.close(self.ours)


@pytest.mark.long
def test_a_game_at_a_terminal(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    with Terminal(
        tmp_path, str(SCRIPT), "play", "lama/egmont", "--table", "--file", str(file)
    ) as at:
        at.until(r"How many players, you included \(2 to 6\)\? \[4\] ")
        at.type("9\n")
        at.until("expected a number from 2 to 6")
        at.type("3\n")
        at.until(r"Which player are you, 1 to 3 \(player 1 starts\)\? \[1\] ")
        at.type("\n")
        at.until("deal> ")
        at.type("1 1 3 6 6 l\n")
        at.until("top> ")
        at.type("5\n")
        shown = at.until("you> ")  # the prompt does not wait for the advice
        assert "You hold 11366L: play 6, draw, quit" in shown
        advised = at.until("[▶▷≈] [^\r\n]*")
        at.until("you> ")
        at.type("\n")  # Enter: what was advised
        done = at.until(r"You: (play 6|draw|quit)")
        if "draw" not in done:
            assert done.rpartition("You: ")[2] in advised.lower()
        at.until("> $")
        at.type("\x03")
        at.until("continue with lama-odds play --resume")
        assert at.run.wait(PATIENCE) == 0
    assert file.read_text(encoding="utf-8").splitlines()[2] == "players 3"


@pytest.mark.long
def test_ctrl_c_is_heard_however_busy_the_program_is(tmp_path: Path) -> None:
    with Terminal(tmp_path, sys.executable, "-c", BUSY) as at:
        for _ in range(PRESSED):
            at.until("> $")
            at.type("\x03")
            at.until("left")
