"""Run folders: what is kept, what is played again, and what is refused."""

from __future__ import annotations

import errno
import hashlib
import io
import json
import os
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lama_odds.analysis.compare.design import Plan, plan_from
from lama_odds.core import files
from lama_odds.core.errors import LimitError
from lama_odds.core.estimate import exact
from lama_odds.games.registry import game_of
from lama_odds.jit import cache_folder
from lama_odds.jit.job import Job
from lama_odds.simulation import run_folder as folders
from lama_odds.simulation import span_files
from lama_odds.simulation.run import PairedPart, Played, add, kept_in, paired_job, run
from lama_odds.simulation.run_folder import Stage, open_folder, status_of

QUESTION = {"command": "simulate", "seed": 3}


def job_of(*policies: str) -> Job:
    game = game_of("dice/amigo")
    rules = game.rules("dice/amigo")
    return game.simulation(rules, [game.policy(name) for name in policies], True)


JOB = job_of("random", "threshold:5")


class Counting:
    """A job whose kernel counts the games that it has played."""

    def __init__(self) -> None:
        self.games = 0
        self.job = replace(JOB, kernel=self.kernel)

    def kernel(self, *given: Any) -> None:
        self.games += given[5]
        JOB.kernel(*given)


def play(
    path: Path, games: int, job: Job = JOB, told: list[str] | None = None, **more: Any
) -> Played:
    """Play into a folder on two threads."""
    tell = told.append if told is not None else pytest.fail
    with open_folder(path, QUESTION, False, tell) as opened:
        return run(job, 3, games, threads=2, folder=opened, **more)


def plain(games: int, job: Job = JOB) -> np.ndarray:
    return run(job, 3, games, threads=1).tally


def files_of(path: Path) -> list[Path]:
    return sorted((path / "jobs").glob("*/*.npy"))


