"""Runs and files: killed, interrupted, resumed; refused in time, never in the way of the answer."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from lama_odds.analysis.simulate import KINDS
from lama_odds.cli import common
from lama_odds.core import files
from lama_odds.report import rows as report_rows
from lama_odds.report.rows import ADVICE_COLUMNS
from lama_odds.report.rows import GAME_COLUMNS as OF_GAMES
from tests.cli.calls import PATIENCE, RECORD, SAMPLED, environment, inside, same, started, told

PLAY = ("simulate", "dice/amigo", "--players", "3", "--policy", "threshold:5", "--rounds")
# Plays a call again and again, and kills it each time. Every chunk is a file, and files are merged
# all the time: any moment is a bad one. Forks are cheaper than processes that load everything.
KILLER = """
import glob, os, random, signal, sys, time
from lama_odds.simulation import run, run_folder as folder, span_files as spans
folder.SAVE_SECONDS, folder.SAVE_SHARE, spans.MOST_FILES = 0.0, 1e12, 6
run.CHUNK_SECONDS = 0.001
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
KILLS = int(os.environ.get("LAMA_ODDS_KILLS", "6"))
SOME = ("--games", "400")
OTHERS = {
    "thresholds": ("dice/amigo", "--players", "2", "--policy", "threshold:5", "--games", "1000"),
    "tournament": ("dice/amigo", "--players", "2", "--policies", "threshold:5,random", *SOME),
    "compare": ("dice/amigo", "dice/egmont", "--players", "2", "--policy", "threshold:5", *SOME),
    "tune": (
        *("lama/egmont", "matching", "--players", "2", "--against", "matching:4"),
        *("--games", "1000"),
    ),
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
    run = str(tmp_path / "run")
    call = (*PLAY, "--games", "20000000000", "--json", "--run", run)
    child = started(*call)
    try:
        until = time.monotonic() + PATIENCE
        while not status_text(tmp_path):
            assert time.monotonic() < until
            assert child.poll() is None
            time.sleep(0.05)
        looked = told("runs", run)
        assert looked["state"] == "playing"
        refused = inside(*call)
        assert refused.code == 4
        assert "another process plays into" in refused.err
    finally:
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=PATIENCE)
    assert child.returncode == 0, err
    assert "the same command resumes there" in err
    partial, stopped = json.loads(out), told("runs", run)
    assert stopped["state"] == "stopped"
    assert stopped["games"] == partial["games"] >= looked["games"]
    assert stopped["jobs"][0]["figures"]["blown"] == partial["blown"]
    assert same(told(*PLAY, "--games", str(partial["games"]))) == same(partial)


def test_more_games_and_a_look(tmp_path: Path) -> None:
    run = ("--run", str(tmp_path / "run"))
    for games in ("2000", "5000"):
        said = told(*PLAY, "--games", games, *run)
        assert same(said) == same(told(*PLAY, "--games", games))
    assert [name[:31] for name in status_text(tmp_path).split()] == [
        "000000000000000-000000000002000",
        "000000000002000-000000000005000",
    ]
    looked = told("runs", run[1])
    known = {"question", "state", "games", "asked", "jobs", "settled", "version"}
    assert set(looked) == known
    assert (looked["state"], looked["games"], looked["asked"]) == ("done", 5000, 5000)
    assert looked["question"]["policies"] == ["threshold:5"] * 3
    (job,) = looked["jobs"]
    assert (job["figures_games"], job["games"], job["first_game"]) == (5000, 5000, 0)
    assert job["games_per_second"] > 0
    assert job["figures"]["penalty seat 0"] == said["seats"][0]["penalty"]
    # Asked for fewer games than it has, it is done, and not more than done.
    assert inside(*PLAY, "--games", "1000", *run).code == 0
    assert "▶ Done: 1,000 games." in inside("runs", run[1]).out
    text = inside("runs", run[1], "-v").out
    row = next(line.split() for line in text.splitlines() if line.startswith(job["job"]))
    assert row[1:5] == ["1,000", "1,000", "100", "%"]
    assert "penalty seat 0" in text


