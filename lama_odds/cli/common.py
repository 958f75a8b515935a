"""Common parts of the commands: checks, progress, output."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lama_odds.api.asked import read_rules, ready, tell
from lama_odds.cli.errors import silence
from lama_odds.core import checks
from lama_odds.core.errors import ReadError
from lama_odds.core.files import check_output, check_outputs, write_output
from lama_odds.core.language import say
from lama_odds.core.progress import StageProgress
from lama_odds.core.strict_json import to_json

if TYPE_CHECKING:
    from rich.console import RenderableType

    from lama_odds.games.interface.game import AnyGame
    from lama_odds.report.answer import Answer

STDOUT = Path("-")  # as the name of a CSV file
note = tell  # a line on stderr


def check_players(rule_set: Any, players: int | None) -> int:
    """The given number of players, or the default; ReadError if the rule set excludes it."""
    if players is None:
        return checks.default_players(rule_set)
    checks.check_players(rule_set, players, "--players")
    return players


def seat_players(options: dict[str, Any]) -> AnyGame:
    """Complete the number of players of the options; return the game of their rule set."""
    given = read_rules(options["rules"])
    options["players"] = check_players(given.rules, options.get("players"))
    return given.game


def check_plot(plot: Path | None) -> None:
    """ReadError for a figure's file of an unknown format, LimitError for an unwritable one."""
    if plot is not None:
        from lama_odds.report.figures.style import check_format

        check_format(plot)
        check_output("--plot", plot)


def joined(words: list[str] | None) -> str | None:
    """A position given as one argument, or as several without quotes; None if there is none."""
    return " ".join(words) if words else None


def whole_text(path: Path) -> str:
    """The text of a file, ``-`` being stdin; ReadError if it cannot be read."""
    from lama_odds.core.reading import read_handed

    try:
        text = read_handed(path)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise ReadError(say("cannot read {path}: {why}", path=path, why=why)) from None
    return text if text.endswith("\n") else f"{text}\n"


def record_text(path: Path) -> str:
    """The first record of a file, ``-`` being stdin; ReadError if it cannot be read."""
    from lama_odds.games.shared.record import HEADER, first_record

    text = whole_text(path)
    records = sum(line.strip() == HEADER for line in text.splitlines())
    if records > 1:
        named = "stdin" if path == STDOUT else path
        note(f"{named} has {records} records: only the first is used")
    return first_record(text)


def show(
    as_json: bool,
    answer: Any,
    text: Callable[[], RenderableType],
    files: Callable[[], None] | None = None,
    csv: Path | None = None,
) -> None:
    """Print an answer, its JSON or its text, and write its files.

    Neither depends on the other: the answer is printed even if a file cannot be written. The files
    are written even if nobody reads stdout any more (a closed pipe, for example). csv: with ``-``
    only the table goes to stdout, without the answer.
    """
    try:
        if csv != STDOUT:
            _print(as_json, answer, text)
    finally:
        if files is not None:
            files()


def show_answer(
    answer: Answer[Any],
    as_json: bool,
    verbose: bool,
    csv: Path | None = None,
    table: Callable[[Any], str] | None = None,
    plot: Path | None = None,
    more: Callable[[], None] | None = None,
) -> None:
    """Print an answer, and write its files as `show` does.

    table: what it has as CSV. plot: a file for its figure. more: writes other files.
    """

    def write() -> None:
        if table is not None:
            write_csv(csv, lambda: table(answer.found))
        if more is not None:
            more()
        if plot is not None:
            from lama_odds.report.answer import drawn
            from lama_odds.report.figures.style import check_format

            write_output(plot, drawn(answer.found, check_format(plot)))

    show(as_json, answer.found, lambda: answer.shown(verbose), write, csv)


def _print(as_json: bool, answer: Any, text: Callable[[], RenderableType]) -> None:
    if as_json:
        plain = answer.to_json() if hasattr(answer, "to_json") else answer
        print(to_json(plain), flush=True)
        return
    from lama_odds.report.terminal import printed, shown_on, width_of

    print(printed(shown_on(text(), sys.stdout), width_of(sys.stdout)), flush=True)


def line_out(text: str) -> None:
    """A line on stdout; if nobody reads it any more, the command continues all the same."""
    try:
        print(text, flush=True)
    except BrokenPipeError:
        silence()


def check_files(csv: Path | None, as_json: bool, **others: Path | None) -> None:
    """Check the files of a command, by option, before anything is computed.

    ReadError if both a table and JSON go to stdout; LimitError if a file cannot be written.
    """
    if csv == STDOUT and as_json:
        raise ReadError(
            say("--csv - and --json both go to stdout: expected one of them, or --csv FILE")
        )
    named = {f"--{option}": path for option, path in others.items()}
    check_outputs({"--csv": None if csv == STDOUT else csv, **named})


def write_csv(csv: Path | None, table: Callable[[], str]) -> None:
    """Write a table to its file, or to stdout: the same bytes. None: write nothing."""
    if csv is None:
        return
    if csv != STDOUT:
        write_output(csv, table())
        return
    text, stream = table(), getattr(sys.stdout, "buffer", None)
    if stream is None:  # a stream of text alone
        sys.stdout.write(text)
    else:
        sys.stdout.flush()
        stream.write(text.encode())
        stream.flush()


def start_kernels() -> None:
    """Get ready for compiled code; a note on stderr says what has to be compiled."""
    from lama_odds import jit

    jit.alone()
    ready()


@contextmanager
def progress_bar(what: str) -> Iterator[StageProgress | None]:
    """A bar on stderr for work of more than a second, if stderr is a terminal."""
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
