"""What is refused says what was found and expected: numbers, names, records, JSON."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from lama_odds.cli.errors import given
from lama_odds.games.shared.record import HEADER, first_record
from lama_odds.jit import places
from tests.cli.calls import CARDS_RECORD, RECORD, caret, inside

POSITION = ("dice/amigo", "hand=25L row=1346L opp=13")
PLAY = ("simulate", "dice/amigo", "--players", "2", "--policy", "threshold:5")
DEEP = "[" * 100_000
SHORT = ("--games", "1000")


# numbers of options


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("--games", "nan"), "--games nan: expected a whole number"),
        (("--games=1e-3",), "--games 1e-3: expected a whole number"),
        (("--games", "0"), "--games 0: expected a whole number"),
        (("--threads", "0"), "--threads 0: expected a whole number from 1 to 256"),
        (("--threads", "4", "--threads", "x"), "--threads x: expected a whole number"),
        (("--threads", ""), "--threads '': expected a whole number"),
        (("--seed", "-1"), "--seed -1: expected a whole number from 0 to"),
        (("--seconds", "soon"), "--seconds soon: expected a number"),
    ],
)
def test_a_number_is_refused_with_what_was_found_and_expected(
    args: tuple[str, ...], told: str
) -> None:
    said = inside("advise", *POSITION, *args)
    assert (said.code, said.out) == (2, "")
    first, second = said.err.splitlines()
    assert first.startswith(f"lama-odds: {told}")
    assert "lama-odds advise --help" in second


def test_what_a_command_line_gives_is_the_last() -> None:
    words = ["--games", "1", "--games=2", "--seed", "--games"]
    assert given(("-g", "--games"), words[:2]) == "1"
    assert given(("-g", "--games"), words[:3]) == "2"
    assert given(("--seed",), words) == "--games"
    assert given(("--threads",), words) is None


# names


@pytest.mark.parametrize(
    ("args", "near"),
    [
        (("advise", "LAMA/EGMONT", "hand=3 top=4 opp=4"), "lama"),
        (("advise", "lama/EGMONT", "hand=3 top=4 opp=4"), "egmont"),
        (("advise", "lama/egmont", "HNAD=336L top=4 opp=4"), "hand"),
        (("rules", "lama/egmont+TWENTY"), "twenty"),
        (("advise", *POSITION, "--opponents", "MEANFIELD"), "meanfield"),
        (("advise", *POSITION, "--objective", "Points"), "points"),
    ],
)
def test_a_name_in_other_letters_is_answered_by_the_right_one(
    args: tuple[str, ...], near: str
) -> None:
    said = inside(*args)
    assert said.code == 2
    assert f"  did you mean {near}?" in said.err.splitlines()


# records


def test_a_record_with_a_mark_of_the_byte_order_is_read(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text(RECORD, encoding="utf-8-sig")
    assert inside("advise", "dice/amigo", "--after", str(file), *SHORT).code == 0
    assert inside("review", str(file), *SHORT).code == 0


def test_what_simulate_shows_can_be_advised_after_and_reviewed(tmp_path: Path) -> None:
    shown = inside(*PLAY, "--games", "1", "--show", "1").out
    lines = shown.splitlines()
    end = next(number for number, line in enumerate(lines) if line.startswith("end "))
    file = tmp_path / "game.txt"
    begun = [*lines[: end - 2], *lines[lines.index("") :]]  # stopped in the first round
    assert begun[-1].endswith("More: -v")
    file.write_text("\n".join(begun), encoding="utf-8")
    said = inside("advise", "dice/amigo", "--after", str(file), *SHORT, "--json")
    assert said.code == 0, said.err
    assert inside("review", str(file), *SHORT).code == 0
    file.write_text(shown, encoding="utf-8")
    said = inside("advise", "dice/amigo", "--after", str(file), *SHORT)
    assert said.code == 3  # the game is over, which is another thing than unreadable
    assert "its last round is over" in said.err


def test_of_several_records_the_first_is_read() -> None:
    assert first_record(RECORD) == RECORD
    assert first_record(f"\ufeff{RECORD}") == RECORD
    assert first_record(f"{RECORD}\n{RECORD}").rstrip("\n") == RECORD.rstrip("\n")
    assert first_record(f"{RECORD}{RECORD}") == RECORD
    assert first_record(f"{RECORD}\ndice/amigo   2 players\nseat 0").startswith(RECORD)
    assert first_record(f"{HEADER}\n\n# said\nrules dice/amigo\n").endswith("amigo\n")


@pytest.mark.parametrize(
    ("record", "rules", "told"),
    [
        (RECORD, "lama/egmont", "its turns (discard, roll, take) do not fit rules of lama"),
        (RECORD, "noprob/starnberger", "do not fit rules of noprob: they are of dice"),
        (CARDS_RECORD, "dice/amigo", "its turns (draw, play) do not fit rules of dice"),
    ],
)
def test_a_record_of_another_game_says_so(
    tmp_path: Path, record: str, rules: str, told: str
) -> None:
    lines = record.splitlines()
    lines[1] = f"rules {rules}"
    (tmp_path / "game.txt").write_text("\n".join(lines), encoding="utf-8")
    said = inside("review", str(tmp_path / "game.txt"))
    assert said.code == 2
    assert told in said.err


def test_a_slip_in_a_record_is_not_taken_for_another_game(tmp_path: Path) -> None:
    text = RECORD.replace("1 roll 124 discard 12", "1 draw 124 discard 12")
    (tmp_path / "game.txt").write_text(text, encoding="utf-8")
    said = inside("review", str(tmp_path / "game.txt"))
    assert said.code == 2
    assert "do not fit" not in said.err
    assert caret(said)[0] == "1 draw 124 discard 12"


# JSON that is handed in


def test_deeply_nested_json_is_refused(tmp_path: Path) -> None:
    policy = tmp_path / "policy.json"
    policy.write_text(DEEP)
    said = inside("simulate", "dice/amigo", "--players", "2", "--policy", f"@{policy}", *SHORT)
    assert (said.code, said.out) == (2, "")
    assert "is not a policy file" in said.err

    run = tmp_path / "run"
    assert inside(*PLAY, *SHORT, "--run", str(run)).code == 0
    (job,) = (run / "jobs").iterdir()
    for file in (job / "job.json", run / "run.json"):
        file.write_text(DEEP)
        for args in (("runs", str(run)), (*PLAY, *SHORT, "--run", str(run))):
            said = inside(*args)
            assert (said.code, said.out) == (4, "")
            assert f"{file} cannot be read (nested too deeply)" in said.err

    reports = tmp_path / "reports"
    reports.mkdir()
    (reports / "manifest.json").write_text(DEEP)
    said = inside("report", "dice/amigo", "--quick", "--out", str(reports))
    assert (said.code, said.out) == (2, "")
    assert "holds other things (manifest.json)" in said.err


def test_a_manifest_that_lacks_what_is_needed_is_none(tmp_path: Path) -> None:
    for reports in ([], {"dice": 1}, {"dice": {"title": "Lama Dice"}}):
        manifest = {"kind": "lama-odds reports 1", "reports": reports}
        (tmp_path / "manifest.json").write_text(json.dumps(manifest))
        said = inside("report", "dice/amigo", "--quick", "--out", str(tmp_path))
        assert (said.code, said.out) == (2, "")
        assert "manifest.json cannot be read" in said.err
        assert "Nothing was written" in said.err


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes")
def test_files_of_others_are_refused_at_once_and_in_few_words(tmp_path: Path) -> None:
    pipe, damaged = tmp_path / "pipe", tmp_path / "damaged\x1b[31m"
    os.mkfifo(pipe)
    damaged.write_bytes(b"game 1\n\xff")
    calls = [("review", name) for name in (str(pipe), "/dev/zero", str(tmp_path), str(damaged))]
    calls += [("advise", "dice/amigo", "--after", name) for _, name in calls]
    calls += [
        ("simulate", "dice/amigo", "--players", "2", "--policy", f"@{name}", *SHORT)
        for _, name in calls[:4]
    ]
    calls += [("rules", "x" * 2_000_000), ("advise", "dice/amigo", "\x1b]0;t\x07" * 100_000)]
    for call in calls:
        said = inside(*call)
        assert (said.code, said.out) == (2, ""), call
        assert said.err.replace("\n", "").isprintable()
        assert len(said.err) < 2_000
    assert "at line 2, byte 1, expected UTF-8" in inside(*calls[3]).err


@pytest.mark.skipif(os.name != "posix", reason="needs descriptors")
def test_a_record_comes_from_stdin_or_a_pipe_of_the_shell() -> None:
    reading_end, writing_end = os.pipe()
    os.write(writing_end, b"\xef\xbb\xbf" + RECORD.encode())
    os.close(writing_end)
    asked = ("advise", "dice/amigo", "--games", "1000", "--json", "--after")
    said = inside(*asked, f"/dev/fd/{reading_end}")
    os.close(reading_end)
    assert said.code == 0, said.err
    assert said.json["actions"]


def test_figures_that_are_none_are_left_out_of_a_runs_state(tmp_path: Path) -> None:
    run = tmp_path / "run"
    assert inside(*PLAY, *SHORT, "--run", str(run)).code == 0
    (job,) = (run / "jobs").iterdir()
    for figures in (DEEP, "[]", '{"figures": []}', '{"figures": {"a": {"value": 1}}}'):
        (job / "figures.json").write_text(figures)
        assert inside("runs", str(run)).code == 0
        said = inside("runs", str(run), "-v")
        assert said.code == 0
        row = next(line.split() for line in said.out.splitlines() if line.startswith(job.name))
        assert row[1:3] == ["1,000", "1,000"]


# runs


def test_a_run_asked_for_fewer_games_is_not_more_than_done(tmp_path: Path) -> None:
    run = ("--run", str(tmp_path / "run"))
    assert inside(*PLAY, "--games", "2000", *run).code == 0
    assert inside(*PLAY, "--games", "1000", *run).code == 0
    assert "▶ Done: 1,000 games." in inside("runs", run[1]).out
    said = inside("runs", run[1], "-v")
    (key,) = (path.name for path in (tmp_path / "run" / "jobs").iterdir())
    row = next(line.split() for line in said.out.splitlines() if line.startswith(key))
    assert row[1:5] == ["1,000", "1,000", "100", "%"]
    assert "2,000 games of" in said.out
    assert "are kept; the last command wanted 1,000" in said.out


# the first use


@pytest.mark.parametrize(
    ("base", "told"),
    [
        ("own", "kept for next time"),
        ("among", "kept in {among}: {own} cannot be used"),
        ("new", "not kept: {own} cannot be used"),
    ],
)
def test_the_first_use_says_whether_it_is_the_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, base: str, told: str
) -> None:
    own, temporary = tmp_path / "file" / "cache", tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(places.platformdirs, "user_cache_dir", lambda name: str(own))
    monkeypatch.setattr(places.tempfile, "gettempdir", lambda: str(temporary))
    monkeypatch.setattr(places.tempfile, "tempdir", str(temporary))
    user = getattr(places.os, "getuid", lambda: "user")()
    among = temporary / f"lama-odds-{user}"
    if base != "own":
        (tmp_path / "file").write_text("not a folder")
    if base == "new":
        among.mkdir(mode=0o777)
        among.chmod(0o777)  # others could have put machine code there
    for found in (places.base, places.fallback):
        found.cache_clear()
    try:
        assert places.keeping() == told.format(own=own, among=among)
    finally:
        for found in (places.base, places.fallback):
            found.cache_clear()
