"""The engine `dask`: chunks go to the workers of a dask scheduler, and tallies come back.

Workers may come, leave and fail while games are played: lost games are played again by other
workers. A scheduler that leaves is waited for.
"""

from __future__ import annotations

import gc
import importlib
import importlib.util
import logging
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from lama_odds.core.errors import LimitError, extra
from lama_odds.core.other_packages import imported_names
from lama_odds.jit.job import Job, mapped
from lama_odds.jit.sources import source_digest
from lama_odds.simulation.run import Chunk, Part, Player, play_chunk, warm_up
from lama_odds.simulation.span_files import name_of, plan_of, sources_of

# What goes to a worker, and what it does: a job by its kernel's name, with its arrays.
#
# Code is not sent. A worker has this package installed, and those of other games; it reports an
# error if they differ from the sender's.

PACKAGE = "lama_odds"


@dataclass(frozen=True)
class Packed:
    """A job without code. kernel: module:name; tables: jobs inside them are packed too."""

    kernel: str
    rules: np.ndarray
    policies: np.ndarray
    tables: tuple[Any, ...]
    shape: tuple[int, ...]


def pack(thing: Any) -> Any:
    """Return a job, or part of its tables, in the form that is sent.

    Raises ValueError for a kernel without a name.
    """
    if isinstance(thing, Job):
        name = name_of(thing.kernel)
        if "<" in name:
            raise ValueError(f"{name} is not a function of a module: no worker could find it")
        return Packed(name, thing.rules, thing.policies, pack(thing.tables), thing.shape)
    return mapped(thing, pack)


def unpack(thing: Any, arrays: dict[int, np.ndarray]) -> Any:
    """Return the inverse of `pack`. arrays: those made already, by the id of their source.

    Received arrays may be read-only, and kernels would be compiled again for these; so they are
    copied.
    """
    if isinstance(thing, Packed):
        module, _, name = thing.kernel.partition(":")
        if module.partition(".")[0] not in {PACKAGE, *imported_names()}:
            raise LimitError(f"{thing.kernel} is not a kernel of {PACKAGE}, nor of a game package")
        kernel = getattr(importlib.import_module(module), name)
        rules, policies, tables = (
            unpack(part, arrays) for part in (thing.rules, thing.policies, thing.tables)
        )
        return Job(kernel, rules, policies, tables, thing.shape)
    if isinstance(thing, np.ndarray):
        if id(thing) not in arrays:
            arrays[id(thing)] = np.array(thing, order="C")
        return arrays[id(thing)]
    return mapped(thing, lambda part: unpack(part, arrays))


class Sent:
    """A job for workers: sent once to each, which prepares it once.

    key: the hash of its contents. sources: module -> hash of the source that a worker must have.
    """

    def __init__(self, job: Job) -> None:
        self.key = plan_of(job, 0, 0)["hash"]
        self.packed: Packed = pack(job)
        self.sources = sources_of(job)
        self._job: Job | None = None
        self._lock = threading.Lock()

    def __getstate__(self) -> dict[str, Any]:
        return {"key": self.key, "packed": self.packed, "sources": self.sources}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, _job=None, _lock=threading.Lock())

    def ready(self, seed: int, where: str) -> Job:
        """Return the compiled job; raise LimitError if the code here differs from the sender's.

        where: a name for this place.
        """
        with self._lock:
            if self._job is None:
                self._check(where)
                job: Job = unpack(self.packed, {})
                warm_up(job, seed)
                self._job = job
            return self._job

    def _check(self, where: str) -> None:
        for module, expected in self.sources.items():
            try:
                importlib.import_module(module)
                digest = source_digest(module)
            except ImportError:
                digest = "missing"
            if digest != expected:
                raise LimitError(
                    f"worker {where} has other code: {module} is {digest} there, {expected} here; "
                    "install the same lama-odds there and start the worker again"
                )


def receive(sent: Sent) -> Sent:
    """Return the task whose result is the job: workers keep it, and it is repeated if it is
    lost.
    """
    return sent


