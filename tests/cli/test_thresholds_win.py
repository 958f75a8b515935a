"""``lama-odds thresholds --objective win``: text, JSON, files, runs, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lama_odds.games.registry import game_of
from tests.cli.calls import inside

ASK = ("thresholds", "dice/amigo", "--players", "2", "--objective", "win")
SHORT = (*ASK, "--policy", "threshold:8", "--games", "400", "--band", "20")


def test_json_has_rows_and_limits_by_score() -> None:
    said = inside(*SHORT, "--json")
    assert said.code == 0
    found = said.json
    assert found["objective"] == "win"
    assert found["band"] == 20
    assert {(x["own"], x["other"]) for x in found["limits"]} <= {
        (own, other) for own in (0, 20) for other in (0, 20)
    }
    assert found["rows"]
    for row in found["rows"]:
        assert {"penalty", "own", "other", "met", "met_estimate", "n", "win", "points"} == set(row)
        assert set(row["win"]) == {"quit", "roll", "difference", "better"}
    assert inside(*SHORT, "--threads", "1", "--json").out == said.out


def test_text_and_files(tmp_path: Path) -> None:
    table, figure = tmp_path / "t.csv", tmp_path / "t.svg"
    short = inside(*SHORT).out
    assert "To win the game, quit at this penalty or less" in short
    assert short.splitlines()[2].startswith("▶ To win the game, ")
    said = inside(*SHORT, "-v", "--csv", str(table), "--plot", str(figure))
    assert said.code == 0
    assert "To win the game: quit at this penalty or less" in said.out
    assert "400 games, seed 0" in said.out
    rows = inside(*SHORT, "--json").json["rows"]
    assert table.read_text(encoding="utf-8").count("\n") == len(rows) + 1
    assert "<svg" in figure.read_text(encoding="utf-8")


@pytest.mark.long
def test_the_best_policy_for_winning_if_none_is_named() -> None:
    game = game_of("dice/amigo")
    best = game.best_policy(game.rules("dice/amigo"), 3, "win").name
    assert best != game.best_policy(game.rules("dice/amigo"), 3, "points").name
    asked = ("--players", "3", "--objective", "win", "--games", "100", "--band", "40")
    assert inside("thresholds", "dice/amigo", *asked, "--json").json["policy"] == best


def test_a_run_is_gone_on_with(tmp_path: Path) -> None:
    folder = str(tmp_path / "run")
    whole = inside(*SHORT, "--json").out
    assert inside(*SHORT, "--run", folder, "--json").out == whole
    assert inside(*SHORT, "--run", folder, "--json").out == whole
    assert json.loads(whole)["games"] == 400
    other = inside("thresholds", "dice/amigo", "--players", "2", "--games", "400",
                   "--policy", "threshold:8", "--run", folder)  # fmt: skip
    assert other.code != 0
    assert "objective" in other.err


@pytest.mark.parametrize(
    ("args", "code", "told"),
    [
        (("lama/egmont", "--objective", "wim"), 2, "did you mean win"),
        (("lama/egmont", "--objective", "win", "--band", "0"), 2, "band"),
        (("lama/egmont", "--objective", "win", "--precision", "0"), 2, "precision"),
        (("pikomino/egmont", "--players", "2", "--objective", "win"), 4, "lama and dice"),
        (("noprob/starnberger", "--objective", "win"), 4, "lama and dice"),
    ],
)
def test_what_cannot_be_asked_is_told(args: tuple[str, ...], code: int, told: str) -> None:
    said = inside("thresholds", *args)
    assert said.code == code
    assert told in said.err
    assert said.out == ""
