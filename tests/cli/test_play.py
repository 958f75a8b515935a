"""The commands `play` and `train`: piped sessions, resumed and killed ones, what they refuse."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest import mock

import pytest

from lama_odds.analysis.coach.drills import collection
from lama_odds.analysis.coach.training import fresh, read_log
from lama_odds.cli import kept
from lama_odds.cli.play import _asked
from lama_odds.report.text.train import choices_of
from tests.cli.calls import PATIENCE, SCRIPT, Said, environment, inside
from tests.games.noprob.cases import TINY, id_of

# Rolling is all one can do first, and is done without asking.
TABLE = ("play", "lama/amigo", "--players", "3", "--me", "1", "--table", "--no-advice")
PIKOMINO = ("play", "pikomino/egmont", "--players", "2", "--against", "first-tile", "--seed", "4")


@pytest.fixture(autouse=True)
def own_folder(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Games and answers are kept in a folder of the test's own, whichever process plays them."""
    folder = tmp_path_factory.mktemp("data")
    monkeypatch.setenv("XDG_DATA_HOME", str(folder))
    monkeypatch.setattr("platformdirs.user_data_dir", lambda name: str(folder / name))
    return folder / "lama-odds" / "games"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where a game is kept."""
    return tmp_path / "game.txt"


def piped(text: str, *args: str) -> Said:
    """A session in this process, its input from a file."""
    with mock.patch.object(sys, "stdin", io.StringIO(text)):
        return inside(*args)


def begun(file: Path, text: str = "\n") -> str:
    """The record of a game with these entries, kept in a file."""
    said = piped(text, *PIKOMINO, "--file", str(file))
    assert said.code == 0, said.err
    assert str(file) in said.err
    return file.read_text(encoding="utf-8")


@pytest.mark.long
def test_enter_plays_the_game_to_its_end(file: Path) -> None:
    assert begun(file, "\n" * 400).splitlines()[-1].startswith("final ")
    # Who always takes the advice of the turn loses nothing by it.
    answer = inside("review", str(file), "--json").json
    assert answer["seats"][0]["policy"] == "me"
    assert answer["seats"][0]["error"] < 1e-9
    assert answer["seats"][1]["error"] > 0.5


def test_nothing_is_lost_by_a_wrong_entry(file: Path, tmp_path: Path) -> None:
    plain = begun(file, "\n\n")
    assert " keep " in plain.splitlines()[-1]
    typed = "fly\nkeep 9\nroll\n\nundo\n\n?\nhelp\nsave\n\n"
    assert begun(tmp_path / "wrong.txt", typed) == plain


def test_resume_goes_on_where_it_stopped(file: Path, tmp_path: Path) -> None:
    whole = begun(tmp_path / "whole.txt", "\n" * 12)
    begun(file, "\n" * 5)
    for _ in range(7):
        assert piped("\n", "play", "--resume", str(file)).code == 0
    assert file.read_text(encoding="utf-8") == whole


class AlsoPlayedBy(io.StringIO):
    """Entries, before the first of which another process plays on in the same file."""

    def __init__(self, text: str, file: Path) -> None:
        super().__init__(text)
        self.file: Path | None = file

    def readline(self, size: int = -1) -> str:
        file, self.file = self.file, None
        if file is not None:
            assert piped("\n\n", "play", "--resume", str(file)).code == 0
        return super().readline(size)


def test_two_who_resume_one_game_lose_nothing(file: Path) -> None:
    before = begun(file)
    with mock.patch.object(sys, "stdin", AlsoPlayedBy("\n\n", file)):
        said = inside("play", "--resume", str(file))
    assert said.code == 4
    aside = file.with_name("game-2.txt")
    assert str(aside) in said.err
    first, second = (path.read_text(encoding="utf-8") for path in (file, aside))
    assert len({before, first, second}) == 3
    assert piped("", "play", "--resume", str(aside)).code == 0


def test_entries_that_are_no_text_are_refused(tmp_path: Path) -> None:
    """And where there is no stdin at all, the game ends at its beginning."""
    entries = io.TextIOWrapper(io.BytesIO(b"\xff\n\n"), encoding="utf-8")
    for number, stdin in enumerate((entries, None)):
        file = tmp_path / f"{number}.txt"
        with mock.patch.object(sys, "stdin", stdin):
            said = inside(*PIKOMINO, "--file", str(file))
        assert said.code == 0
        assert file.exists()
        assert ("\ufffd" in said.out) == (stdin is not None)


@pytest.mark.long
def test_a_killed_session_is_on_disk(file: Path, tmp_path: Path) -> None:
    prompts = 4
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
            seen += run.stdout.readline().startswith(("You rolled", "You keep"))
        run.kill()
    assert file.read_text(encoding="utf-8") == begun(tmp_path / "whole.txt", "\n" * prompts)
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_resume_keeps_the_objective_of_advice(file: Path) -> None:
    new = ("play", "lama/amigo", "--players", "3", "--table", "--games", "1000")
    again = ("play", "--resume", str(file), "--games", "1000")
    of_points, of_wins = "Advice counts: points this round", "Advice counts: chance to win the game"
    said = piped("11366L\n4\n", *new, "--objective", "points", "--file", str(file))
    assert of_points in said.out
    text = file.read_text(encoding="utf-8")
    assert of_points in piped("", *again).out
    assert of_wins in piped("", *again, "--objective", "win").out
    assert of_points in piped("undo\n4\n", *again).out
    assert file.read_text(encoding="utf-8") == text
    assert inside("advise", "lama/amigo", "--after", str(file), "--games", "1000").code == 0
    file.write_text(text.replace("objective points", "objective nonsense"), encoding="utf-8")
    assert of_wins in piped("", *again).out


def test_resume_without_a_name_takes_the_last_game_that_is_not_over(
    own_folder: Path, tmp_path: Path
) -> None:
    assert piped("", "play", "--resume").code == 2
    one, two = tmp_path / "one.txt", tmp_path / "two.txt"
    before = {file: begun(file, "") for file in (one, two)}
    for at, file in enumerate((one, two)):
        os.utime(file, (at, at))
    assert piped("\n", "play", "--resume", "--objective", "points").code == 0
    assert one.read_text(encoding="utf-8") == before[one]
    assert two.read_text(encoding="utf-8") != before[two]
    # One that is over, one that is nobody's, one that cannot be read: the other is taken.
    two.write_text(before[two] + "final 1 0\n", encoding="utf-8")
    (own_folder / "watched.txt").write_text(before[one].replace("me", "random"), encoding="utf-8")
    (own_folder / "damaged.txt").write_bytes(b"\xff\xfe policies me")
    piped("\n", "play", "--resume")
    assert one.read_text(encoding="utf-8") != before[one]


def test_of_many_games_elsewhere_the_newest_are_remembered(
    own_folder: Path, tmp_path: Path
) -> None:
    paths = [tmp_path / f"{at}.txt" for at in range(kept.MANY + 5)]
    for path in paths:
        kept.remember(path)
    noted = (own_folder / kept.RECENT).read_text(encoding="utf-8").splitlines()
    assert noted == [str(path) for path in paths[-kept.MANY :]]


def test_a_game_without_a_seed_has_a_fresh_one_that_repeats_it(own_folder: Path) -> None:
    """And without a file it has one of its own in the user's folder."""
    new = tuple(PIKOMINO[:-2])
    assert new[-1] == "first-tile"
    for _ in range(2):
        assert piped("\n\n", *new, "--objective", "points").code == 0
    texts = [path.read_text(encoding="utf-8") for path in sorted(own_folder.glob("*.txt"))]
    luck = [line for text in texts for line in text.splitlines() if line.startswith("luck ")]
    assert len(set(luck)) == 2
    seed = luck[0].split()[1]
    assert f"seed {seed}" in piped("\n\n", *new, "--objective", "points", "--seed", seed).err
    again = [path.read_text(encoding="utf-8") for path in own_folder.glob("*.txt")]
    assert sorted(again) == sorted([*texts, next(t for t in texts if luck[0] in t)])


