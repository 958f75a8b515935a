"""What distinguishes jobs: hashes of everything their games depend on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import astuple
from typing import Any

import numpy as np

import lama_odds
from lama_odds.jit.job import Job
from lama_odds.jit.sources import source_digest


def plan_of(job: Job, seed: int, first: int) -> dict[str, Any]:
    """Return the plan of a job as plain JSON, with its hash under ``hash`` (16 hex digits).

    sources: for each module with a kernel, the hash of all source that it can reach. rules,
    policies, tables: hashes of their contents. Raises TypeError for contents of unknown type.
    """
    plan = {
        "version": lama_odds.__version__,
        "kernel": name_of(job.kernel),
        "sources": sources_of(job),
        "rules": hash_of(job.rules),
        "policies": hash_of(job.policies),
        "tables": hash_of(job.tables),
        "measures": hash_of([astuple(measure) for measure in job.measures]),
        "shape": list(job.shape),
        "seed": seed,
        "first": first,
    }
    text = json.dumps(plan, sort_keys=True)
    return {**plan, "hash": hashlib.sha256(text.encode()).hexdigest()[:16]}


def name_of(kernel: Any) -> str:
    """Return a kernel's module and its name there."""
    function = getattr(kernel, "py_func", kernel)
    return f"{function.__module__}:{function.__qualname__}"


def sources_of(job: Job) -> dict[str, str]:
    """Return module -> hash of all source it can reach, for the job's kernel and those in its
    tables.
    """
    modules: set[str] = set()
    waiting: list[Any] = [job]
    while waiting:
        thing = waiting.pop()
        if isinstance(thing, Job):
            modules.add(name_of(thing.kernel).partition(":")[0])
            waiting += thing.tables
        elif isinstance(thing, list | tuple):
            waiting += thing
    return {module: source_hash(module) for module in sorted(modules)}


def source_hash(module: str) -> str:
    """Return the hash of all source of this package that a module can reach (16 hex digits).

    For a loaded module with kernels, it is the hash of the source that was loaded.
    """
    return source_digest(module)


def hash_of(thing: Any) -> str:
    """Return the hash of contents with their types and sizes (16 hex digits).

    Raises TypeError for unknown types.
    """
    digest = hashlib.sha256()
    _feed(digest, thing, {})
    return digest.hexdigest()[:16]


def _feed(digest: Any, thing: Any, known: dict[int, bytes]) -> None:
    """Add contents to a digest, with types and sizes, so that different contents differ.

    known: digests of arrays, by id: jobs made of jobs refer to the same one many times.
    """
    if isinstance(thing, Job):
        digest.update(b"job")
        _feed(digest, [name_of(thing.kernel), thing.rules, thing.policies, thing.tables], known)
        _feed(digest, thing.shape, known)
    elif isinstance(thing, np.ndarray):
        digest.update(f"array {thing.dtype.str} {thing.shape} ".encode())
        if id(thing) not in known:
            known[id(thing)] = hashlib.sha256(np.ascontiguousarray(thing).data).digest()
        digest.update(known[id(thing)])
    elif isinstance(thing, Sequence) and not isinstance(thing, str | bytes):
        digest.update(f"list {len(thing)} ".encode())
        for part in thing:
            _feed(digest, part, known)
    elif thing is None or isinstance(thing, bool | int | float | str | np.generic):
        text = f"{type(thing).__name__} {thing!r}"
        digest.update(f"{len(text)} {text} ".encode())
    else:
        raise TypeError(f"a job holds a {type(thing).__name__}, which has no hash here")
