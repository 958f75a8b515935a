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
EDITIONS = ("compare", "dice/amigo", "dice/egmont", "--players", "3")
THRESHOLD = ("--policy", "threshold:6")
SWEPT = ("sweep", "dice/amigo", "--vary", "dealt=5,6", "--vary", "target=20..40..10", *TWO)
NAMES = ("threshold:5", "matching:5", "random")
LEAGUE = ("tournament", "lama/egmont", "--players", "3", "--policies", ",".join(NAMES))


# compare


def test_differences_are_those_of_what_is_compared() -> None:
    answer = told(*EDITIONS, "dice/gigamic", *THRESHOLD, "--games", "2000")
    assert (answer["baseline"], answer["others"]) == ("dice/amigo", ["dice/egmont", "dice/gigamic"])
    assert (answer["players"], answer["games"], answer["seed"]) == (3, 2000, 0)
    assert (answer["policies"], answer["retuned"]) == (["threshold:6"] * 3, False)
    names = {rules: [] for rules in answer["others"]}
    for row in answer["measures"]:
        names[row["rules"]].append(row["name"])
        assert row["verdict"] in ("differs", "same", "undecided")
        difference = row["difference"]
        values = [row[name]["value"] for name in ("other", "baseline")]
        assert difference["value"] == pytest.approx(values[0] - values[1], abs=1e-9)
        # Editions that play alike differ in nothing, for certain.
        alike = row["rules"] == "dice/gigamic"
        assert (difference["method"] == "exact") == (alike or row["name"] == "decisions")
        if alike:
            assert (row["verdict"], difference["low"], difference["high"]) == ("same", 0, 0)
    assert names["dice/egmont"] == names["dice/gigamic"]
    assert {"penalty", "went_out", "win seat 2", "decisions"} <= set(names["dice/egmont"])


@pytest.mark.parametrize(
    "question",
    [
        (*EDITIONS, *THRESHOLD, "--games", "400"),
        (*SWEPT, *THRESHOLD, "--games", "200"),
        (*LEAGUE, "--games", "100"),
    ],
    ids=lambda question: question[0],
)
def test_the_number_of_threads_changes_nothing_and_the_seed_does(question: tuple[str, ...]) -> None:
    first, second = (told(*question, "--threads", threads) for threads in "12")
    assert same(first) == same(second) != same(told(*question, "--seed", "1"))


@pytest.mark.long
def test_policies_of_their_own() -> None:
    game = game_of("dice/amigo")
    rules = [game.rules(name) for name in EDITIONS[1:3]]
    asked = (*EDITIONS, "--games", "400")
    best = [game.best_policy(each, 3).name for each in rules]
    answer = told(*asked, "--policies", "retuned")
    assert (answer["retuned"], answer["policies"]) == (True, best)
    assert told(*asked)["policies"] == [game.best_for_all(rules, 3).name] * 2
    both = ("--policies", "retuned", "--policy", "best")
    assert inside(*asked, *both).code == 2


def test_precision_and_all_pairs() -> None:
    ask = ("compare", "dice/amigo", "dice/amigo+target=30", "dice/amigo+dealt=5", *TWO)
    answer = told(*ask, *THRESHOLD, "--precision", "rounds=0.1", "--all-pairs")
    rows = [row for row in answer["measures"] if row["name"] == "rounds"]
    pairs = [(row["against"].partition("+")[2], row["rules"].partition("+")[2]) for row in rows]
    assert pairs == [("", "target=30"), ("", "dealt=5"), ("target=30", "dealt=5")]
    for row in rows:
        assert row["difference"]["high"] - row["difference"]["low"] <= 0.2
        assert row["delta"] == pytest.approx(0.01 * row["baseline"]["value"])


def test_delta_decides_what_is_the_same() -> None:
    ask = ("compare", "dice/amigo", "dice/amigo+target=50", *TWO, *THRESHOLD, "--games", "1000")

    def verdict_with(*deltas: str) -> str:
        options = [part for delta in deltas for part in ("--delta", delta)]
        rows = told(*ask, *options)["measures"]
        return next(row["verdict"] for row in rows if row["name"] == "rounds")

    assert verdict_with() == "differs"
    assert verdict_with("90%") == "same"
    assert verdict_with("90%", "rounds=0.1") == "differs"


# sweep