def test_what_others_hold_is_not_shown(file: Path) -> None:
    said = piped(
        "d\nd\nd\nq\n", "play", "lama/egmont", "--players", "3", "--against", "threshold:5",
        "--seed", "4", "--file", str(file), "--games", "1000",
    )  # fmt: skip
    lines = file.read_text(encoding="utf-8").splitlines()
    (dealt, *_) = (line.split()[1:] for line in lines if line.startswith("deal "))
    assert [hand in said.out for hand in dealt] == [True, False, False]
    assert any(line.startswith(("1 draw", "2 draw")) for line in lines)
    assert "Player 2: draw " not in said.out.replace("draw  ", "draw. ").replace("draw\n", "draw.")


def test_resume_takes_what_agrees_with_the_file_and_refuses_what_does_not(file: Path) -> None:
    before = begun(file)
    agreeing = (*PIKOMINO[1:], "--me", "0", "--objective", "points", "--file", str(file))
    for more in ((), agreeing):
        assert piped("", "play", *more, "--resume", str(file)).code == 0
    three = file.with_name("three.txt")
    for more in (("--file", str(three)), ("--resume", str(three))):  # one policy for all others
        assert piped("", *PIKOMINO, "--players", "3", *more).code == 0
    for refused in (
        ("pikomino/egmont+short",),
        ("--players", "3"),
        ("--me", "1"),
        ("--against", "random"),
        ("--against", "first-tile", "--against", "random"),
        ("--table",),
        ("--seed", "0"),
        ("--file", "other.txt"),
    ):
        said = piped("", "play", *refused, "--resume", str(file))
        assert said.code == 2
        assert refused[-1] in said.err
        assert str(file) in said.err
    assert file.read_text(encoding="utf-8") == before


