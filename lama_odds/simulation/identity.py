"""What tells one job from another: hashes of all that its games depend on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import astuple
from typing import Any

import numpy as np

import lama_odds
from lama_odds.kernels import cache_folder
from lama_odds.kernels.job import Job


def plan_of(job: Job, seed: int, first: int) -> dict[str, Any]:
    """The plan of a job, as plain JSON, with the hash of it all under ``hash`` (16 hex digits).

    sources: of each module with a kernel, the hash of all source that it can reach. rules,
    policies, tables, parts: hashes of their contents. TypeError for contents of unknown type.
    """
    plan = {
        "version": lama_odds.__version__,
        "kernel": _name(job.kernel),
        "sources": _sources(job),
        "rules": _hash(job.rules),
        "policies": _hash(job.policies),
        "tables": _hash(job.tables),
        "parts": _hash(job.parts),
        "measures": _hash([astuple(measure) for measure in job.measures]),
        "shape": list(job.shape),
        "seed": seed,
        "first": first,
    }
    text = json.dumps(plan, sort_keys=True)
    return {**plan, "hash": hashlib.sha256(text.encode()).hexdigest()[:16]}


def _name(kernel: Any) -> str:
    function = getattr(kernel, "py_func", kernel)
    return f"{function.__module__}.{function.__qualname__}"


def _sources(job: Job) -> dict[str, str]:
    """Module -> hash, of the job's kernel and those of the jobs among its parts."""
    found: dict[str, str] = {}
    waiting: list[Any] = [job]
    while waiting:
        thing = waiting.pop()
        if isinstance(thing, Job):
            module = getattr(thing.kernel, "py_func", thing.kernel).__module__
            found[module] = cache_folder(module).name.rpartition("-")[2]
            waiting += thing.parts
        elif isinstance(thing, list | tuple):
            waiting += thing
    return dict(sorted(found.items()))


def _hash(thing: Any) -> str:
    digest = hashlib.sha256()
    _feed(digest, thing)
    return digest.hexdigest()[:16]


def _feed(digest: Any, thing: Any) -> None:
    """Add contents to a digest, with their types and sizes, so that no two read alike."""
    if isinstance(thing, Job):
        digest.update(b"job")
        _feed(digest, [_name(thing.kernel), thing.rules, thing.policies, thing.tables])
        _feed(digest, [thing.shape, thing.parts])
    elif isinstance(thing, np.ndarray):
        digest.update(f"array {thing.dtype.str} {thing.shape} ".encode())
        digest.update(np.ascontiguousarray(thing).tobytes())
    elif isinstance(thing, Sequence) and not isinstance(thing, str | bytes):
        digest.update(f"list {len(thing)} ".encode())
        for part in thing:
            _feed(digest, part)
    elif thing is None or isinstance(thing, bool | int | float | str | np.generic):
        text = f"{type(thing).__name__} {thing!r}"
        digest.update(f"{len(text)} {text} ".encode())
    else:
        raise TypeError(f"a job holds a {type(thing).__name__}, which has no hash here")