@pytest.fixture
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every chunk is a file, and files are merged soon."""
    monkeypatch.setattr(folders, "SAVE_SECONDS", 0.0)
    monkeypatch.setattr(folders, "SAVE_SHARE", 1e12)
    monkeypatch.setattr("lama_odds.simulation.run.CHUNK_SECONDS", 0.0)


def test_a_run_of_more_games_is_not_done_before_they_are_played(tmp_path: Path) -> None:
    play(tmp_path, 1_000)
    assert status_of(tmp_path).state == folders.DONE
    with open_folder(tmp_path, QUESTION, False, pytest.fail) as opened:
        opened.job(JOB, 3, 0, 2_000, None, None)
        assert "finished" not in json.loads((tmp_path / folders.RUN).read_text())
        assert status_of(tmp_path).state == folders.PLAYING
        with pytest.raises(LimitError, match="another process plays into"):
            play(tmp_path, 2_000)
    assert status_of(tmp_path).state == folders.STOPPED


@pytest.mark.usefixtures("often")
def test_only_the_games_that_are_new_are_played(tmp_path: Path) -> None:
    counting = Counting()
    job = counting.job
    for games in (1_000, 1_001, 7_000):
        told, before = list[tuple[int, int]](), counting.games
        played = play(tmp_path, games, job, progress=lambda *how, told=told: told.append(how))
        assert told == sorted(told)
        assert (told[0][0] > before, told[-1]) == (True, (games, games))
        assert (played.tally == plain(games)).all()
        assert played.games == counting.games == games
    again = play(tmp_path, 7_000, job)
    assert (again.tally == played.tally).all()
    assert again.seconds == pytest.approx(played.seconds, abs=0.1)
    # Fewer than there are: the answer is that of fewer, and nothing is kept twice.
    held = files_of(tmp_path)
    assert (play(tmp_path, 6_999, job).tally == plain(6_999)).all()
    assert files_of(tmp_path) == held


def test_of_many_files_the_smallest_neighbours_are_merged_but_not_across_a_gap(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(span_files, "MOST_FILES", 6)
    spans = span_files.Spans(tmp_path, "key", (1,), pytest.fail)
    at = (0, 100, 110, 115, 116, 118, 119, 180)
    for start, stop in pairwise(at):
        if start != 116:
            spans.write(start, stop, stop - start, np.array([start]))
    merged = {(0, 100): 0, (100, 116): 100 + 110 + 115, (118, 180): 118 + 119}
    again = span_files.Spans(tmp_path, "key", (1,), pytest.fail)
    again.load()
    assert again.kept == spans.kept == span_files.listed(tmp_path)
    assert [(span.start, span.stop) for span in again.kept] == [*merged]
    assert [span.milliseconds for span in again.kept] == [span.games for span in again.kept]
    assert [spans.read(span) for span in again.kept] == [*merged.values()]
    assert again.gaps(190) == [(116, 118, True), (180, 190, True)]


@pytest.mark.usefixtures("often")
def test_stopped_in_a_gap_the_answer_has_the_games_before_it(tmp_path: Path) -> None:
    play(tmp_path, 5_000)
    lost = files_of(tmp_path)[2:-2]
    for file in lost:
        file.unlink()

    def interrupt(done: int, of: int) -> None:
        raise KeyboardInterrupt

    stopped = play(tmp_path, 5_000, progress=interrupt)
    assert stopped.interrupted
    assert int(lost[0].name[:15]) <= stopped.games < int(lost[-1].name[16:31])
    assert (stopped.tally == plain(stopped.games)).all()
    # A file that goes beyond the games asked for has no part in fewer of them.
    first, second = (int(file.name[16:31]) for file in files_of(tmp_path)[:2])
    fewer = play(tmp_path, first + 1, progress=interrupt)
    assert first + 1 < second
    assert (fewer.interrupted, fewer.games) == (True, first)
    assert (play(tmp_path, 5_000).tally == plain(5_000)).all()


@pytest.mark.usefixtures("often")
@pytest.mark.parametrize("how", ["flip", "cut", "empty", "rename", "other"])
def test_a_damaged_file_is_told_and_played_again(tmp_path: Path, how: str) -> None:
    counting = Counting()
    job = counting.job
    play(tmp_path / "run", 5_000, job)
    victim = files_of(tmp_path / "run")[2]
    content = victim.read_bytes()
    lost = int(victim.name[16:31]) - int(victim.name[:15])
    changed = {
        "cut": content[:-8],
        "empty": b"",
        "flip": content[:-3] + bytes([content[-3] ^ 1]) + content[-2:],
    }
    victim.write_bytes(changed.get(how, content))
    if how == "rename":  # a name that says other games than the file holds
        victim.rename(victim.with_name(f"{victim.name[:16]}9{victim.name[17:]}"))
    if how == "other":  # a good file of another job
        play(tmp_path / "other", 5_000, job_of("random", "random"))
        other = files_of(tmp_path / "other")[2]
        victim.unlink()
        (victim.parent / other.name).write_bytes(other.read_bytes())
    told: list[str] = []
    again = play(tmp_path / "run", 5_000, job, told)
    assert (again.tally == plain(5_000)).all()
    assert counting.games == 5_000 + lost
    assert ["damaged" in line for line in told] == [True]
    play(tmp_path / "run", 5_000, job)  # and once only


@pytest.mark.usefixtures("often")
def test_who_was_killed_within_a_merge_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counting = Counting()
    job = counting.job
    play(tmp_path, 5_000, job)
    before = {file: file.read_bytes() for file in files_of(tmp_path)}
    monkeypatch.setattr(span_files, "MOST_FILES", 4)
    play(tmp_path, 5_500, job)
    for file, content in before.items():  # the merged files and those that they were made of
        file.write_bytes(content)
    for left in (tmp_path / ".run.json.1f", next(iter(before)).with_name(".job.json.2f")):
        left.write_text("{")
    assert status_of(tmp_path).jobs[0].games == 5_500
    assert (play(tmp_path, 5_500, job).tally == plain(5_500)).all()
    assert counting.games == 5_500
    assert len(files_of(tmp_path)) <= 4
    assert not list(tmp_path.rglob(".*"))


def test_another_plan_is_refused_with_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(tmp_path, 500)
    rules = JOB.rules.copy()
    rules[-1] += 1
    for name, changed in {
        "policies": replace(JOB, policies=JOB.policies + 1),
        "rules": replace(JOB, rules=rules),
        "tables": replace(JOB, tables=(*JOB.tables[:-1], np.ones(1, dtype=np.int64))),
    }.items():
        with pytest.raises(LimitError, match=f"another plan: {name} is"):
            play(tmp_path, 500, changed)
    for question, seed in (({**QUESTION, "seed": 4}, "4"), ({"command": "simulate"}, "null")):
        with (
            pytest.raises(LimitError, match=f"(?s)another run.*seed: found 3, expected {seed}"),
            open_folder(tmp_path, question, False, pytest.fail),
        ):
            pass
    with monkeypatch.context() as patched:
        sources = {"lama_odds.games.dice.engine.kernels": "0123456789abcdef"}
        patched.setattr(span_files, "sources_of", lambda job: sources)
        with pytest.raises(LimitError, match=r"dice\.engine\.kernels has changed since"):
            play(tmp_path, 500)
    assert (play(tmp_path, 500).tally == plain(500)).all()


def test_whatever_is_played_meanwhile_is_kept(tmp_path: Path) -> None:
    counting = Counting()
    job = counting.job
    for _ in range(2):
        with open_folder(tmp_path, QUESTION, True, pytest.fail) as opened, kept_in(opened):
            for seed in (3, 4):
                assert (run(job, seed, 700).tally == run(JOB, seed, 700).tally).all()
        assert counting.games == 1_400
    run(job, 3, 700)
    assert counting.games == 2_100
    assert len(list((tmp_path / "jobs").iterdir())) == 4


def test_jobs_are_listed_in_the_order_of_their_beginning(tmp_path: Path) -> None:
    asked = {5: Stage("first", 2, 600), 4: Stage("second"), 3: None}
    with open_folder(tmp_path, QUESTION, True, pytest.fail) as opened:
        for seed, stage in asked.items():
            run(JOB, seed, 300, folder=opened, stage=stage)
        run(JOB, 5, 400, folder=opened, stage=asked[5])  # more games of a job change no order
    found = status_of(tmp_path).jobs
    assert [job.stage for job in found] == list(asked.values())
    assert found[1].seconds_left == 0
    # 400 games of two each are done, and 600 may come: as long as 300 of these took.
    assert replace(found[0], seconds=12.0).seconds_left == pytest.approx(9.0)
    assert replace(found[0], seconds=0.0).seconds_left is None


def test_sums_beyond_64_bits_are_an_error() -> None:
    tally = np.array([[5, -(2**63) + 2], [2**63 - 3, 0]])
    add(tally, np.array([[-7, -2], [2, 1]]))
    assert tally.tolist() == [[-2, -(2**63)], [2**63 - 1, 1]]
    for part in ([[0, -1], [0, 0]], [[0, 0], [1, 0]]):
        with pytest.raises(LimitError, match="64 bits"):
            add(tally.copy(), np.array(part))


def test_what_is_kept_is_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[str] = []
    real = os.fsync

    def fsync(handle: int) -> None:
        synced.append(os.readlink(f"/proc/self/fd/{handle}"))
        real(handle)

    if not Path("/proc/self/fd").is_dir():
        pytest.skip("no /proc to look a handle up")
    monkeypatch.setattr(files.os, "fsync", fsync)
    play(tmp_path, 500)
    (job,) = (tmp_path / "jobs").iterdir()
    (tally,) = files_of(tmp_path)
    for name in (".run.json.", f"jobs/{job.name}/.job.json.", f"jobs/{job.name}/.{tally.name}."):
        assert any(str(tmp_path / name) in path for path in synced), synced
    assert {str(tmp_path), str(tmp_path / "jobs"), str(job)} <= set(synced)


def test_a_folder_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "begun").mkdir()
    (tmp_path / "begun" / ".run.json.1f").write_text("{")  # killed before there was anything
    assert play(tmp_path / "begun", 10).games == 10
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "dear.txt").write_text("x", encoding="utf-8")
    with pytest.raises(
        LimitError, match=r"is not empty, but not a run folder either \(it contains dear.txt\)"
    ):
        play(tmp_path / "letters", 10)
    assert os.listdir(tmp_path / "letters") == ["dear.txt"]
    with pytest.raises(LimitError, match="is a file"):
        play(tmp_path / "letters" / "dear.txt", 10)
    with pytest.raises(LimitError, match="not a run folder"):
        status_of(tmp_path)
    for text in ("", "[]", "{}", "{"):
        (tmp_path / "odd").mkdir(exist_ok=True)
        (tmp_path / "odd" / "run.json").write_text(text, encoding="utf-8")
        with pytest.raises(LimitError, match="cannot be read"):
            play(tmp_path / "odd", 10)
        with pytest.raises(LimitError, match="cannot be read"):
            status_of(tmp_path / "odd")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes")
@pytest.mark.parametrize("name", ["run.json", "jobs/*/job.json", "lock", "jobs/*/*.npy"])
def test_pipes_in_a_folder_are_not_waited_for(tmp_path: Path, name: str) -> None:
    told: list[str] = []
    play(tmp_path, 500)
    (path,) = tmp_path.glob(name)
    path.unlink()
    os.mkfifo(path)
    if path.suffix == ".npy":
        assert (play(tmp_path, 500, told=told).tally == plain(500)).all()
        assert len(told) == 1
    else:
        with pytest.raises(LimitError, match=r"it is a pipe|is not the lock"):
            play(tmp_path, 500)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("run.json", {"finished": [{}]}),
        ("run.json", {"question": []}),
        ("run.json", {"version": 1}),
        ("run.json", {"more": float("inf")}),
        ("run.json", {"more": 10**4000}),
        ("run.json", {"more": "\ud800"}),
        ("job.json", {"asked": 1e300}),
        ("job.json", {"number": True}),
        ("job.json", {"stage": {"name": "x", "each": 0, "later": 0}}),
    ],
)
def test_odd_json_in_a_folder_is_refused(tmp_path: Path, name: str, change: dict[str, Any]) -> None:
    play(tmp_path, 500)
    (file,) = tmp_path.rglob(name)
    plain = json.loads(file.read_text(encoding="utf-8")) | change
    digits = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        file.write_text(json.dumps(plain), encoding="utf-8")
    finally:
        sys.set_int_max_str_digits(digits)
    with pytest.raises(LimitError, match=f"{name} cannot be read"):
        status_of(tmp_path)


def test_figures_that_are_none_are_left_out(tmp_path: Path) -> None:
    good, odd = exact(1.0).to_json(), {**exact(1.0).to_json(), "value": True}
    unknown = {**good, "high": float("inf")}
    figures = {"good": good, "odd": odd, "unknown": unknown, "text": "x"}
    play(tmp_path, 500, figures=lambda tally, games: figures)
    assert status_of(tmp_path).jobs[0].figures == {"good": good}


def test_a_lock_that_is_another_file_is_not_emptied(tmp_path: Path) -> None:
    play(tmp_path / "run", 500)
    victim = tmp_path / "victim"
    victim.write_text("mine")
    (tmp_path / "run" / "lock").unlink()
    os.link(victim, tmp_path / "run" / "lock")
    with pytest.raises(LimitError, match="is not the lock of a run folder"):
        play(tmp_path / "run", 600)
    assert victim.read_text() == "mine"


@pytest.mark.parametrize("forged", ["objects", "huge", "folder"])
def test_forged_tallies_are_played_again(tmp_path: Path, forged: str) -> None:
    told: list[str] = []
    play(tmp_path, 500)
    (file,) = files_of(tmp_path)
    content = file.read_bytes().replace(b"'shape': (", b"'shape': (10000000000", 1)
    if forged == "objects":
        found = io.BytesIO()
        np.save(found, np.array([object()], dtype=object), allow_pickle=True)
        content = found.getvalue()
    start, stop, took, _ = file.stem.split("-")
    digest = hashlib.sha256(f"{file.parent.name} {int(start)} {int(stop)} {int(took)} ".encode())
    digest.update(content)
    file.unlink()
    other = file.with_name(f"{start}-{stop}-{took}-{digest.hexdigest()[:24]}.npy")
    if forged == "folder":
        other.mkdir()
        with pytest.raises(LimitError, match="cannot be removed"):
            play(tmp_path, 500, told=told)
        return
    other.write_bytes(content)
    assert (play(tmp_path, 500, told=told).tally == plain(500)).all()
    assert "will be played again" in told[0]


@pytest.mark.parametrize("settled", [None, "x", {"games": 5}, [0, 1.0], [5, -1], [True, 1], [5]])
def test_a_decision_of_the_clock_is_made_once_and_checked(tmp_path: Path, settled: Any) -> None:
    def plan(games: int) -> Any:
        with open_folder(tmp_path, QUESTION, True, pytest.fail) as opened:
            return opened.settled("plan", lambda: (games, 1.0), plan_from)

    assert plan(5) == plan(6) == Plan(5, 1.0)
    assert plan_from([7, None]) == Plan(7)
    file = tmp_path / "run.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | {"settled": {"plan": settled}}))
    with pytest.raises(LimitError, match=r"run.json cannot be read \(settled: "):
        plan(5)


@pytest.mark.parametrize("name", ["run.json", "lock", "jobs", "jobs/*", "jobs/*/*.npy"])
def test_links_do_not_lead_out_of_a_folder(tmp_path: Path, name: str) -> None:
    play(tmp_path / "run", 500)
    (path,) = (tmp_path / "run").glob(name)
    path.rename(tmp_path / "elsewhere")
    path.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(LimitError, match="is a link"):
        play(tmp_path / "run", 600)


@pytest.mark.long
@pytest.mark.usefixtures("often")
def test_a_full_disk_stops_and_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counting = Counting()
    job = counting.job
    written: list[str] = []
    real = files.os.replace

    def full(source: str, target: Path) -> None:
        if len(written) >= 12:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(target))
        written.append(str(target))
        real(source, target)

    with monkeypatch.context() as patched:
        patched.setattr(files.os, "replace", full)
        with pytest.raises(OSError, match="No space left"):
            play(tmp_path, 50_000, job)
    assert not list(tmp_path.rglob(".*"))
    held = status_of(tmp_path)
    assert held.state == "stopped"
    done, before = held.jobs[0].games, counting.games
    assert 0 < done < 50_000
    assert (play(tmp_path, 50_000, job).tally == plain(50_000)).all()
    assert counting.games == before + 50_000 - done


def test_a_job_has_a_hash_of_all_that_its_games_depend_on() -> None:
    with pytest.raises(TypeError, match="holds a object"):
        span_files.plan_of(replace(JOB, tables=(object(),)), 0, 0)
    plan = span_files.plan_of(JOB, 0, 0)
    assert plan == span_files.plan_of(job_of("random", "threshold:5"), 0, 0)
    module = "lama_odds.games.dice.engine.kernels"
    assert plan["sources"] == {module: cache_folder(module).name.rpartition("-")[2]}
    hashes = {span_files.plan_of(JOB, seed, first)["hash"] for seed in (0, 1) for first in (0, 1)}
    assert len(hashes) == 4


def test_jobs_made_of_jobs_are_told_apart_by_their_parts() -> None:
    parts = {
        policy: [PairedPart(job_of(policy, "random"), np.ones((1, 5), dtype=np.int64))]
        for policy in ("random", "threshold:5")
    }
    jobs = [
        paired_job([parts["random"], parts["random"]], 8),
        paired_job([parts["random"], parts["threshold:5"]], 8),
        paired_job([parts["random"], parts["threshold:5"]], 4),
    ]
    plans = [span_files.plan_of(job, 0, 0) for job in jobs]
    assert len({plan["hash"] for plan in plans}) == 3
    modules = {"lama_odds.simulation.run", "lama_odds.games.dice.engine.kernels"}
    assert all(set(plan["sources"]) == modules for plan in plans)
