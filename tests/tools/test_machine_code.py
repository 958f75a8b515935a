"""Machine code that was made ahead: it is found without a cache, and gives the same results."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from lama_odds.games.lama.rules.ruleset import parse_rules
from lama_odds.games.lama.rules.transition import penalty_of
from lama_odds.jit import native
from lama_odds.jit.native import Arguments
from lama_odds.jit.sources import folder_name
from tools.browser.machine import PLAIN

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(sys.platform != "linux", reason="machine code is made for Linux"),
]
RULES = parse_rules("lama/egmont")
GIVEN = RULES.playable, RULES.penalties, 0x0100000201
MODULE, NAME = penalty_of.__module__, penalty_of.__name__
KINDS = Arguments()(GIVEN)[0]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the machine code of one function, made by a process of its own."""
    out = tmp_path_factory.mktemp("ahead")
    script = (
        "import sys, json; from pathlib import Path; from tools import machine_code as m;"
        "m._make_one(Path(sys.argv[1]), m.LINUX, json.loads(sys.argv[2]))"
    )
    pairs = json.dumps([[f"{MODULE}.{NAME}", KINDS]])
    environment = {**os.environ, **PLAIN, "XDG_CACHE_HOME": str(out / "cache")}
    command = [sys.executable, "-c", script, str(out), pairs]
    subprocess.run(command, env=environment, cwd=Path(__file__).parents[2], check=True)
    return out / folder_name(MODULE)


def test_it_gives_what_python_gives(made: Path, tmp_path: Path) -> None:
    if native.made_ahead_by()[2] != native.AHEAD:
        pytest.skip("this processor lacks what the machine code uses")
    found = native.found(tmp_path, NAME, KINDS, made)
    assert found is not None
    assert found(Arguments()(GIVEN)[1]) == penalty_of(*GIVEN)


@pytest.mark.parametrize("other", [["ahead", "0.1", native.AHEAD], ["ahead"]])
def test_that_of_another_version_is_not_used(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, other: list[str]
) -> None:
    monkeypatch.setattr(native, "made_ahead_by", lambda: other)
    assert native.found(tmp_path, NAME, KINDS, made) is None


def test_what_is_damaged_or_missing_is_not_used(made: Path, tmp_path: Path) -> None:
    file = native.file_of(tmp_path, NAME, KINDS)
    assert native.found(tmp_path / "none", NAME, KINDS, tmp_path) is None
    head, _, code = native.file_of(made, NAME, KINDS).read_bytes().partition(b"\n")
    file.write_bytes(head[:-5] + b"\n" + code)
    assert native.found(tmp_path / "none", NAME, KINDS, tmp_path) is None