@pytest.mark.one_in(3)
@pytest.mark.parametrize("command", OTHERS)
def test_other_commands_go_on_too(
    tmp_path: Path, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lama_odds.analysis.thresholds.thresholds.PILOT_GAMES", 400)
    asked = (command, *OTHERS[command])
    run = ("--run", str(tmp_path / "run"))
    plain = same(told(*asked))
    assert same(told(*asked, *run)) == plain
    held = status_text(tmp_path)
    assert same(told(*asked, *run)) == plain
    assert status_text(tmp_path) == held
    looked = told("runs", run[1])
    assert (looked["state"], looked["question"]["command"]) == ("done", command)
    assert inside("runs", run[1]).code == 0
    if command in ("tournament", "compare"):
        more = (*asked[:-1], "900")
        assert same(told(*more, *run)) == same(told(*more))
        assert status_text(tmp_path).startswith(held)
        assert len(status_text(tmp_path).split()) == 2


# files of rows


HOWTO = Path(__file__).resolve().parents[2] / "docs" / "howto"
ROWS = ("simulate", "dice/amigo", "--players", "2", "--policy", "threshold:5", "--rows")


def test_ctrl_c_leaves_a_file_that_is_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, out = tmp_path / "positions.txt", tmp_path / "advice.jsonl"
    hands = [f"hand={hand} row=1346L opp=13" for hand in ("25L", "2", "5L")]
    file.write_text("\n".join(["# mine", "", *hands, "hand=9"]), encoding="utf-8")
    command = ("advise", "dice/amigo", "--positions", str(file))
    add = report_rows.KeptRows.add

    def stop(self: report_rows.KeptRows, *given: Any) -> None:
        if self.done == 2:
            raise KeyboardInterrupt
        add(self, *given)

    with monkeypatch.context() as patched:
        patched.setattr(report_rows.KeptRows, "add", stop)
        stopped = inside(*command, "--out", str(out))
    assert (stopped.code, out.read_text().count("\n")) == (130, 2)
    assert f"the rows so far are kept in {out}: the same command resumes there" in stopped.err
    assert inside(*command, "--out", str(out)).code == 2  # as one position has no answer
    whole = inside(*command, "--format", "jsonl").out
    seconds = re.compile('"seconds": [^,]*')
    assert seconds.sub("", out.read_text()) == seconds.sub("", whole)


def test_simulated_games_are_rows_on_stdout() -> None:
    for kind in KINDS:
        said = inside(*ROWS, kind, "--games", "2")
        rows = list(csv.DictReader(io.StringIO(said.out)))
        assert list(rows[0]) == [column.name for column in OF_GAMES[kind]]
        assert {row["game"] for row in rows} == {"0", "1"}
        assert said.code == 0


def test_columns_are_documented() -> None:
    """In the guides, and for each kind of rows."""
    advice = (HOWTO / "many_positions.md").read_text()
    games = (HOWTO / "games_as_data.md").read_text()
    for column in ADVICE_COLUMNS:
        assert f"`{column.name}`" in advice
    for kind, columns in OF_GAMES.items():
        part = games.partition(f"**`{kind}`**")[2].partition("**`")[0]
        for column in columns:
            assert f"`{column.name}`" in part, (kind, column.name)
            assert column.about


# files that commands write


PLAYED = ("--players", "2", "--policy", "threshold:5")
TABLE = ("thresholds", "dice/amigo", *PLAYED, "--games", "1000")
TUNE = ("tune", "dice/amigo", "threshold", *PLAYED[:2], "--against", "random", "--games", "1000")
COMPARE = ("compare", "dice/amigo", "dice/egmont", *PLAYED, "--games", "100")
LEAGUE = (
    *("tournament", "dice/amigo", "--players", "2", "--policies", "random,threshold:5"),
    *("--games", "64"),
)
EQUITY = ("equity", "dice/amigo")
WRITERS = [
    *((TABLE, "--csv"), (TABLE, "--plot"), (TUNE, "--out"), (COMPARE, "--csv")),
    *((COMPARE, "--plot"), (LEAGUE, "--csv"), (LEAGUE, "--plot"), (EQUITY, "--csv")),
    *((("odds", "dice/amigo", "deal"), "--plot"), ((*SAMPLED, "--games", "1000"), "--plot")),
    (("review", "game.txt"), "--html"),
]
NAMES = [f"{args[0]} {option}" for args, option in WRITERS]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to be in, with a record and a folder that looks like a figure."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("lama_odds.analysis.thresholds.thresholds.PILOT_GAMES", 400)
    (tmp_path / "game.txt").write_text(RECORD, encoding="utf-8")
    (tmp_path / "folder.svg").mkdir()
    return tmp_path


@pytest.mark.parametrize(("args", "option"), WRITERS, ids=NAMES)
def test_a_place_that_cannot_be_written_is_refused_before_the_computing(
    folder: Path, args: tuple[str, ...], option: str
) -> None:
    """The answer comes first if there is one: without it, nothing was computed."""
    for name in ("folder.svg", "none/x.svg"):
        said = inside(*args, option, name)
        assert (said.code, said.out) == (4, "")
        assert f"{option} {name}: " in said.err


@pytest.mark.parametrize(
    "args",
    [
        (*TABLE, "--csv", "Q.svg", "--plot", "Q.svg"),
        (*COMPARE, "--csv", "Q.svg", "--plot", "./Q.svg"),
        (*LEAGUE, "--csv", "Q.svg", "--plot", "Q.svg"),
        ("review", "game.txt", "--html", "game.txt"),
    ],
    ids=lambda args: args[0],
)
def test_two_outputs_in_one_file_are_refused(folder: Path, args: tuple[str, ...]) -> None:
    said = inside(*args)
    assert (said.code, said.out) == (2, "")
    assert (folder / "game.txt").read_text(encoding="utf-8") == RECORD
    assert not (folder / "Q.svg").exists()


@pytest.mark.long
@pytest.mark.parametrize(("args", "option"), WRITERS, ids=NAMES)
def test_the_answer_is_there_even_if_its_file_is_not(
    folder: Path, monkeypatch: pytest.MonkeyPatch, args: tuple[str, ...], option: str
) -> None:
    """The disk is full by the time that the file is written."""

    opened = os.fdopen

    def full(descriptor: int, mode: str = "r", *more: Any, **named: Any) -> Any:
        if mode == "rb":  # what is read lies on the disk already
            return opened(descriptor, mode, *more, **named)
        os.close(descriptor)
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files.os, "fdopen", full)
    said = inside(*args, option, "x.svg")
    assert said.code == 4
    assert said.out.strip()
    assert said.err.splitlines()[-1] == "lama-odds: x.svg: No space left on device"
    assert sorted(path.name for path in folder.iterdir()) == ["folder.svg", "game.txt"]


