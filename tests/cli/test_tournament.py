"""`tournament` as a user runs it: text, JSON, files, input that cannot be read."""

from __future__ import annotations

import csv
import importlib.util
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from lama_odds.analysis.tournament.tournament import FEWEST_GAMES, MOST_GAMES, PRECISION
from lama_odds.api import tables
from lama_odds.cli import tournament as command
from tests.cli.calls import answered, caret, inside, process, same
from tests.cli.test_commands import ESTIMATE, estimates

NAMES = ("threshold:5", "matching:5", "random")
PLAY = ("tournament", "lama/egmont", "--players", "3", "--policies", ",".join(NAMES))
SHORT = (*PLAY, "--games", "100")
KEYS = {
    *("rules", "players", "policies", "matrix", "games", "seed", "threads", "seconds", "version"),
    *("pairs", "points_measure", "points_higher_is_better", "tables", "games_in_all"),
    *("first_game", "league", "precision", "half_width"),
}


@pytest.mark.long
def test_json_has_its_keys() -> None:
    answer = answered(*SHORT)
    assert set(answer) == KEYS
    assert {row["policy"] for row in answer["policies"]} == set(NAMES)
    wins = [row["win"]["value"] for row in answer["policies"]]
    assert wins == sorted(wins, reverse=True)
    assert sum(wins) == pytest.approx(1)
    for row in answer["policies"]:
        assert set(row) == {"policy", "win", "points", "rank", "worst_rank"}
        assert 1 <= row["rank"] <= row["worst_rank"] <= 3
    assert set(answer["matrix"]) == set(NAMES)
    for name, row in answer["matrix"].items():
        assert set(row) == set(NAMES)
        assert row[name] == {
            **{"value": 1 / 3, "stderr": 0.0, "low": 1 / 3, "high": 1 / 3, "n": 0},
            "method": "exact",
        }
    for found in estimates(answer):
        assert list(found) == ESTIMATE
        assert found["low"] <= found["value"] <= found["high"]
    assert (answer["games"], answer["tables"], answer["games_in_all"]) == (100, 24, 2_400)
    assert answer["points_higher_is_better"] is False


@pytest.mark.long
def test_same_bits_on_one_and_two_threads() -> None:
    assert same(inside(*SHORT, "--threads", "1", "--json").json) == same(answered(*SHORT))
    assert same(inside(*SHORT, "--seed", "1", "--json").json) != same(answered(*SHORT))


@pytest.mark.long
def test_text() -> None:
    said = process(*SHORT)
    assert said.code == 0, said.err
    assert said.err == ""
    assert re.search(r"^rank +policy +wins +score$", said.out, re.MULTILINE)
    full = process(*SHORT, "--verbose").out
    assert re.search(r"^matching:5 +1 +\d+\.\d ± \d\.\d %", full, re.MULTILINE)
    assert "--games 100 repeats this answer" in full


@pytest.mark.long
def test_precision_names_the_games_that_repeat_it() -> None:
    found = answered(*PLAY, "--precision", "0.03")
    assert found["precision"] == 0.03
    assert found["half_width"] < 0.031
    again = inside(*PLAY, "--games", str(found["games"]), "--json").json
    assert again["policies"] == found["policies"]
    assert again["matrix"] == found["matrix"]


def test_files(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    import pyarrow.parquet

    table, columns = tmp_path / "all.csv", tmp_path / "all.parquet"
    said = inside(*SHORT, "--csv", str(table), "--parquet", str(columns), "--json")
    assert said.code == 0, said.err
    lines = list(csv.DictReader(table.read_text(encoding="utf-8").splitlines()))
    rows = pyarrow.parquet.read_table(columns).to_pylist()
    assert len(lines) == len(rows) == 6 + 9 + 3
    for line, row in zip(lines, rows, strict=True):
        assert {name: "" if value is None else str(value) for name, value in row.items()} == line
    assert float(lines[0]["value"]) == said.json["policies"][0]["win"]["value"]


def test_parquet_without_pyarrow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    find = importlib.util.find_spec

    def without(name: str, *more: Any) -> Any:
        return None if name == "pyarrow" else find(name, *more)

    monkeypatch.setattr(importlib.util, "find_spec", without)
    said = inside(*SHORT, "--parquet", str(tmp_path / "x.parquet"))
    assert said.code == 4
    assert 'pip install ".[parquet]"' in said.err
    assert not list(tmp_path.iterdir())


def test_files_that_cannot_be_written_are_refused_before_playing(tmp_path: Path) -> None:
    for option in ("--csv", "--parquet"):
        for path in (tmp_path, tmp_path / "none" / "x"):
            said = inside(*PLAY, "--games", str(10**9), option, str(path))
            assert said.code == 4, said.err
            assert option in said.err


BAD = [
    ("random", "one policy, expected two or more", 6),
    ("random,treshold:5", "did you mean threshold?", 7),
    ("random, threshold:5,threshold:x", "threshold:x", 30),
    ("random,threshold:5,random", "random is named twice", 19),
    ("random,,threshold:5", "a policy is missing", 7),
    ("random,threshold:5,", "a policy is missing", 19),
    ("", "a policy is missing", 0),
]


@pytest.mark.parametrize(("text", "message", "at"), BAD)
def test_policies_that_cannot_be_read(text: str, message: str, at: int) -> None:
    said = inside("tournament", "lama/egmont", "--players", "3", "--policies", text)
    assert said.code == 2
    assert message in said.err
    assert caret(said) == (text, at)


@pytest.mark.parametrize(
    "options",
    [
        *(("--players", "1"), ("--players", "7"), ("--games", "29"), ("--games", "0")),
        *(("--precision", "0"), ("--precision", "nan"), ("--precision", "0.6")),
        *(("--threads", "0"), ("--seed", "-1")),
    ],
)
def test_numbers_out_of_bounds(options: tuple[str, str]) -> None:
    assert inside(*SHORT, *options).code == 2


@pytest.mark.long
def test_as_a_process_bad_input_has_no_traceback() -> None:
    said = process("tournament", "lama/egmont", "--players", "3", "--policies", "random,meanfeld")
    assert said.code == 2
    assert "did you mean meanfield?" in said.err
    assert "Traceback" not in said.err
    assert said.out == ""
    many = ",".join(f"threshold:{t}" for t in range(command.MOST_POLICIES + 1))
    said = inside("tournament", "lama/egmont", "--players", "3", "--policies", many)
    assert said.code == 2


@pytest.mark.long
def test_the_examples_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    examples = re.findall(r"^lama-odds (.*)$", command.EXAMPLES, re.MULTILINE)
    assert len(examples) == 4
    for example in examples:
        shorter = re.sub(r"--(precision|games) \S+", "", example)
        said = inside(*shlex.split(shorter), "--games", "30", "--json")
        assert said.code == 0, said.err
        assert said.json["games"] == 30
    assert "Examples" in process("tournament", "--help").out


def test_bounds_are_those_of_the_analysis() -> None:
    assert tables.PRECISION == PRECISION
    assert inside(*PLAY, "--games", str(FEWEST_GAMES - 1)).code == 2
    assert inside(*PLAY, "--games", str(MOST_GAMES + 1)).code == 2
    assert inside(*PLAY, "--games", str(FEWEST_GAMES), "--json").code == 0
