"""`lama-odds compare` as a process and in this one: keys, files, what is refused."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

from lama_odds.games.registry import game_of
from tests.cli.calls import answered, inside, process
from tests.cli.test_commands import ESTIMATE

EDITIONS = ("compare", "dice/amigo", "dice/egmont", "--players", "3")
SHORT = ("--policy", "threshold:6", "--games", "2000")
MEASURES = (
    *("penalty", "actions", "went_out", "blown", "rounds", "length", "spread", "shared"),
    *(f"win seat {seat}" for seat in range(3)),
    "decisions",
)
AGREED = [
    *("name", "unit", "rules", "baseline", "other", "difference", "relative", "p", "delta"),
    "verdict",
]


@pytest.mark.long
def test_compare_answers_with_the_agreed_keys() -> None:
    answer = answered(*EDITIONS, "dice/gigamic", *SHORT)
    agreed = {"baseline", "others", "players", "policies", "games", "seed", "measures"}
    assert set(answer) == agreed | {"retuned", "version", "left_out"}
    assert (answer["baseline"], answer["others"]) == ("dice/amigo", ["dice/egmont", "dice/gigamic"])
    assert (answer["players"], answer["games"], answer["seed"]) == (3, 2000, 0)
    assert (answer["policies"], answer["retuned"]) == (["threshold:6"] * 3, False)
    rows = answer["measures"]
    assert [(row["rules"], row["name"]) for row in rows] == [
        (rules, name) for rules in answer["others"] for name in MEASURES
    ]
    for row in rows:
        assert set(AGREED) <= set(row)
        assert row["verdict"] in ("differs", "same", "undecided")
        for name in ("baseline", "other", "difference"):
            assert list(row[name]) == ESTIMATE
            # Decisions of threshold:6: no table, one decision; of editions that play alike all.
            alike = name == "difference" and row["rules"] == "dice/gigamic"
            exact = row["name"] == "decisions" or alike
            assert row[name]["method"] == ("exact" if exact else "simulation")
        assert row["difference"]["value"] == pytest.approx(
            row["other"]["value"] - row["baseline"]["value"], abs=1e-9
        )
        if row["rules"] == "dice/gigamic":
            assert (row["verdict"], row["difference"]["value"]) == ("same", 0)
            assert row["difference"]["low"] == row["difference"]["high"] == 0


@pytest.mark.long
def test_same_bits_on_any_number_of_threads() -> None:
    first, second = (
        inside(*EDITIONS, *SHORT, "--threads", threads, "--json").out for threads in "12"
    )
    assert first == second != ""


@pytest.mark.long
def test_compare_as_text_and_files(tmp_path: Path) -> None:
    table, svg, png = (tmp_path / name for name in ("rows.csv", "forest.svg", "forest.PNG"))
    said = inside(*EDITIONS, *SHORT, "-v", "--csv", str(table), "--plot", str(svg))
    assert said.code == 0
    assert "dice/egmont against dice/amigo" in said.out
    assert re.search(
        r"^blown +\d+\.\d ± \d\.\d % +.*(differs|equivalent|undecided)", said.out, re.M
    )
    assert "--games 2000 repeats this answer" in said.out
    assert "still plays threshold:6" in said.out
    rows = list(csv.DictReader(table.read_text(encoding="utf-8").splitlines()))
    assert [row["measure"] for row in rows] == list(MEASURES)
    assert svg.read_text(encoding="utf-8").startswith("<?xml")
    assert inside(*EDITIONS, *SHORT, "--plot", str(png)).code == 0
    assert png.read_bytes().startswith(b"\x89PNG")
    assert inside(*EDITIONS, *SHORT, "--csv", str(tmp_path)).code == 4


@pytest.mark.long
def test_policies_of_their_own() -> None:
    game = game_of("dice/amigo")
    best = [game.best_policy(game.rules(rules), 3).name for rules in EDITIONS[1:3]]
    said = inside(*EDITIONS, "--policies", "retuned", "--games", "400", "-v")
    assert said.code == 0
    assert "once players have adapted" in said.out
    answer = inside(*EDITIONS, "--policies", "retuned", "--games", "400", "--json").json
    assert (answer["retuned"], answer["policies"]) == (True, best)
    answer = inside(*EDITIONS, "--games", "400", "--json").json
    assert (answer["retuned"], answer["policies"]) == (False, best[:1] * 2)


@pytest.mark.long
def test_precision_and_all_pairs() -> None:
    ask = ("compare", "dice/amigo", "dice/amigo+target=30", "dice/amigo+dealt=5", "--players", "2")
    wanted = ("--policy", "threshold:6", "--precision", "rounds=0.1", "--all-pairs", "--json")
    answer = inside(*ask, *wanted).json
    rows = [row for row in answer["measures"] if row["name"] == "rounds"]
    pairs = [(row["against"].partition("+")[2], row["rules"].partition("+")[2]) for row in rows]
    assert pairs == [("", "target=30"), ("", "dealt=5"), ("target=30", "dealt=5")]
    for row in rows:
        assert row["difference"]["high"] - row["difference"]["low"] <= 0.2
        assert row["delta"] == pytest.approx(0.01 * row["baseline"]["value"])


@pytest.mark.long
def test_delta_decides_what_is_the_same() -> None:
    ask = ("compare", "dice/amigo", "dice/amigo+target=50", "--players", "2", *SHORT, "--json")

    def verdict_with(*deltas: str) -> str:
        options = [part for delta in deltas for part in ("--delta", delta)]
        rows = inside(*ask, *options).json["measures"]
        return next(row["verdict"] for row in rows if row["name"] == "rounds")

    assert verdict_with() == "differs"
    assert verdict_with("90%") == "same"
    assert verdict_with("90%", "rounds=0.1") == "differs"


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("dice/amigo",), "at least two"),
        (("dice/amigo", "lama/egmont"), "rule sets of one game"),
        (("dice/amigo", "dice/amigo"), "given twice"),
        (("dice/amigo", "dice/amigo+twenty=off"), "both are dice/amigo"),
        (("dice/amigo+dealt=5+twenty", "dice/amigo+twenty+dealt=5"), "the same rule set twice"),
        (("dice/amigo", "dice/egmond"), "egmont"),
        (("dice/amigo", "dize/amigo"), "dice"),
        (("dice/amigo", "dice/egmont", "--players", "7"), "2 to 6 players"),
        (("dice/amigo", "dice/amigo+dealt=12"), "dealt=12 is for 2 to 3 players"),
        (("dice/amigo", "dice/egmont", "--policy", "meanfeld"), "meanfield"),
        (("dice/amigo", "dice/egmont", "--policies", "retune"), "retuned"),
        (("dice/amigo", "dice/egmont", "--policies", "retuned", "--policy", "random"), "--policy"),
        (("dice/amigo", "dice/egmont", "--games", "500", "--seconds", "2"), "one of"),
        (("dice/amigo", "dice/egmont", "--precision", "0"), "above 0"),
        (("dice/amigo", "dice/egmont", "--precision", "x=1"), "no measure 'x'"),
        (("dice/amigo", "dice/egmont", "--precision", "rond=1"), "rounds"),
        (("dice/amigo", "dice/egmont", "--seconds", "nan"), "--seconds"),
        (("dice/amigo", "dice/egmont", "--delta", "-1"), "above 0"),
        (("dice/amigo", "dice/egmont", "--delta", "1", "--delta", "2%"), "given twice"),
        (("dice/amigo", "dice/egmont", "--delta", "penalty=nan"), "expected a number"),
        (("dice/amigo", "dice/egmont", "--plot", "forest.pdf"), ".svg or .png"),
        (("dice/amigo", "dice/egmont", "--threads", "0"), "--threads"),
    ],
)
def test_what_cannot_be_read(args: tuple[str, ...], said: str) -> None:
    players = () if "--players" in args else ("--players", "4")
    policy = () if "--policy" in args or "--policies" in args else ("--policy", "threshold:6")
    answer = inside("compare", *args, *players, *policy)
    assert answer.code == 2
    assert said in answer.err
    assert answer.out == ""


def test_what_cannot_be_answered() -> None:
    assert inside(*EDITIONS, "--games", "50").code == 4
    assert inside(*EDITIONS, *SHORT, "--plot", "/nowhere/forest.svg").code == 4


@pytest.mark.long
def test_the_process_refuses_too() -> None:
    said = process("compare", "dice/amigo", "lama/egmont", "--players", "4")
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("lama-odds: dice/amigo is Lama Dice")
    assert "Examples" in process("compare", "--help").out
