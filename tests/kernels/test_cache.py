"""Machine code is kept by source: an edited rule is a miss, a user's own cache stays."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numba
import numpy as np
import pytest

from lama_odds import jit
from lama_odds.core.errors import LimitError
from lama_odds.jit import places, sources, store
from lama_odds.jit.arrays import array_of, bytes_of

CALL = (
    "from lama_odds import jit; from lama_odds.games.shared import card_values; jit.load_numba();"
    "print(card_values.returned_token(25, 10, 0), len(card_values.returned_token.stats.cache_hits))"
)
posix = pytest.mark.skipif(os.name != "posix", reason="is about who may write")
linux = pytest.mark.skipif(
    sys.platform != "linux", reason="the cache folder is moved by an XDG variable"
)


def token_in(cache: Path) -> tuple[str, int]:
    """The token that a process with a cache returns, and how many cache hits that took."""
    env = {**os.environ, "XDG_CACHE_HOME": str(cache)}
    done = subprocess.run(
        [sys.executable, "-c", CALL], env=env, capture_output=True, text=True, check=True
    )
    token, hits = done.stdout.split()
    return token, int(hits)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    left_out = shutil.ignore_patterns("__pycache__")
    shutil.copytree(sources.ROOT, tmp_path / "copy" / sources.PACKAGE, ignore=left_out)
    return tmp_path / "copy"


@pytest.mark.long
def test_folders_are_named_after_the_source_that_matters(copy: Path) -> None:
    """A package that brings a game has folders of its own; the source of this one matters too."""
    other = copy / "another_game"
    other.mkdir()
    (other / "__init__.py").write_text("")
    (other / "rules.py").write_text("SIDES = 6\n")
    (other / "engine.py").write_text(
        "from another_game.rules import SIDES\nfrom lama_odds.luck.stream import mix\n"
    )
    found = [folders_of(copy)]
    for edited in ("games/dice/records/record.py", "../another_game/rules.py", "luck/stream.py"):
        path = copy / "lama_odds" / edited
        path.write_text(path.read_text() + "\n# changed\n")
        found.append(folders_of(copy))
    ours, theirs = zip(*found, strict=True)
    assert ours[0] == ours[1] == ours[2] != ours[3]
    assert theirs[0] == theirs[1]
    assert len(set(theirs)) == 3
    assert theirs[0].startswith("another_game.engine-")


def folders_of(root: Path) -> list[str]:
    """Names of the cache folders that a copy of the package uses for two modules."""
    code = (
        "import another_game; from lama_odds import jit\n"
        "for module in ('lama_odds.games.dice.engine.kernels', 'another_game.engine'):\n"
        "    print(jit.cache_folder(module).name)"
    )
    env = {**os.environ, "PYTHONPATH": str(root)}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=root, env=env, capture_output=True, text=True, check=True
    )
    return done.stdout.split()


AT_ONCE = """
import sys
import numpy as np
from lama_odds import jit
from lama_odds.games.shared import card_values
kind = {"int64": np.int64, "int32": np.int32, "float64": np.float64}[sys.argv[1]]
jit.load_numba()
print("ready", flush=True)
sys.stdin.readline()
token = card_values.returned_token(kind(25), kind(10), kind(20))
print(token, sum(card_values.returned_token.stats.cache_hits.values()))
"""


@pytest.mark.long
@linux
def test_first_uses_at_once_do_not_mix_up_their_code(tmp_path: Path) -> None:
    env = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    kinds = ["int64", "int32", "int64"]

    def at_once() -> list[list[str]]:
        """What a process for each kind says, once all have loaded what they need."""
        call, pipe = [sys.executable, "-c", AT_ONCE], subprocess.PIPE
        processes = [
            subprocess.Popen([*call, kind], env=env, stdin=pipe, stdout=pipe, text=True)
            for kind in kinds
        ]
        assert [each.stdout.readline() for each in processes if each.stdout] == ["ready\n"] * 3
        for each in processes:
            if each.stdin:
                each.stdin.write("\n")
                each.stdin.flush()
        return [each.communicate()[0].split() for each in processes]

    said = at_once()
    assert [float(token) for token, _ in said] == [20.0] * 3
    # Of the two that need the same code one compiles it, the other one waits and reads it.
    hits = [int(found) for _, found in said]
    assert (sorted([hits[0], hits[2]]), hits[1]) == ([0, 1], 0)
    # Afterwards each finds its own code, and the right one.
    assert [(float(token), hits) for token, hits in at_once()] == [(20.0, "1")] * 3


def test_a_cache_that_cannot_be_written_is_done_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    monkeypatch.setattr(jit, "cache_folder", lambda module: blocked / module)

    @jit.compiled
    def three() -> int:
        return 3

    assert three() == 3
    # Not kept where numba would keep it instead: it is kept for this process alone.
    assert three._cache.cache_path.startswith(str(places.fallback()))


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
    for number in range(2 * store.MOST_KEPT):
        store.kept("m", (np.array([number]),), lambda number=number: solve(number))
    assert len(list((tmp_path / "m").iterdir())) == store.MOST_KEPT


def test_inlined_functions_cannot_hand_arrays_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What has been kept was compiled, and so checked, before.
    monkeypatch.setattr(jit, "cache_folder", lambda module: tmp_path)

    def itself(table: np.ndarray) -> np.ndarray:
        return table

    itself.__module__ = "lama_odds.jit"
    with pytest.raises(TypeError, match="it is `allocating`, not `inlined`"):
        jit.inlined(itself)(np.zeros((2, 2)))
    assert jit.allocating(itself)(np.ones((2, 2))).sum() == 4


HEADER = "{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }"


def npy(header: str, data: bytes = bytes(24), version: bytes = b"\x01\x00") -> bytes:
    """An .npy file with this header."""
    text = header.encode().ljust(117) + b"\n"
    return b"\x93NUMPY" + version + len(text).to_bytes(2, "little") + text + data


def test_only_whole_arrays_of_numbers_are_read() -> None:
    for array in (np.arange(6).reshape(2, 3), np.array(2.5), np.zeros((0, 3), dtype=np.uint8)):
        read = array_of(bytes_of(array))
        assert (read.dtype, read.shape, read.tolist()) == (array.dtype, array.shape, array.tolist())
        assert read.flags.writeable
    ordered = np.asfortranarray(np.arange(6).reshape(2, 3))
    assert array_of(bytes_of(ordered)).tolist() == ordered.tolist()
    whole = bytes_of(np.zeros(3))
    assert array_of(npy(HEADER)).tolist() == [0.0] * 3
    archive, pickled = io.BytesIO(), io.BytesIO()
    np.savez(archive, np.zeros(3))
    np.save(pickled, np.array([object()], dtype=object), allow_pickle=True)
    shapes = (f"({10**15},)", "(-3,)", "(True,)", "x")
    damaged = (
        *(b"", b"damaged", whole[:-1], whole + b"x", whole[:20]),
        *(archive.getvalue(), pickled.getvalue()),
        *(npy(HEADER.replace("(3,)", shape)) for shape in shapes),
        npy(HEADER.replace("<f8", "|V0"), b""),
        npy(HEADER.replace("'<f8'", "[('a', '|O')]")),
        npy("(" * 100),
        npy(HEADER, version=b"\x09\x00"),
    )
    for content in damaged:
        with pytest.raises(ValueError, match="it"):
            array_of(content)


def test_a_damaged_or_foreign_table_is_solved_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "cache_folder", lambda module: tmp_path)
    solved: list[int] = []

    def ask(number: int = 1) -> None:
        def solve() -> np.ndarray:
            solved.append(number)
            return np.full(3, number, dtype=np.float32)

        inputs = (np.array([number]),)
        assert store.kept("m", inputs, solve, ("float32", (3,))).tolist() == [number] * 3

    ask()
    (file,) = tmp_path.iterdir()
    whole = file.read_bytes()
    ask()
    assert solved == [1]
    at = len(whole) // 2
    for content in (b"", whole[:-1], whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :]):
        file.write_bytes(content)
        ask()
        assert file.read_bytes() == whole
    assert len(solved) == 4
    ask(2)  # another table under this name
    (other,) = set(tmp_path.iterdir()) - {file}
    file.write_bytes(other.read_bytes())
    ask()
    assert solved[-2:] == [2, 1]
    if os.name == "posix":
        file.chmod(0o622)
        ask()
        file.unlink()
        file.symlink_to(other)
        ask()
        os.mkfifo(tmp_path / "pipe")
        os.replace(tmp_path / "pipe", file)
        ask()
        assert solved[-3:] == [1, 1, 1]
    wrong = store.kept("m", (np.array([1]),), lambda: np.zeros(2), ("float64", (2,)))
    assert wrong.tolist() == [0.0, 0.0]


@pytest.fixture
def own_cache(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Path]:
    """A cache folder of its own, and another place for temporary files."""
    temporary = tmp_path_factory.mktemp("temporary")
    monkeypatch.setattr(places.platformdirs, "user_cache_dir", lambda name: str(tmp_path / name))
    monkeypatch.setattr(places.tempfile, "gettempdir", lambda: str(temporary))
    monkeypatch.setattr(places.tempfile, "tempdir", str(temporary))
    for found in (places.base, places.fallback, places._tell):
        found.cache_clear()
    yield tmp_path / "lama-odds"
    for found in (places.base, places.fallback, places._tell):
        found.cache_clear()


@posix
@pytest.mark.parametrize("loose", ["", "kernels", "kernels/m", "kernels/m/x/code.nbi", "link"])
def test_machine_code_that_others_can_write_is_not_used(
    own_cache: Path, capsys: pytest.CaptureFixture[str], loose: str
) -> None:
    folder = places.module_folder("m")
    assert folder == own_cache / "kernels" / "m"
    assert folder.stat().st_mode & 0o777 == 0o700
    (folder / "x").mkdir()
    (folder / "x" / "code.nbi").write_text("")
    places.base.cache_clear()
    assert places.module_folder("m") == folder
    assert capsys.readouterr().err == ""
    if loose == "link":
        loose = "kernels/m/link.nbi"
        (own_cache / loose).symlink_to(own_cache)
    else:
        (own_cache / loose).chmod(0o777)
    places.base.cache_clear()
    for _ in range(2):
        used = places.module_folder("m")
        assert not used.is_relative_to(own_cache)
        assert not used.exists() or used.stat().st_mode & 0o777 == 0o700
    told = capsys.readouterr().err
    assert str(own_cache / loose) in told
    assert told.count("\n") == 1


def test_the_cache_falls_back_when_the_home_cannot_be_written(own_cache: Path) -> None:
    own_cache.write_text("not a folder")
    assert not places.base().is_relative_to(own_cache)


@posix
def test_a_cache_below_a_folder_of_all_is_not_used(
    tmp_path: Path, own_cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tmp_path.chmod(0o777)
    assert not places.base().is_relative_to(own_cache)
    assert f"lies in {tmp_path}, which others can write to" in capsys.readouterr().err
    assert not own_cache.exists()  # nothing is made that is not used
    tmp_path.chmod(0o1777)  # as /tmp is: nobody can put something else in its place
    places.base.cache_clear()
    assert places.base() == own_cache


def made_by_another(monkeypatch: pytest.MonkeyPatch, path: Path) -> None:
    """Let a path look as if another user had made it."""
    plain = os.lstat

    def lstat(asked: os.PathLike[str]) -> os.stat_result:
        found = plain(asked)
        if os.fspath(asked) != str(path):
            return found
        return os.stat_result((*found[:4], os.getuid() + 1, *found[5:]))

    monkeypatch.setattr(places.os, "lstat", lstat)


@posix
def test_a_link_to_the_cache_is_resolved_before_it_is_checked(
    tmp_path: Path,
    own_cache: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Where others can write, a link that is checked today leads elsewhere tomorrow."""
    tmp_path.chmod(0o1777)
    mine, theirs = tmp_path / "mine", tmp_path / "theirs"
    mine.mkdir(mode=0o700)
    own_cache.symlink_to(mine)
    folder = places.module_folder("m")
    own_cache.unlink()
    own_cache.symlink_to(theirs)
    assert folder == mine / "kernels" / "m"
    assert capsys.readouterr().err == ""
    own_cache.unlink()
    own_cache.symlink_to(mine)
    made_by_another(monkeypatch, own_cache)
    places.base.cache_clear()
    assert not places.base().is_relative_to(tmp_path)
    assert f"{own_cache} is a link that others made" in capsys.readouterr().err


