"""The engine dask: the bits of threads, whatever happens to workers and schedulers."""

from __future__ import annotations

import gc
import importlib.util
import json
import os
import pickle
import signal
import socket
import subprocess
import sys
import time
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lama_odds.analysis.tournament import schedule_of, tournament_job
from lama_odds.core import other_packages
from lama_odds.core.errors import LimitError
from lama_odds.games.registry import game_of
from lama_odds.jit.job import Job
from lama_odds.simulation import dask_engine as clusters
from lama_odds.simulation.dask_engine import Cluster, Sent, cluster, pack, unpack
from lama_odds.simulation.run import PairedPart, paired_job, run, using
from lama_odds.simulation.run_folder import open_folder
from tests.cli.calls import PATIENCE, environment

pytest.importorskip("distributed", reason="--engine dask is an extra")

CALL = [sys.executable, "-m"]
SHORT = 0.05  # seconds a chunk: many tasks from few games
QUESTION = {"command": "simulate", "seed": 3}


def job_of(*policies: str, rules: str = "dice/amigo") -> Job:
    game = game_of(rules)
    chosen = [game.policy(name) for name in policies]
    return game.simulation(game.rules(rules), chosen, game.has_rounds)


def tables() -> Job:
    game = game_of("dice/amigo")
    policies = [game.policy("threshold:5"), game.policy("random")]
    return tournament_job(game, game.rules("dice/amigo"), policies, schedule_of(2, 2), 4)[0]


def paired() -> Job:
    weights = np.eye(5, dtype=np.int64)
    parts = [PairedPart(job_of(name, "random"), weights) for name in ("threshold:5", "threshold:3")]
    return paired_job([[part] for part in parts], 8)


JOBS = {
    "rounds": (job_of("random", "threshold:5"), 20_000, 256),
    "named fields": (job_of("first-tile", "random", rules="pikomino/egmont"), 500, 256),
    "tournament": (tables(), 800, 16),
    "compare": (paired(), 4_000, 256),
}


def only_unencrypted(text: str) -> None:
    """What may be told of workers here: that they have no keys, where these cannot be made."""
    assert "without encryption" in text
    assert importlib.util.find_spec("cryptography") is None