def test_a_sweep_sorts_all_its_variants_by_a_wish() -> None:
    answer = told(*SWEPT, *THRESHOLD, "--games", "400", "--wish", "rounds=2..4")
    assert answer["vary"] == {"dealt": [5, 6], "target": [20, 30, 40]}
    assert answer["policies"] == ["threshold:6"] * 6
    (wish,) = answer["wishes"]
    assert (wish["low"], wish["high"], wish["measure"]) == (2, 4, "rounds")
    every = wish["surely"] + wish["maybe"] + wish["surely_not"]
    assert sorted(every) == sorted(variant["rules"] for variant in answer["variants"])
    assert {trend["option"] for trend in answer["trends"]} == {"dealt", "target"}
    plain = inside(*SWEPT, *THRESHOLD, "--games", "400", "--csv", "-", "--wish", "rounds<3").out
    assert plain.startswith("players,seed,games,policy,rules,dealt,target,measure,unit")
    assert ",rounds<3,surely\n" in plain


# tournament


def test_a_tournament_ranks_by_wins() -> None:
    answer = told(*LEAGUE, "--games", "100")
    assert {row["policy"] for row in answer["policies"]} == set(NAMES)
    wins = [row["win"]["value"] for row in answer["policies"]]
    assert wins == sorted(wins, reverse=True)
    assert sum(wins) == pytest.approx(1)
    assert all(1 <= row["rank"] <= row["worst_rank"] <= 3 for row in answer["policies"])
    assert set(answer["matrix"]) == set(NAMES)
    for name, row in answer["matrix"].items():
        assert set(row) == set(NAMES)
        itself = row[name]
        assert (itself["low"], itself["value"], itself["high"]) == (1 / 3, 1 / 3, 1 / 3)
    assert (answer["games"], answer["tables"], answer["games_in_all"]) == (100, 24, 2_400)
    assert answer["points_higher_is_better"] is False


def test_precision_names_the_games_that_repeat_it() -> None:
    found = told(*LEAGUE, "--precision", "0.05")
    assert found["precision"] == 0.05
    assert found["half_width"] < 0.051
    again = told(*LEAGUE, "--games", str(found["games"]))
    assert (again["policies"], again["matrix"]) == (found["policies"], found["matrix"])


def test_bounds_are_those_of_the_analysis() -> None:
    assert tables.PRECISION == PRECISION
    assert inside(*LEAGUE, "--games", str(FEWEST_GAMES - 1)).code == 2
    assert inside(*LEAGUE, "--games", str(MOST_GAMES + 1)).code == 2
    assert inside(*LEAGUE, "--games", str(FEWEST_GAMES)).code == 0
    many = ",".join(f"threshold:{t}" for t in range(command.MOST_POLICIES + 1))
    assert inside(*LEAGUE[:-1], many).code == 2


# best and @FILE as a policy


DICE = game_of("dice")
AMIGO = DICE.rules("dice/amigo")
WIN, POINTS = (DICE.best_policy(AMIGO, 2, aim).name for aim in ("win", "points"))
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


@pytest.fixture
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a record, a policy, and rule sets."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("lama_odds.analysis.thresholds.thresholds.PILOT_GAMES", 400)
    (tmp_path / "game.txt").write_text(RECORD, encoding="utf-8")
    (tmp_path / "quick.toml").write_text(QUICK, encoding="utf-8")
    tuned(tmp_path, "dice/amigo")
    return tmp_path


def tuned(folder: Path, rules: str, **more: Any) -> None:
    """Write policy.json."""
    content = {"kind": "lama-odds policy 1", "rules": rules, "policy": "threshold:7", **more}
    (folder / "policy.json").write_text(json.dumps(content), encoding="utf-8")


@pytest.mark.one_in(2)
@pytest.mark.usefixtures("in_a_folder")
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


@pytest.mark.usefixtures("in_a_folder")
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


@pytest.mark.long
def test_a_tournament_reads_policies_with_several_numbers() -> None:
    args = ("tournament", "lama/egmont", *TWO, "--games", "30", "--json", "--policies")
    found = inside(*args, "threshold:5,meanfield:out=2, even=1,matching:3").json
    names = {row["policy"] for row in found["policies"]}
    assert names == {"threshold:5", "meanfield:out=2,even=1", "matching:3"}
    said = inside(*args, "threshold:5,even=1")
    assert said.code == 2


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


def test_what_a_file_was_tuned_for_is_noted(in_a_folder: Path) -> None:
    tuned(in_a_folder, "dice/amigo", players=2, objective="win")
    note = "was tuned for 2 players, not for 3"
    play = ("--policy", "@policy.json", "--games", "20", "--json")
    said = inside("simulate", "dice/amigo", "--players", "3", *play)
    assert (said.code, said.json["players"], note in said.err) == (0, 3, True)
    assert inside("simulate", "dice/amigo", *TWO, *play).err == ""
    asked = ("--opponents", "@policy.json", "--games", "1000", "--json")
    said = inside("advise", "dice/amigo", DECIDE, *asked)
    assert note in said.err
    assert note in said.json["assumptions"][-1]
    said = inside("review", "game.txt", *asked, "--objective", "points")
    assert "for win, not for points" in said.json["assumptions"][-1]
    assert inside("simulate", "dice/egmont", *TWO, *play).code == 2


