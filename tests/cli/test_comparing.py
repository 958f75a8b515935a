"""What is compared: rule sets, policies and files of both, wherever one can be named."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from lama_odds.analysis.tournament import FEWEST_GAMES, MOST_GAMES, PRECISION
from lama_odds.analysis.variants.given import read_variants, with_options
from lama_odds.api import tables
from lama_odds.cli import tournament as command
from lama_odds.core.errors import ReadError
from lama_odds.games.registry import game_of
from tests.cli.calls import RECORD, inside, same, told

TWO = ("--players", "2")
THRESHOLD = ("--policy", "threshold:6")
NAMES = ("threshold:5", "matching:5", "random")
LEAGUE = ("tournament", "lama/egmont", "--players", "3", "--policies", ",".join(NAMES))


# bounds and policies


@pytest.mark.long
def test_policies_of_their_own() -> None:
    game = game_of("dice/amigo")
    rules = [game.rules(name) for name in ("dice/amigo", "dice/egmont")]
    asked = ("compare", *(each.id for each in rules), "--players", "3", "--games", "400")
    answer = told(*asked, "--policies", "retuned")
    assert answer["policies"] == [game.best_policy(each, 3).name for each in rules]
    assert answer["retuned"]
    assert told(*asked)["policies"] == [game.best_for_all(rules, 3).name] * 2


def test_bounds_are_those_of_the_analysis() -> None:
    assert tables.PRECISION == PRECISION
    codes = {FEWEST_GAMES - 1: 2, FEWEST_GAMES: 0, MOST_GAMES + 1: 2}
    assert {games: inside(*LEAGUE, "--games", str(games)).code for games in codes} == codes
    many = ",".join(f"threshold:{t}" for t in range(command.MOST_POLICIES + 1))
    assert inside(*LEAGUE[:-1], many).code == 2


# best and @FILE as a policy


DICE = game_of("dice")
AMIGO = DICE.rules("dice/amigo")
WIN, POINTS = (DICE.best_policy(AMIGO, 2, aim).name for aim in ("win", "points"))
DECIDE = "hand=25L row=1346L opp=13,6LL"
QUICK = 'name = "quick"\nbase = "dice/amigo"\nabout = "Ends at 20 points."\noptions.target = 20\n'
# Commands that need not be told a policy, and the option that does.
OPTIONAL: dict[str, tuple[tuple[str, ...], str]] = {
    "advise": (("advise", "dice/amigo", "hand=25L row=1346L opp=13"), "--opponents"),
    "thresholds": (("thresholds", "dice/amigo", *TWO, "--games", "2000"), "--policy"),
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
    """A folder with a record, a policy, and rule sets."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("lama_odds.analysis.thresholds.thresholds.PILOT_GAMES", 400)
    (tmp_path / "game.txt").write_text(RECORD, encoding="utf-8")
    (tmp_path / "quick.toml").write_text(QUICK, encoding="utf-8")
    tuned("dice/amigo")
    return tmp_path


def tuned(rules: str, **more: Any) -> None:
    """Write policy.json."""
    content = {"kind": "lama-odds policy 1", "rules": rules, "policy": "threshold:7", **more}
    Path("policy.json").write_text(json.dumps(content), encoding="utf-8")


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", OPTIONAL)
def test_best_is_played_if_nothing_is_said_and_a_file_can_be_named(name: str) -> None:
    args, option = OPTIONAL[name]
    if "target" in str(args):
        tuned("dice/amigo+target=12")
    nothing, best, file, policy = (
        same(told(*args, *named))
        for named in ((), *((option, each) for each in ("best", "@policy.json", "threshold:7")))
    )
    assert nothing == best != file == policy


@pytest.mark.long
def test_best_is_best_for_the_objective() -> None:
    assert WIN != POINTS
    tune = ("tune", "dice/amigo", "threshold", *TWO, "--games", "1000")
    assert told(*tune, "--against", "best")["against"] == WIN
    assert told(*tune, "--objective", "points")["against"] == POINTS
    play = ("simulate", "dice/amigo", *TWO, "--policy", "best", "--games", "50")
    assert told(*play)["seats"][0]["policy"] == WIN
    assert told(*play, "--rounds")["seats"][0]["policy"] == POINTS


def test_a_tournament_names_who_best_is_and_reads_several_numbers() -> None:
    args = ("tournament", "dice/amigo", *TWO, "--games", "64", "--policies")
    names = {row["policy"] for row in told(*args, "best,@policy.json")["policies"]}
    assert names == {WIN, "threshold:7"}
    said = inside(*args, "threshold:7,@policy.json")
    assert (said.code, "threshold:7 is named twice" in said.err) == (2, True)
    args = ("tournament", "lama/egmont", *TWO, "--games", "30", "--policies")
    found = told(*args, "threshold:5,meanfield:out=2, even=1,matching:3")
    names = {row["policy"] for row in found["policies"]}
    assert names == {"threshold:5", "meanfield:out=2,even=1", "matching:3"}


