"""What goes to a worker, and what it does: a job by its kernel's name, with its arrays.

Code is not sent. A worker has this package installed, and those of other games; it reports an error
if they differ from the sender's.
"""

from __future__ import annotations

import importlib
import threading
from dataclasses import dataclass
from typing import Any

import numpy as np

from lama_odds.core.errors import LimitError
from lama_odds.core.other_packages import imported_names
from lama_odds.jit.job import Job, mapped
from lama_odds.simulation.engines import Part, play_chunk, warm_up
from lama_odds.simulation.job_identity import name_of, plan_of, source_hash, sources_of

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
                found = source_hash(module)
            except ImportError:
                found = "missing"
            if found != expected:
                raise LimitError(
                    f"worker {where} has other code: {module} is {found} there, {expected} here; "
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
