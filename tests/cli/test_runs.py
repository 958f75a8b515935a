"""``--run`` and ``lama-odds runs``: runs that are killed, refused, extended and looked at."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from lama_odds.simulation import run_folder as folder
from tests.cli.calls import PATIENCE, answered, environment, inside, same, started

PLAY = ("simulate", "dice/amigo", "--players", "3", "--policy", "threshold:5", "--rounds")
# Plays a call again and again, and kills it each time. Every chunk is a file, and files are merged
# all the time: any moment is a bad one. Forks are cheaper than processes that load everything.
KILLER = """
import glob, os, random, signal, sys, time
from lama_odds.simulation import engines, run_folder as folder, span_files as spans
folder.SAVE_SECONDS, folder.SAVE_SHARE, spans.MOST_FILES = 0.0, 1e12, 6
engines.CHUNK_SECONDS = 0.001
from tests.cli.calls import inside
kills, path, *call = sys.argv[1:]
assert inside(*call, "--games", "10").code == 0  # loads what the forks need
moments = random.Random(20)
for number in range(int(kills)):
    before = sorted(glob.glob(path + "/jobs/*/*.npy"))
    child = os.fork()
    if not child:
        try:
            inside(*call, "--run", path, "--games", "3000000")
        finally:
            os._exit(9)
    # The first go before there is anything, the others as they play.
    while number > 2 and sorted(glob.glob(path + "/jobs/*/*.npy")) == before:
        time.sleep(0.001)
    time.sleep(moments.uniform(0, 0.05))
    os.kill(child, signal.SIGKILL)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
KILLS = int(os.environ.get("LAMA_ODDS_KILLS", "10"))
OTHERS = {
    "thresholds": ("dice/amigo", "--players", "2", "--policy", "threshold:5", "--games", "3000"),
    "tournament": ("dice/amigo", "--players", "2", "--policies", "threshold:5,random"),
    "compare": ("dice/amigo", "dice/egmont", "--players", "2", "--policy", "threshold:5"),
    "sweep": ("dice/amigo", "--vary", "target=30,40", "--players", "2", "--policy", "threshold:5"),
}


@pytest.mark.long
@pytest.mark.skipif(not hasattr(os, "fork"), reason="kills forks")
def test_killed_at_any_moment_the_answer_is_that_of_an_undisturbed_run(tmp_path: Path) -> None:
    path = str(tmp_path / "run")
    done = subprocess.run(
        [sys.executable, "-c", KILLER, str(KILLS), path, *PLAY],
        capture_output=True,
        encoding="utf-8",
        env=environment(),
        cwd=Path(__file__).parents[2],
        timeout=PATIENCE,
        check=True,
    )
    assert done.stdout.split() == [str(-signal.SIGKILL)] * KILLS
    held = inside("runs", path, "--json").json
    assert held["state"] == "stopped"
    assert 0 < held["games"] < 3_000_000
    asked = (*PLAY, "--games", str(held["games"] + 50_000), "--json")
    said = inside(*asked, "--run", path)
    assert (said.code, said.err) == (0, "")
    assert same(said.json) == same(inside(*asked).json)
    assert not list((tmp_path / "run").rglob(".*"))


def status_text(folder: Path) -> str:
    """The names of the files of tallies."""
    return " ".join(sorted(file.name for file in folder.glob("run/jobs/*/*.npy")))


@pytest.mark.long
def test_interrupted_it_answers_and_goes_on(tmp_path: Path) -> None:
    call = (*PLAY, "--games", "20000000000", "--json", "--run", str(tmp_path / "run"))
    child = started(*call)
    try:
        until = time.monotonic() + PATIENCE
        while not status_text(tmp_path):
            assert time.monotonic() < until
            assert child.poll() is None
            time.sleep(0.05)
        looked = answered("runs", str(tmp_path / "run"))
        assert looked["state"] == "playing"
        refused = inside(*call)
        assert refused.code == 4
        assert "another process plays into" in refused.err
    finally:
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=PATIENCE)
    assert child.returncode == 0, err
    assert "the same command resumes there" in err
    partial = json.loads(out)
    looked = inside("runs", str(tmp_path / "run"), "--json").json
    assert looked["state"] == "stopped"
    assert looked["games"] == partial["games"] >= answered("runs", str(tmp_path / "run"))["games"]
    assert looked["jobs"][0]["figures"]["blown"] == partial["blown"]
    plain = inside(*PLAY, "--games", str(partial["games"]), "--json").json
    assert same(plain) == same(partial)


def test_more_games_and_a_look(tmp_path: Path) -> None:
    run = ("--run", str(tmp_path / "run"))
    for games in ("2000", "5000"):
        said = inside(*PLAY, "--games", games, "--json", *run)
        assert same(said.json) == same(inside(*PLAY, "--games", games, "--json").json)
    names = status_text(tmp_path).split()
    assert [name[:31] for name in names] == [
        "000000000000000-000000000002000",
        "000000000002000-000000000005000",
    ]
    looked = inside("runs", run[1], "--json").json
    known = {"question", "state", "games", "asked", "jobs", "settled", "version"}
    assert set(looked) == known
    assert (looked["state"], looked["games"], looked["asked"]) == ("done", 5000, 5000)
    assert looked["question"]["policies"] == ["threshold:5"] * 3
    (job,) = looked["jobs"]
    assert (job["figures_games"], job["games"], job["first_game"]) == (5000, 5000, 0)
    assert job["games_per_second"] > 0
    assert job["figures"]["penalty seat 0"] == said.json["seats"][0]["penalty"]
    text = inside("runs", run[1]).out
    assert "▶ Done: 5,000 games." in text.splitlines()
    assert re.search(r"^player 3 +\d+\.\d+ ± ", text, re.M)
    text = inside("runs", run[1], "-v").out
    assert "Done" in text
    assert "5,000  100 %" in text
    assert "penalty seat 0" in text


