"""The option ``--engine``: where the games are played."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from lama_odds.api.asked import tell
from lama_odds.core.errors import ReadError, near_names

THREADS, DASK = "threads", "dask"
EXPECTED = "expected threads, dask, tcp://HOST:PORT or tls://HOST:PORT"
_ADDRESS = re.compile(r"(tcp|tls)://(\[[0-9A-Fa-f:.]+\]|[\w.-]+):([0-9]{1,5})", re.ASCII)

Engine = Annotated[
    str,
    typer.Option(
        "--engine",
        metavar="threads|dask|ADDRESS",
        help="Where games are played: threads or dask processes here, or the dask scheduler at "
        "tcp://HOST:PORT or tls://HOST:PORT. The answer is the same.",
    ),
]


@contextmanager
def engine_used(engine: str, threads: int | None) -> Iterator[None]:
    """Play on an engine; raise ReadError if there is none of this name."""
    if engine == THREADS:
        yield
        return
    scheduler = None if engine == DASK else engine
    if scheduler is not None:
        check_scheduler(scheduler, threads)
    from lama_odds.simulation.dask_engine import cluster
    from lama_odds.simulation.run import default_threads, using

    with cluster(scheduler, threads or default_threads(), tell) as opened, using(opened):
        yield


def check_scheduler(address: str, threads: int | None) -> None:
    """ReadError for a name that is neither an engine nor an address, and for threads beside one."""
    found = _ADDRESS.fullmatch(address)
    if found is None and ":" not in address:
        hints = near_names(address, (THREADS, DASK))
        raise ReadError(f"--engine {address}: {EXPECTED}", hints=hints)
    if found is None or not 0 < int(found[3]) < 65536:
        raise ReadError(f"--engine: {EXPECTED}", address, 0)
    if threads is not None:
        raise ReadError(f"--threads is for this machine: the workers of {address} have theirs")
    if found[1] == "tcp" and not _is_here(found[2]):
        said = "nothing is encrypted, and anybody who can reach it can run code; see tls://"
        tell(f"{address}: {said}")


def _is_here(host: str) -> bool:
    """Whether a host's name or address is this machine's own, for certain."""
    import ipaddress

    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"