@posix
def test_temporary_files_where_others_can_write_are_refused(
    tmp_path: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o777)
    monkeypatch.setattr(places.tempfile, "gettempdir", lambda: str(shared))
    with pytest.raises(LimitError, match=r"nowhere .*others can write to.*TMPDIR"):
        places.fallback()


@pytest.mark.skipif(os.name != "posix", reason="there are no such locks")
def test_what_a_killed_process_left_is_removed(own_cache: Path) -> None:
    mine = places.fallback()
    kept, killed = mine / places.HELD, Path(f"{mine}x")
    killed.mkdir()
    (killed / places.HELD).touch()
    Path(f"{mine}y").mkdir()  # one that is being made
    places.sweep_killed()
    assert kept.exists()
    assert not killed.exists()
    assert Path(f"{mine}y").exists()


@posix
def test_the_group_of_one_user_is_no_other(
    own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    places.module_folder("m")
    own_cache.chmod(0o770)
    monkeypatch.setattr(places, "_is_private_group", lambda number: True)
    assert places.base() == own_cache


@pytest.mark.long
@linux
def test_damaged_machine_code_is_compiled_again_and_kept_nowhere_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    locator = "numba.core.caching.InTreeCacheLocator"
    monkeypatch.setenv("NUMBA_CACHE_LOCATOR_CLASSES", locator)
    assert token_in(tmp_path) == ("10", 0)
    for kind in ("nbi", "nbc"):
        (file,) = tmp_path.rglob(f"*returned_token*.{kind}")
        whole = file.read_bytes()
        at = len(whole) // 2
        file.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        assert token_in(tmp_path) == ("10", 0)
    assert token_in(tmp_path) == ("10", 1)


def test_code_that_may_not_be_compiled_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numba.config, "DISABLE_JIT", 1)
    with pytest.raises(LimitError, match="NUMBA_DISABLE_JIT is set"):
        jit.compiled(lambda: 1)()


# Unchanged numba

QUESTION = ["advise", "pikomino/egmont", "kept=444W rolled=1245 own=24 tops=27", "--json"]


def asked(**more: str) -> subprocess.CompletedProcess[str]:
    call = [sys.executable, "-m", "lama_odds", *QUESTION]
    return subprocess.run(
        call, env={**os.environ, **more}, capture_output=True, text=True, check=False
    )


@pytest.mark.long
def test_unchanged_numba_gives_the_same_answer() -> None:
    """All recorded answers: `LAMA_ODDS_JIT=plain python -m tools.study.recorded_answers check`."""
    usual, plain = (json.loads(asked(LAMA_ODDS_JIT=how).stdout) for how in ("", "plain"))
    assert {**usual, "seconds": 0} == {**plain, "seconds": 0}


def test_another_value_of_the_switch_is_refused() -> None:
    done = asked(LAMA_ODDS_JIT="fast")
    assert (done.returncode, done.stdout) == (4, "")
    assert done.stderr == "lama-odds: LAMA_ODDS_JIT is 'fast': expected plain, or nothing\n"
