"""`lama-odds sweep` as a process and in this one: keys, files, what is refused."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from tests.cli.calls import answered, inside, process
from tests.cli.test_commands import ESTIMATE

ASKED = ("sweep", "dice/amigo", "--vary", "dealt=5,6", "--vary", "target=20..40..10")
SHORT = ("--players", "2", "--policy", "threshold:6", "--games", "400")
MORE = (*SHORT[:-1], "1600")  # enough for figures while it plays
AGREED = {"rules", "players", "policies", "games", "seed", "vary", "variants", "trends", "wishes"}


@pytest.mark.long
def test_a_sweep_answers_with_the_agreed_keys() -> None:
    answer = answered(*ASKED, *SHORT, "--wish", "rounds=2..4")
    assert set(answer) == AGREED | {"retuned", "all_wishes", "left_out", "intervals", "version"}
    assert answer["vary"] == {"dealt": [5, 6], "target": [20, 30, 40]}
    assert (answer["rules"], answer["players"], answer["games"]) == ("dice/amigo", 2, 400)
    assert answer["policies"] == ["threshold:6"] * 6
    for variant in answer["variants"]:
        assert {"rules", "values", "measures"} <= set(variant)
        assert all(list(found) == ESTIMATE for found in variant["measures"].values())
    (wish,) = answer["wishes"]
    assert (wish["low"], wish["high"], wish["measure"]) == (2, 4, "rounds")
    every = wish["surely"] + wish["maybe"] + wish["surely_not"]
    assert sorted(every) == sorted(variant["rules"] for variant in answer["variants"])
    assert {trend["option"] for trend in answer["trends"]} == {"dealt", "target"}


@pytest.mark.long
def test_same_bits_on_any_number_of_threads() -> None:
    first, second = (inside(*ASKED, *SHORT, "--threads", t, "--json").out for t in "12")
    assert first == second != ""


def test_a_sweep_as_text_and_files(tmp_path: Path) -> None:
    table, map_ = tmp_path / "rows.csv", tmp_path / "map.svg"
    said = inside(*ASKED, *SHORT, "--csv", str(table), "--plot", str(map_))
    assert (said.code, said.err) == (0, "")
    assert "For each 10 more of target" in said.out
    rows = list(csv.DictReader(table.read_text(encoding="utf-8").splitlines()))
    assert {(row["dealt"], row["target"]) for row in rows} == {
        (dealt, target) for dealt in "56" for target in ("20", "30", "40")
    }
    assert map_.read_text(encoding="utf-8").startswith("<?xml")
    said = inside(*ASKED, *SHORT, "--csv", "-", "--wish", "rounds<3")
    assert said.out.startswith("players,seed,games,policy,rules,dealt,target,measure,unit")
    assert ",rounds<3,surely\n" in said.out


def test_a_run_is_kept_and_looked_at(tmp_path: Path) -> None:
    run = ("--run", str(tmp_path / "run"))
    plain = inside(*ASKED, *MORE, "--json").json
    assert inside(*ASKED, *MORE, *run, "--json").json == plain
    assert inside(*ASKED, *MORE, *run, "--json", "--wish", "rounds<9").json["games"] == 1600
    looked = inside("runs", str(tmp_path / "run"), "--json").json
    assert looked["question"]["vary"] == ["dealt=5,6", "target=20,30,40"]
    assert "rounds: per 1 target" in looked["jobs"][0]["figures"]
    said = inside("runs", str(tmp_path / "run"))
    assert said.out.startswith("sweep · dice/amigo · 2 players · threshold:6")
    said = inside(*ASKED[:2], "--vary", "dealt=5,6", *MORE, *run)
    assert (said.code, "vary" in said.err) == (4, True)


def test_what_only_compare_has_is_refused() -> None:
    for name in ("choices", "matter"):
        said = inside(*ASKED, *SHORT, "--measure", name)
        assert (said.code, said.out) == (2, "")
        assert said.err.startswith(f"lama-odds: {name} is for compare: a sweep does not look at")
    said = inside(*ASKED, *SHORT, "--wish", "choices<9")
    assert "choices is for compare" in said.err


def test_a_variant_in_a_file_can_be_varied(tmp_path: Path) -> None:
    file = tmp_path / "quick.toml"
    text = 'name = "quick"\nbase = "dice/amigo"\noptions.target = 20\n'
    file.write_text(text, encoding="utf-8")
    said = inside("sweep", f"@{file}", "--vary", "twenty", *SHORT)
    assert said.out.startswith("quick (dice/amigo+target=20) · twenty off and on = 2 variants")
    answer = inside("sweep", f"@{file}", "--vary", "twenty", *SHORT, "--json").json
    assert answer["rules"] == "dice/amigo+target=20"
    assert [variant["rules"] for variant in answer["variants"]] == [
        "dice/amigo+target=20",
        "dice/amigo+target=20+twenty",
    ]


@pytest.mark.parametrize(
    ("code", "args", "said"),
    [
        (2, (), "Missing option '--vary'"),
        (2, ("--vary", "taget=3,4"), "did you mean target"),
        (2, ("--vary", "target=0..4"), "expected 1 to 1000"),
        (2, ("--vary", "target=30"), "one value"),
        (2, ("--vary", "dealt=5,6", "--wish", "rond<4", "--games", "128"), "did you mean rounds"),
        (2, ("--vary", "dealt=5,6", "--measure", "rond", "--games", "128"), "did you mean rounds"),
        (2, ("--vary", "dealt=5,6", "--players", "7"), "2 to 6 players"),
        (2, ("--vary", "dealt=5,6", "--policies", "retune"), "retuned"),
        (2, ("--vary", "dealt=5,6", "--policies", "retuned", "--policy", "random"), "--policy"),
        (2, ("--vary", "dealt=5,6", "--plot", "map.pdf"), ".svg or .png"),
        (2, ("--vary", "dealt=5,6", "--json", "--csv", "-"), "both go to stdout"),
        (
            2,
            ("--vary", "dealt=5,6", "--vary", "twenty", "--vary", "target=3,4", "--plot", "x.svg"),
            "one or two options",
        ),
        (4, ("--vary", "dealt=5,6", "--games", "50"), "too few games"),
        (4, ("--vary", "dealt=1..12", "--vary", "target=1..9"), "108 variants"),
        (4, ("--vary", "dealt=5,6", "--plot", "/nowhere/map.svg"), "/nowhere"),
    ],
)
def test_what_is_refused(code: int, args: tuple[str, ...], said: str) -> None:
    found = inside("sweep", "dice/amigo", *args)
    assert (found.code, found.out) == (code, "")
    assert said in found.err


@pytest.mark.long
def test_the_process_answers_and_refuses() -> None:
    said = process(*ASKED, *SHORT)
    assert said.code == 0
    assert said.out.startswith("dice/amigo · dealt 5 and 6 × target 20 to 40 by 10 = 6 variants")
    said = process("sweep", "dice/amigo", "--vary", "dealt=4..x")
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("lama-odds: cannot read in option dealt: found '4..x'")
