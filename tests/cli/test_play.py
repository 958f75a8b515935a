"""The command `play`: piped sessions, resumed and killed ones, what it refuses."""

from __future__ import annotations

import io
import subprocess
import sys
import time
from pathlib import Path
from unittest import mock

import pytest

from lama_odds.cli.play import EXAMPLES
from tests.cli.calls import PATIENCE, SCRIPT, Said, environment, inside

PIKOMINO = ("play", "pikomino/egmont", "--players", "2", "--against", "first-tile", "--seed", "4")


def piped(text: str, *args: str) -> Said:
    """A session in this process, its input from a file."""
    with mock.patch.object(sys, "stdin", io.StringIO(text)):
        return inside(*args)


def test_a_piped_session_ends_with_the_input(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    said = piped("roll\n\n", *PIKOMINO, "--file", str(file))
    assert said.code == 0
    assert str(file) in said.err
    last = file.read_text(encoding="utf-8").splitlines()[-1]
    assert last.startswith("0 roll ")
    assert " keep " in last
    assert "my turn: " in said.out


def test_enter_plays_the_game_to_its_end(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    said = piped("\n" * 400, *PIKOMINO, "--file", str(file))
    assert said.code == 0
    assert file.read_text(encoding="utf-8").splitlines()[-1].startswith("final ")
    # Who always takes the advice of the turn loses nothing by it.
    answer = inside("review", str(file), "--json").json
    assert answer["seats"][0]["policy"] == "me"
    assert answer["seats"][0]["error"] < 1e-9
    assert answer["seats"][1]["error"] > 0.5


def test_nothing_is_lost_by_a_wrong_entry(tmp_path: Path) -> None:
    plain, wrong = tmp_path / "plain.txt", tmp_path / "wrong.txt"
    piped("roll\n\n\n", *PIKOMINO, "--file", str(plain))
    said = piped(
        "fly\nroll\nkeep 9\nroll\n\nundo\n\n?\nhelp\nsave\n\n", *PIKOMINO, "--file", str(wrong)
    )
    assert said.code == 0
    assert "possible: roll" in said.out
    assert wrong.read_text(encoding="utf-8") == plain.read_text(encoding="utf-8")


def test_resume_goes_on_where_it_stopped(tmp_path: Path) -> None:
    whole, parts = tmp_path / "whole.txt", tmp_path / "parts.txt"
    piped("\n" * 12, *PIKOMINO, "--file", str(whole))
    piped("\n" * 5, *PIKOMINO, "--file", str(parts))
    for _ in range(7):
        assert piped("\n", "play", "--resume", str(parts)).code == 0
    assert parts.read_text(encoding="utf-8") == whole.read_text(encoding="utf-8")


@pytest.mark.parametrize("prompts", [1, 4])
def test_a_killed_session_is_on_disk(tmp_path: Path, prompts: int) -> None:
    file, whole = tmp_path / "game.txt", tmp_path / "whole.txt"
    with subprocess.Popen(
        [str(SCRIPT), *PIKOMINO, "--file", str(file)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        encoding="utf-8",
        env=environment(),
    ) as run:
        assert run.stdin is not None
        assert run.stdout is not None
        run.stdin.write("\n" * prompts)
        run.stdin.flush()
        seen, until = 0, time.monotonic() + PATIENCE
        while seen <= prompts and time.monotonic() < until:
            seen += run.stdout.readline().startswith("  possible: ")
        run.kill()
    piped("\n" * prompts, *PIKOMINO, "--file", str(whole))
    assert file.read_text(encoding="utf-8") == whole.read_text(encoding="utf-8")
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_save_and_leave(tmp_path: Path) -> None:
    file, copy = tmp_path / "game.txt", tmp_path / "copy.txt"
    said = piped(f"roll\nsave {copy}\nquit!\nroll\n", *PIKOMINO, "--file", str(file))
    assert said.code == 0
    assert copy.read_text(encoding="utf-8") == file.read_text(encoding="utf-8")


def test_a_default_file_in_the_users_folder(tmp_path: Path) -> None:
    with mock.patch("platformdirs.user_data_dir", return_value=str(tmp_path)):
        for _ in range(2):
            assert piped("", *PIKOMINO).code == 0
    assert len(list((tmp_path / "games").iterdir())) == 2


def test_at_a_table_advice_comes_at_my_turns(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    entries = "deal 1246L3 2255LL\n0 roll 135 discard 13\nroll LLL\n"
    said = piped(
        entries, "play", "dice/amigo", "--players", "2", "--table", "--file", str(file),
        "--objective", "points",
    )  # fmt: skip
    assert said.code == 0
    assert said.out.count("my turn: ") == 2
    assert said.out.count("seat 1 to act: ") == 1
    assert said.out.count("--games 2000 repeats this answer") == 2
    assert file.read_text(encoding="utf-8").splitlines()[-1] == "1 roll LLL"


def test_hidden_cards_at_a_table(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    entries = "deal 11366L\ntop 5\n5\n?\nd2\n?\nd\n\nundo\nquit!\n"
    said = piped(
        entries, "play", "lama/egmont", "--players", "3", "--me", "1", "--table",
        "--file", str(file), "--objective", "points",
    )  # fmt: skip
    assert said.code == 0
    assert "deal: my hand" in said.out
    assert said.out.count("my turn: hand=11366L top=5") >= 1
    assert "seat 2 to act: tell what happens (p play, d draw, q quit)" in said.out
    assert "it is not my turn" in said.out
    assert said.out.count("--games 2000 repeats this answer") >= 1
    assert file.read_text(encoding="utf-8").splitlines()[-1] == "1 draw 2"
    again = piped("d\n6\n", "play", "lama/egmont", "--resume", str(file))
    assert again.code == 0
    assert file.read_text(encoding="utf-8").splitlines()[-2:] == ["2 draw ?", "0 play 6"]


def test_the_example_in_the_help_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (example,) = (line for line in EXAMPLES.splitlines() if "--resume" in line)
    name, *words = example.split()
    assert name == "lama-odds"
    file = tmp_path / words[words.index("--resume") + 1]
    for rules in ("noprob/starnberger", "pikomino/egmont"):
        begun = ("play", rules, "--players", "2", "--against", "random", "--seed", "4")
        assert piped("draw\n", *begun, "--file", str(file)).code == 0
        before = file.read_text(encoding="utf-8")
        said = piped("", *words)
        assert said.code == 0, said.err
        assert "my turn: " in said.out
        assert f"go on with lama-odds play --resume {file.name}" in said.err
        assert file.read_text(encoding="utf-8") == before
        file.unlink()


AGREEING = (
    (),
    ("pikomino/egmont",),
    ("--players", "2"),
    ("--me", "0"),
    ("--against", "first-tile"),
    ("--seed", "4"),
    (*PIKOMINO[1:], "--objective", "points"),
)


@pytest.mark.parametrize("more", AGREEING)
def test_resume_takes_what_agrees_with_the_file(tmp_path: Path, more: tuple[str, ...]) -> None:
    file = tmp_path / "game.txt"
    piped("roll\n", *PIKOMINO, "--file", str(file))
    before = file.read_text(encoding="utf-8")
    assert piped("", "play", *more, "--resume", str(file)).code == 0
    assert piped("", "play", *more, "--resume", str(file), "--file", str(file)).code == 0
    assert file.read_text(encoding="utf-8") == before


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (("pikomino/egmont+short",), ("RULES pikomino/egmont+short", "a game of pikomino/egmont")),
        (("dice/amigo",), ("RULES dice/amigo", "a game of pikomino/egmont")),
        (("--players", "3"), ("--players 3", "of 2 players")),
        (("--me", "1"), ("--me 1", "seat 0")),
        (("--against", "random"), ("--against random", "with --against first-tile")),
        (("--against", "first-tile", "--against", "random"), ("--against random", "first-tile")),
        (("--table",), ("--table", "with --against first-tile")),
        (("--seed", "5"), ("--seed 5", "with --seed 4")),
        (("--file", "other.txt"), ("--file other.txt", "its own file")),
    ],
)
def test_resume_refuses_what_does_not(
    tmp_path: Path, more: tuple[str, ...], told: tuple[str, str]
) -> None:
    file = tmp_path / "game.txt"
    piped("roll\n", *PIKOMINO, "--file", str(file))
    before = file.read_text(encoding="utf-8")
    said = piped("", "play", *more, "--resume", str(file))
    assert said.code == 2
    assert said.err.startswith("lama-odds: ")
    found, has = told
    assert found in said.err
    assert has in said.err
    assert str(file) in said.err
    assert file.read_text(encoding="utf-8") == before


def test_a_table_is_gone_on_with_as_a_table(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    begun = ("play", "dice/amigo", "--players", "2", "--table", "--me", "1")
    assert piped("deal 1246L3 2255LL\n", *begun, "--file", str(file)).code == 0
    assert piped("", *begun, "--resume", str(file)).code == 0
    said = piped("", "play", "--resume", str(file), "--against", "random")
    assert said.code == 2
    assert "--against random" in said.err
    assert "at a --table" in said.err


def test_rules_are_needed_for_a_new_game_only() -> None:
    said = piped("", "play", "--players", "2")
    assert said.code == 2
    assert "RULES" in said.err
    assert "--resume FILE" in said.err


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (("dice/amigo",), 2),
        (("dice/amigo", "--players", "9"), 2),
        (("dice/amigo", "--players", "2", "--me", "2"), 2),
        (("dice/amigo", "--players", "4", "--against", "random", "--against", "random"), 2),
        (("dice/amigo", "--players", "2", "--table", "--against", "random"), 2),
        (("dice/amigo", "--players", "2", "--against", "nobody"), 2),
        (("dice/amigo", "--resume", "no/such/file"), 2),
        (("dice/amigo", "--players", "2", "--file", "no/such/folder/file"), 2),
    ],
)
def test_refused(args: tuple[str, ...], code: int) -> None:
    said = piped("", "play", *args)
    assert said.code == code
    assert said.err.startswith("lama-odds: ")


def test_a_file_that_is_there_is_not_written_over(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text("mine", encoding="utf-8")
    assert piped("", *PIKOMINO, "--file", str(file)).code == 2
    assert piped("", "play", "pikomino/egmont", "--resume", str(file)).code == 2
    assert file.read_text(encoding="utf-8") == "mine"
