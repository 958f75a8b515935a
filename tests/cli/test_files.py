"""Files that commands write: refused before the computing, never in the way of the answer."""

from __future__ import annotations

import csv
import importlib.util
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
ODDS = ("odds", "dice/amigo", "deal")
ADVICE = (*SAMPLED, *GAMES)
WRITERS = [
    *((TABLE, "--csv"), (TABLE, "--plot"), (TUNE, "--out"), (COMPARE, "--csv")),
    *((COMPARE, "--plot"), (LEAGUE, "--csv"), (LEAGUE, "--plot"), (EQUITY, "--csv")),
    *((ODDS, "--plot"), (ADVICE, "--plot"), (("review", "game.txt"), "--html")),
]
NAMES = [f"{args[0]} {option}" for args, option in WRITERS]
posix = pytest.mark.skipif(os.name != "posix", reason="of POSIX systems")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to be in, but for a record and a folder that looks like a figure."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "game.txt").write_text(RECORD, encoding="utf-8")
    (tmp_path / "folder.svg").mkdir()
    return tmp_path


@pytest.mark.parametrize(("args", "option"), WRITERS, ids=NAMES)
@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("folder.svg", "found a folder, expected a file to write"),
        ("none/x.svg", "there is no folder none"),
        ("game.txt/x.svg", "expected a f"),
    ],
)
def test_a_place_that_cannot_be_written_is_refused_before_the_computing(
    folder: Path, args: tuple[str, ...], option: str, name: str, told: str
) -> None:
    """The answer comes first if there is one: without it, nothing was computed."""
    said = inside(*args, option, name)
    assert (said.code, said.out) == (4, "")
    assert f"{option} {name}: " in said.err
    assert told in said.err
    assert "Errno" not in said.err


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
    assert "is the same file, expected another name" in said.err
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


@posix
def test_a_link_a_pipe_and_permissions_stay(folder: Path) -> None:
    (folder / "target.csv").write_text("old")
    (folder / "target.csv").chmod(0o600)
    (folder / "link.csv").symlink_to("target.csv")
    assert inside(*EQUITY, "--csv", "link.csv").code == 0
    assert (folder / "link.csv").is_symlink()
    assert (folder / "target.csv").read_text().startswith("rules,policy,")
    assert (folder / "target.csv").stat().st_mode & 0o777 == 0o600


# play


PLAY = ("play", "dice/amigo", "--players", "2", "--against", "random", "--file", "mine.txt")


def test_save_writes_over_no_other_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "precious.txt").write_text("precious")
    typed = "save precious.txt\nsave copy.txt\nsave copy.txt\nsave mine.txt\nsave none/x.txt\n"
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    said = inside(*PLAY)
    assert said.code == 0, said.err
    assert (folder / "precious.txt").read_text() == "precious"
    assert "precious.txt exists already" in said.out
    assert said.out.count("saved as copy.txt") == 2
    assert said.out.count("saved as mine.txt") == 1
    assert "cannot write none/x.txt: No such file or directory" in said.out
    assert (folder / "copy.txt").read_text() == (folder / "mine.txt").read_text()


# tables


@pytest.mark.parametrize("args", [TABLE, COMPARE, LEAGUE, EQUITY], ids=lambda args: args[0])
def test_a_table_on_stdout_is_the_bytes_of_its_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch, args: tuple[str, ...]
) -> None:
    monkeypatch.setattr("lama_odds.analysis.thresholds.thresholds.PILOT_GAMES", 400)
    said = inside(*args, "--csv", "table.csv")
    assert said.code == 0
    assert said.out
    assert inside(*args, "--csv", "-").out == (folder / "table.csv").read_text(encoding="utf-8")
    refused = inside(*args, "--csv", "-", "--json")  # one thing at a time
    assert (refused.code, refused.out) == (2, "")


@pytest.mark.long
def test_rows_of_a_table_are_those_of_the_answer(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lama_odds.analysis.thresholds.thresholds.PILOT_GAMES", 400)
    figures = ("--plot", "x.svg")
    for asked, rows in ((TABLE, "rows"), (COMPARE, "measures")):
        assert inside(*asked, "--csv", "table.csv", *figures).code == 0
        assert (folder / "table.csv").read_text().count("\n") == 1 + len(told(*asked)[rows])
        assert (folder / "x.svg").read_text(encoding="utf-8").startswith("<?xml")
    assert inside(*COMPARE, "--plot", "x.PNG").code == 0
    assert (folder / "x.PNG").read_bytes().startswith(b"\x89PNG")


def test_files(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    import pyarrow.parquet

    table, columns = tmp_path / "all.csv", tmp_path / "all.parquet"
    said = inside(*LEAGUE, "--csv", str(table), "--parquet", str(columns), "--json")
    assert said.code == 0, said.err
    lines = list(csv.DictReader(table.read_text(encoding="utf-8").splitlines()))
    rows = pyarrow.parquet.read_table(columns).to_pylist()
    assert len(lines) == len(rows) == 3 + 4 + 2
    for line, row in zip(lines, rows, strict=True):
        assert {name: "" if value is None else str(value) for name, value in row.items()} == line
    assert float(lines[0]["value"]) == said.json["policies"][0]["win"]["value"]


def test_parquet_without_pyarrow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    find = importlib.util.find_spec

    def without(name: str, *more: Any) -> Any:
        return None if name == "pyarrow" else find(name, *more)

    monkeypatch.setattr(importlib.util, "find_spec", without)
    said = inside(*LEAGUE, "--parquet", str(tmp_path / "x.parquet"))
    assert said.code == 4
    assert 'pip install ".[parquet]"' in said.err
    assert not list(tmp_path.iterdir())


def test_files_are_written_even_if_nobody_reads_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[str] = []

    def closed(*parts: object, **more: object) -> None:
        raise BrokenPipeError

    monkeypatch.setattr("builtins.print", closed)
    with pytest.raises(BrokenPipeError):
        common.show(False, None, lambda: "answer", lambda: written.append("file"))
    assert written == ["file"]
