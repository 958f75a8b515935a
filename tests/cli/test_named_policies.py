"""`best` and `@FILE` wherever a policy is named, and what `best` is there."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from lama_odds.games.registry import game_of
from tests.cli.calls import RECORD, answered, inside, same

DICE = game_of("dice")
AMIGO = DICE.rules("dice/amigo")
WIN, POINTS = (DICE.best_policy(AMIGO, 2, aim).name for aim in ("win", "points"))
TWO = ("--players", "2")
DECIDE = "hand=25L row=1346L opp=13,6LL"
# Commands that need not be told a policy, and the option that does.
OPTIONAL: dict[str, tuple[tuple[str, ...], str]] = {
    "advise": (("advise", "dice/amigo", DECIDE, "--games", "1000"), "--opponents"),
    "solved": (("advise", "dice/amigo", "hand=25L row=1346L opp=13"), "--opponents"),
    "thresholds": (("thresholds", "dice/amigo", *TWO, "--games", "2000"), "--policy"),
    "to win": (
        ("thresholds", "dice/amigo+target=12", *TWO, "--games", "2000", "--objective", "win"),
        "--policy",
    ),
    "compare": (("compare", "dice/amigo", "dice/egmont", *TWO, "--games", "500"), "--policy"),
    "sweep": (("sweep", "dice/amigo", "--vary", "dealt=5,6", *TWO, "--games", "500"), "--policy"),
    "tune": (
        ("tune", "dice/amigo", "threshold", *TWO, "--games", "1000", "--objective", "points"),
        "--against",
    ),
    "equity": (("equity", "dice/amigo+target=12", "--rounds", "100"), "--policy"),
    "review": (("review", "game.txt", "--games", "1000", "--objective", "points"), "--opponents"),
}


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a record and a policy file."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "game.txt").write_text(RECORD, encoding="utf-8")
    tuned(tmp_path, "dice/amigo")
    return tmp_path


def tuned(folder: Path, rules: str) -> None:
    """Write policy.json."""
    content = {"kind": "lama-odds policy 1", "rules": rules, "policy": "threshold:7"}
    (folder / "policy.json").write_text(json.dumps(content), encoding="utf-8")


@pytest.mark.long
@pytest.mark.parametrize("name", OPTIONAL)
def test_best_is_what_is_played_if_nothing_is_said(name: str) -> None:
    args, option = OPTIONAL[name]
    said, named = inside(*args, "--json"), inside(*args, option, "best", "--json")
    assert (named.code, named.err) == (0, said.err)
    assert same(named.json) == same(said.json)


@pytest.mark.long
@pytest.mark.parametrize("name", OPTIONAL)
def test_a_file_can_be_named(name: str, in_a_folder: Path) -> None:
    args, option = OPTIONAL[name]
    tuned(in_a_folder, "dice/amigo+target=12" if "target" in str(args) else "dice/amigo")
    said = inside(*args, option, "@policy.json", "--json")
    assert said.code == 0, said.err
    assert same(said.json) == same(inside(*args, option, "threshold:7", "--json").json)


@pytest.mark.long
def test_best_is_best_for_the_objective() -> None:
    assert WIN != POINTS
    asked = ("thresholds", "dice/amigo", *TWO, "--games", "2000", "--policy", "best")
    said = inside(*asked, "--objective", "points")
    assert f"everybody plays {POINTS};" in said.out
    assert inside(*asked, "--json").json["policy"] == WIN
    args = ("tune", "dice/amigo", "threshold", *TWO, "--games", "1000", "--json")
    assert inside(*args, "--against", "best").json["against"] == WIN
    assert inside(*args, "--objective", "points").json["against"] == POINTS


def test_simulate_plays_the_best_for_games_and_for_rounds() -> None:
    args = ("simulate", "dice/amigo", *TWO, "--policy", "best", "--games", "50", "--json")
    assert inside(*args).json["seats"][0]["policy"] == WIN
    assert inside(*args, "--rounds").json["seats"][0]["policy"] == POINTS


def test_a_tournament_names_who_best_is() -> None:
    args = ("tournament", "dice/amigo", *TWO, "--games", "64", "--json", "--policies")
    found = inside(*args, "best,@policy.json").json
    assert {row["policy"] for row in found["policies"]} == {WIN, "threshold:7"}
    said = inside(*args, "threshold:7,@policy.json")
    assert (said.code, "threshold:7 is named twice" in said.err) == (2, True)
    said = inside(*args, "random,@none.json")
    assert said.code == 2
    assert "none.json" in said.err
    said = inside(*args, "random")
    assert "meanfield[:out=O" in said.err
    assert said.err.rstrip().endswith("best, @FILE")


def test_a_tournament_reads_policies_with_several_numbers() -> None:
    args = ("tournament", "lama/egmont", *TWO, "--games", "30", "--json", "--policies")
    found = inside(*args, "threshold:5,meanfield:out=2, even=1,matching:3").json
    names = {row["policy"] for row in found["policies"]}
    assert names == {"threshold:5", "meanfield:out=2,even=1", "matching:3"}
    said = inside(*args, "threshold:5,even=1")
    assert said.code == 2


@pytest.mark.long
def test_retuned_seats_the_best_of_each_and_nothing_else() -> None:
    args = ("compare", "dice/amigo", "dice/egmont", *TWO, "--games", "500", "--json")
    said = inside(*args, "--policies", "retuned", "--policy", "best")
    assert said.code == 2
    best = [DICE.best_policy(DICE.rules(r), 2).name for r in ("dice/amigo", "dice/egmont")]
    assert inside(*args, "--policies", "retuned").json["policies"] == best
    for_all = DICE.best_for_all([DICE.rules(r) for r in ("dice/amigo", "dice/egmont")], 2).name
    assert inside(*args, "--policy", "best").json["policies"] == [for_all] * 2


def test_a_game_is_played_against_best_and_a_file(
    in_a_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    args = ("play", "dice/amigo", "--players", "3", "--file", "played.txt")
    said = inside(*args, "--against", "best", "--against", "@policy.json")
    assert said.code == 0, said.err
    best = DICE.best_policy(AMIGO, 3).name
    lines = (in_a_folder / "played.txt").read_text(encoding="utf-8").splitlines()
    assert f"policies me {best} threshold:7" in lines


def test_what_a_file_was_tuned_for_is_said(in_a_folder: Path) -> None:
    content = json.loads((in_a_folder / "policy.json").read_text(encoding="utf-8"))
    content |= {"players": 2, "objective": "win"}
    (in_a_folder / "policy.json").write_text(json.dumps(content), encoding="utf-8")
    play = ("--policy", "@policy.json", "--games", "20", "--json")
    said = inside("simulate", "dice/amigo", "--players", "3", *play)
    assert (said.code, said.json["players"]) == (0, 3)
    assert "policy.json: threshold:7 was tuned for 2 players, not for 3" in said.err
    assert inside("simulate", "dice/amigo", *TWO, *play).err == ""
    asked = ("--opponents", "@policy.json", "--games", "1000", "--json")
    said = inside("advise", "dice/amigo", DECIDE, *asked)
    note = "was tuned for 2 players, not for 3"
    assert note in said.err
    assert "not for points" not in said.err
    assert note in said.json["assumptions"][-1]
    said = inside("review", "game.txt", *asked, "--objective", "points")
    assert "for win, not for points" in said.json["assumptions"][-1]
    said = inside("simulate", "dice/egmont", *TWO, *play)
    assert (said.code, "not for dice/egmont" in said.err) == (2, True)


@pytest.mark.long
@pytest.mark.parametrize("name", [(), ("lama",), ("dice/amigo",)])
def test_policies_lists_them(name: tuple[str, ...]) -> None:
    found = answered("policies", *name)["policies"]
    assert list(found)[-2:] == ["best", "@FILE"]
    assert "strongest known" in found["best"]
    assert "tune" in found["@FILE"]
