"""Files that commands write: refused before the computing, never in the way of the answer."""

from __future__ import annotations

import csv
import io
import os
from pathlib import Path
from typing import Any

import pytest

from lama_odds.cli import common
from lama_odds.core import files
from tests.cli.calls import RECORD, SAMPLED, inside, told

GAMES = ("--games", "1000")
TABLE = ("thresholds", "dice/amigo", "--players", "2", *GAMES)
TUNE = ("tune", "dice/amigo", "threshold", "--players", "2", *GAMES)
COMPARE = ("compare", "dice/amigo", "dice/egmont", "--players", "2", "--games", "100")
LEAGUE = (
    *("tournament", "dice/amigo", "--players", "2", "--policies", "random,threshold:5"),
    *("--games", "64"),
)
EQUITY = ("equity", "dice/amigo")
WRITERS = [
    *((TABLE, "--csv"), (TABLE, "--plot"), (TUNE, "--out"), (COMPARE, "--csv")),
    *((COMPARE, "--plot"), (LEAGUE, "--csv"), (LEAGUE, "--plot"), (EQUITY, "--csv")),
    *((("odds", "dice/amigo", "deal"), "--plot"), ((*SAMPLED, *GAMES), "--plot")),
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
