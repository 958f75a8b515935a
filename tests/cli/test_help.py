"""What helps one to type: help and its examples, and what a shell offers on TAB."""

from __future__ import annotations

import importlib
import inspect
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

import lama_odds as lo
from lama_odds.analysis.compare import decisions
from lama_odds.cli.commands import app
from lama_odds.core.reading import data_json
from lama_odds.games.registry import GAMES, game_of
from tests.cli.calls import BUILT, CARDS_RECORD, inside

QUICK = 'name = "quick"\nbase = "lama/amigo"\noptions.target = 25\n'
COMMANDS = tuple(sorted(BUILT(app()).commands))
MODULES = {name: importlib.import_module(f"lama_odds.cli.{name}") for name in COMMANDS}
# Commands whose examples are run, and what makes them short.
SHORTER: dict[str, tuple[str, ...]] = {
    "advise": (),
    "odds": (),
    "rules": (),
    "simulate": (),
    "thresholds": ("--games", "2000"),
    "equity": ("--rounds", "100"),
    "compare": ("--games", "100"),
    "sweep": ("--games", "100"),
    "tournament": ("--games", "64"),
    "tune": ("--games", "1000"),
}
SIMPLE = ("--policy", "threshold:5")
# Of what is tried or tabled, a few values; of decisions that are studied, those of a few games.
FEWER = {
    "target=20..60..10": "target=20,30",
    "dealt=4..8 --vary target=30,40,50": "dealt=5,6 --vary target=40,50 --policy threshold:5",
    "llama_points=5..20..5": "llama_points=5,10",
    "--vary twenty --vary target=30,40 --wish": "--vary target=30,40 --policy threshold:5 --wish",
    "--measure good": "--measure duration",  # all measures have tests of their own
    "tune lama/egmont meanfield --players 4": "tune lama/egmont meanfield --players 2",
}


