"""The command `train`: a session from a file, a test of skill, cards, and what it refuses."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from unittest import mock

import pytest

from lama_odds.analysis.coach import skill
from lama_odds.analysis.coach.drills import collection
from lama_odds.analysis.coach.training import read_log
from tests.cli.calls import Said, inside


@pytest.fixture(autouse=True)
def own_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Answers are kept in a folder of the test's own."""
    monkeypatch.setattr("platformdirs.user_data_dir", lambda name: str(tmp_path / name))
    return tmp_path / "lama-odds" / "training.txt"


def piped(text: str, *args: str) -> Said:
    """A session in this process, its input from a file."""
    with mock.patch.object(sys, "stdin", io.StringIO(text)):
        return inside("train", *args)


def test_what_is_missed_is_asked_once_more(own_file: Path) -> None:
    said = piped("nonsense\n?\n?\nquit!\n", "pikomino", "--questions", "2")
    assert said.code == 0
    assert "found 'nonsense', expected a number from 1 to" in said.out
    assert said.out.count("Question ") == 2
    assert said.out.count("Again · ") == 1
    assert "0 of 2 right. 2 positions come back in the next days." in said.out
    assert [answer.chosen for answer in read_log(own_file).answers] == ["?", "?"]
    again = piped("quit!\n", "pikomino", "--questions", "1")
    first = read_log(own_file).answers[0]
    drill = next(each for each in collection("pikomino") if each.id == first.drill_id)
    assert "Question 1 of 1" in again.out
    assert any(each.action in again.out for each in drill.choices)


def test_an_action_is_typed_by_number_name_or_first_letters(own_file: Path) -> None:
    piped("2\nquit!\n", "dice", "--questions", "1")
    answer = read_log(own_file).answers[0]
    actions = sorted(
        choice.action
        for drill in collection("dice")
        if drill.id == answer.drill_id
        for choice in drill.choices
    )
    assert answer.chosen == actions[1]
    own_file.unlink()
    piped(f"{actions[1][:2]}\nquit!\n", "dice", "--questions", "1")
    assert read_log(own_file).answers[0].chosen.startswith(actions[1][:2])


def test_a_test_of_skill_ends_with_intervals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(skill, "LOOKED_AT", 100)
    monkeypatch.setattr(skill, "MOST", 20)
    said = piped("1\n" * 60, "dice", "--test")
    assert said.code == 0
    assert "Question 20 of 20 to 20" in said.out
    assert "Per decision you give away" in said.out
    assert "95 % intervals" in said.out


def test_cards_for_anki(tmp_path: Path) -> None:
    said = inside("train", "pikomino", "--export", "anki")
    assert said.code == 0
    rows = [line for line in said.out.splitlines() if not line.startswith("#")]
    assert len(rows) == len(collection("pikomino"))
    assert all(row.count("\t") == 2 for row in rows)
    out = tmp_path / "cards.txt"
    inside("train", "pikomino", "--export", "anki", "--out", str(out))
    assert out.read_text(encoding="utf-8") == said.out


@pytest.mark.parametrize(
    ("args", "told"),
    [
        ([], "missing argument 'RULES'"),
        (["chess"], "unknown game 'chess'"),
        (["dice/polish"], "polish"),
        (["dice", "--export", "pdf"], "expected anki"),
        (["dice", "--test", "--export", "anki"], "leave out"),
        (["dice", "--out", "x.txt"], "give --export anki"),
        (["dice", "--questions", "0"], "questions"),
        (["--from", "nowhere.txt"], "cannot read nowhere.txt"),
    ],
)
def test_what_cannot_be_trained_is_said(args: list[str], told: str) -> None:
    said = piped("", *args)
    assert said.code == 2
    assert told in said.err
