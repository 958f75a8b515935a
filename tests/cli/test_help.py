"""What helps one to type: help and its examples, and what a shell offers on TAB."""

from __future__ import annotations

import importlib
import re
import shlex
from pathlib import Path

import pytest

from lama_odds.cli.commands import app
from lama_odds.core.reading import data_json
from lama_odds.games.registry import GAMES, game_of
from tests.cli.calls import BUILT, WORK, inside

QUICK = 'name = "quick"\nbase = "lama/amigo"\noptions.target = 25\n'
COMMANDS = tuple(sorted(BUILT(app()).commands))
MODULES = {name: importlib.import_module(f"lama_odds.cli.{name}") for name in COMMANDS}
# Commands that do the work of another function too.
ALSO = {"simulate": "simulate_rows", "compare": "plan"}


def examples_of(command: str) -> list[str]:
    """The examples in a command's help, without the program's name."""
    texts = [text for name, text in vars(MODULES[command]).items() if name.endswith("EXAMPLES")]
    return re.findall(r"^lama-odds (.*)$", "\n".join(texts), re.MULTILINE)


@pytest.mark.parametrize("command", COMMANDS)
def test_examples_are_asked_as_the_options_are(command: str) -> None:
    for example in examples_of(command):
        name, *arguments = shlex.split(re.split(r" [<>] ", example)[0])
        BUILT(app()).commands[name].make_context(name, arguments)


@pytest.mark.parametrize("command", sorted({*COMMANDS} & {*WORK} - {"review"}))
def test_examples_are_read_to_where_the_work_begins(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "quick.toml").write_text(QUICK, encoding="utf-8")
    (tmp_path / "positions.csv").write_text("position\nhand=2 top=4 opp=q1\n", encoding="utf-8")
    dealt = "lama-odds record 1\nrules lama/egmont\nplayers 2\nround 0 first 0\nscores 0 0\n"
    (tmp_path / "game.txt").write_text(f"{dealt}deal 112335 ?\ntop 4\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    reached = []

    def begun(*_: object, **__: object) -> None:
        reached.append(1)
        raise SystemExit(0)

    for place in (*WORK[command], *WORK[ALSO.get(command, command)]):
        monkeypatch.setattr(f"lama_odds.analysis.{place}", begun)
    examples = [example for example in examples_of(command) if example.split()[0] == command]
    for number, example in enumerate(examples, 1):
        said = inside(*shlex.split(example))
        assert said.code == 0, said.err
        assert len(reached) == number, example


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_fits_on_a_screen_and_its_examples_are_commands(
    command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    said = inside(*command.split(), "--help").out
    assert len(said.splitlines()) <= 60
    assert max(map(len, said.splitlines())) <= 80
    assert inside("help", *command.split()).out == said
    if not command:
        assert all(re.search(rf"\b{name}\b", said) for name in COMMANDS)
        return
    own, _, shared = said.partition("Output and engine:")
    assert not re.search("--(seed|threads|help|run) ", own)
    assert "--help " in shared
    monkeypatch.setenv("COLUMNS", "40")
    shown = inside(command, "--help").out.partition("Examples:\n")[2].partition("\n\n")[0]
    typed = [shlex.split(line) for line in shown.replace("\\\n", "").splitlines()]
    assert typed == [["lama-odds", *shlex.split(each)] for each in examples_of(command)]
    assert 2 <= len(typed) <= 5


@pytest.mark.parametrize("name", GAMES)
def test_help_has_all_words_and_objectives_of_a_game(name: str) -> None:
    game = game_of(name)
    said = inside("help", f"{name}/{next(iter(game.editions))}")
    assert said.out == inside("help", name).out
    assert [word for word in game.words if f"  {word}= " not in said.out] == []
    assert f"lama-odds help {name} " in inside("help", "positions").out
    (option,) = (o for o in BUILT(app()).commands["advise"].params if o.name == "objective")
    assert [o for o in game.objectives if not re.search(rf"\b{o}\b", option.help)] == []


# completion


def offered(monkeypatch: pytest.MonkeyPatch, **asked: str) -> list[str]:
    """The lines that a shell gets."""
    for name, value in asked.items():
        monkeypatch.setenv(name, value)
    said = inside()
    assert (said.code, said.err) == (0, "")
    return [line for line in said.out.splitlines() if line]


def in_bash(monkeypatch: pytest.MonkeyPatch, words: str) -> list[str]:
    """What bash gets for the last of these words, parted by spaces."""
    return offered(
        monkeypatch,
        _LAMA_ODDS_COMPLETE="complete_bash",
        COMP_WORDS=f"lama-odds {words}".replace(" ", "\n"),
        COMP_CWORD=str(words.count(" ") + 1),
    )


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("thr", ["thresholds"]),
        ("thresholds pik", ["pikomino/egmont"]),
        ("thresholds dice/amigo+tw", ["dice/amigo+twenty"]),
        ("thresholds dice/amigo+twenty+tw", []),
        ("thresholds dice/amigo+target=30+tw", ["30+twenty"]),
        ("thresholds dice/amigo+target = 30+tw", ["30+twenty"]),  # as bash parts words
        ("simulate dice/amigo --policy threshold : 5 --pla", ["--players"]),
        ("compare lama/egmont +llama_e", ["+llama_each"]),
        ("simulate dice/amigo --policy th", ["threshold:"]),
        ("simulate lama/egmont --policy be", ["best"]),
        ("tournament dice/amigo --policies random,th", ["random,threshold:"]),
        ("tournament dice/amigo --policies random,ra", []),
        ("tune dice/amigo thr", ["threshold"]),
        ("advise pikomino/egmont --objective ", ["points", "worms", "win"]),
        ("compare dice/amigo +twenty --policies r", ["retuned"]),
        ("sweep dice/amigo --vary ta", ["target="]),
        ("simulate none/there --policy m", []),
        ("simulate dice/amigo --policy @m", ["@mine.json"]),
        ("thresholds @", ["@folder/", "@bad.toml", "@family.toml", "@quick.toml"]),
        ("thresholds @family.toml#o", ["@family.toml#other one"]),
        ("thresholds @bad.toml#", []),
        ("simulate @quick.toml --policy th", ["threshold:"]),
    ],
)
def test_what_is_offered(
    typed: str, words: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    other = QUICK.replace('"quick"', '"other one"')
    for name, text in {
        "mine.json": "",
        "quick.toml": QUICK,
        "bad.toml": "name = 5",
        "family.toml": f"[[variant]]\n{QUICK}\n[[variant]]\n{other}",
    }.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "folder").mkdir()
    monkeypatch.chdir(tmp_path)
    assert in_bash(monkeypatch, typed) == words


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_shell_has_its_script_and_its_words(
    shell: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION", "1")
    script = "\n".join(offered(monkeypatch, _LAMA_ODDS_COMPLETE=f"source_{shell}"))
    assert f"complete_{shell}" in script
    asked = {
        "_LAMA_ODDS_COMPLETE": f"complete_{shell}",
        "_TYPER_COMPLETE_ARGS": "lama-odds thresholds dice/amigo+target=30+tw",
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
        **{"COMP_WORDS": "lama-odds\nthresholds\ndice/amigo+tw", "COMP_CWORD": "2"},
    }
    assert "twenty" in " ".join(offered(monkeypatch, **asked))


def test_every_rule_set_is_offered() -> None:
    shipped = data_json("best.json")["best"]
    known = {name: set(game_of(name).editions) for name in GAMES}
    assert {name: set(editions) for name, editions in shipped.items()} == known
