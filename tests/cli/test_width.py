"""On a narrow screen nothing is cut off: no name, no number, in no table of any command."""

from __future__ import annotations

import contextlib
import os
import re
import struct
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import RenderableType

from lama_odds.report.text import answers
from tests.cli.calls import PATIENCE, SAMPLED, SCRIPT, environment, inside

if sys.platform != "win32":
    import fcntl
    import termios

NOPROB = "grid=3,?,5/?,(7),?/J,?,? top=4 opp=?,?,?/?,?,9/?,?,?:DK"
PAIR = ("lama/egmont", "lama/egmont+llama_each", "--players", "3")
NUMBERS = "meanfield:out=5,even=7,ahead=3,behind=11,win=2,lose=9"
POLICIES = "random,threshold:5,threshold:6,matching:5,matching:6,meanfield"
GAMES = ("--games", "1000")

ANSWERS = {
    "advise": (*SAMPLED, *GAMES),
    "advise, all": (*SAMPLED, *GAMES, "-v"),
    "advise, whole game": ("advise", "dice/amigo", "hand=25 opp=q6LL scores=12,15", *GAMES),
    "advise, cards": (
        *("advise", "lama/party+drama", "hand=33+5LP top=4 opp=4,5 pot=1,1,10 scores=12,31,5"),
        *GAMES,
    ),
    "advise, No Prob-Lama": ("advise", "noprob/starnberger", NOPROB, *GAMES),
    "sensitivity": ("advise", "lama/egmont", "hand=2245 top=6 opp=4,3", "--sensitivity", *GAMES),
    "pikomino": ("advise", "pikomino/egmont", "kept=444W rolled=1245 own=24 tops=27"),
    "odds": ("odds", "dice/amigo", "hand=25L row=1346L opp=13,6LL"),
    "odds, cards": ("odds", "lama/egmont", "hand=3356L top=4 opp=4,q2,1"),
    "odds, No Prob-Lama": ("odds", "noprob/starnberger", NOPROB),
    "thresholds": ("thresholds", "dice/amigo", "--players", "4", *GAMES),
    "thresholds, all": ("thresholds", "dice/amigo", "--players", "4", *GAMES, "-v"),
    "thresholds, cards": ("thresholds", "lama/egmont", "--players", "6", *GAMES),
    "thresholds, No Prob-Lama": (
        *("thresholds", "noprob/starnberger", "--players", "2"),
        *("--games", "2000"),
    ),
    "thresholds, pikomino": ("thresholds", "pikomino/egmont", "--players", "2"),
    "thresholds to win": (
        *("thresholds", "dice/amigo", "--players", "2", "--objective", "win"),
        *GAMES,
    ),
    "equity": ("equity", "dice/amigo"),
    "simulate": (
        *("simulate", "lama/egmont", "--players", "3", *GAMES, "--rounds"),
        *("--policy", NUMBERS, "--policy", "matching:5", "--policy", "random"),
    ),
    "compare": ("compare", *PAIR, "--games", "200"),
    "sweep": ("sweep", PAIR[0], *PAIR[2:], "--vary", "target=30..50..10", "--games", "200"),
    "sweep, all": (
        *("sweep", PAIR[0], *PAIR[2:], "--vary", "target=30,40", "--vary", "black=5,10"),
        *("--games", "200", "--wish", "rounds=3..5", "-v"),
    ),
    "tournament": (
        *("tournament", "lama/egmont", "--players", "2", "--games", "64"),
        *("--policies", POLICIES),
    ),
    "tune": ("tune", "lama/egmont", "meanfield", "--players", "2", "--games", "1000"),
    "rules": ("rules",),
    "rules of a game": ("rules", "noprob"),
    "a rule set": ("rules", "lama/party+drama"),
    "policies": ("policies",),
}


def answer_of(args: tuple[str, ...], patch: pytest.MonkeyPatch) -> RenderableType:
    """What a command prints, before it has a width."""
    seen: list[RenderableType] = []

    def printed(answer: RenderableType, *_: object) -> str:
        seen.append(answer)
        return ""

    with patch.context() as patched:
        patched.setattr(answers, "printed", printed)
        said = inside(*args)
    assert said.code == 0, said.err
    return seen[-1]


def check(answer: RenderableType) -> None:
    """All words that are on a wide screen are on a narrow one, within its width."""
    narrow, wide = (answers.printed(answer, width, plain=True) for width in (80, 1000))
    assert "…" not in (narrow + wide).replace("LINE/…/LIMIT", "")
    assert not [line for line in narrow.splitlines() if len(line) > 80 and '"' not in line]
    assert set(narrow.split()) == set(wide.split())


@pytest.mark.long
@pytest.mark.parametrize("name", ANSWERS)
def test_nothing_is_cut_off_at_80_columns(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lama_odds.analysis.thresholds.thresholds.PILOT_GAMES", 400)
    check(answer_of(ANSWERS[name], monkeypatch))


def test_nothing_of_a_review_is_cut_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    play = ("--policy", NUMBERS, "--policy", "random", "--games", "1", "--show", "1")
    file = tmp_path / "game.txt"
    file.write_text(inside("simulate", "dice/egmont", "--players", "2", *play, "--rounds").out)
    check(answer_of(("review", str(file), *GAMES), monkeypatch))


def test_nothing_of_a_run_is_cut_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = ("tournament", "dice/amigo", "--players", "2", "--games", "64", "--policies")
    run = ("--run", str(tmp_path / "run"))
    assert inside(*asked, "random,threshold:5", *run).code == 0
    check(answer_of(("runs", str(tmp_path / "run")), monkeypatch))


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal")
def test_a_terminal_of_80_columns() -> None:
    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    running = subprocess.Popen(
        [str(SCRIPT), *SAMPLED, *GAMES, "-v"],
        stdin=theirs,
        stdout=theirs,
        stderr=subprocess.DEVNULL,
        env=environment(TERM="xterm", NO_COLOR="1"),
    )
    os.close(theirs)
    told = b""
    with contextlib.suppress(OSError):  # so a terminal ends that nobody holds any more
        while part := os.read(ours, 65536):
            told += part
    os.close(ours)
    assert running.wait(timeout=PATIENCE) == 0
    lines = [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in told.decode().splitlines()]
    assert "…" not in "".join(lines)
    assert max(map(len, lines)) <= 80
    rows = [line for line in lines if line.startswith(("roll ", "quit "))]
    assert len(rows) == 4  # two actions in two parts
