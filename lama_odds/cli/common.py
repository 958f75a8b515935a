"""What the commands share: options, checks of numbers, progress, output."""

from __future__ import annotations

import functools
import json
import math
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lama_odds.core.errors import ReadError

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import RenderableType

    from lama_odds.analysis.report import Figure

MAX_THREADS = 256
WIDTH = 160  # of text that goes to a file or another program
MAX_SECONDS = 100_000.0
MAX_PRECISION = 1000.0
# The most games that luck has addresses for (see `luck.stream`).
MAX_GAMES = 1 << 40
MAX_SEED = (1 << 63) - 1

_ABSENT = object()

Rules = Annotated[
    str, typer.Argument(metavar="RULES", help="Rule set, for example lama/egmont+twenty.")
]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")]
Seed = Annotated[
    int, typer.Option("--seed", min=0, max=MAX_SEED, help="Same seed, same answer, bit for bit.")
]
Threads = Annotated[
    int | None,
    typer.Option("--threads", min=1, max=MAX_THREADS, help="Threads (default: all processors)."),
]
Players = Annotated[int, typer.Option("--players", help="Number of players.")]


def check_players(rule_set: Any, players: int) -> None:
    """ReadError if a rule set is not for so many players."""
    if players not in rule_set.players:
        first, last = rule_set.players[0], rule_set.players[-1]
        raise ReadError(f"--players {players}: {rule_set.id} is for {first} to {last} players")


def check_precision(precision: float) -> None:
    """ReadError for a half-width that is no number above 0."""
    if not (math.isfinite(precision) and 0 < precision <= MAX_PRECISION):
        raise ReadError(
            f"--precision {precision}: expected a number above 0, at most {MAX_PRECISION:g}"
        )


def check_plot(plot: Path | None) -> str:
    """The format of a figure's file; ReadError for another suffix, OSError without its folder."""
    if plot is None:
        return ""
    from lama_odds.report.plots import check_format

    format_ = check_format(plot)
    if not plot.parent.is_dir():
        raise FileNotFoundError(f"{plot}: there is no folder {plot.parent}")
    return format_


def write_plot(plot: Path, figure: Figure, format_: str) -> None:
    """Draw a figure into a file."""
    from lama_odds.core.files import write_whole_bytes
    from lama_odds.report.figures import draw

    write_whole_bytes(plot, draw(figure, format_))


def check_seconds(seconds: float) -> float:
    """A time limit; ReadError for nan, infinity, zero, negative or absurd ones."""
    if not (math.isfinite(seconds) and 0 < seconds <= MAX_SECONDS):
        raise ReadError(f"--seconds {seconds}: expected a number above 0, at most {MAX_SECONDS:g}")
    return seconds


def show(as_json: bool, answer: Any, text: Callable[[], RenderableType]) -> None:
    """Print an answer: its JSON, or its text."""
    if as_json:
        print(
            json.dumps(answer.to_json() if hasattr(answer, "to_json") else answer, allow_nan=False)
        )
        return
    from rich.console import Console

    console = Console(width=None if sys.stdout.isatty() else WIDTH, highlight=False)
    with console.capture() as captured:
        # What must stay on one line (a position to be copied) may be wider than the screen.
        console.print(text(), crop=False)
    print("\n".join(line.rstrip() for line in captured.get().rstrip().splitlines()))


def note(text: str) -> None:
    """A line on stderr."""
    print(f"lama-odds: {text}", file=sys.stderr)


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

    from lama_odds import kernels

    kernels.on_first_compile(
        lambda: note("first use: compiling for this machine, some 20 seconds; kept for next time")
    )


@contextmanager
def progress_bar(what: str) -> Iterator[Callable[[float, str], None] | None]:
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
