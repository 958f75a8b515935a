"""Help of every command, its examples, and what a refusal looks like."""

from __future__ import annotations

import importlib
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

import lama_odds
from lama_odds.analysis.compare import decision_costs
from lama_odds.cli.commands import app
from tests.cli.calls import BUILT, CARDS_RECORD, inside, process

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
    "compare": ("--games", "500"),
    "sweep": ("--games", "100"),
    "tournament": ("--games", "64"),
    "tune": ("--games", "1000"),
}
# Of what is tried or tabled, a few values; of decisions that are studied, those of a few games.
FEWER = {
    "target=20..60..10": "target=20,30",
    "dealt=4..8 --vary target=30,40,50": "dealt=5,6 --vary target=40,50 --policy threshold:5",
    "llama_points=5..20..5": "llama_points=5,10",
    "--vary twenty --vary target=30,40 --wish": "--vary target=30,40 --policy threshold:5 --wish",
    "--measure good": "--measure duration",  # all measures have tests of their own
    "tune lama/egmont meanfield --players 4": "tune lama/egmont meanfield --players 2",
}


@pytest.mark.long
@pytest.mark.parametrize("command", COMMANDS)
def test_help_shows_examples(command: str) -> None:
    said = process(command, "--help")
    assert said.code == 0
    _, _, examples = said.out.partition("Examples")
    assert f"lama-odds {command}" in examples
    assert said.err == ""


def examples_of(command: str) -> list[str]:
    """The examples in a command's help, without the program's name."""
    texts = [text for name, text in vars(MODULES[command]).items() if name.endswith("EXAMPLES")]
    return re.findall(r"^lama-odds (.*)$", "\n".join(texts), re.MULTILINE)


@pytest.mark.parametrize("command", COMMANDS)
def test_the_examples_can_be_read(command: str, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    found = examples_of(command)
    assert found
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
    variant = 'name = "quick"\nbase = "lama/amigo"\noptions.target = 25\n'
    (tmp_path / "quick.toml").write_text(variant, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(decision_costs, "MOST_GAMES", 4)
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
        said = inside(*shlex.split(example), *shorter, *() if rows else ("--json",))
        assert said.code == 0, said.err
        written = re.search(r"--out (\S+)", example)
        if rows:
            assert (Path(written[1]).read_text() if written else said.out).count("\n") > 1
        else:
            assert said.json


def test_help_lists_the_commands() -> None:
    said = process("--help")
    assert said.code == 0
    assert all(re.search(rf"\b{command}\b", said.out) for command in COMMANDS)


def test_version() -> None:
    said = process("--version")
    assert (said.code, said.out.strip()) == (0, f"lama-odds {lama_odds.__version__}")


# exit codes and streams


@pytest.mark.long
@pytest.mark.parametrize(
    ("code", "args"),
    [
        (2, ("advise", "dice/amigo", "hand=25X opp=13")),
        (3, ("advise", "dice/amigo", "hand=3333333 opp=13")),
        (4, ("odds", "dice/amigo", "deal", "--plot", "no/such/folder.svg")),
        (2, ("simulate", "dice/amigo", "--players", "2", "--policy", "random")),
    ],
)
def test_a_refusal_has_its_exit_code_and_keeps_stdout_empty(
    code: int, args: tuple[str, ...]
) -> None:
    for said in (inside(*args), process(*args, "--json")):
        assert (said.code, said.out) == (code, "")
        assert said.err
        assert "Traceback" not in said.err


def test_games_that_do_not_end_are_4() -> None:
    endless = "dice/amigo+target=1000+points=1.1.1.1.1.1+llama_points=1+dealt=1"
    faces = "+faces=123456LLLLLL.123456LLLLLL.LL"
    play = ("--players", "2", "--policy", "threshold:0", "--games", "10")
    said = inside("simulate", endless + faces, *play)
    assert said.code == 4
    assert "did not end" in said.err
