"""The command line as a process: signals, terminals, pipes, encodings, streams that fail, start."""

from __future__ import annotations

import contextlib
import functools
import io
import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

import pytest

from lama_odds.cli.common import progress_bar
from lama_odds.core.screen import REPLACED, columns, plain, spelt
from tests.cli.calls import (
    EXACT,
    PATIENCE,
    PLAY,
    SAMPLED,
    SCRIPT,
    environment,
    heed_ctrl_c,
    inside,
    same,
)

GAMES = ("--games", "1000")


def run(*args: str, **how: Any) -> subprocess.CompletedProcess[str]:
    """The command line as a process that ends by itself, stdout and stderr as they are given."""
    changes = how.pop("changes", {})
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "encoding": "utf-8"} | how
    return subprocess.run(
        [str(SCRIPT), *args],
        env=environment(**changes),
        timeout=PATIENCE,
        check=False,
        **streams,
    )


@pytest.fixture
def full() -> Any:
    """A disk without space."""
    if not os.path.exists("/dev/full"):
        pytest.skip("there is no /dev/full")
    with open("/dev/full", "w") as stream:
        yield stream


@pytest.fixture
def unread() -> Any:
    """The end of a pipe that nobody reads."""
    reading, writing = os.pipe()
    os.close(reading)
    yield writing
    os.close(writing)


# starting and refusing


def test_a_process_answers_on_stdout_and_refuses_on_stderr() -> None:
    done = run(*EXACT, "--json")
    assert (done.returncode, json.loads(done.stdout)["method"]) == (0, "exact")
    assert done.stdout.count("\n") == 1
    impossible = ("advise", "dice/amigo", "hand=3333333 opp=13")
    done = run(*impossible)
    assert (done.returncode, done.stdout, done.stderr) == (3, "", inside(*impossible).err)


# Ctrl-C


def test_ctrl_c_gives_the_games_so_far(tmp_path: Path) -> None:
    question = (*PLAY, "--rounds", "--threads", "2", "--games")
    ours, theirs = os.openpty()
    running = subprocess.Popen(
        [str(SCRIPT), *question, str(10**11), "--json"],
        stdout=subprocess.PIPE,
        stderr=theirs,
        encoding="utf-8",
        env=environment(TERM="xterm"),
        preexec_fn=heed_ctrl_c,
    )
    os.close(theirs)
    shown = b""
    # A terminal that nobody holds any more ends with an error. A bar shows that games are played.
    with contextlib.suppress(OSError):
        interrupted = False
        while part := os.read(ours, 65536):
            shown += part
            if b" % " in shown and not interrupted:
                running.send_signal(signal.SIGINT)
                interrupted = True
    os.close(ours)
    out, _ = running.communicate(timeout=PATIENCE)
    told = shown.decode()
    assert "Traceback" not in told
    assert running.returncode == 0, told
    answer = json.loads(out)
    assert 0 < answer["games"] < 10**11
    assert told.rstrip().endswith(f"of {10**11} games")
    again = inside(*question, str(answer["games"]), "--json").json
    assert same(again) == same(answer)


class Screen(io.StringIO):
    """A terminal."""

    def isatty(self) -> bool:
        return True


def test_no_bar_is_shown_within_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [5.0]
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stderr", screen := Screen())
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    with progress_bar("playing") as tell:
        assert tell is not None
        now[0] += 0.9
        tell(0.3, "playing")
        assert not screen.getvalue()
        now[0] += 0.2
        tell(0.6, "playing")
    assert " %" in screen.getvalue()


# streams that fail


@pytest.mark.parametrize("args", [("policies", "--json"), ("--help",)])
def test_a_reader_that_has_gone_is_no_error(args: tuple[str, ...], unread: int) -> None:
    done = run(*args, stdout=unread)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.long
def test_a_full_disk_is_4_and_files_are_written_all_the_same(full: Any, tmp_path: Path) -> None:
    file = tmp_path / "table.csv"
    for args in (("--help",), ("equity", "dice/amigo", "--csv", str(file))):
        done = run(*args, stdout=full)
        assert (done.returncode, done.stderr) == (4, "lama-odds: No space left on device\n")
    assert file.read_text().startswith("rules,")


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-"])
def test_closed_streams_give_no_traceback(closed: str, tmp_path: Path) -> None:
    """Without stdout or stderr nobody can be answered; without stdin a game ends at its start."""
    command = f'exec "$0" play dice/amigo --players 2 --against random --file mine.txt {closed}'
    if closed != "<&-":
        command = f'exec "$0" policies {closed}'
    done = subprocess.run(
        ["sh", "-c", command, str(SCRIPT)],
        capture_output=True,
        encoding="utf-8",
        env=environment(),
        cwd=tmp_path,
        timeout=PATIENCE,
        check=False,
    )
    assert "Traceback" not in done.stderr + done.stdout
    assert done.returncode == (0 if closed == "<&-" else 4)


# Ctrl-C before and after