def test_files_are_written_even_if_nobody_reads_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[str] = []

    def closed(*parts: object, **more: object) -> None:
        raise BrokenPipeError

    monkeypatch.setattr("builtins.print", closed)
    with pytest.raises(BrokenPipeError):
        common.show(False, None, lambda: "answer", lambda: written.append("file"))
    assert written == ["file"]


def test_a_copy_of_a_game_is_written_over_no_other_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "precious.txt").write_text("precious")
    typed = "save precious.txt\nsave copy.txt\nsave copy.txt\nsave mine.txt\nsave none/x.txt\n"
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    play = ("play", "dice/amigo", "--players", "2", "--against", "random", "--file", "mine.txt")
    said = inside(*play)
    assert said.code == 0, said.err
    assert (folder / "precious.txt").read_text() == "precious"
    assert "precious.txt exists already" in said.out
    assert said.out.count("saved as copy.txt") == 2
    assert said.out.count("saved as mine.txt") == 1
    assert "cannot write none/x.txt: No such file or directory" in said.out
    assert (folder / "copy.txt").read_text() == (folder / "mine.txt").read_text()


# tables


@pytest.mark.parametrize(
    ("args", "rows"), [(TABLE, "rows"), (COMPARE, "measures"), (LEAGUE, ""), (EQUITY, "")]
)
def test_a_table_on_stdout_is_the_bytes_of_its_file(
    folder: Path, args: tuple[str, ...], rows: str
) -> None:
    assert inside(*args, "--csv", "table.csv").code == 0
    table = (folder / "table.csv").read_text(encoding="utf-8")
    assert inside(*args, "--csv", "-").out == table
    refused = inside(*args, "--csv", "-", "--json")  # one thing at a time
    assert (refused.code, refused.out) == (2, "")
    assert not rows or table.count("\n") == 1 + len(told(*args)[rows])


def test_a_table_in_columns_has_the_same_values(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    said = inside(*LEAGUE, "--csv", "all.csv", "--parquet", "all.parquet", "--json")
    assert said.code == 0, said.err
    lines = list(csv.DictReader(Path("all.csv").read_text(encoding="utf-8").splitlines()))
    rows = parquet.read_table("all.parquet").to_pylist()
    assert len(lines) == len(rows) == 3 + 4 + 2
    for line, row in zip(lines, rows, strict=True):
        assert {name: "" if value is None else str(value) for name, value in row.items()} == line
    assert float(lines[0]["value"]) == said.json["policies"][0]["win"]["value"]
    monkeypatch.setattr("importlib.util.find_spec", lambda name, *more: None)
    assert inside(*LEAGUE, "--parquet", "x.parquet").code == 4
    assert not Path("x.parquet").exists()
