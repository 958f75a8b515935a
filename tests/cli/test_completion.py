"""What a shell is offered on TAB, in the words in which it asks."""

from __future__ import annotations

from pathlib import Path

import pytest

from lama_odds.core.data import data_json
from lama_odds.games.registry import GAMES, game_of
from tests.cli.calls import inside

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
