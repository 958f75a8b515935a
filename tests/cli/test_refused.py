"""What is refused: files of others, damaged records, odd JSON. Other messages are in `golden`."""

from __future__ import annotations

import importlib.util
import json
import os
from pathlib import Path
from typing import Any

import pytest

from lama_odds.cli import engines
from lama_odds.cli.commands import in_digits
from lama_odds.cli.errors import given
from lama_odds.core.checks import default_players
from lama_odds.core.errors import ImpossibleError, LimitError, ReadError
from lama_odds.games.registry import ALSO_CALLED, game_of
from lama_odds.games.shared.record import HEADER, first_record
from lama_odds.jit import places
from lama_odds.simulation import dask_engine
from tests.cli.calls import CARDS_RECORD, RECORD, caret, inside, told

PLAY = ("simulate", "dice/amigo", "--players", "2", "--policy", "threshold:5")
DEEP = "[" * 100_000
SHORT = ("--games", "1000")


# exit codes


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (KeyboardInterrupt(), 130, "stopped"),
        (MemoryError(), 4, "out of memory"),
        (OSError(28, "No space left on device", "x.svg"), 4, "x.svg: No space left on device"),
        (OSError(5, "Input/output error"), 4, "Input/output error"),
        (ReadError("found x"), 2, "found x"),
        (ImpossibleError("this", ["a", "b"]), 3, None),
        (LimitError("too few"), 4, "too few"),
        (BrokenPipeError(), 0, ""),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, BaseException) else "",
)
def test_every_error_has_its_exit_code(
    monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int, message: str | None
) -> None:
    def failing(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("lama_odds.analysis.odds.odds", failing)
    said = inside("odds", "dice/amigo", "deal")
    assert (said.code, said.out) == (code, "")
    if message is not None:
        assert said.err == (f"lama-odds: {message}\n" if message else "")


@pytest.mark.parametrize(
    ("positions", "code"),
    [
        (("hand=25L row=1346L opp=13",), 0),
        (("hand=25L row=1346L opp=13", "hand=- opp=1"), 3),
        (("hand=L opp=LLLLLLLLL", "hand=- opp=1"), 3),
        (("hand=L opp=LLLLLLLLL", "hand=9"), 2),
    ],
)
def test_the_worst_of_many_positions_is_the_exit_code(
    tmp_path: Path, positions: tuple[str, ...], code: int
) -> None:
    file = tmp_path / "positions.txt"
    file.write_text("# mine\n\n" + "\n".join(positions) + "\n", encoding="utf-8")
    assert inside("advise", "dice/amigo", "--positions", str(file)).code == code


# numbers


def test_what_a_command_line_gives_is_the_last() -> None:
    words = ["--games", "1", "--games=2", "--seed", "--games"]
    assert given(("-g", "--games"), words[:2]) == "1"
    assert given(("-g", "--games"), words[:3]) == "2"
    assert given(("--seed",), words) == "--games"
    assert given(("--threads",), words) is None


@pytest.mark.parametrize(
    ("text", "digits"),
    [("1,000", "1000"), ("1e6", "1000000"), ("2.5E+3", "2500"), ("1e0", "1"), ("1.25e1", "1.25e1")]
    + [("1_000", "1000"), ("20k", "20000"), ("1.5k", "1500"), ("2M", "2000000"), ("1.25", "1.25")]
    + [(text, text) for text in ("1,00", "1.5", "e6", "1e", "1e-3", "k", "many", "")],
)
def test_numbers_of_games_may_be_grouped_or_powers(text: str, digits: str) -> None:
    assert in_digits(text) == digits


@pytest.mark.parametrize("name", sorted(ALSO_CALLED))
def test_names_on_other_boxes_are_understood(name: str) -> None:
    game = game_of(f"{name}/egmont")
    assert game.rules(f"{name}/egmont+short").id == f"{ALSO_CALLED[name]}/egmont+short"
    question = ("simulate", "--players", "2", "--policy", "first-tile", "--json", "--games")
    asked = inside(*question, "1_000", f"{name}/egmont").json
    assert asked["rules"] == f"{ALSO_CALLED[name]}/egmont"
    assert asked["games"] == 1000
    for command in ("rules", "policies", "help"):
        assert inside(command, name).out == inside(command, ALSO_CALLED[name]).out


def test_four_players_are_the_default_or_as_many_as_can_play() -> None:
    def rules(text: str) -> Any:
        return game_of(text).rules(text)

    few = rules("lama/egmont+copies=2")
    assert default_players(rules("dice/amigo"), rules("dice/egmont")) == 4
    assert default_players(few) == default_players(rules("lama/egmont"), few) == 3
    policies = ("--policy", "random", "--policy", "threshold:5")
    assert told("simulate", "dice/amigo", *policies, "--games", "10")["players"] == 2


# records


@pytest.mark.long
def test_a_record_with_a_mark_of_the_byte_order_is_read(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text(RECORD, encoding="utf-8-sig")
    assert inside("advise", "dice/amigo", "--after", str(file), *SHORT).code == 0
    assert inside("review", str(file), *SHORT).code == 0


@pytest.mark.long
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
    ("record", "rules", "message"),
    [
        (RECORD, "lama/egmont", "its turns (discard, roll, take) do not fit rules of lama"),
        (RECORD, "noprob/starnberger", "do not fit rules of noprob: they are of dice"),
        (CARDS_RECORD, "dice/amigo", "its turns (draw, play) do not fit rules of dice"),
    ],
)
def test_a_record_of_another_game_says_so(
    tmp_path: Path, record: str, rules: str, message: str
) -> None:
    lines = record.splitlines()
    lines[1] = f"rules {rules}"
    (tmp_path / "game.txt").write_text("\n".join(lines), encoding="utf-8")
    said = inside("review", str(tmp_path / "game.txt"))
    assert said.code == 2
    assert message in said.err


def test_a_slip_in_a_record_is_not_taken_for_another_game(tmp_path: Path) -> None:
    text = RECORD.replace("1 roll 124 discard 12", "1 draw 124 discard 12")
    (tmp_path / "game.txt").write_text(text, encoding="utf-8")
    said = inside("review", str(tmp_path / "game.txt"))
    assert said.code == 2
    assert "do not fit" not in said.err
    assert caret(said)[0] == "1 draw 124 discard 12"


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
        (CARDS_RECORD, "deal 112+35L", "deal 112+35", 7, 5),
        (CARDS_RECORD, "225LLL", "225LLX", 7, 18),
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


def test_a_record_that_ends_while_another_is_to_act_is_not_answered(tmp_path: Path) -> None:
    file = tmp_path / "round.txt"
    file.write_text(SEEN_FROM_ONE, encoding="utf-8")
    for command in ("advise", "odds"):
        said = inside(command, "lama/amigo", "--after", str(file))
        assert (said.code, said.out) == (3, "")
    file.write_text(f"{SEEN_FROM_ONE}1 draw ?\n", encoding="utf-8")
    after = told("odds", "lama/amigo", "--after", str(file))
    assert after["position"].startswith("hand=133666 ")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        *(("", 2), ("hello\n", 2), ("lama-odds record 1\n", 2), ("\xff\xfe\x00", 2)),
        ("lama-odds record 1\nrules dice\n", 2),
        ("lama-odds record 1\nrules dice/amigo\nplayers 2\n", 3),
    ],
)
def test_what_is_no_record(tmp_path: Path, text: str, code: int) -> None:
    file = tmp_path / "x.txt"
    file.write_text(text, encoding="latin-1")
    assert inside("review", str(file)).code == code


