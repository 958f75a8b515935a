"""The options ``--engine``, ``--scheduler`` and ``--tls-…``: where the games are played."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from lama_odds.cli.common import note
from lama_odds.core.errors import ReadError, near_names

THREADS, DASK = "threads", "dask"
_ADDRESS = re.compile(r"(tcp|tls)://(\[[0-9A-Fa-f:.]+\]|[\w.-]+):([0-9]{1,5})", re.ASCII)

Engine = Annotated[
    str,
    typer.Option(
        "--engine",
        metavar="threads|dask",
        help="Where games are played: threads here, or dask workers. The answer is the same.",
    ),
]
Scheduler = Annotated[
    str | None,
    typer.Option(
        "--scheduler",
        metavar="tcp://HOST:PORT",
        help="For --engine dask. Without it, --threads worker processes are started here.",
    ),
]
TlsCa = Annotated[
    Path | None, typer.Option("--tls-ca", metavar="FILE", help="Certificate authority, for tls://.")
]
TlsCert = Annotated[
    Path | None, typer.Option("--tls-cert", metavar="FILE", help="Certificate, for tls://.")
]
TlsKey = Annotated[
    Path | None, typer.Option("--tls-key", metavar="FILE", help="Its key, for tls://.")
]
OPTIONS: dict[str, tuple[Any, Any]] = {
    "engine": (Engine, THREADS),
    "scheduler": (Scheduler, None),
    "tls_ca": (TlsCa, None),
    "tls_cert": (TlsCert, None),
    "tls_key": (TlsKey, None),
}


def on_engine(command: Callable[..., None]) -> Callable[..., None]:
    """A command that plays games, with the options for where to play them.

    The command itself does not depend on them: all games are played by `simulation.run`.
    """

    @functools.wraps(command)
    def run(**kwargs: Any) -> None:
        options = {name: kwargs.pop(name) for name in OPTIONS}
        with engine_used(**options, threads=kwargs.get("threads")):
            command(**kwargs)

    own = inspect.signature(command, eval_str=True)
    more = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=type_)
        for name, (type_, default) in OPTIONS.items()
    ]
    asked = [p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in own.parameters.values()]
    at = next((i for i, p in enumerate(asked) if p.name == "threads"), -1) + 1
    asked[at:at] = more
    run.__signature__ = own.replace(parameters=asked)  # type: ignore[attr-defined]
    run.__annotations__ = {p.name: p.annotation for p in asked}
    return run


@contextmanager
def engine_used(
    engine: str,
    scheduler: str | None,
    tls_ca: Path | None,
    tls_cert: Path | None,
    tls_key: Path | None,
    threads: int | None,
) -> Iterator[None]:
    """Play on the engine of these options; ReadError for options that contradict each other."""
    if engine not in (THREADS, DASK):
        hints = near_names(engine, (THREADS, DASK))
        raise ReadError(f"--engine {engine}: expected {THREADS} or {DASK}", hints=hints)
    tls = {"--tls-ca": tls_ca, "--tls-cert": tls_cert, "--tls-key": tls_key}
    if engine == THREADS:
        for option, value in {"--scheduler": scheduler, **tls}.items():
            if value is not None:
                raise ReadError(f"{option} {value} is for --engine {DASK}")
        yield
        return
    check_scheduler(scheduler, tls, threads)
    from lama_odds.simulation.dask_engine import Tls, cluster
    from lama_odds.simulation.run import default_threads, using

    files = Tls(tls_ca, tls_cert, tls_key) if tls_ca and tls_cert and tls_key else None
    workers = threads or default_threads()
    with cluster(scheduler, workers, files, note) as opened, using(opened):
        yield


def check_scheduler(
    scheduler: str | None, tls: dict[str, Path | None], threads: int | None
) -> None:
    """ReadError for a malformed address, for missing files, and for options that contradict it."""
    given = {option: path for option, path in tls.items() if path is not None}
    found = _ADDRESS.fullmatch(scheduler) if scheduler is not None else None
    if scheduler is not None and (found is None or not 0 < int(found[3]) < 65536):
        raise ReadError("--scheduler: expected tcp://HOST:PORT or tls://HOST:PORT", scheduler, 0)
    if given and (found is None or found[1] != "tls"):
        raise ReadError(f"{min(given)} is for --scheduler tls://HOST:PORT")
    if given and len(given) < len(tls):
        missing = ", ".join(option for option in tls if option not in given)
        raise ReadError(f"{missing} is missing: {', '.join(tls)} go together")
    for option, path in given.items():
        if not path.is_file():
            raise ReadError(f"{option} {path}: there is no such file")
    if found is not None:
        if threads is not None:
            raise ReadError("--threads is for this machine: the workers of --scheduler have theirs")
        if found[1] == "tcp" and not _is_here(found[2]):
            note(
                f"{scheduler}: nothing is encrypted, and anybody who can reach it can run code; see tls://"
            )


def _is_here(host: str) -> bool:
    """Whether a host's name or address is this machine's own, for certain."""
    import ipaddress

    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"
