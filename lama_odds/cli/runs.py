"""``lama-odds runs`` and the option ``--run``: long runs that resume where they stopped."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from lama_odds.cli.common import AsJson, Seed, Verbose, note, show

EXAMPLES = """[bold]Examples[/bold]

lama-odds simulate lama/egmont --players 4 --policy matching:5 --games 1000000000 --run long

lama-odds runs long

lama-odds runs long --json
"""

RunDir = Annotated[
    Path | None,
    typer.Option(
        "--run",
        metavar="DIR",
        help="Keep the games in this folder. The same command resumes where it was stopped; with "
        "more games only the new ones are played.",
    ),
]


def runs(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a --run.")],
    verbose: Verbose = False,
    seed: Seed = 0,  # noqa: ARG001 (every command takes it)
    as_json: AsJson = False,
) -> None:
    """How far is a long run, and what has it found so far? Works while it plays, too."""
    from lama_odds.api.asked import runs as ask

    answer = ask(folder)
    show(as_json, answer.found, lambda: answer.shown(verbose))


@contextmanager
def stopped_runs(folder: Path | None) -> Iterator[None]:
    """After Ctrl-C, report where the games are; for commands without an early answer."""
    try:
        yield
    except KeyboardInterrupt:
        tell_kept(folder)
        raise


def tell_kept(folder: Path | None) -> None:
    """After a run was stopped, report where its games are."""
    if folder is not None:
        note(f"its games are kept in {folder}: the same command resumes there")