# files that are handed in


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


# engines


NEEDS_DASK = pytest.mark.skipif(importlib.util.find_spec("distributed") is None, reason="no dask")
ENGINE = (*PLAY, "--games", "3000", "--engine")
SOMEWHERE = "tls://10.0.0.1:8786"


@pytest.mark.parametrize(
    "command", ["simulate", "tournament", "compare", "sweep", "thresholds", "tune"]
)
def test_without_the_extra_it_says_what_to_install(
    command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    others = {
        "simulate": (*PLAY[1:], *SHORT),
        "tournament": ("dice/amigo", "--players", "2", "--policies", "random,threshold:5"),
        "compare": ("dice/amigo", "dice/egmont", "--players", "2"),
        "sweep": ("dice/amigo", "--vary", "target=30,40"),
        "thresholds": ("dice/amigo", "--players", "2"),
        "tune": ("dice/amigo", "threshold", "--players", "2"),
    }
    monkeypatch.setattr(dask_engine.importlib.util, "find_spec", lambda name: None)
    found = inside(command, *others[command], "--engine", "dask")
    assert found.code == 4
    assert 'pip install ".[cluster]"' in found.err


@NEEDS_DASK
def test_nobody_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_engine, "CONNECT_SECONDS", 0.3)
    found = inside(*ENGINE, "tcp://127.0.0.1:9")
    assert found.code == 4
    assert "no dask scheduler answers at tcp://127.0.0.1:9 within 0.3 s" in found.err
    # Wrong questions are refused before anybody is looked for.
    found = inside(*ENGINE, "tcp://127.0.0.1:9", "--policy", "treshold:5")
    assert (found.code, "unknown policy" in found.err) == (2, True)


@NEEDS_DASK
def test_keys_that_are_missing_or_none(tmp_path: Path) -> None:
    import dask

    found = inside(*ENGINE, SOMEWHERE)
    assert found.code == 4
    assert f"{SOMEWHERE} needs keys and certificates" in found.err
    file = tmp_path / "none.pem"
    file.write_text("no key", encoding="utf-8")
    keys = ("ca-file", "client.cert", "client.key")
    with dask.config.set({f"distributed.comm.tls.{key}": str(file) for key in keys}):
        found = inside(*ENGINE, SOMEWHERE)
    assert found.code == 4
    assert f"keys and certificates for {SOMEWHERE} cannot be used" in found.err


@pytest.mark.parametrize(
    ("host", "here"),
    [("127.0.0.1", True), ("[::1]", True), ("localhost", True), ("10.0.0.1", False), ("pc", False)],
)
def test_only_this_machine_needs_no_tls(
    host: str, here: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    engines.check_scheduler(f"tcp://{host}:8786", None)
    assert ("nothing is encrypted" in capsys.readouterr().err) is not here
    engines.check_scheduler(f"tls://{host}:8786", None)
    assert capsys.readouterr().err == ""
