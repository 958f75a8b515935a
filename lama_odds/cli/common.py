"""What the commands share: options, checks of numbers, progress, output."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lama_odds.api import asked
from lama_odds.core import checks
from lama_odds.core.errors import ReadError
from lama_odds.core.files import check_output, write_output
from lama_odds.core.progress import StageProgress
from lama_odds.core.strict_json import to_json

if TYPE_CHECKING:
    from rich.console import RenderableType

    from lama_odds.analysis.report_parts import Figure

MAX_GAMES = asked.MAX_GAMES
FEWEST_ROLLOUTS = asked.FEWEST_ROLLOUTS
NAMED_SO = "a name, best or @FILE"
_ABSENT = object()

Rules = Annotated[
    str, typer.Argument(metavar="RULES", help="Rule set, for example lama/egmont+twenty.")
]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")]
Seed = Annotated[
    int,
    typer.Option("--seed", min=0, max=asked.MAX_SEED, help="Same seed, same answer, bit for bit."),
]
Threads = Annotated[
    int | None,
    typer.Option(
        "--threads", min=1, max=asked.MAX_THREADS, help="Threads (default: all processors)."
    ),
]
Plot = Annotated[
    Path | None, typer.Option("--plot", metavar="FILE", help="Draw it, as .svg or .png.")
]
Players = Annotated[int, typer.Option("--players", help="Number of players.")]


def check_players(rule_set: Any, players: int) -> None:
    """ReadError if a rule set is not for so many players."""
    checks.check_players(rule_set, players, "--players")


def check_precision(precision: float) -> None:
    """ReadError for a half-width that is no number above 0."""
    checks.check_precision(precision, "--precision")


def check_plot(plot: Path | None) -> str:
    """The format of a figure's file; ReadError for another suffix, LimitError for no place."""
    if plot is None:
        return ""
    from lama_odds.report.plots import check_format

    format_ = check_format(plot)
    check_output("--plot", plot)
    return format_


def write_plot(plot: Path, figure: Figure, format_: str) -> None:
    """Draw a figure into a file."""
    from lama_odds.report.figures import draw

    write_output(plot, draw(figure, format_, titled=True))


def check_seconds(seconds: float) -> None:
    """ReadError for a time limit that is nan, infinity, zero, negative or absurd."""
    checks.check_seconds(seconds, "--seconds")


def joined(words: list[str] | None) -> str | None:
    """A position given as one argument, or as several without quotes; None if there is none."""
    return " ".join(words) if words else None


def record_text(path: Path) -> str:
    """The first record of a file, ``-`` being stdin; ReadError if it cannot be read."""
    from lama_odds.core.reading import read_handed
    from lama_odds.games.record import first_record

    try:
        return first_record(read_handed(path))
    except OSError as error:
        raise ReadError(f"cannot read {path}: {error.strerror}") from None
    except ValueError as error:
        raise ReadError(f"cannot read {path}: {error}") from None


def show(as_json: bool, answer: Any, text: Callable[[], RenderableType]) -> None:
    """Print an answer: its JSON, or its text; files are written after it, so it is not lost."""
    if as_json:
        plain = answer.to_json() if hasattr(answer, "to_json") else answer
        print(to_json(plain), flush=True)
        return
    from lama_odds.report.text import WIDTH, printed

    print(printed(text(), None if sys.stdout.isatty() else WIDTH), flush=True)


def note(text: str) -> None:
    """A line on stderr."""
    asked.tell(text)


@functools.cache
def start_kernels() -> None:
    """Load numba, and say on stderr when something has to be compiled.

    numba loads scipy's linear algebra if there is any, for functions that no
    kernel here uses; in a process of our own that time is saved.
    """
    scipy = sys.modules.get("scipy", _ABSENT)
    if scipy is _ABSENT:
        sys.modules["scipy"] = None  # type: ignore[assignment]
    try:
        import numba.np.arraymath  # noqa: F401
    finally:
        if scipy is _ABSENT:
            del sys.modules["scipy"]

    asked.ready()


@contextmanager
def progress_bar(what: str) -> Iterator[StageProgress | None]:
    """A bar on stderr once something has taken over a second; none if stderr is no terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    import time

    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    began = time.monotonic()
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:.0f} %"))
    bar = Progress(*columns, TimeRemainingColumn(), console=Console(stderr=True), transient=True)
    task = bar.add_task(what, total=1.0)

    def tell(done: float, doing: str) -> None:
        if time.monotonic() - began > 1.0 and not bar.live.is_started:
            bar.start()
        bar.update(task, completed=done, description=doing)

    try:
        yield tell
    finally:
        bar.stop()
