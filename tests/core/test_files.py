"""Files that a user names: whole, where links lead, with their permissions; pipes as they are."""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path

import pytest

from lama_odds.core.errors import LimitError, ReadError
from lama_odds.core.files import check_output, check_outputs, write_output, write_whole

posix = pytest.mark.skipif(os.name != "posix", reason="of POSIX systems")


@posix
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o755])
def test_a_file_keeps_its_permissions(tmp_path: Path, mode: int) -> None:
    file = tmp_path / "mine.csv"
    file.write_text("old")
    file.chmod(mode)
    write_output(file, "new")
    assert file.read_text() == "new"
    assert file.stat().st_mode & 0o777 == mode
    assert list(tmp_path.iterdir()) == [file]


@posix
def test_a_new_file_has_the_permissions_of_the_umask(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_output(tmp_path / "new.csv", b"new")
    finally:
        os.umask(before)
    assert (tmp_path / "new.csv").stat().st_mode & 0o777 == 0o640


@posix
def test_a_link_stays_and_what_it_leads_to_is_written(tmp_path: Path) -> None:
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


@posix
def test_a_link_in_a_folder_of_this_program_is_replaced(tmp_path: Path) -> None:
    outside, link = tmp_path / "outside", tmp_path / "link"
    outside.write_text("old")
    link.symlink_to(outside)
    write_whole(link, "new")
    assert not link.is_symlink()
    assert outside.read_text() == "old"


@posix
def test_a_pipe_is_written_to_and_stays(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()), daemon=True)
    reader.start()
    content = b"x" * 200_000  # more than a pipe holds
    write_output(pipe, content)
    reader.join(timeout=10)
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


def test_a_place_that_cannot_be_written_is_known_before(tmp_path: Path) -> None:
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
    check_output("--csv", tmp_path / "new.csv")
    check_output("--csv", tmp_path / "file")
    check_output("--csv", Path("new.csv"))


@posix
def test_what_may_not_be_written_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine").write_text("")
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != tmp_path)
    with pytest.raises(LimitError, match=r"folder .* cannot be written to"):
        check_output("--csv", tmp_path / "new.csv")
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) == tmp_path)
    with pytest.raises(LimitError, match="this file cannot be written to"):
        check_output("--csv", tmp_path / "mine")


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
def test_the_umask_is_not_touched_while_threads_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "umask", lambda mask: pytest.fail("the umask is changed"))
    write_output(tmp_path / "new", "x")
    write_output(tmp_path / "new", "y")
    write_whole(tmp_path / "other", "x")


@posix
def test_a_file_with_the_longest_of_names_is_written(tmp_path: Path) -> None:
    for name in ("x" * 255, "\u00e9" * 127, "\U0001f999" * 63):
        write_output(tmp_path / name, "x")
        assert (tmp_path / name).read_text() == "x"
