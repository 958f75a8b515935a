"""``advise --positions`` and ``simulate --rows`` as a user runs them."""

from __future__ import annotations

import csv
import io
import json
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest

from lama_odds.analysis.game_rows import KINDS
from lama_odds.report.rows.advice_rows import COLUMNS
from lama_odds.report.rows.game_columns import COLUMNS as OF_GAMES
from tests.cli.calls import EXACT, PATIENCE, SCRIPT, environment, inside, started

HOWTO = Path(__file__).resolve().parents[2] / "docs" / "howto"
ADVISE = ("advise", "dice/amigo")
ROWS = ("simulate", "dice/amigo", "--players", "2", "--policy", "threshold:5", "--rows")
UNREADABLE, IMPOSSIBLE, ENDED = "hand=9", "hand=L opp=LLLLLLLLL", "hand=- opp=1"


def listed(tmp_path: Path, *positions: str) -> str:
    file = tmp_path / "positions.txt"
    file.write_text("# mine\n\n" + "\n".join(positions) + "\n")
    return str(file)


def test_each_position_has_a_row_on_stdout(tmp_path: Path) -> None:
    said = inside(*ADVISE, "--positions", listed(tmp_path, EXACT[2], UNREADABLE))
    rows = list(csv.DictReader(io.StringIO(said.out)))
    assert list(rows[0]) == [column.name for column in COLUMNS]
    assert [row["position"] for row in rows] == [EXACT[2], UNREADABLE]
    alone = inside(*EXACT, "--json").json
    assert rows[0]["verdict"] == alone["verdict"]
    assert float(rows[0]["value"]) == alone["actions"][0]["value"]["value"]
    assert float(rows[0]["regret"]) == alone["actions"][1]["regret"]["value"]
    assert "opp is missing" in rows[1]["error"]
    assert said.code == 2
    assert "1 of 2 positions have no answer" in said.err


@pytest.mark.parametrize(
    ("positions", "code"),
    [
        ((EXACT[2],), 0),
        ((EXACT[2], ENDED), 3),
        ((IMPOSSIBLE, ENDED), 3),
        ((IMPOSSIBLE, UNREADABLE), 2),
    ],
)
def test_exit_codes(tmp_path: Path, positions: tuple[str, ...], code: int) -> None:
    assert inside(*ADVISE, "--positions", listed(tmp_path, *positions)).code == code


def test_lines_are_whole_answers(tmp_path: Path) -> None:
    file = listed(tmp_path, EXACT[2], UNREADABLE)
    # The models' games would depend on the time that the first of them gets.
    how = ("--sensitivity", "--games", "2000")
    said = inside(*ADVISE, "--positions", file, "--format", "jsonl", *how)
    first, second = map(json.loads, said.out.splitlines())
    alone = inside(*EXACT, "--json", *how).json
    assert {**first, "seconds": 0} == {**alone, "seconds": 0}
    assert list(second) == ["position", "error"]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--json",), "--json does not go with --positions, expected --format jsonl"),
        (("-v",), "--verbose does not go with --positions"),
        (("--plot", "a.svg"), "--plot does not go with --positions"),
        ((EXACT[2],), "expected one of POSITION, --after and --positions"),
        (("--format", "xls"), "unknown format 'xls'"),
        (("--format", "parquet"), "need a file to go to"),
        (("--sensitivity",), "expected the format jsonl"),
        (("--opponents", "nobody"), "unknown policy"),
        (("--out", "positions.txt"), "--positions is the same file"),
        (("--out", "nowhere/a.csv"), "there is no folder nowhere"),
    ],
)
def test_refusals(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: tuple[str, ...], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    listed(tmp_path, EXACT[2])
    found = inside(*ADVISE, "--positions", "positions.txt", *more)
    assert found.code in (2, 4)
    assert said in found.err
    assert not found.out
    assert [path.name for path in tmp_path.iterdir()] == ["positions.txt"]


def test_options_for_rows_need_rows() -> None:
    assert "--format is for rows: expected --positions too" in inside(*EXACT, "--format", "csv").err
    assert inside(*ROWS[:-1], "--games", "1", "--out", "a.csv").code == 2
    assert "--show does not go" in inside(*ROWS, "games", "--games", "1", "--show", "1").err
    assert "known: games, rounds" in inside(*ROWS, "", "--games", "1").err


def test_positions_come_from_stdin() -> None:
    done = subprocess.run(
        [str(SCRIPT), *ADVISE, "--positions", "-"],
        input=f"{EXACT[2]}\n",
        capture_output=True,
        encoding="utf-8",
        env=environment(),
        timeout=PATIENCE,
        check=False,
    )
    assert (done.returncode, done.stdout.count("\n")) == (0, 2)
    assert inside(*ADVISE, "--positions", "nowhere.txt").code == 2


@pytest.mark.long
@pytest.mark.parametrize("name", ["advice.csv", "advice.jsonl"])
def test_ctrl_c_leaves_a_file_that_is_resumed(tmp_path: Path, name: str) -> None:
    sampled = [f"hand={hand} row=1346L opp=13,6LL" for hand in ("25L", "2", "5L", "25", "L")]
    file, out = listed(tmp_path, *2 * sampled), tmp_path / name
    command = (*ADVISE, "--positions", file, "--games", "600000")
    running = started(*command, "--out", str(out))
    until = time.monotonic() + PATIENCE
    while not (out.exists() and out.read_text().count("\n") > 2) and time.monotonic() < until:
        time.sleep(0.05)
    running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=PATIENCE)
    assert running.returncode == 130, err
    assert f"the rows so far are kept in {out}: the same command resumes there" in err
    lines = out.read_text().count("\n")
    assert 2 < lines < 10
    found = inside(*command, "--out", str(out))
    assert found.code == 0
    assert f"{out} has 10 rows" in found.err
    whole = inside(*command, "--format", name.rpartition(".")[2]).out
    seconds = re.compile('"seconds": [^,]*')
    assert seconds.sub("", out.read_text()) == seconds.sub("", whole)


def test_simulated_games_are_rows_on_stdout() -> None:
    for kind in KINDS:
        said = inside(*ROWS, kind, "--games", "2")
        rows = list(csv.DictReader(io.StringIO(said.out)))
        assert list(rows[0]) == [column.name for column in OF_GAMES[kind]]
        assert {row["game"] for row in rows} == {"0", "1"}
        assert said.code == 0


def test_columns_are_documented() -> None:
    """In the guides, and for each kind of rows."""
    advice = (HOWTO / "many_positions.md").read_text()
    games = (HOWTO / "games_as_data.md").read_text()
    for column in COLUMNS:
        assert f"`{column.name}`" in advice
    for kind, columns in OF_GAMES.items():
        part = games.partition(f"**`{kind}`**")[2].partition("**`")[0]
        for column in columns:
            assert f"`{column.name}`" in part, (kind, column.name)
            assert column.about