def prepare(sent: Sent, seed: int) -> None:
    """Compile or load on the worker that calls this, before the clock starts."""
    sent.ready(seed, _here())


def play(sent: Sent, seed: int, first: int, count: int) -> Part:
    """Play the games first to first + count − 1 on the worker that calls this."""
    return play_chunk(sent.ready(seed, _here()), seed, first, count)


def _here() -> str:
    """Return the address of this worker."""
    from distributed import get_worker

    return str(get_worker().address)


CHUNK_SECONDS = 1.5
AHEAD = 4  # chunks for every thread: fast ones continue while the chunk to merge is still played
CONNECT_SECONDS = 5.0
CLOSE_SECONDS = 1.0
LOOK_SECONDS = 1.0  # between two looks at the workers
PATIENCE = 300.0  # how long to wait for a scheduler that was there, or for any worker
MOST_TRIES = 5  # of a chunk whose workers died

LOGGERS = ("distributed", "distributed.client", "distributed.comm", "tornado.application")
CONFIG = {
    "distributed.comm.timeouts.connect": f"{CONNECT_SECONDS}s",
    "distributed.admin.large-graph-warning-threshold": "1GB",  # tables are sent only once
}

Tell = Callable[[str], None]


@contextmanager
def cluster(scheduler: str | None, workers: int, tell: Tell) -> Iterator[Cluster]:
    """Yield the workers of a scheduler (``tcp://host:port``), or `workers` processes here without
    one.

    The connection is made when the first game is to be played. tell: receives messages about
    waiting. Raises LimitError if dask is not installed; later, if nobody answers.
    """
    if importlib.util.find_spec("distributed") is None:
        raise LimitError(f"--engine dask needs dask: {extra('cluster')}")
    with ExitStack() as stack:

        def begin() -> Callable[[], Any]:
            import dask
            import distributed  # noqa: F401  its configuration first, to be changed for a while

            # short commands do without, but dask makes reference cycles that only gc breaks
            gc.enable()
            stack.enter_context(dask.config.set(CONFIG))
            stack.enter_context(_quiet())
            if scheduler is None:
                return partial(_connect, stack.enter_context(_processes(workers, tell)), None)
            return partial(_connect, scheduler, _security(scheduler))

        engine = Cluster(begin, scheduler or "this machine", tell)
        stack.callback(lambda: engine.close())
        yield engine


def _connect(to: Any, security: Any) -> Any:
    """Return a client of a scheduler; raise OSError if it is not there."""
    from distributed import Client

    return Client(to, timeout=CONNECT_SECONDS, security=security, set_as_default=False)


@contextmanager
def _quiet() -> Iterator[None]:
    """Silence dask's log messages about lost connections; they are reported in other words here."""
    loggers = [logging.getLogger(name) for name in LOGGERS]
    before = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for logger, level in zip(loggers, before, strict=True):
            logger.setLevel(level)


def _security(scheduler: str) -> Any:
    """Return the keys and certificates of dask's configuration.

    Raises LimitError if they cannot be used, or are missing.
    """
    from distributed.security import Security

    security = Security()
    try:
        context = security.get_connection_args("client").get("ssl_context")
    except OSError as error:
        raise LimitError(
            f"keys and certificates for {scheduler} cannot be used: {error}"
        ) from error
    if scheduler.startswith("tls:") and context is None:
        raise LimitError(
            f"{scheduler} needs keys and certificates, from dask's own configuration: "
            "distributed.comm.tls in ~/.config/dask/*.yaml, or "
            "DASK_DISTRIBUTED__COMM__TLS__CA_FILE and so on"
        )
    return security


def _own_security(tell: Tell) -> Any:
    """Return keys and a certificate for this command alone; warn and return None without any."""
    from distributed.security import Security

    try:
        return Security.temporary()
    except ImportError:
        tell(
            "the workers listen on this machine without encryption: its other users could run "
            "code as you. If there are any: pip install cryptography, or use --engine threads"
        )
        return None