def test_another_question_is_refused(tmp_path: Path) -> None:
    run = ("--games", "1000", "--run", str(tmp_path / "run"))
    assert inside(*PLAY, *run).code == 0
    said = inside(*PLAY, *run, "--seed", "1")
    assert said.code == 4
    assert "seed: found 0, expected 1" in said.err
    said = inside(*(word.replace("amigo", "egmont") for word in PLAY), *run)
    assert said.code == 4
    assert 'rules: found "dice/amigo", expected "dice/egmont"' in said.err
    said = inside("compare", *OTHERS["compare"], *run)
    assert said.code == 4
    assert 'command: found "simulate", expected "compare"' in said.err
    said = inside("report", "dice/amigo", "--out", str(tmp_path / "pages"), *run[2:])
    assert said.code == 4
    assert 'command: found "simulate", expected "report"' in said.err
    assert inside("runs", str(tmp_path)).code == 4
    assert inside("runs", str(tmp_path / "none")).code == 4


def test_a_damaged_file_is_told_on_stderr(tmp_path: Path) -> None:
    call = (*PLAY, "--games", "3000", "--json", "--run", str(tmp_path / "run"))
    first = inside(*call)
    (file,) = (tmp_path / "run").glob("jobs/*/*.npy")
    file.write_bytes(file.read_bytes()[:-1])
    again = inside(*call)
    assert (again.code, same(again.json)) == (0, same(first.json))
    assert "is damaged (its checksum is wrong): its 3,000 games will be played again" in again.err


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="nothing is read-only for root")
def test_a_read_only_folder(tmp_path: Path) -> None:
    assert inside(*PLAY, "--games", "1000", "--run", str(tmp_path / "run")).code == 0
    (tmp_path / "run").chmod(0o500)
    for file in (tmp_path / "run").rglob("*"):
        file.chmod(0o500)
    try:
        assert inside(*PLAY, "--games", "2000", "--run", str(tmp_path / "run")).code == 4
        assert inside("runs", str(tmp_path / "run")).code == 0
    finally:
        for path in (tmp_path / "run", *(tmp_path / "run").rglob("*")):
            path.chmod(0o700)


@pytest.mark.long
@pytest.mark.parametrize("command", OTHERS)
def test_other_commands_go_on_too(tmp_path: Path, command: str) -> None:
    how = () if command == "thresholds" else ("--games", "1200")
    asked = (command, *OTHERS[command], *how, "--json")
    run = ("--run", str(tmp_path / "run"))
    plain = same(inside(*asked).json)
    assert same(inside(*asked, *run).json) == plain
    held = status_text(tmp_path)
    assert same(inside(*asked, *run).json) == plain
    assert status_text(tmp_path) == held
    looked = inside("runs", run[1], "--json").json
    assert looked["state"] == "done"
    assert any(job["figures"] for job in looked["jobs"])
    assert inside("runs", run[1]).code == 0
    if command != "thresholds":
        more = (command, *OTHERS[command], "--games", "2000", "--json")
        assert same(inside(*more, *run).json) == same(inside(*more).json)
        assert status_text(tmp_path).startswith(held)
        assert len(status_text(tmp_path).split()) == 2


TUNE = ("tune", "lama/egmont", "matching", "--players", "2", "--against", "matching:4")


def test_tuning_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    call = (*TUNE, "--games", "3000", "--json")
    run = ("--run", str(tmp_path / "run"))
    plain = same(inside(*call).json)
    steps: list[int] = []

    def interrupted(done: int) -> Iterator[None]:
        """Ctrl-C after so many chunks of a look."""
        real = folder.JobFolder.add

        def add(self: folder.JobFolder, *args: Any) -> None:
            real(self, *args)
            steps.append(1)
            if len(steps) == done:
                raise KeyboardInterrupt

        with mock.patch.object(folder.JobFolder, "add", add):
            yield

    for stop in (1, 3):
        steps.clear()
        with contextmanager(interrupted)(stop):
            said = inside(*call, *run)
        assert said.code == 130
        assert "the same command resumes there" in said.err
        looked = inside("runs", run[1], "--json").json
        assert looked["state"] == "stopped"
        last = looked["jobs"][-1]
        assert re.match(r"race \d of 2, \d+ values of T, look \d of 2: \d+ in it", last["stage"])
        assert last["seconds_left"] > 0
        assert last["figures"]
        assert "left" in inside("runs", run[1]).out.splitlines()[2]
    held = status_text(tmp_path)
    assert same(inside(*call, *run).json) == plain
    assert set(held.split()) < set(status_text(tmp_path).split())
    assert same(inside(*call, *run).json) == plain
    looked = inside("runs", run[1], "--json").json
    assert looked["state"] == "done"
    assert [job["stage"] for job in looked["jobs"]][-1] == "measuring on fresh games"
    refused = inside(*call, *run, "--objective", "points")
    assert (refused.code, "objective: found" in refused.err) == (4, True)


@pytest.mark.long
def test_a_run_of_so_many_seconds_is_planned_once(tmp_path: Path) -> None:
    call = ("compare", *OTHERS["compare"], "--seconds", "0.2", "--run", str(tmp_path / "run"))
    answers = [inside(*call, "--json").json for _ in range(3)]
    assert same(answers[0]) == same(answers[1]) == same(answers[2])
