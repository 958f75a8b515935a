"""`play` at a terminal: the prompt is there at once, advice comes above it, Ctrl-C leaves."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import time
from pathlib import Path

import pytest

from tests.cli.calls import PATIENCE, SCRIPT, environment, heed_ctrl_c

TRIES, MOMENT = 30, 2.0  # seconds


def _sit_down(terminal: int) -> None:
    """Make this the terminal that Ctrl-C comes from."""
    heed_ctrl_c()
    os.login_tty(terminal)


class Terminal:
    """The command line with a terminal of its own."""

    def __init__(self, folder: Path, *args: str) -> None:
        self.ours, theirs = pty.openpty()
        self.run = subprocess.Popen(
            [str(SCRIPT), *args],
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

    def leave(self, pattern: str) -> str:
        """Ctrl-C, and again as people do: one that comes just as a prompt is written may be lost.

        It is then heard with the next key (the line editor looks for it only when it waits).
        """
        for _ in range(TRIES):
            self.type("\x03")
            if select.select([self.ours], [], [], MOMENT)[0]:
                break
        return self.until(pattern)

    def ended(self) -> int:
        """The exit code."""
        code = self.run.wait(PATIENCE)
        os.close(self.ours)
        return code


@pytest.mark.long
def test_a_game_at_a_terminal(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    at = Terminal(tmp_path, "play", "lama/egmont", "--table", "--file", str(file))
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
    at.leave("continue with lama-odds play --resume")
    assert at.ended() == 0
    assert file.read_text(encoding="utf-8").splitlines()[2] == "players 3"