@contextmanager
def _processes(workers: int, tell: Tell) -> Iterator[Any]:
    """Yield a scheduler in this process, with workers in separate processes, one thread each.

    They use TLS with their own keys if the package cryptography is installed. Ctrl-C in a terminal
    goes to all processes, but only this one should react. Threads and processes inherit blocked
    signals, also those started later.
    """
    from distributed import LocalCluster

    blocked = {signal.SIGINT} if hasattr(signal, "pthread_sigmask") else set()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, blocked) if blocked else set()
    try:
        local = LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            processes=True,
            host="127.0.0.1",
            security=_own_security(tell),
            dashboard_address=None,
            scheduler_kwargs={"dashboard_address": "127.0.0.1:0"},  # any port: 8787 may be in use
            silence_logs=logging.CRITICAL,
            memory_limit=0,
        )
    except (OSError, RuntimeError) as error:
        raise LimitError(f"no workers could be started here: {error}") from error
    finally:
        if blocked:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
    with local:
        yield local


class Cluster:
    """An engine, made by `dask_engine`."""

    def __init__(self, begin: Callable[[], Callable[[], Any]], where: str, tell: Tell) -> None:
        self.chunk_seconds = CHUNK_SECONDS
        self.ahead = AHEAD
        self.where = where
        self.tell = tell
        self._begin = begin
        self._client: Any = None
        self._threads: dict[str, int] = {}
        self._looked = self._seen = 0.0
        self._told = False

    @property
    def client(self) -> Any:
        """The connection, made when it is first needed; LimitError if nobody answers."""
        if self._client is None:
            self._connect = self._begin()
            try:
                self._client = self._connect()
            except (OSError, ValueError, TypeError) as error:
                raise LimitError(
                    f"no dask scheduler answers at {self.where} within {CONNECT_SECONDS:g} s "
                    f"({error}); `dask scheduler` starts one"
                ) from error
            self._seen = time.monotonic()
            self.look()
        return self._client

    @property
    def slots(self) -> int:
        """The threads of all workers; 1 while there are none."""
        if time.monotonic() - self._looked >= LOOK_SECONDS:
            self.look()
        return max(1, sum(self._threads.values()))

    def look(self) -> None:
        """Look for workers; raise LimitError if there has been none for a while."""
        client = self.client
        self._looked = time.monotonic()
        try:
            self._threads = dict(client.nthreads())
        except Exception:  # a missing scheduler is noticed when a result is waited for
            return
        if self._threads:
            self._seen, self._told = time.monotonic(), False
            return
        away = time.monotonic() - self._seen
        if away > LOOK_SECONDS and not self._told:
            self.tell(f"no worker at {self.where}: waiting for one")
            self._told = True
        if away > PATIENCE:
            raise LimitError(
                f"no worker at {self.where} for {PATIENCE:g} s; `dask worker` starts one"
            )

    @property
    def addresses(self) -> list[str]:
        """Return the addresses of the workers at the last look."""
        return list(self._threads)

    @property
    def connected(self) -> bool:
        """Return whether the scheduler is there, as far as is known."""
        return bool(self.client.status == "running")

    def reconnect(self) -> None:
        """Wait for the scheduler; raise LimitError if it does not come back."""
        self.tell(f"lost the scheduler at {self.where}: waiting for it")
        self.close()
        until = time.monotonic() + PATIENCE
        while True:
            try:
                self._client = self._connect()
                break
            except OSError as error:
                if time.monotonic() > until:
                    raise LimitError(
                        f"the scheduler at {self.where} has been away for {PATIENCE:g} s"
                    ) from error
                time.sleep(LOOK_SECONDS)
        self._seen = time.monotonic()
        self.look()

    def close(self) -> None:
        """Disconnect from the scheduler."""
        if self._client is not None:
            with suppress(OSError, RuntimeError):
                self._client.close(timeout=CLOSE_SECONDS)

    @contextmanager
    def open(self, job: Job, seed: int) -> Iterator[Player]:
        """Make all workers ready for a job; later ones make themselves ready."""
        player = _Tasks(self, Sent(job), seed)
        try:
            player.prepare()
            yield player
        finally:
            player.drop()