@pytest.fixture(scope="module")
def local() -> Iterator[Cluster]:
    """Two worker processes here."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(clusters, "CHUNK_SECONDS", SHORT)
        with cluster(None, 2, only_unencrypted) as engine:
            yield engine


@pytest.mark.long
@pytest.mark.parametrize("name", JOBS)
def test_the_same_bits_as_threads(local: Cluster, name: str) -> None:
    job, games, chunk = JOBS[name]
    expected = run(job, 7, games, first=64, threads=2, chunk=chunk).tally
    with using(local):
        found = run(job, 7, games, first=64, chunk=chunk)
    assert found.games == games
    assert expected.any()
    assert (found.tally == expected).all()
    assert local.slots == 2


def test_workers_here_have_keys_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    from distributed.security import Security

    told: list[str] = []
    keys = Security()
    begun: dict[str, object] = {}

    def started(**how: object) -> object:
        begun.update(how)
        raise RuntimeError("not here")

    monkeypatch.setattr(Security, "temporary", lambda: keys)
    monkeypatch.setattr("distributed.LocalCluster", started)
    with (
        pytest.raises(LimitError, match="no workers could be started"),
        clusters._processes(1, told.append),
    ):
        pass
    assert (begun["security"], begun["host"], told) == (keys, "127.0.0.1", [])

    def missing() -> Security:
        raise ImportError("cryptography")

    monkeypatch.setattr(Security, "temporary", missing)
    assert clusters._own_security(told.append) is None
    assert "without encryption" in told[0]


def test_what_is_sent_is_the_job_without_code() -> None:
    job = tables()
    again = unpack(pack(job), {})
    assert again.kernel is job.kernel
    assert (again.tables[1] == job.tables[1]).all()
    assert again.tables[4][0].kernel is job.tables[4][0].kernel
    # What tables share is one array there too.
    shared = {id(table) for each in again.tables[4] for table in each.tables}
    assert len(shared) == len({id(table) for each in job.tables[4] for table in each.tables})
    with pytest.raises(ValueError, match="not a function of a module"):
        pack(Job(lambda *_: None, *job_of("random", "random").tables[:2], (), (1,)))


def test_kernels_of_games_of_other_packages_are_sent_too(monkeypatch: pytest.MonkeyPatch) -> None:
    job = job_of("random", "threshold:5")
    packed = replace(pack(job), kernel="json:dumps")
    with pytest.raises(LimitError, match="json:dumps is not a kernel of lama_odds"):
        unpack(packed, {})
    point = EntryPoint("other", "json.game:GAME", other_packages.GROUP)
    monkeypatch.setattr(other_packages, "offered", lambda: {"other": (point,)})
    assert unpack(packed, {}).kernel is json.dumps


def test_a_worker_of_other_code_plays_nothing() -> None:
    sent = pickle.loads(pickle.dumps(Sent(job_of("random", "random"))))
    module, other = "lama_odds.games.dice.engine.kernels", "0" * 16
    sent.sources[module] = other
    said = f"worker there has other code: {module} is [0-9a-f]{{16}} there, {other} here"
    with pytest.raises(LimitError, match=said):
        sent.ready(0, "there")


@pytest.mark.long
def test_a_run_folder_is_filled_by_any_engine(local: Cluster, tmp_path: Path) -> None:
    job, told = job_of("random", "threshold:5"), list[str]()

    def play(games: int) -> Any:
        with open_folder(tmp_path, QUESTION, False, told.append) as opened:
            return run(job, 3, games, threads=2, folder=opened).tally

    expected = run(job, 3, 60_000, threads=1).tally
    play(5_000)
    with using(local):
        assert (play(60_000) == expected).all()
        file = max(tmp_path.glob("jobs/*/*.npy"))
        file.write_bytes(file.read_bytes()[:-1])
        assert not told
        assert (play(60_000) == expected).all()
    assert ["damaged" in line for line in told] == [True]
    assert (play(60_000) == expected).all()


@pytest.mark.long
def test_an_error_in_a_kernel_is_not_swallowed(local: Cluster) -> None:
    with using(local), pytest.raises(ValueError, match="are not whole blocks"):
        run(tables(), 0, 30, chunk=15)


@pytest.mark.long
def test_a_worker_that_is_killed_costs_nothing(local: Cluster) -> None:
    job = job_of("random", "threshold:5", "threshold:3")
    games = 400_000
    killed: list[int] = []
    with using(local):
        pids = list(local.client.run(os.getpid).values())

        def kill(done: int, of: int) -> None:
            if not killed and done > games // 20:
                killed.append(pids[0])
                os.kill(pids[0], signal.SIGKILL)

        found = run(job, 2, games, progress=kill)
    assert killed
    assert (found.tally == run(job, 2, games, threads=2).tally).all()


# Schedulers and workers as processes of their own.


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@contextmanager
def process(*call: str) -> Iterator[subprocess.Popen[bytes]]:
    child = subprocess.Popen(
        [*CALL, *call],
        env=environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield child
    finally:
        child.kill()
        child.wait(PATIENCE)


def scheduler(port: int) -> Any:
    where = ("--host", "127.0.0.1", "--port", str(port), "--no-dashboard", "--no-show")
    return process("distributed.cli.dask_scheduler", *where)


def worker(address: str) -> Any:
    how = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1")
    return process("distributed.cli.dask_worker", address, *how)


def connected(address: str, told: list[str]) -> Any:
    """An engine, as soon as the scheduler is there."""
    until = time.monotonic() + PATIENCE
    host, port = address.removeprefix("tcp://").split(":")
    while True:
        try:
            socket.create_connection((host, int(port)), 1).close()
            break
        except OSError:
            assert time.monotonic() < until
            time.sleep(0.05)
    return cluster(address, 1, told.append)


@pytest.fixture
def collected() -> Iterator[None]:
    """What dask leaves of a lost connection is collected here, where nobody minds."""
    yield
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        gc.collect()


def loses_connections(test: Any) -> Any:
    for mark in (
        pytest.mark.long,
        pytest.mark.filterwarnings("ignore::ResourceWarning"),
        pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
        pytest.mark.usefixtures("collected"),
    ):
        test = mark(test)
    return test


@loses_connections
def test_a_scheduler_that_is_restarted_costs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters, "CHUNK_SECONDS", SHORT)
    monkeypatch.setattr(clusters, "LOOK_SECONDS", 0.3)
    address = f"tcp://127.0.0.1:{(port := free_port())}"
    job = job_of("random", "threshold:5", "threshold:3")
    games = 300_000
    told: list[str] = []
    with ExitStack() as stack:
        first = [stack.enter_context(scheduler(port)), stack.enter_context(worker(address))]

        def restart(done: int, of: int) -> None:
            if first and done > games // 10:
                for child in first:
                    child.kill()
                    child.wait(PATIENCE)
                first.clear()
                for new in (scheduler(port), worker(address)):
                    stack.enter_context(new)

        with connected(address, told) as engine, using(engine):
            found = run(job, 2, games, progress=restart)
            assert not first
            assert any("lost the scheduler" in line for line in told)
            assert (found.tally == run(job, 2, games).tally).all()


@loses_connections
def test_a_scheduler_that_stays_away_and_no_workers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clusters, "CHUNK_SECONDS", SHORT)
    monkeypatch.setattr(clusters, "LOOK_SECONDS", 0.2)
    address = f"tcp://127.0.0.1:{(port := free_port())}"
    job = job_of("random", "threshold:5")
    told: list[str] = []
    with monkeypatch.context() as patched, cluster(address, 1, pytest.fail) as engine:
        patched.setattr(clusters, "CONNECT_SECONDS", 0.3)
        nobody = f"no dask scheduler answers at {address} within 0.3 s"
        with using(engine), pytest.raises(LimitError, match=nobody):
            run(job, 0, 10)
    with scheduler(port) as only:
        with connected(address, told) as engine, using(engine), monkeypatch.context() as patched:
            patched.setattr(clusters, "PATIENCE", 0.5)
            with pytest.raises(LimitError, match="no worker at"):
                run(job, 3, 10)
            assert any("waiting for one" in line for line in told)
        with worker(address), connected(address, told) as engine, using(engine):

            def kill(done: int, of: int) -> None:
                monkeypatch.setattr(clusters, "PATIENCE", 0.5)
                monkeypatch.setattr(clusters, "CONNECT_SECONDS", 0.3)
                only.kill()

            with (
                pytest.raises(LimitError, match=r"has been away for 0\.5 s"),
                open_folder(tmp_path, QUESTION, False, pytest.fail) as opened,
            ):
                run(job, 3, 1 << 30, folder=opened, progress=kill)
    held = [int(file.name[16:31]) for file in tmp_path.glob("jobs/*/*.npy")]
    assert held  # what was played before is kept, and gone on with
    with open_folder(tmp_path, QUESTION, False, pytest.fail) as opened:
        again = run(job, 3, max(held) + 500, folder=opened)
    assert (again.tally == run(job, 3, max(held) + 500).tally).all()


@pytest.mark.long
def test_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters.importlib.util, "find_spec", lambda name: None)
    with (
        pytest.raises(LimitError, match=r"pip install \"\.\[cluster\]\" in the checkout"),
        cluster(None, 1, only_unencrypted),
    ):
        pass