def test_a_game_is_played_against_best_and_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    args = ("play", "dice/amigo", "--players", "3", "--file", "played.txt")
    said = inside(*args, "--against", "best", "--against", "@policy.json")
    assert said.code == 0, said.err
    best = DICE.best_policy(AMIGO, 3).name
    lines = Path("played.txt").read_text(encoding="utf-8").splitlines()
    assert f"policies me {best} threshold:7" in lines


def test_what_a_file_was_tuned_for_is_noted() -> None:
    tuned("dice/amigo", players=2, objective="win")
    note = "was tuned for 2 players, not for 3"
    play = ("--policy", "@policy.json", "--games", "20")
    assert note in inside("simulate", "dice/amigo", "--players", "3", *play).err
    assert inside("simulate", "dice/amigo", *TWO, *play).err == ""
    asked = ("--opponents", "@policy.json", "--games", "1000")
    assert note in told("advise", "dice/amigo", DECIDE, *asked)["assumptions"][-1]
    found = told("review", "game.txt", *asked, "--objective", "points")
    assert "for win, not for points" in found["assumptions"][-1]


# variants in files


RULES = "dice/amigo+target=20"
FEW = (*TWO, "--games", "400", *THRESHOLD)


def test_a_variant_of_a_file_is_named_in_words_and_by_its_id_elsewhere() -> None:
    """Its name is shown as it is written: nothing in it is taken for a style or a formula."""
    name = "a [bold]b[red] $x$ + ${y"
    Path("quick.toml").write_text(QUICK.replace('"quick"', f'"{name}"'), encoding="utf-8")
    found, plain = told("rules", "@quick.toml"), told("rules", RULES)
    assert (found["rules"], found["base"], found["name"]) == (RULES, "dice/amigo", name)
    assert found["changes"] == [{"option": "target", "base": 40, "variant": 20}]
    assert {key: found[key] for key in plain} == plain
    assert inside("rules", "@quick.toml").out.startswith(f"{name}: {RULES}")
    asked = ("compare", "dice/amigo", "@quick.toml", *FEW)
    said = inside(*asked, "--csv", "rows.csv", "--plot", "changes.svg")
    assert (said.code, name in said.out) == (0, True)
    assert f"{name} against dice/amigo" in Path("changes.svg").read_text(encoding="utf-8")
    table = Path("rows.csv").read_text(encoding="utf-8")
    assert (RULES in table, name in table) == (True, False)
    assert told(*asked) == told("compare", "dice/amigo", RULES, *FEW)
    answer = told("sweep", "@quick.toml", "--vary", "twenty", *FEW)
    assert [each["rules"] for each in answer["variants"]] == [RULES, f"{RULES}+twenty"]


def test_a_run_folder_and_a_record_have_the_id(in_a_folder: Path) -> None:
    assert inside("simulate", "@quick.toml", *FEW, "--run", "long").code == 0
    shown = inside("simulate", "@quick.toml", *FEW, "--show", "1").out
    assert f"rules {RULES}" in shown.splitlines()
    (in_a_folder / "quick.toml").unlink()
    assert told("simulate", RULES, *FEW, "--run", "long")["rules"] == RULES
    for path in (in_a_folder / "long").rglob("*"):
        assert path.is_dir() or b"quick" not in path.read_bytes()


def test_an_option_alone_is_the_baseline_with_it() -> None:
    assert with_options("lama/egmont+target=30+twenty", "+target=50") == (
        "lama/egmont+twenty+target=50"
    )
    asked = ("lama/egmont+twenty", "+target=30", "+twenty=off", "lama/party")
    found = read_variants(asked, 3)
    assert [each.rules.id for each in found] == [
        game_of(text).rules(text).id
        for text in ("lama/egmont+twenty", "lama/egmont+twenty+target=30", "lama/egmont", asked[3])
    ]


@pytest.mark.parametrize(
    "asked",
    [
        ("+target=30", "lama/egmont"),
        ("lama/egmont", "+nothing"),
        ("lama/egmont", "+"),
        ("lama/egmont", "+target=30+target=40"),
        ("lama/egmont", "+target=40"),
    ],
)
def test_options_alone_that_cannot_be_read(asked: tuple[str, ...]) -> None:
    with pytest.raises(ReadError) as refused:
        read_variants(asked, 3)
    assert refused.value.text is not None
