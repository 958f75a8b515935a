"""What is refused: files of others, damaged records, odd JSON. Other messages are in `golden`."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from lama_odds.cli import asking
from lama_odds.cli.commands import in_digits
from lama_odds.core.errors import ImpossibleError, LimitError, ReadError
from lama_odds.games.registry import ALSO_CALLED
from lama_odds.games.shared.record import HEADER, first_record
from tests.cli.calls import CARDS_RECORD, RECORD, caret, inside, told

PLAY = ("simulate", "dice/amigo", "--players", "2", "--policy", "threshold:5")
DEEP = "[" * 100_000
SHORT = ("--games", "1000")


# exit codes


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (KeyboardInterrupt(), 130, "lama-odds: stopped\n"),
        (MemoryError(), 4, "lama-odds: out of memory\n"),
        (OSError(28, "No space left", "x.svg"), 4, "lama-odds: x.svg: No space left\n"),
        (OSError(5, "Input/output error"), 4, "lama-odds: Input/output error\n"),
        (ReadError("found x"), 2, "lama-odds: found x\n"),
        (ImpossibleError("this", ["a", "b"]), 3, "lama-odds: this cannot occur:\n  - a\n  - b\n"),
        (LimitError("too few"), 4, "lama-odds: too few\n"),
        (BrokenPipeError(), 0, ""),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, BaseException) else "",
)
def test_every_error_has_its_exit_code(
    monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int, message: str
) -> None:
    def failing(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("lama_odds.analysis.odds.odds", failing)
    assert inside("odds", "dice/amigo", "deal") == (code, "", message)


# numbers and names


def test_numbers_of_games_may_be_grouped_or_powers() -> None:
    typed = ("1,000", "1_000", "1e6", "2.5E+3", "1e0", "20k", "1.5k")
    digits = ["1000", "1000", "1000000", "2500", "1", "20000", "1500"]
    assert [in_digits(text) for text in typed] == digits
    for text in ("1,00", "1.5", "1.25e1", "1e-3", "1e", "k", "many", ""):
        assert in_digits(text) == text


@pytest.mark.parametrize("name", sorted(ALSO_CALLED))
def test_names_on_other_boxes_are_understood(name: str) -> None:
    question = ("simulate", "--players", "2", "--policy", "first-tile", "--games", "1_000")
    asked = told(*question, f"{name}/egmont+short")
    assert (asked["rules"], asked["games"]) == (f"{ALSO_CALLED[name]}/egmont+short", 1000)
    for command in ("rules", "policies", "help"):
        assert inside(command, name).out == inside(command, ALSO_CALLED[name]).out


# records


def test_of_several_records_the_first_is_read() -> None:
    assert first_record(f"\ufeff{RECORD}") == RECORD
    assert first_record(f"{RECORD}\n{RECORD}").rstrip("\n") == RECORD.rstrip("\n")
    assert first_record(f"{RECORD}{RECORD}") == RECORD
    assert first_record(f"{RECORD}\ndice/amigo   2 players\nseat 0").startswith(RECORD)
    assert first_record(f"{HEADER}\n\n# said\nrules dice/amigo\n").endswith("amigo\n")


SEEN_FROM_ONE = """lama-odds record 1
rules lama/amigo
players 3
round 0 first 0
scores 0 0 0
deal ? ? 133666
top 4
0 play 5
"""


@pytest.mark.parametrize(
    ("record", "old", "new", "line", "at"),
    [
        (RECORD, "1256LL", "1256LX", 8, 17),
        (RECORD, "1 roll 124 discard 12", "1 draw 124 discard 12", 12, 0),
        (CARDS_RECORD, "0 play 1", "0 play 3", 12, 0),
        (CARDS_RECORD, "1 play L pays 1", "1 play L pays 4", 10, 14),
        (CARDS_RECORD, "pot 1 10", "pot 1 11", 6, 6),
        (f"{SEEN_FROM_ONE}1 draw ?\n", "draw ?", "draw", 9, 2),
    ],
)
def test_a_record_names_line_and_place(
    tmp_path: Path, record: str, old: str, new: str, line: int, at: int
) -> None:
    file = tmp_path / "game.txt"
    assert old in record
    file.write_text(record.replace(old, new), encoding="utf-8")
    said = inside("advise", record.splitlines()[1].split()[1], "--after", str(file))
    assert (said.code, said.out) == (2, "")
    assert f"line {line}" in said.err
    shown, place = caret(said)
    assert (shown, place) == (record.replace(old, new).splitlines()[line - 1], at)


def test_a_record_of_another_game_says_so(tmp_path: Path) -> None:
    for record, rules in ((RECORD, "lama/egmont"), (CARDS_RECORD, "dice/amigo")):
        lines = record.splitlines()
        lines[1] = f"rules {rules}"
        (tmp_path / "game.txt").write_text("\n".join(lines), encoding="utf-8")
        said = inside("review", str(tmp_path / "game.txt"))
        assert (said.code, "do not fit rules of" in said.err) == (2, True)


def test_a_record_that_ends_while_another_is_to_act_is_not_answered(tmp_path: Path) -> None:
    file = tmp_path / "round.txt"
    file.write_text(SEEN_FROM_ONE, encoding="utf-8")
    for command in ("advise", "odds"):
        said = inside(command, "lama/amigo", "--after", str(file))
        assert (said.code, said.out) == (3, "")
    file.write_text(f"{SEEN_FROM_ONE}1 draw ?\n", encoding="utf-8")
    after = told("odds", "lama/amigo", "--after", str(file))
    assert after["position"].startswith("hand=133666 ")


def test_what_is_no_record(tmp_path: Path) -> None:
    file = tmp_path / "x.txt"
    for text, code in (("", 2), ("hello\n", 2), (f"{HEADER}\n", 2), ("\xff\xfe\x00", 2)):
        file.write_text(text, encoding="latin-1")
        assert inside("review", str(file)).code == code
    file.write_text(f"{HEADER}\nrules dice/amigo\nplayers 2\n")
    assert inside("review", str(file)).code == 3


# files that are handed in


def test_odd_json_is_refused(tmp_path: Path) -> None:
    policy, run = tmp_path / "policy.json", tmp_path / "run"
    policy.write_text(DEEP)
    said = inside(*PLAY[:-1], f"@{policy}", *SHORT)
    assert (said.code, said.out) == (2, "")
    assert "is not a policy file" in said.err

    assert inside(*PLAY, *SHORT, "--run", str(run)).code == 0
    (run / "run.json").write_text(DEEP)
    for args in (("runs", str(run)), (*PLAY, *SHORT, "--run", str(run))):
        said = inside(*args)
        assert (said.code, said.out) == (4, "")
        assert f"{run / 'run.json'} cannot be read (nested too deeply)" in said.err


def test_a_folder_of_reports_with_another_manifest_is_left_alone(tmp_path: Path) -> None:
    kind = {"kind": "lama-odds reports 1"}
    for reports in ([], {"dice": 1}, {"dice": {"title": "Lama Dice"}}, None):
        content = DEEP if reports is None else json.dumps({**kind, "reports": reports})
        (tmp_path / "manifest.json").write_text(content)
        said = inside("report", "dice/amigo", "--quick", "--out", str(tmp_path))
        assert (said.code, said.out) == (2, "")
        assert [path.name for path in tmp_path.iterdir()] == ["manifest.json"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes")
def test_files_of_others_are_refused_at_once_and_in_few_words(tmp_path: Path) -> None:
    pipe, damaged = tmp_path / "pipe", tmp_path / "damaged\x1b[31m"
    os.mkfifo(pipe)
    damaged.write_bytes(b"game 1\n\xff")
    calls = [("rules", "x" * 2_000_000), ("advise", "dice/amigo", "\x1b]0;t\x07" * 100_000)]
    for name in (str(pipe), "/dev/zero", str(tmp_path), str(damaged)):
        calls += [("review", name), ("advise", "dice/amigo", "--after", name)]
        calls += [(*PLAY[:-1], f"@{name}", *SHORT)]
    for call in calls:
        said = inside(*call)
        assert (said.code, said.out) == (2, ""), call
        assert said.err.replace("\n", "").isprintable()
        assert len(said.err) < 2_000
    assert "at line 2, byte 1, expected UTF-8" in inside("review", str(damaged)).err


@pytest.mark.skipif(os.name != "posix", reason="needs descriptors")
def test_a_record_comes_from_a_pipe_of_the_shell() -> None:
    reading_end, writing_end = os.pipe()
    os.write(writing_end, b"\xef\xbb\xbf" + RECORD.encode())
    os.close(writing_end)
    found = told("advise", "dice/amigo", *SHORT, "--after", f"/dev/fd/{reading_end}")
    os.close(reading_end)
    assert found["actions"]


# engines


@pytest.mark.parametrize(
    ("host", "here"),
    [("127.0.0.1", True), ("[::1]", True), ("localhost", True), ("10.0.0.1", False), ("pc", False)],
)
def test_only_this_machine_needs_no_tls(
    host: str, here: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    asking.check_scheduler(f"tcp://{host}:8786", None)
    assert ("nothing is encrypted" in capsys.readouterr().err) is not here
    asking.check_scheduler(f"tls://{host}:8786", None)
    assert capsys.readouterr().err == ""