def test_a_file_that_cannot_be_written_stops_before_the_game(tmp_path: Path) -> None:
    said = piped("\n", *PIKOMINO, "--file", str(tmp_path / "nowhere" / "game.txt"))
    assert said.code == 4
    assert "cannot write" in said.err
    assert "kept" not in said.err + said.out


def test_your_turn_is_shown_again_after_undo(file: Path) -> None:
    said = piped("11366L\n4\n5\nd3\nundo\n", *TABLE, "--file", str(file))
    assert said.out.count("You hold 11366L") == 2


def test_a_file_that_is_there_is_not_written_over(file: Path) -> None:
    file.write_text("mine", encoding="utf-8")
    assert piped("", *PIKOMINO, "--file", str(file)).code == 2
    assert piped("", "play", "pikomino/egmont", "--resume", str(file)).code == 2
    assert file.read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize(("rules", "most", "usual"), [("dice/amigo", 6, 4), (id_of(TINY), 2, 2)])
def test_at_a_terminal_what_is_missing_is_asked(rules: str, most: int, usual: int) -> None:
    told: list[tuple[int, ...]] = []

    def typed(question: str, *bounds: int) -> int:
        told.append(bounds)
        return bounds[-1]

    screen: Any = SimpleNamespace(asks=True, ask_number=typed)
    said = _asked(kept.Said(rules, None, None, (), False, None, None), screen)
    assert told == [(2, most, usual), (1, usual, 1)]
    assert said is not None
    assert (said.players, said.me) == (usual, 0)


@pytest.mark.parametrize("objective", ["win", "points"])
def test_a_game_may_end_with_the_review_of_my_seat(file: Path, objective: str) -> None:
    one = ("play", "dice/amigo+target=12", "--players", "2", "--me", "1", "--against", "random")
    wanted = ("--objective", objective)
    how = ("--seed", "4", "--teach", "after", "--file", str(file))
    said = piped("q\n", *one, *how, *wanted)
    review = inside("review", str(file), "--seat", "1", *wanted).out
    assert said.out.endswith(review)
    assert review != inside("review", str(file), "--seat", "0", *wanted).out


# train


@pytest.fixture
def log(own_folder: Path) -> Path:
    """The file of answers."""
    return own_folder.with_name("training.txt")


def test_what_is_missed_is_asked_once_more(log: Path) -> None:
    said = piped("nonsense\n?\n?\nquit!\n", "train", "pikomino", "--questions", "2")
    assert said.code == 0
    assert (said.out.count("Question "), said.out.count("Again · ")) == (2, 1)
    answers = read_log(log).answers
    assert [answer.chosen for answer in answers] == ["?", "?"]
    again = piped("quit!\n", "train", "pikomino", "--questions", "1")
    drill = next(each for each in collection("pikomino") if each.id == answers[0].drill_id)
    assert any(each.action in again.out for each in drill.choices)


def test_as_many_cards_are_exported_as_are_wanted() -> None:
    both = [
        inside("train", "dice", "--export", "anki", *more) for more in ((), ("--questions", "2"))
    ]
    every, two = ([line for line in said.out.splitlines() if line[0] != "#"] for said in both)
    assert two == every[:2]
    assert inside("train", "dice", "--test", "--questions", "2").code == 2


def test_an_action_is_typed_by_number_or_first_letters(log: Path) -> None:
    piped("2\nquit!\n", "train", "dice", "--questions", "1")
    answer = read_log(log).answers[0]
    drill = next(each for each in collection("dice") if each.id == answer.drill_id)
    actions = sorted(choice.action for choice in drill.choices)
    assert answer.chosen == actions[1]
    log.unlink()
    piped(f"{actions[1][:2]}\nquit!\n", "train", "dice", "--questions", "1")
    assert read_log(log).answers[0].chosen.startswith(actions[1][:2])
    log.unlink()
    plays = [each for each in choices_of(fresh([], "lama", "lama")[0]) if each.startswith("play")]
    piped(f"play\n{plays[1]}\nquit!\n", "train", "lama", "--questions", "1")
    assert read_log(log).answers[0].chosen == plays[1]  # the first letters of several say nothing
