"""The command `play`: piped sessions, resumed and killed ones, what it refuses."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import time
from pathlib import Path
from unittest import mock

import pytest

from lama_odds.cli import kept
from lama_odds.cli.play import EXAMPLES
from tests.cli.calls import PATIENCE, SCRIPT, Said, environment, inside

# Rolling is all one can do first, and is done without asking.
PIKOMINO = ("play", "pikomino/egmont", "--players", "2", "--against", "first-tile", "--seed", "4")


@pytest.fixture(autouse=True)
def own_folder(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Games are kept in a folder of the test's own, whichever process plays them."""
    folder = tmp_path_factory.mktemp("data")
    monkeypatch.setenv("XDG_DATA_HOME", str(folder))
    monkeypatch.setattr("platformdirs.user_data_dir", lambda name: str(folder / name))
    return folder / "lama-odds" / "games"


def piped(text: str, *args: str) -> Said:
    """A session in this process, its input from a file."""
    with mock.patch.object(sys, "stdin", io.StringIO(text)):
        return inside(*args)


def test_a_piped_session_ends_with_the_input(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    said = piped("\n", *PIKOMINO, "--file", str(file))
    assert said.code == 0
    assert str(file) in said.err
    last = file.read_text(encoding="utf-8").splitlines()[-1]
    assert last.startswith("0 roll ")
    assert " keep " in last
    assert "Your turn" not in said.out
    assert "you rolled" in said.out.lower()


@pytest.mark.long
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
    piped("\n\n", *PIKOMINO, "--file", str(plain))
    said = piped("fly\nkeep 9\nroll\n\nundo\n\n?\nhelp\nsave\n\n", *PIKOMINO, "--file", str(wrong))
    assert said.code == 0
    assert "possible: keep" in said.out
    assert wrong.read_text(encoding="utf-8") == plain.read_text(encoding="utf-8")


def test_resume_goes_on_where_it_stopped(tmp_path: Path) -> None:
    whole, parts = tmp_path / "whole.txt", tmp_path / "parts.txt"
    piped("\n" * 12, *PIKOMINO, "--file", str(whole))
    piped("\n" * 5, *PIKOMINO, "--file", str(parts))
    for _ in range(7):
        assert piped("\n", "play", "--resume", str(parts)).code == 0
    assert parts.read_text(encoding="utf-8") == whole.read_text(encoding="utf-8")


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


def test_two_who_resume_one_game_lose_nothing(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    piped("\n", *PIKOMINO, "--file", str(file))
    before = file.read_text(encoding="utf-8")
    with mock.patch.object(sys, "stdin", AlsoPlayedBy("\n\n", file)):
        said = inside("play", "--resume", str(file))
    assert said.code == 4
    assert f"another process has changed {file} meanwhile" in said.err
    aside = tmp_path / "game-2.txt"
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
            seen += run.stdout.readline().startswith(("You rolled", "You keep"))
        run.kill()
    piped("\n" * prompts, *PIKOMINO, "--file", str(whole))
    assert file.read_text(encoding="utf-8") == whole.read_text(encoding="utf-8")
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_save_and_leave(tmp_path: Path) -> None:
    file, copy = tmp_path / "game.txt", tmp_path / "copy.txt"
    said = piped(f"\nsave {copy}\nquit!\n\n", *PIKOMINO, "--file", str(file))
    assert said.code == 0
    assert copy.read_text(encoding="utf-8") == file.read_text(encoding="utf-8")


def test_resume_keeps_the_objective_of_advice(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    begun = ("play", "lama/amigo", "--players", "3", "--table", "--games", "1000")
    again = ("play", "--resume", str(file), "--games", "1000")
    said = piped("11366L\n4\n", *begun, "--objective", "points", "--file", str(file))
    assert "Advice counts: points this round" in said.out
    text = file.read_text(encoding="utf-8")
    assert "\n# objective points\n" in text
    said = piped("", *again)
    assert "advice counts points, as when the game began; --objective changes that" in said.err
    assert "Advice counts: points this round" in said.out
    said = piped("", *again, "--objective", "win")
    assert "as when the game began" not in said.err
    assert "Advice counts: chance to win the game" in said.out
    assert "Advice counts: points this round" in piped("undo\n4\n", *again).out
    assert file.read_text(encoding="utf-8") == text
    assert inside("advise", "lama/amigo", "--after", str(file), "--games", "1000").code == 0
    file.write_text(text.replace("objective points", "objective nonsense"), encoding="utf-8")
    assert "Advice counts: chance to win the game" in piped("", *again).out


def test_a_default_file_in_the_users_folder(own_folder: Path) -> None:
    for _ in range(2):
        assert piped("", *PIKOMINO).code == 0
    assert len(list(own_folder.iterdir())) == 2


def test_resume_without_a_name_takes_the_last_game_that_is_not_over(
    own_folder: Path, tmp_path: Path
) -> None:
    said = piped("", "play", "--resume")
    assert said.code == 2
    assert "--resume FILE" in said.err
    one, two = tmp_path / "one.txt", tmp_path / "two.txt"
    for at, file in enumerate((one, two)):
        piped("", *PIKOMINO, "--file", str(file))
        os.utime(file, (at, at))
    before = {file: file.read_text(encoding="utf-8") for file in (one, two)}
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
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "games"
    monkeypatch.setattr(kept, "games_folder", lambda: folder)
    paths = [tmp_path / f"{at}.txt" for at in range(kept.MANY + 5)]
    for path in paths:
        kept.remember(path)
    noted = (folder / kept.RECENT).read_text(encoding="utf-8").splitlines()
    assert noted == [str(path) for path in paths[-kept.MANY :]]


def test_a_game_without_a_seed_has_a_fresh_one_that_repeats_it(own_folder: Path) -> None:
    begun = tuple(PIKOMINO[:-2])
    assert begun[-1] == "first-tile"
    for _ in range(2):
        assert piped("\n\n", *begun, "--objective", "points").code == 0
    texts = [path.read_text(encoding="utf-8") for path in sorted(own_folder.glob("*.txt"))]
    luck = [line for text in texts for line in text.splitlines() if line.startswith("luck ")]
    assert len(set(luck)) == 2
    said = piped("\n\n", *begun, "--objective", "points", "--seed", luck[0].split()[1])
    assert f"seed {luck[0].split()[1]}" in said.err
    again = [path.read_text(encoding="utf-8") for path in own_folder.glob("*.txt")]
    assert sorted(again) == sorted([*texts, next(t for t in texts if luck[0] in t)])


def test_what_others_hold_is_not_shown(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    said = piped(
        "d\nd\nd\nq\n", "play", "lama/egmont", "--players", "3", "--against", "threshold:5",
        "--seed", "4", "--file", str(file), "--games", "1000",
    )  # fmt: skip
    lines = file.read_text(encoding="utf-8").splitlines()
    (dealt, *_) = (line.split()[1:] for line in lines if line.startswith("deal "))
    assert dealt[0] in said.out
    assert dealt[1] not in said.out
    assert dealt[2] not in said.out
    drawn = [line.split()[2] for line in lines if line.startswith(("1 draw", "2 draw"))]
    assert drawn
    assert "Player 2: draw " not in said.out.replace("draw  ", "draw. ").replace("draw\n", "draw.")


@pytest.mark.parametrize(
    ("rules", "entries", "turns"),
    [
        ("lama/egmont", "1,1,3,6,6,llama\nL\nl\nQ\nD\n1\n", ["0 play L", "1 quit", "2 draw ?"]),
        ("lama/egmont", "1 1 3 6 6 l\n5\nd l\n#2 6\nPL\n", ["0 draw L", "1 play 6", "2 play L"]),
        ("dice/amigo", "DEAL 11366l 122,36l 112345\nR 1 3 4 D 1 3\nr2,3,llama d2,3\nq\n",
         ["0 roll 134 discard 13", "1 roll 23L discard 23", "2 quit"]),
        ("pikomino/egmont", "R 1 1 3 4 4 4 4 w KW r1113444 k4 ROLL 1123\n",
         ["0 roll 1134444W keep W roll 1113444 keep 4 roll 1123"]),
        ("lama/egmont", "11366L\n5\nyou draw a llama\nplayer 2 plays 6; Player 3 quits\n",
         ["0 draw L", "1 play 6", "2 quit"]),
        ("noprob/starnberger", "11=j 1,2=7\n9\nDD G #2\nd5 12 k\nDJ x\nT 3,3 d\n",
         ["0 draw D give 1", "1 draw 5 replace 1,2 turns K", "2 draw J discard",
          "0 take J replace 3,3 turns D"]),
    ],
)  # fmt: skip
def test_entries_in_any_case_with_commas_or_spaces(
    tmp_path: Path, rules: str, entries: str, turns: list[str]
) -> None:
    file = tmp_path / "game.txt"
    said = piped(
        entries, "play", rules, "--players", "3", "--table", "--file", str(file), "--no-advice"
    )
    written = [line for line in file.read_text(encoding="utf-8").splitlines() if line[0].isdigit()]
    assert written[: len(turns)] == turns, said.out


def test_hidden_cards_at_a_table(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    entries = "deal 11366L\ntop 5\n5\n?\nd2\n?\nd\n\nundo\nquit!\n"
    said = piped(
        entries, "play", "lama/egmont", "--players", "3", "--me", "1", "--table",
        "--file", str(file), "--objective", "points",
    )  # fmt: skip
    assert said.code == 0
    assert "Enter your hand" in said.out
    assert said.out.count("You hold 11366L: ") >= 1
    assert "Player 3 to act (5, d, q)" in said.out
    assert "it is not your turn" in said.out
    assert "repeats this answer" in said.out
    assert file.read_text(encoding="utf-8").splitlines()[-1] == "1 draw 2"
    again = piped("d\n6\n", "play", "lama/egmont", "--resume", str(file))
    assert again.code == 0
    assert file.read_text(encoding="utf-8").splitlines()[-2:] == ["2 draw ?", "0 play 6"]


@pytest.mark.long
def test_the_example_in_the_help_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (example,) = (line for line in EXAMPLES.splitlines() if "--resume game" in line)
    name, *words = example.split()
    assert name == "lama-odds"
    file = tmp_path / words[words.index("--resume") + 1]
    for rules in ("dice/amigo", "pikomino/egmont"):
        begun = ("play", rules, "--players", "2", "--against", "random", "--seed", "4")
        assert piped("\n", *begun, "--file", str(file)).code == 0
        before = file.read_text(encoding="utf-8")
        said = piped("", *words)
        assert said.code == 0, said.err
        assert "ou" in said.out
        assert f"continue with lama-odds play --resume {file.name}" in said.err
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
    piped("\n", *PIKOMINO, "--file", str(file))
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
        (("--me", "1"), ("--me 1", "your seat is 0")),
        (("--against", "random"), ("--against random", "with --against first-tile")),
        (("--against", "first-tile", "--against", "random"), ("--against random", "first-tile")),
        (("--table",), ("--table", "with --against first-tile")),
        (("--seed", "5"), ("--seed 5", "with --seed 4")),
        (("--seed", "0"), ("--seed 0", "with --seed 4")),
        (("--file", "other.txt"), ("--file other.txt", "its own file")),
    ],
)
def test_resume_refuses_what_does_not(
    tmp_path: Path, more: tuple[str, ...], told: tuple[str, str]
) -> None:
    file = tmp_path / "game.txt"
    piped("\n", *PIKOMINO, "--file", str(file))
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


def test_a_file_that_is_there_is_not_written_over(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text("mine", encoding="utf-8")
    assert piped("", *PIKOMINO, "--file", str(file)).code == 2
    assert piped("", "play", "pikomino/egmont", "--resume", str(file)).code == 2
    assert file.read_text(encoding="utf-8") == "mine"