# variants in files


QUICK = """\
name = "quick"
base = "dice/amigo"
about = "Ends at 20 points."
options.target = 20
"""
RULES = "dice/amigo+target=20"
FEW = (*TWO, "--games", "400", *THRESHOLD)


@pytest.mark.usefixtures("in_a_folder")
def test_a_variant_of_a_file_is_named_in_words_and_by_its_id_elsewhere() -> None:
    found, plain = told("rules", "@quick.toml"), told("rules", RULES)
    assert (found["rules"], found["base"], found["name"]) == (RULES, "dice/amigo", "quick")
    assert found["changes"] == [{"option": "target", "base": 40, "variant": 20}]
    assert {name: found[name] for name in plain} == plain
    asked = ("compare", "dice/amigo", "@quick.toml", *FEW)
    said = inside(*asked, "--csv", "rows.csv", "--plot", "changes.svg")
    assert (said.code, "quick" in said.out) == (0, True)
    assert "quick against dice/amigo" in Path("changes.svg").read_text(encoding="utf-8")
    table = Path("rows.csv").read_text(encoding="utf-8")
    assert (RULES in table, "quick" in table) == (True, False)
    assert told(*asked) == told("compare", "dice/amigo", RULES, *FEW)
    answer = told("sweep", "@quick.toml", "--vary", "twenty", *FEW)
    assert answer["rules"] == RULES
    assert [each["rules"] for each in answer["variants"]] == [RULES, f"{RULES}+twenty"]
    position = ("hand=25L row=1346L opp=13", "--objective", "margin")
    named, by_id = (told("advise", rules, *position) for rules in ("@quick.toml", RULES))
    assert same(named) == same(by_id)


def test_a_name_is_shown_as_it_is_written(in_a_folder: Path) -> None:
    """Nothing in it is taken for a style or a formula."""
    name = "a [bold]b[red] $x$ + ${y"
    text = QUICK.replace('"quick"', f'"{name}"')
    (in_a_folder / "quick.toml").write_text(text, encoding="utf-8")
    assert inside("rules", "@quick.toml").out.startswith(f"{name}: {RULES}")
    said = inside("compare", "dice/amigo", "@quick.toml", *FEW, "--plot", "changes.svg")
    assert (said.code, name in said.out) == (0, True)
    assert f"{name} against dice/amigo" in Path("changes.svg").read_text(encoding="utf-8")


def test_a_run_folder_and_a_record_have_the_id(in_a_folder: Path) -> None:
    assert inside("simulate", "@quick.toml", *FEW, "--run", "long").code == 0
    shown = inside("simulate", "@quick.toml", *FEW, "--show", "1").out
    assert f"rules {RULES}" in shown.splitlines()
    (in_a_folder / "quick.toml").unlink()
    assert told("simulate", RULES, *FEW, "--run", "long")["rules"] == RULES
    for path in (in_a_folder / "long").rglob("*"):
        assert path.is_dir() or b"quick" not in path.read_bytes()


def test_an_option_alone_is_the_baseline_with_it() -> None:
    assert with_options("lama/egmont", "+target=30") == "lama/egmont+target=30"
    assert with_options("lama/egmont+target=30+twenty", "+target=50") == (
        "lama/egmont+twenty+target=50"
    )
    assert with_options("lama/egmont+twenty", "lama/amigo") == "lama/amigo"
    asked = ("lama/egmont+twenty", "+target=30", "+twenty=off", "lama/party")
    found = read_variants(asked, 3)
    assert [each.rules.id for each in found] == [
        game_of(text).rules(text).id
        for text in ("lama/egmont+twenty", "lama/egmont+twenty+target=30", "lama/egmont", asked[3])
    ]


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (("+target=30", "lama/egmont"), "expected game/edition"),
        (("lama/egmont", "+nothing"), "unknown option 'nothing'"),
        (("lama/egmont", "+"), "unknown option ''"),
        (("lama/egmont", "+target=30+target=40"), "given twice"),
        (("lama/egmont", "+target=40"), "the same rule set twice"),
    ],
)
def test_options_alone_that_cannot_be_read(asked: tuple[str, ...], message: str) -> None:
    with pytest.raises(ReadError, match=message.replace("+", r"\+")) as refused:
        read_variants(asked, 3)
    assert refused.value.text is not None
