"""Variants in files on the command line: as a process and in this one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.calls import inside, process

QUICK = """\
name = "quick"
base = "dice/amigo"
about = "Ends at 20 points."
options.target = 20
"""
RULES = "dice/amigo+target=20"
BAD = 'name = "x"\nbase = "dice/amigo"\n[options]\ntarget = 0\ntaget = 1\n'
FEW = ("--players", "2", "--games", "400")


@pytest.fixture
def quick(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "quick.toml").write_text(QUICK, encoding="utf-8")
    (tmp_path / "bad.toml").write_text(BAD, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return "@quick.toml"


def test_rules_explains_what_a_variant_changes(quick: str) -> None:
    said = inside("rules", quick)
    assert said.code == 0
    lines = said.out.splitlines()
    assert lines[:2] == [f"quick: {RULES}   2 to 6 players", "Ends at 20 points."]
    assert "target=20  40 in dice/amigo; score at which the game ends" in lines
    found = inside("rules", quick, "--json").json
    assert (found["rules"], found["base"], found["name"]) == (RULES, "dice/amigo", "quick")
    assert found["changes"] == [{"option": "target", "base": 40, "variant": 20}]
    plain = inside("rules", RULES, "--json").json
    assert {name: found[name] for name in plain} == plain


def test_names_stand_in_tables_and_ids_in_json(quick: str, tmp_path: Path) -> None:
    asked = ("compare", "dice/amigo", quick, *FEW, "--policy", "threshold:6")
    table = tmp_path / "rows.csv"
    said = inside(*asked, "--csv", str(table), "--plot", str(tmp_path / "changes.svg"))
    assert said.code == 0, said.err
    assert "▶ With quick " in said.out
    assert f"quick: {RULES}" in said.out.splitlines()
    assert "quick against dice/amigo" in (tmp_path / "changes.svg").read_text(encoding="utf-8")
    assert RULES in table.read_text(encoding="utf-8")
    assert "quick" not in table.read_text(encoding="utf-8")
    assert "quick against dice/amigo" in inside(*asked, "-v").out
    assert (
        inside(*asked, "--json").out
        == inside("compare", "dice/amigo", RULES, *FEW, "--policy", "threshold:6", "--json").out
    )


def test_a_name_is_shown_as_it_is_written(quick: str, tmp_path: Path) -> None:
    """Nothing in it is taken for a style or a formula."""
    name = "a [bold]b[red] $x$ + ${y"
    text = QUICK.replace('"quick"', f'"{name}"')
    (tmp_path / "quick.toml").write_text(text, encoding="utf-8")
    assert inside("rules", quick).out.startswith(f"{name}: {RULES}")
    asked = ("compare", "dice/amigo", quick, *FEW, "--policy", "threshold:6")
    said = inside(*asked, "--plot", str(tmp_path / "changes.svg"))
    assert (said.code, f"▶ With {name} " in said.out) == (0, True)
    assert f"{name} against dice/amigo" in (tmp_path / "changes.svg").read_text(encoding="utf-8")


def test_a_run_folder_and_a_record_have_the_id(quick: str, tmp_path: Path) -> None:
    asked = ("--policy", "threshold:6", *FEW)
    assert inside("simulate", quick, *asked, "--run", "long").code == 0
    (tmp_path / "quick.toml").unlink()
    again = inside("simulate", RULES, *asked, "--run", "long", "--json")
    assert (again.code, again.json["rules"]) == (0, RULES)
    for path in (tmp_path / "long").rglob("*"):
        assert path.is_dir() or b"quick" not in path.read_bytes()
    (tmp_path / "quick.toml").write_text(QUICK, encoding="utf-8")
    shown = inside("simulate", quick, "--policy", "threshold:6", *FEW, "--show", "1").out
    assert f"rules {RULES}" in shown.splitlines()


@pytest.mark.parametrize(
    "command",
    [
        ("advise", "{}", "hand=25L row=1346L opp=13"),
        ("odds", "{}", "hand=25L row=1346L opp=13"),
        ("thresholds", "{}"),
        ("equity", "{}"),
        ("simulate", "{}", "--policy", "threshold:5", "--games", "10"),
        ("compare", "dice/amigo", "{}"),
        ("tournament", "{}", "--policies", "random,threshold:5"),
        ("tune", "{}", "threshold"),
        ("report", "{}", "--out", "pages"),
        ("play", "{}", "--players", "2"),
        ("warm", "{}"),
        ("rules", "{}"),
        ("policies", "{}"),
    ],
    ids=lambda command: command[0],
)
def test_every_command_reads_files_and_tells_all_defects(
    command: tuple[str, ...], quick: str
) -> None:
    said = inside(*(word.format("@bad.toml") for word in command))
    assert said.code == 2
    assert said.out == ""
    assert "bad.toml cannot be used: 2 defects" in said.err
    assert "line 4, column 10: option target: found '0', expected 1 to 1000" in said.err
    assert "line 5, column 1: unknown option 'taget' of dice" in said.err
    said = inside(*(word.format("@quik.toml") for word in command))
    assert (said.code, said.out) == (2, "")
    assert "did you mean quick.toml" in said.err


def test_advice_on_a_variant_is_that_of_its_id(quick: str) -> None:
    asked = ("hand=25L row=1346L opp=13", "--json")
    found = inside("advise", quick, *asked).json
    plain = inside("advise", RULES, *asked).json
    assert {**found, "seconds": 0} == {**plain, "seconds": 0}
    assert found["rules"] == RULES


@pytest.mark.long
def test_the_process_answers_and_refuses(quick: str, tmp_path: Path) -> None:
    said = process("rules", str(f"@{tmp_path / 'quick.toml'}"))
    assert (said.code, said.err) == (0, "")
    assert said.out.startswith(f"quick: {RULES}")
    said = process("thresholds", f"@{tmp_path / 'bad.toml'}")
    assert (said.code, said.out) == (2, "")
    assert "2 defects" in said.err


def test_what_a_shell_is_offered(
    quick: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    two = QUICK.replace('"quick"', '"other one"')
    family = f"[[variant]]\n{QUICK}\n[[variant]]\n{two}"
    (tmp_path / "family.toml").write_text(family, encoding="utf-8")
    (tmp_path / "folder").mkdir()
    monkeypatch.setenv("_LAMA_ODDS_COMPLETE", "complete_bash")
    for typed, offered in (
        ("thresholds @", ["@folder/", "@bad.toml", "@family.toml", "@quick.toml"]),
        ("thresholds @q", ["@quick.toml"]),
        ("thresholds @family.toml#o", ["@family.toml#other one"]),
        ("thresholds @bad.toml#", []),
        ("simulate @quick.toml --policy th", ["threshold:"]),
    ):
        words = f"lama-odds {typed}".split(" ")
        monkeypatch.setenv("COMP_WORDS", "\n".join(words))
        monkeypatch.setenv("COMP_CWORD", str(len(words) - 1))
        said = inside()
        assert said.code == 0
        assert [line for line in said.out.splitlines() if line] == offered
