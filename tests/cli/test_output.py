"""What goes to stdout: how wide, in which characters, tables instead of answers, readers gone."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from lama_odds.core.screen import REPLACED, columns, plain, spelt
from tests.cli.calls import EXACT, PATIENCE, SAMPLED, SCRIPT, environment, inside

TABLES = ("equity", "dice/amigo")
COMPARED = ("compare", "dice/amigo", "dice/egmont", "--players", "2", "--games", "200")
LEAGUE = ("tournament", "dice/amigo", "--games", "64", "--policies", "random,threshold:5")
SWEPT = ("thresholds", "dice/amigo", "--games", "1000")
TUNED = ("tune", "dice/amigo", "threshold", "--players", "2", "--games", "1000")


def printed(*args: str, **changes: str) -> bytes:
    """What the command line prints into a pipe."""
    done = subprocess.run(
        [str(SCRIPT), *args],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment(**changes),
        timeout=PATIENCE,
        check=True,
    )
    return done.stdout


@pytest.mark.long
@pytest.mark.parametrize("wide", [40, 80, 120])
def test_columns_is_heeded_in_a_pipe(wide: int) -> None:
    lines = printed(*EXACT, "-v", COLUMNS=str(wide)).decode().splitlines()
    longest = max(len(line) for line in lines if "=" not in line)
    assert wide * 0.6 < longest <= wide


def test_columns_that_say_nothing_are_passed_over() -> None:
    assert [columns(text) for text in ("", "0", "-3", "wide", "²", "7 0")] == [None] * 6
    assert [columns(text) for text in ("5", "77", "9" * 30)] == [20, 77, 1000]
    sizes = {"COLUMNS": "²", "LINES": "²", "TERMINAL_WIDTH": "wide"}
    assert b"compare" in printed("--help", **sizes)


@pytest.mark.long
@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252", "cp437"])
def test_what_cannot_be_shown_is_replaced_and_tables_stand(encoding: str) -> None:
    asked = (*SAMPLED, "--games", "1000")
    told = printed(*asked, PYTHONIOENCODING=encoding).decode(encoding)
    assert "?" not in told
    assert ("+/-" in told) == (encoding == "ascii")
    assert ("±" in told) == (encoding != "ascii")
    rows = [line for line in told.splitlines() if line.startswith(("     ", "roll ", "quit "))]
    assert len(rows) == 3
    assert len({len(row) for row in rows}) == 1


@pytest.mark.long
def test_no_error_and_no_help_is_lost_for_a_character() -> None:
    done = subprocess.run(
        [str(SCRIPT), "advise", "dice/amigo", "hand=25Łü opp=13"],
        capture_output=True,
        encoding="ascii",
        env=environment(PYTHONIOENCODING="ascii"),
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 2
    assert "25Lu" in done.stderr
    assert b"compare" in printed("--help", PYTHONIOENCODING="ascii")
    assert b"delta" in printed("compare", "--help", PYTHONIOENCODING="ascii")


def test_every_character_that_is_printed_has_its_replacement() -> None:
    source = Path(__file__).resolve().parents[2] / "lama_odds"
    # What stands in formulas of docstrings is not printed.
    formulas = set("²³₁₊ᵢₙΣ√∝")
    for path in source.rglob("*.py"):
        for found in set(path.read_text(encoding="utf-8")) - formulas:
            assert found.isascii() or plain(found) != "?", (path, found)
    assert all(text.isascii() for text in REPLACED.values())
    assert spelt("2 ± 1 · 蛇", "ascii") == "2 +/- 1 - ?"
    assert spelt("2 ± 1 − 1", "latin-1") == "2 ± 1 - 1"
    assert spelt("2 ± 1", "no such encoding") == "2 +/- 1"


@pytest.mark.long
@pytest.mark.parametrize("args", [TABLES, COMPARED, LEAGUE, SWEPT])
def test_a_table_on_stdout_is_the_bytes_of_its_file(args: tuple[str, ...], tmp_path: Path) -> None:
    file = tmp_path / "table.csv"
    answer = inside(*args, "--csv", str(file))
    assert answer.code == 0
    assert answer.out
    assert inside(*args, "--csv", "-").out == file.read_text(encoding="utf-8")
    if args == TABLES:
        assert printed(*args, "--csv", "-", PYTHONIOENCODING="ascii") == file.read_bytes()


@pytest.mark.parametrize("args", [TABLES, COMPARED, LEAGUE, SWEPT])
def test_one_thing_at_a_time_on_stdout(args: tuple[str, ...]) -> None:
    refused = inside(*args, "--csv", "-", "--json")
    assert (refused.code, refused.out) == (2, "")
    assert "--csv - and --json" in refused.err


@pytest.mark.long
@pytest.mark.skipif(os.name != "posix", reason="closes a pipe")
@pytest.mark.parametrize(
    ("args", "option"), [(TABLES, "--csv"), (LEAGUE, "--plot"), (TUNED, "--out")]
)
def test_files_are_written_though_nobody_reads_the_answer(
    args: tuple[str, ...], option: str, tmp_path: Path
) -> None:
    file = tmp_path / ("figure.svg" if option == "--plot" else "file")
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [str(SCRIPT), *args, option, str(file)],
        stdout=writing,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        env=environment(),
        timeout=PATIENCE,
        check=False,
    )
    os.close(writing)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    again = tmp_path / f"again{file.suffix}"
    assert inside(*args, option, str(again)).code == 0
    assert file.read_bytes() == again.read_bytes()


@pytest.mark.long
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")
def test_a_file_is_written_though_stdout_is_full(tmp_path: Path) -> None:
    file = tmp_path / "table.csv"
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [str(SCRIPT), *TABLES, "--csv", str(file)],
            stdout=full,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            env=environment(),
            timeout=PATIENCE,
            check=False,
        )
    assert done.returncode == 4
    assert file.read_text().startswith("rules,")
