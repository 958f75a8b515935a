"""Files: written whole, where links lead; read without waiting, and strict JSON."""

from __future__ import annotations

import math
import os
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from lama_odds.core import reading
from lama_odds.core.errors import LimitError, ReadError
from lama_odds.core.files import check_output, check_outputs, write_output, write_whole
from lama_odds.core.reading import read_bytes, read_handed, read_json, read_text
from lama_odds.core.strict_json import DEEPEST, from_json, to_json

posix = pytest.mark.skipif(os.name != "posix", reason="of POSIX systems")


@posix
def test_a_file_keeps_its_permissions_and_a_new_one_has_those_of_the_umask(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the umask, which all threads share, is not touched for it."""
    for mode in (0o600, 0o755):
        file = tmp_path / "mine.csv"
        file.write_text("old")
        file.chmod(mode)
        write_output(file, "new")
        assert file.read_text() == "new"
        assert file.stat().st_mode & 0o777 == mode
    before = os.umask(0o027)
    try:
        with monkeypatch.context() as patched:
            patched.setattr(os, "umask", lambda mask: pytest.fail("the umask is changed"))
            write_output(tmp_path / "new.csv", b"new")
    finally:
        os.umask(before)
    assert (tmp_path / "new.csv").stat().st_mode & 0o777 == 0o640
    assert {path.name for path in tmp_path.iterdir()} == {"mine.csv", "new.csv"}


@posix
def test_a_link_stays_and_what_it_leads_to_is_written(tmp_path: Path) -> None:
    """But in folders of this program the link itself is replaced."""
    (tmp_path / "folder").mkdir()
    target, link = tmp_path / "folder" / "target.csv", tmp_path / "link.csv"
    target.write_text("old")
    link.symlink_to(target)
    write_output(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"
    leading_nowhere = tmp_path / "loose.csv"
    leading_nowhere.symlink_to(tmp_path / "folder" / "fresh.csv")
    write_output(leading_nowhere, "fresh")
    assert (tmp_path / "folder" / "fresh.csv").read_text() == "fresh"
    write_whole(link, "own")
    assert not link.is_symlink()
    assert target.read_text() == "new"


@posix
def test_a_pipe_is_written_to_and_stays(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()), daemon=True)
    reader.start()
    content = b"x" * 200_000  # more than a pipe holds
    write_output(pipe, content)
    reader.join(timeout=60)
    assert read == [content]
    assert pipe.is_fifo()


@posix
def test_where_stdout_goes_is_not_opened_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "out.txt"
    with open(file, "w") as stream:
        monkeypatch.setattr(sys, "stdout", stream)
        print("before")
        write_output(file, "content\n")
        print("after")
    assert file.read_text() == "before\ncontent\nafter\n"


@posix
def test_errors_name_the_file_that_was_asked_for(tmp_path: Path) -> None:
    asked = tmp_path / "none" / "x.csv"
    for write in (write_output, write_whole):
        with pytest.raises(FileNotFoundError) as found:
            write(asked, "x")
        assert found.value.filename == str(asked)
        assert ".x.csv" not in str(found.value)


@posix
def test_a_place_that_cannot_be_written_is_known_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    for path, told in (
        (tmp_path, "found a folder, expected a file"),
        (Path(""), "found a folder, expected a file"),
        (tmp_path / "none" / "x.csv", "there is no folder"),
        (tmp_path / "file" / "x.csv", "expected a f"),
    ):
        with pytest.raises(LimitError, match=told) as found:
            check_output("--csv", path)
        assert str(found.value).startswith(f"--csv {path}: ")
    for good in (tmp_path / "new.csv", tmp_path / "file", Path("new.csv")):
        check_output("--csv", good)
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != tmp_path)
    with pytest.raises(LimitError, match=r"folder .* cannot be written to"):
        check_output("--csv", tmp_path / "new.csv")
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) == tmp_path)
    with pytest.raises(LimitError, match="this file cannot be written to"):
        check_output("--csv", tmp_path / "file")


@posix
def test_one_file_is_not_written_twice_or_over_what_is_read(tmp_path: Path) -> None:
    same, link = tmp_path / "Q.svg", tmp_path / "link.svg"
    link.symlink_to(same)
    check_outputs({"--csv": tmp_path / "q.csv", "--plot": same, "--parquet": None})
    for other in (same, link, tmp_path / "." / "Q.svg"):
        with pytest.raises(ReadError, match=r"--csv is the same file"):
            check_outputs({"--csv": same, "--plot": other})
    with pytest.raises(ReadError, match=r"FILE is the same file"):
        check_outputs({"--html": same}, {"FILE": same})
    os.mkfifo(tmp_path / "pipe")
    check_outputs({"--csv": tmp_path / "pipe", "--parquet": tmp_path / "pipe"})


@posix
def test_a_file_with_the_longest_of_names_is_written(tmp_path: Path) -> None:
    for name in ("x" * 255, "\u00e9" * 127, "\U0001f999" * 63):
        write_output(tmp_path / name, "x")
        assert (tmp_path / name).read_text() == "x"


# reading


@posix
@pytest.mark.parametrize("kind", ["pipe", "folder", "device", "socket", "link"])
def test_what_is_no_regular_file_is_refused_at_once(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "x"
    if kind == "pipe":
        os.mkfifo(path)  # nobody writes to it: to open it and wait would be for ever
    elif kind == "folder":
        path.mkdir()
    elif kind == "device":
        path = Path("/dev/zero")
    elif kind == "socket":
        with socket.socket(socket.AF_UNIX) as bound:
            bound.bind(str(path))
    else:
        (tmp_path / "y").write_text("there")
        path.symlink_to(tmp_path / "y")
        assert read_bytes(path, 10) == b"there"
    with pytest.raises(ValueError, match=f"it is a {kind}, expected a file"):
        read_bytes(path, 10, links=False)


def test_no_more_than_the_limit_is_read(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"x" * 11)
    with pytest.raises(ValueError, match="it has 11 bytes, at most 10 can be read"):
        read_bytes(path, 10)
    assert len(read_bytes(path, 11)) == 11
    with pytest.raises(FileNotFoundError):
        read_bytes(tmp_path / "none", 10)
    maps = Path("/proc/self/maps")
    if maps.exists():  # the size that a file claims is not believed
        with pytest.raises(ValueError, match="it has more than the 5 bytes"):
            read_bytes(maps, 5)


@posix
def test_a_stream_that_nobody_has_written_to_is_not_waited_for() -> None:
    reading_end, writing_end = os.pipe()
    os.set_blocking(reading_end, False)
    with pytest.raises(ValueError, match="nothing to read in it yet"):
        read_handed(Path(f"/dev/fd/{reading_end}"), 5)
    os.close(reading_end)
    os.close(writing_end)


def test_text_says_where_it_is_none(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"one\r\ntwo \xff\n")
    with pytest.raises(ValueError, match="byte 0xff at line 2, byte 5, expected UTF-8"):
        read_text(path, 100)
    path.write_bytes(b"\xef\xbb\xbfone\r\ntwo\rthree\n")
    assert read_text(path, 100) == "one\ntwo\nthree\n"


@posix
def test_stdin_and_pipes_of_the_shell_are_read_up_to_the_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    code = (
        "from pathlib import Path; from lama_odds.core.reading import read_handed;"
        "import sys; print(repr(read_handed(Path(sys.argv[1]), 5)))"
    )
    for name in ("-", "/dev/stdin"):
        command = [sys.executable, "-c", code, name]
        done = subprocess.run(command, input="12345", capture_output=True, text=True)
        assert done.stdout == "'12345'\n", done.stderr
    with open("/dev/zero") as endless:
        done = subprocess.run(command, stdin=endless, capture_output=True, text=True)
    assert "it has more than the 5 bytes" in done.stderr
    reading_end, writing_end = os.pipe()
    os.write(writing_end, b"piped")
    os.close(writing_end)
    assert read_handed(Path(f"/dev/fd/{reading_end}"), 5) == "piped"
    os.close(reading_end)
    monkeypatch.setattr(reading.sys, "stdin", None)
    with pytest.raises(ValueError, match="there is no stdin"):
        read_handed(Path("-"), 5)


# JSON


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("NaN", "NaN is not a JSON number"),
        ("[-Infinity]", "-Infinity is not a JSON number"),
        ("1e999", "1e999 is too large for a number"),
        ("1" + "0" * 4000, "too large for a whole number"),
        ("[18446744073709551616]", "too large for a whole number"),
        ('{"a": 1, "b": 2, "a": 3}', "key 'a' is given twice"),
        (r'{"a": ["\ud800"]}', "has half of a character"),
        ("[" * 100_000, "nested too deeply"),
        ("[" * (DEEPEST + 1) + "]" * (DEEPEST + 1), "nested too deeply"),
        ('{"a":' * 200 + "1" + "}" * 200, "nested too deeply"),
        ("", "Expecting value"),
    ],
)
def test_json_with_a_loophole_is_refused(text: str, told: str) -> None:
    with pytest.raises(ValueError, match=told) as found:
        from_json(text)
    assert len(str(found.value)) < 200


def test_strict_json_goes_both_ways(tmp_path: Path) -> None:
    plain = {"a": [1, -2.5, None, True, "x"], "b": {"c": (1 << 64) - 1}}
    assert from_json(to_json(plain)) == plain
    assert from_json("[" * DEEPEST + "]" * DEEPEST) is not None
    for number in (math.nan, math.inf):
        with pytest.raises(ValueError, match="JSON"):
            to_json([number])
    (tmp_path / "x").write_bytes(b"[1]" + b" " * 100)
    with pytest.raises(ValueError, match="at most 50 can be read"):
        read_json(tmp_path / "x", 50)