class _Tasks:
    """The tasks of one job. open: those without a result yet, in order."""

    def __init__(self, engine: Cluster, sent: Sent, seed: int) -> None:
        self.engine, self.sent, self.seed = engine, sent, seed
        self.open: list[_Task] = []
        self.send()

    @property
    def slots(self) -> int:
        return self.engine.slots

    def send(self) -> None:
        """Send the job; workers get it from each other, and again if its holders fail."""
        self.there = self.engine.client.submit(
            receive, self.sent, key=f"lama-odds-{self.sent.key}", pure=False
        )

    def prepare(self) -> None:
        """Compile or load on all present workers; this also checks them."""
        tasks = [_Task(self, prepare, (self.seed,), [at]) for at in self.engine.addresses]
        for task in tasks or [_Task(self, prepare, (self.seed,))]:
            task.result()

    def submit(self, first: int, count: int) -> Chunk:
        return _Task(self, play, (self.seed, first, count))

    def again(self) -> None:
        """Send everything again, after the scheduler was lost."""
        while True:
            self.engine.reconnect()
            try:
                self.send()
                for task in self.open:
                    task.hand_in()
                return
            # dask has changed the errors that it raises: either lost again, or not
            except Exception:
                if self.engine.connected:
                    raise

    def drop(self) -> None:
        """Drop unfinished tasks."""
        if self.engine.connected:
            with suppress(Exception):  # the scheduler may leave just now
                self.engine.client.cancel([task.future for task in self.open], force=True)
        self.open.clear()


class _Task:
    """A call on some worker, repeated until it succeeds."""

    def __init__(
        self,
        tasks: _Tasks,
        call: Callable[..., Any],
        args: tuple[int, ...],
        at: list[str] | None = None,
    ) -> None:
        self.tasks, self.call, self.args, self.at = tasks, call, args, at
        self.tries = 0
        tasks.open.append(self)
        self.begin()

    def begin(self) -> None:
        """Submit it; with all others if the scheduler was lost meanwhile."""
        try:
            self.hand_in()
        except Exception:  # of dask, as in `again`
            if self.tasks.engine.connected:
                raise
            self.tasks.again()

    def hand_in(self) -> None:
        """Give it to the scheduler."""
        self.future = self.tasks.engine.client.submit(
            self.call,
            self.tasks.there,
            *self.args,
            pure=False,
            workers=self.at,
            allow_other_workers=self.at is not None,
        )

    @property
    def soon(self) -> bool:
        """False: chunks take a while, so only finished ones are waited for."""
        return bool(self.future.done())

    def result(self) -> Part:
        """Wait for the result; raise LimitError if it fails repeatedly, or by its own error."""
        from distributed import KilledWorker

        engine = self.tasks.engine
        while True:
            try:
                part: Part = self.future.result(timeout=LOOK_SECONDS)
                self.tasks.open.remove(self)
                return part
            except (CancelledError, KilledWorker, OSError) as error:
                if isinstance(error, TimeoutError) and not self.future.done():
                    engine.look()
                    if engine.connected:
                        continue
                if not engine.connected or self.tasks.there.cancelled():
                    self.tasks.again()
                    continue
                self.tries += 1
                if self.tries >= MOST_TRIES:
                    raise LimitError(
                        f"{self.tries} times workers at {engine.where} died or failed on the same "
                        f"games ({error})"
                    ) from error
                self.begin()
            except (ImportError, AttributeError, RuntimeError) as error:
                raise LimitError(
                    f"{engine.where} cannot play: {error} (the same lama-odds must be installed "
                    "for the scheduler and all workers)"
                ) from error
