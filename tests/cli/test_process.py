"""The command line as a process among others: Ctrl-C, terminals, pipes, streams that fail."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import signal
import subprocess
import sys
import time

import pytest

from lama_odds.cli.common import progress_bar
from tests.cli.calls import (
    EXACT,
    PATIENCE,
    PLAY,
    ROUNDS,
    SCRIPT,
    answered,
    environment,
    heed_ctrl_c,
    inside,
    same,
    started,
)


def stopped(running: subprocess.Popen[str], seconds: float) -> tuple[int, str, str]:
    """Exit code and output of a process that gets a Ctrl-C after so many seconds."""
    try:
        time.sleep(seconds)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=PATIENCE)
    finally:
        running.kill()
    return running.returncode, out, err


@pytest.mark.long
@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
def test_ctrl_c_gives_the_games_so_far() -> None:
    answered(*ROUNDS)  # compiled from here on
    question = (*PLAY, "--rounds", "--threads", "2", "--games")
    code, out, err = stopped(started(*question, str(10**11), "--json"), 3.0)
    assert "Traceback" not in err
    assert code == 0, err
    answer = json.loads(out)
    assert 0 < answer["games"] < 10**11
    assert "stopped early" in err
    again = inside(*question, str(answer["games"]), "--json").json
    assert same(again) == same(answer)


@pytest.mark.long
@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
def test_ctrl_c_before_there_is_an_answer_says_so() -> None:
    long = ("equity", "dice/amigo", "--rounds", str(10**7), "--threads", "1")  # takes hours
    code, out, err = stopped(started(*long), 3.0)
    assert (code, out) == (130, "")
    assert "Traceback" not in err
    assert "stopped" in err


def on_a_terminal(*args: str, stop: bytes) -> tuple[int, str]:
    """Exit code and stderr of a call whose stderr is a terminal; Ctrl-C once it shows `stop`."""
    ours, theirs = os.openpty()
    running = subprocess.Popen(
        [str(SCRIPT), *args],
        stdout=subprocess.DEVNULL,
        stderr=theirs,
        env=environment(TERM="xterm"),
        preexec_fn=heed_ctrl_c,
    )
    os.close(theirs)
    told, stopped = b"", False
    # A terminal that nobody holds any more ends with an error.
    with contextlib.suppress(OSError):
        while part := os.read(ours, 65536):
            told += part
            if stop in told and not stopped:
                running.send_signal(signal.SIGINT)
                stopped = True
    os.close(ours)
    return running.wait(timeout=PATIENCE), told.decode()


@pytest.mark.long
@pytest.mark.skipif(os.name != "posix", reason="needs a terminal")
def test_a_bar_is_shown_on_a_terminal_once_it_takes_long() -> None:
    question = (*PLAY, "--rounds", "--threads", "1", "--games", str(10**11))
    code, told = on_a_terminal(*question, stop=b" % ")
    assert code == 0
    assert told.rstrip().endswith(f"of {10**11} games")


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


@pytest.mark.long
@pytest.mark.skipif(os.name != "posix", reason="closes a pipe")
@pytest.mark.parametrize("args", [("policies",), ("policies", "--json")])
def test_a_reader_that_has_gone_is_no_error(args: tuple[str, ...]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [str(SCRIPT), *args],
        stdout=writing,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        env=environment(),
        timeout=PATIENCE,
        check=False,
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.long
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")
def test_a_full_disk_is_4() -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [str(SCRIPT), "policies"],
            stdout=full,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            env=environment(),
            timeout=PATIENCE,
            check=False,
        )
    assert done.returncode == 4
    assert "Traceback" not in done.stderr
    assert done.stderr


@pytest.mark.long
def test_a_terminal_that_knows_only_ascii_still_gets_an_answer() -> None:
    out, err = (running := started(*EXACT, PYTHONIOENCODING="ascii")).communicate(timeout=PATIENCE)
    assert "Traceback" not in err
    assert running.returncode == 0
    assert "Roll.  Quit costs " in out


@pytest.mark.skipif(os.name != "posix", reason="closes a stream")
def test_without_a_stdout_there_is_no_traceback() -> None:
    done = subprocess.run(
        ["sh", "-c", 'exec "$0" policies >&-', str(SCRIPT)],
        stderr=subprocess.PIPE,
        encoding="utf-8",
        env=environment(),
        timeout=PATIENCE,
        check=False,
    )
    assert "Traceback" not in done.stderr


CTRL_C = """
import atexit, signal, sys, threading
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


@pytest.mark.long
@pytest.mark.skipif(os.name != "posix", reason="is about a signal")
@pytest.mark.parametrize("heeded", [True, False])
def test_ctrl_c_is_heard_only_while_there_is_something_to_tidy_up(heeded: bool) -> None:
    before = heed_ctrl_c if heeded else lambda: signal.signal(signal.SIGINT, signal.SIG_IGN)
    done = subprocess.run(
        [sys.executable, "-c", CTRL_C],
        capture_output=True,
        encoding="utf-8",
        env=environment(),
        timeout=PATIENCE,
        check=True,
        preexec_fn=before,
    )
    told = [line for line in done.stdout.splitlines() if not line.startswith("{")]
    assert told == ["loading False", f"answering {heeded}", "over False"]


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


@pytest.mark.skipif(os.name != "posix", reason="is about a signal")
def test_ctrl_c_between_the_answer_and_the_end_ends_the_process_quietly() -> None:
    done = subprocess.run(
        [sys.executable, "-c", CTRL_C_AT_THE_END],
        capture_output=True,
        encoding="utf-8",
        env=environment(),
        timeout=PATIENCE,
        check=False,
        preexec_fn=heed_ctrl_c,
    )
    assert json.loads(done.stdout)
    assert (done.returncode, done.stderr) == (-signal.SIGINT, "")


@pytest.mark.long
@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
@pytest.mark.parametrize("seconds", [0.03, 0.06, 0.1, 0.15, 0.3, 0.6])
def test_ctrl_c_never_gives_a_traceback(seconds: float) -> None:
    """Whenever it comes, once `main` runs: before that it is Python that is starting."""
    code, _, err = stopped(started("odds", "dice/amigo", "deal"), seconds)
    assert "Exception ignored" not in err
    if err.startswith("Error processing line"):  # Python goes on without a file of its start
        assert code in (0, 1)
    elif "Traceback" in err:
        assert code in (1, -signal.SIGINT)
        assert not re.search("typer|rich|lama_odds/cli/(?!main)", err)
    else:
        assert code in (0, 130, -signal.SIGINT)


@pytest.mark.long
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")
@pytest.mark.parametrize("args", [("--help",), ("--version",), ("advise", "--help"), ()])
def test_help_on_a_full_disk_is_4(args: tuple[str, ...]) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [str(SCRIPT), *args],
            stdout=full,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            env=environment(),
            timeout=PATIENCE,
            check=False,
        )
    assert (done.returncode, done.stderr) == (4, "lama-odds: No space left on device\n")


@pytest.mark.skipif(os.name != "posix", reason="closes a pipe")
def test_nobody_reading_the_help_is_no_error() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [str(SCRIPT), "--help"],
        stdout=writing,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        env=environment(),
        timeout=PATIENCE,
        check=False,
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, "")