def examples_of(command: str) -> list[str]:
    """The examples in a command's help, without the program's name."""
    texts = [text for name, text in vars(MODULES[command]).items() if name.endswith("EXAMPLES")]
    return re.findall(r"^lama-odds (.*)$", "\n".join(texts), re.MULTILINE)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_shows_examples_that_can_be_read(
    command: str, tmp_path: Path, monkeypatch: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    found = examples_of(command)
    assert found
    _, _, shown = inside(command, "--help").out.partition("Examples")
    assert f"lama-odds {command}" in shown
    for example in found:
        name, *arguments = shlex.split(re.split(r" [<>] ", example)[0])
        BUILT(app()).commands[name].make_context(name, arguments)


@pytest.mark.long
@pytest.mark.parametrize("command", sorted(SHORTER))
def test_the_examples_work(command: str, tmp_path: Path, monkeypatch: Any) -> None:
    record = CARDS_RECORD.replace("party+drama", "egmont")
    lines = [line.partition(" pays")[0] for line in record.splitlines() if line[:3] != "pot"]
    text = "\n".join(lines).replace("112+35L", "11235L").replace("draw 3+", "draw 3")
    (tmp_path / "game.txt").write_text(text, encoding="utf-8")
    (tmp_path / "positions.txt").write_text("hand=25L row=1346L opp=13\n", encoding="utf-8")
    (tmp_path / "positions.csv").write_text("position\nhand=2 top=4 opp=q1\n", encoding="utf-8")
    (tmp_path / "quick.toml").write_text(QUICK, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(decisions, "MOST_GAMES", 4)
    monkeypatch.setattr("lama_odds.analysis.thresholds.thresholds.PILOT_GAMES", 400)
    one_race = "lama_odds.analysis.tune.tune._plan"  # of many: of several numbers one is searched
    monkeypatch.setattr(one_race, lambda family, near: [(next(iter(family.searchable)), True)])
    for example in examples_of(command):
        # As precise as shown they take long, and so do long runs.
        example = re.sub(r"--games 1\d{4,}", "--games 2000", example)
        example = example.replace("--games 500 --rows", "--games 20 --rows")
        for shown, fewer in FEWER.items():
            example = example.replace(shown, fewer)
        example = re.sub(r"--(precision [\w.=%]+|rounds \d+)", "", example)
        rows = re.search("--(positions|rows) ", example)
        looked_up = re.search("^equity .*--(best-play|players|scores)", example)
        shorter = () if looked_up else SHORTER[command]  # nothing is played
        if command in ("compare", "sweep", "thresholds") and "polic" not in example:
            shorter += () if "pikomino" in example or "noprob" in example else SIMPLE
        said = inside(*shlex.split(example), *shorter, *() if rows else ("--json",))
        assert said.code == 0, said.err
        written = re.search(r"--out (\S+)", example)
        if rows:
            assert (Path(written[1]).read_text() if written else said.out).count("\n") > 1
        else:
            assert said.json


def test_help_lists_the_commands() -> None:
    said = inside("--help")
    assert all(re.search(rf"\b{command}\b", said.out) for command in COMMANDS)


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_fits_on_a_screen(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    said = inside(*command.split(), "--help")
    lines = said.out.splitlines()
    assert len(lines) <= 60
    assert max(map(len, lines)) <= 80
    if command:
        assert 2 <= len(examples_of(command)) <= 5
        own, _, shared = said.out.partition("Output and engine:")
        assert not re.search("--(seed|threads|help|run) ", own)
        assert "--help " in shared


def test_help_is_asked_for_in_two_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert inside("help").out == inside("--help").out
    for command in ("advise", "help"):
        assert inside("help", command).out == inside(command, "--help").out


def test_wide_examples_stay_commands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    for command in COMMANDS:
        said = inside(command, "--help").out
        shown = said.partition("Examples:\n")[2].partition("\n\n")[0].replace("\\\n", "")
        typed = [shlex.split(line) for line in shown.splitlines()]
        assert typed == [["lama-odds", *shlex.split(each)] for each in examples_of(command)]


@pytest.mark.parametrize("name", GAMES)
def test_help_has_all_words_of_a_position(name: str) -> None:
    said = inside("help", f"{name}/{next(iter(game_of(name).editions))}")
    assert said.out == inside("help", name).out
    assert [word for word in game_of(name).words if f"  {word}= " not in said.out] == []
    assert f"lama-odds help {name} " in inside("help", "positions").out


def test_other_topics_are_refused_with_near_ones() -> None:
    said = inside("help", "advize")
    assert said.code == 2
    assert "did you mean advise" in said.err


def test_help_has_all_objectives() -> None:
    parameters = {p.name: p for p in BUILT(app()).commands["advise"].params}
    said = parameters["objective"].help
    for name in GAMES:
        assert [o for o in game_of(name).objectives if not re.search(rf"\b{o}\b", said)] == []


def test_policies_fit_on_a_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lama_odds.games.registry.offered", dict)
    monkeypatch.setenv("COLUMNS", "80")
    short, whole = inside("policies").out, inside("policies", "-v").out
    assert 24 <= short.count("\n") <= 40 < whole.count("\n")
    for game in map(game_of, GAMES):
        assert all(f"{game.name}: {family.name} " in short for family in game.families)
        assert all(f"{game.name}: {family.usage}" in whole for family in game.families)


# completion


# The last word is begun; what is offered for it.
OFFERED = [
    ("thr", ["thresholds"]),
    ("thresholds pik", ["pikomino/egmont"]),
    ("thresholds dice/amigo+tw", ["dice/amigo+twenty"]),
    ("thresholds dice/amigo+twenty+tw", []),
    ("thresholds dice/amigo+target=30+tw", ["dice/amigo+target=30+twenty"]),
    ("compare lama/egmont +llama_e", ["+llama_each"]),
    ("simulate dice/amigo --policy th", ["threshold:"]),
    ("simulate lama/egmont --policy be", ["best"]),
    ("tournament dice/amigo --policies random,th", ["random,threshold:"]),
    ("tournament dice/amigo --policies random,ra", []),
    ("tune dice/amigo thr", ["threshold"]),
    ("advise pikomino/egmont --objective ", ["points", "worms", "win"]),
    ("thresholds dice/amigo --objective w", ["win"]),
    ("compare dice/amigo +twenty --policies r", ["retuned"]),
    ("sweep dice/amigo --vary ta", ["target="]),
    ("sweep dice/amigo --vary tw", ["twenty"]),
    ("simulate none/there --policy m", []),
    ("thresholds none/there+t", []),
    ("rules noprob/", ["noprob/starnberger"]),
]


def offered(monkeypatch: pytest.MonkeyPatch, **asked: str) -> list[str]:
    for name, value in asked.items():
        monkeypatch.setenv(name, value)
    said = inside()
    assert (said.code, said.err) == (0, "")
    return said.out.split()


@pytest.mark.parametrize(("typed", "words"), OFFERED)
def test_what_is_offered(typed: str, words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    line = f"lama-odds {typed}"
    number = len(line.split(" ")) - 1
    bash = offered(
        monkeypatch,
        _LAMA_ODDS_COMPLETE="complete_bash",
        COMP_WORDS=line.replace(" ", "\n"),
        COMP_CWORD=str(number),
    )
    typed_before = typed.split(" ")[-1].rpartition("=")[0]
    assert bash == [word.removeprefix(f"{typed_before}=") for word in words]


def test_bash_parts_words_where_it_breaks_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_LAMA_ODDS_COMPLETE", "complete_bash")
    parted = "lama-odds thresholds dice/amigo+target = 30+tw".replace(" ", "\n")
    assert offered(monkeypatch, COMP_WORDS=parted, COMP_CWORD="4") == ["30+twenty"]
    parted = "lama-odds simulate dice/amigo --policy threshold : 5 --pla".replace(" ", "\n")
    assert offered(monkeypatch, COMP_WORDS=parted, COMP_CWORD="7") == ["--players"]
    for words, number in (("", "0"), ("lama-odds", "9")):
        offered(monkeypatch, COMP_WORDS=words, COMP_CWORD=number)


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells(shell: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = {
        "_LAMA_ODDS_COMPLETE": f"complete_{shell}",
        "_TYPER_COMPLETE_ARGS": "lama-odds thresholds dice/amigo+target=30+tw",
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
    }
    assert "dice/amigo+target=30+twenty" in " ".join(offered(monkeypatch, **asked))


def test_files_of_policies(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "mine.json").touch()
    monkeypatch.chdir(tmp_path)
    words = "lama-odds\nsimulate\ndice/amigo\n--policy\n@m"
    asked = {"COMP_WORDS": words, "COMP_CWORD": "4", "_LAMA_ODDS_COMPLETE": "complete_bash"}
    assert offered(monkeypatch, **asked) == ["@mine.json"]


def test_every_rule_set_is_offered() -> None:
    shipped = data_json("best.json")["best"]
    known = {name: set(game_of(name).editions) for name in GAMES}
    assert {name: set(editions) for name, editions in shipped.items()} == known


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_of_a_shell(shell: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION", "1")
    monkeypatch.setenv("_LAMA_ODDS_COMPLETE", f"source_{shell}")
    told = inside().out
    assert f"complete_{shell}" in told
    assert "lama-odds" in told


def test_variants_of_files_are_offered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "quick.toml").write_text(QUICK, encoding="utf-8")
    (tmp_path / "bad.toml").write_text("name = 5", encoding="utf-8")
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


@pytest.mark.parametrize("command", COMMANDS)
def test_options_are_those_that_the_function_declares(command: str) -> None:
    """Of the same names, bounds and defaults, where a command asks a function of its name."""
    question = getattr(getattr(lo, command, None), "question", None)
    if question is None:
        return
    options = {option.name: option for option in BUILT(app()).commands[command].params}
    for name, argument in question.arguments.items():
        if not argument.option.meaning:
            assert name not in options, "what has no meaning for the command is for Python alone"
            continue
        option = options[name]
        assert argument.option.meaning.removesuffix(".") in option.help
        if argument.kind == "whole" and argument.option.most is not None:
            assert (option.type.min, option.type.max) == (
                argument.option.least,
                argument.option.most,
            )
        usual = argument.option.usual or argument.default in ((), inspect.Parameter.empty)
        assert usual or option.default == argument.default
