"""``lama-odds runs`` and the option ``--run``: long runs that go on where they were stopped."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lama_odds.cli.common import AsJson, note, show

if TYPE_CHECKING:
    from lama_odds.simulation.run_folder import RunFolder

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
        help="Keep the games in this folder: the same command goes on where it was stopped, and "
        "with more games only the new ones are played.",
    ),
]


def runs(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a --run.")],
    as_json: AsJson = False,
) -> None:
    """How far a run is, how fast, and what it has found so far; also while it plays."""
    from lama_odds.report.text.runs import runs_text
    from lama_odds.simulation.status import status_of

    status = status_of(folder)
    show(as_json, status, lambda: runs_text(status))


@contextmanager
def run_folder(
    folder: Path | None, question: Mapping[str, Any], several: bool = False
) -> Iterator[RunFolder | None]:
    """The folder of ``--run``, None without it. question: what it must have been begun with.

    OSError (a full disk, say) is said with what becomes of the run.
    """
    if folder is None:
        with nullcontext():
            yield None
        return
    from lama_odds.simulation.run_folder import open_folder

    try:
        with open_folder(folder, question, several, note) as opened:
            yield opened
    except OSError as error:
        raise OSError(
            f"{folder} cannot be written ({error.strerror or error}); what it holds stays: "
            "the same command goes on from there"
        ) from error


@contextmanager
def stopped_runs(folder: Path | None) -> Iterator[None]:
    """For commands that have no answer before the end: where the games are, after Ctrl-C."""
    try:
        yield
    except KeyboardInterrupt:
        tell_kept(folder)
        raise


def tell_kept(folder: Path | None) -> None:
    """After a run was stopped: where its games are."""
    if folder is not None:
        note(f"its games are kept in {folder}: the same command goes on from there")