CTRL_C = """
import atexit, signal, sys
from importlib.abc import MetaPathFinder

def heard(when):
    print(when, signal.getsignal(signal.SIGINT) is signal.default_int_handler, flush=True)

class Loading(MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == "lama_odds.cli.commands":
            heard("loading")
        if name == "lama_odds.report.text.listings":
            heard("answering")

sys.meta_path.insert(0, Loading())
atexit.register(heard, "over")
sys.argv = ["lama-odds", "policies", "lama", "--json"]
from lama_odds.cli.main import main
main()
"""


def python(code: str, before: Callable[[], Any]) -> subprocess.CompletedProcess[str]:
    """A program that runs a command, and what it does before."""
    return subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        encoding="utf-8",
        env=environment(),
        timeout=PATIENCE,
        check=False,
        preexec_fn=before,
    )


@pytest.mark.long
@pytest.mark.parametrize("heeded", [True, False])
def test_ctrl_c_is_heard_only_while_there_is_something_to_tidy_up(heeded: bool) -> None:
    ignored = functools.partial(signal.signal, signal.SIGINT, signal.SIG_IGN)
    done = python(CTRL_C, heed_ctrl_c if heeded else ignored)
    lines = [line for line in done.stdout.splitlines() if not line.startswith("{")]
    assert lines == ["loading False", f"answering {heeded}", "over False"]


CTRL_C_AT_THE_END = """
import signal, sys

handed = signal.signal

def late(number, handler):
    signal.signal = handed
    if handler is signal.SIG_DFL and "lama_odds.report.text.listings" in sys.modules:
        raise KeyboardInterrupt
    signal.signal = late
    return handed(number, handler)

signal.signal = late
sys.argv = ["lama-odds", "policies", "lama", "--json"]
from lama_odds.cli.main import main
main()
"""


def test_ctrl_c_between_the_answer_and_the_end_ends_the_process_quietly() -> None:
    done = python(CTRL_C_AT_THE_END, heed_ctrl_c)
    assert json.loads(done.stdout)
    assert (done.returncode, done.stderr) == (-signal.SIGINT, "")


# characters and widths


@pytest.mark.long
def test_an_answer_has_the_width_and_the_characters_that_are_given() -> None:
    ascii_only = {"COLUMNS": "40", "PYTHONIOENCODING": "ascii"}
    told = run(*SAMPLED, *GAMES, "-v", encoding="ascii", changes=ascii_only).stdout
    longest = max(len(line) for line in told.splitlines() if "=" not in line)
    assert 24 < longest <= 40
    assert "?" not in told
    assert "+/-" in told
    done = run("advise", "dice/amigo", "hand=25Łü opp=13", encoding="ascii", changes=ascii_only)
    assert (done.returncode, "25Lu" in done.stderr) == (2, True)


def test_columns_that_say_nothing_are_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [columns(text) for text in ("", "0", "-3", "wide", "²", "7 0")] == [None] * 6
    assert [columns(text) for text in ("5", "77", "9" * 30)] == [20, 77, 1000]
    for name, value in {"COLUMNS": "²", "LINES": "²", "TERMINAL_WIDTH": "wide"}.items():
        monkeypatch.setenv(name, value)
    assert "compare" in inside("--help").out


def test_every_character_that_is_printed_has_its_replacement() -> None:
    source = Path(__file__).resolve().parents[2] / "lama_odds"
    # What stands in formulas of docstrings is not printed.
    formulas = set("²³₁₊ᵢₙΣ√∝")
    for path in source.rglob("*.py"):
        for found in set(path.read_text(encoding="utf-8")) - formulas:
            assert found.isascii() or plain(found) != "?", (path, found)
    assert all(text.isascii() for text in REPLACED.values())
    assert spelt("2 ± 1 · 蛇", "ascii") == "2 +/- 1 - ?"
    assert spelt("2 ± 1 − 1", "latin-1") == "2 ± 1 - 1"
    assert spelt("2 ± 1", "no such encoding") == "2 +/- 1"


# terminals


# A prompt that is interrupted in the Python that runs while it appears, if there is any.
INTERRUPTED = """
import sys
from lama_odds.cli.play_loop import Screen

def interrupt(frame, event, _):
    caller = frame.f_back
    above = caller and caller.f_back
    if event == "return" and above and above.f_code.co_name == "read":
        if not caller.f_code.co_filename.endswith("contextlib.py"):
            raise KeyboardInterrupt
    return interrupt

screen = Screen()
sys.settrace(interrupt)
while True:
    print("typed", screen.read("> "), flush=True)
"""


def _sit_down(terminal: int) -> None:
    """Make this the terminal that Ctrl-C comes from."""
    heed_ctrl_c()
    os.login_tty(terminal)


class Terminal:
    """A command with a terminal of its own."""

    def __init__(self, folder: Path, *command: str, **changes: str) -> None:
        self.ours, theirs = pty.openpty()
        self.run = subprocess.Popen(
            command,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env=environment(
                **{"TERM": "xterm", "COLUMNS": "100", "XDG_DATA_HOME": str(folder)} | changes
            ),
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


def test_an_interrupt_while_a_prompt_appears_leaves_nothing_locked(tmp_path: Path) -> None:
    with Terminal(tmp_path, sys.executable, "-c", INTERRUPTED) as at:
        for typed in ("one", "two"):
            at.until("> $")
            at.type(f"{typed}\n")
            at.until(f"typed {typed}")
