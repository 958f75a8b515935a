"""Commands that write rows: options for their file and format, and ``simulate --rows``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

from lama_odds.api.options import Option
from lama_odds.cli.common import note, progress_bar
from lama_odds.core.errors import ReadError
from lama_odds.core.files import check_outputs
from lama_odds.core.language import say

Out = Annotated[
    Path | None,
    Option(
        "Write rows to this file instead of stdout. The same command resumes it where it was "
        "stopped.",
        shown="FILE",
    ),
]
Format = Annotated[
    str | None,
    Option(
        "Of the rows: csv, jsonl or parquet (needs pyarrow). Default: by the suffix of --out, "
        "else csv.",
        flag="--format",
        shown="FORMAT",
    ),
]


def check_rows(option: str, given: Any, alone: dict[str, Any], with_rows: dict[str, Any]) -> None:
    """ReadError for options that do not go together.

    option, given: the option that asks for rows, and its value. alone: options that do not go with
    rows. with_rows: options that are for rows only.
    """
    if given is not None:
        for name, value in alone.items():
            if value:
                if name == "--json":
                    message = say(
                        "{name} does not go with {option}, expected --format jsonl",
                        name=name,
                        option=option,
                    )
                else:
                    message = say("{name} does not go with {option}", name=name, option=option)
                raise ReadError(message)
        return
    for name, value in with_rows.items():
        if value is not None:
            raise ReadError(
                say("{name} is for rows: expected {option} too", name=name, option=option)
            )


@contextmanager
def stopped_rows(out: Path | None) -> Iterator[None]:
    """After Ctrl-C, report that the rows so far are kept."""
    try:
        yield
    except KeyboardInterrupt:
        if out is not None and out.exists():
            note(f"the rows so far are kept in {out}: the same command resumes there")
        raise


def simulate_file(arguments: tuple[Any, ...], out: Path | None, format_: str | None) -> None:
    """Write the rows of simulated games. arguments: the arguments of `api.tables.played`."""
    from lama_odds.api.tables import played, rows_to

    check_outputs({"--out": out})
    with stopped_rows(out), progress_bar("simulate") as progress:
        rows = rows_to(played(*arguments), out, format_, progress)
    if rows.file:
        note(f"{rows.file} has {rows.written:,} rows of {rows.games:,} games")


# ``lama-odds advise --positions FILE``: one row of advice for each position of a file.

Positions = Annotated[
    Path | None,
    Option(
        "A file instead of POSITION: one position a line, .csv with a column position, or "
        ".jsonl with such a key; - is stdin. One without an answer has a message in the column "
        "error.",
        shown="FILE",
    ),
]


def advise_file(positions: Path, out: Path | None, format_: str | None, **options: Any) -> None:
    """Write the rows; SystemExit with the agreed code if a position has no answer."""
    from lama_odds.api.advising import adviser
    from lama_odds.api.batches import batch_to

    check_outputs({"--out": out}, {"--positions": positions})
    with stopped_rows(out), progress_bar("advise") as progress:
        how = adviser(**options, progress=progress)
        batch = batch_to(how, positions, out, format_, progress)
    if batch.file:
        note(f"{batch.file} has {batch.positions:,} rows")
    errors = sum(batch.errors.values())
    if errors:
        note(f"{errors:,} of {batch.positions:,} positions have no answer: see the column error")
    if batch.exit_code:
        sys.exit(batch.exit_code)
