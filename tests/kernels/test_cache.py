"""Machine code is kept by source: an edited rule is a miss, a user's own cache stays."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numba
import numpy as np
import pytest

from lama_odds import kernels
from lama_odds.kernels import store

CALL = (
    "from lama_odds.games import tokens;"
    "print(tokens.returned_token(25, 10, 0), len(tokens.returned_token.stats.cache_hits))"
)


def run_copy(root: Path, cache: Path) -> tuple[str, int]:
    """The token that a copy of the package returns, and how many cache hits that took."""
    env = {**os.environ, "XDG_CACHE_HOME": str(cache), "PYTHONPATH": str(root)}
    done = subprocess.run(
        [sys.executable, "-c", CALL], cwd=root, env=env, capture_output=True, text=True, check=True
    )
    token, hits = done.stdout.split()
    return token, int(hits)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    shutil.copytree(kernels.ROOT, tmp_path / "copy" / kernels.PACKAGE)
    return tmp_path / "copy"


@pytest.mark.skipif(sys.platform != "linux", reason="the cache folder is moved by an XDG variable")
def test_an_edited_rule_is_compiled_anew(copy: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    assert run_copy(copy, cache) == ("10", 0)
    assert run_copy(copy, cache) == ("10", 1)
    edited = copy / "lama_odds/games/tokens.py"
    stamp = edited.stat()
    text = edited.read_text().replace(
        "if score >= black:\n        return black", "if score >= black:\n        return 99   "
    )
    edited.write_text(text.ljust(stamp.st_size))
    # Even with the file's old date: the hash of the source decides, not the clock.
    os.utime(edited, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    assert run_copy(copy, cache) == ("99", 0)


@pytest.mark.skipif(sys.platform != "linux", reason="the cache folder is moved by an XDG variable")
def test_an_edit_below_reaches_the_callers_folder(copy: Path) -> None:
    before = folder_of(copy, "lama_odds.games.dice.kernels")
    stream = copy / "lama_odds/luck/stream.py"
    stream.write_text(stream.read_text() + "\n# changed\n")
    assert folder_of(copy, "lama_odds.games.dice.kernels") != before


def test_an_edit_elsewhere_changes_nothing(copy: Path) -> None:
    before = folder_of(copy, "lama_odds.games.dice.kernels")
    record = copy / "lama_odds/games/dice/record.py"
    record.write_text(record.read_text() + "\n# changed\n")
    assert folder_of(copy, "lama_odds.games.dice.kernels") == before


def folder_of(root: Path, module: str) -> str:
    """Name of the cache folder that a copy of the package uses for a module."""
    code = f"from lama_odds import kernels; print(kernels.cache_folder({module!r}).name)"
    env = {**os.environ, "PYTHONPATH": str(root)}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=root, env=env, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def test_a_users_own_cache_folder_stays() -> None:
    before = numba.config.CACHE_DIR

    @kernels.compiled
    def nothing() -> int:
        return 0

    assert before == numba.config.CACHE_DIR
    assert nothing() == 0


def test_the_cache_falls_back_when_the_home_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    monkeypatch.setattr(kernels.platformdirs, "user_cache_dir", lambda name: str(blocked / name))
    kernels._writable_base.cache_clear()
    try:
        assert not kernels._writable_base().is_relative_to(blocked)
    finally:
        kernels._writable_base.cache_clear()


def test_first_compile_is_told_once() -> None:
    told: list[int] = []
    kernels.on_first_compile(lambda: told.append(1))

    @numba.njit
    def one(x: int) -> int:
        return x + 1

    assert one(1) == 2
    assert one(1.5) == 2.5
    assert told == [1]


AT_ONCE = """
import sys, time
import numpy as np
from lama_odds.games import tokens
kind = {"int64": np.int64, "int32": np.int32, "float64": np.float64}[sys.argv[1]]
while time.time() < float(sys.argv[2]):
    pass
token = tokens.returned_token(kind(25), kind(10), kind(20))
print(token, sum(tokens.returned_token.stats.cache_hits.values()))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the cache folder is moved by an XDG variable")
def test_first_uses_at_once_do_not_mix_up_their_code(tmp_path: Path) -> None:
    env = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    kinds = ["int64", "int32", "float64", "int64"]

    def start(kind: str, at: float) -> subprocess.Popen[str]:
        call = [sys.executable, "-c", AT_ONCE, kind, str(at)]
        return subprocess.Popen(call, env=env, stdout=subprocess.PIPE, text=True)

    begin = time.time() + 4
    first = [start(kind, begin) for kind in kinds]
    assert [float(process.communicate()[0].split()[0]) for process in first] == [20.0] * 4
    # Afterwards each finds its own code, and the right one.
    again = [start(kind, 0).communicate()[0].split() for kind in kinds]
    assert [(float(token), hits) for token, hits in again] == [(20.0, "1")] * 4


def test_a_cache_that_cannot_be_written_is_done_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    monkeypatch.setattr(kernels, "cache_folder", lambda module: blocked / module)

    @kernels.compiled
    def three() -> int:
        return 3

    assert three() == 3


def test_a_table_is_solved_once_and_kept_by_its_inputs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "cache_folder", lambda module: tmp_path / module)
    solved: list[int] = []

    def solve(number: int) -> np.ndarray:
        solved.append(number)
        return np.full(3, number, dtype=np.float32)

    for number in (1, 2, 1, 2):
        table = store.kept("m", (np.array([number]),), lambda number=number: solve(number))
        assert table.tolist() == [number] * 3
    assert solved == [1, 2]
    for file in (tmp_path / "m").iterdir():
        file.write_bytes(b"damaged")
    assert store.kept("m", (np.array([1]),), lambda: solve(1)).tolist() == [1] * 3
    for number in range(2 * store.MOST_KEPT):
        store.kept("m", (np.array([number]),), lambda number=number: solve(number))
    assert len(list((tmp_path / "m").iterdir())) == store.MOST_KEPT


def test_inlined_functions_cannot_hand_arrays_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What has been kept was compiled, and so checked, before.
    monkeypatch.setattr(kernels, "cache_folder", lambda module: tmp_path)

    def itself(table: np.ndarray) -> np.ndarray:
        return table

    itself.__module__ = "lama_odds.kernels"
    with pytest.raises(TypeError, match="it is `allocating`, not `inlined`"):
        kernels.inlined(itself)(np.zeros((2, 2)))
    assert kernels.allocating(itself)(np.ones((2, 2))).sum() == 4
