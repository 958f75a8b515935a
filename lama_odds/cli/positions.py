"""``lama-odds advise --positions FILE``: one row of advice for each position of a file."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lama_odds.cli.common import note, progress_bar
from lama_odds.core.errors import ReadError

if TYPE_CHECKING:
    from lama_odds.analysis.advice.many import Batch

Positions = Annotated[
    Path | None,
    typer.Option(
        "--positions",
        metavar="FILE",
        help="A file of positions, instead of POSITION: one a line (# begins a comment), .csv with "
        "a column position, or .jsonl with such a key; - is stdin. Other columns are handed "
        "through. A position without an answer has its message in the column error. The exit code "
        "at the end is then 2 if any cannot be read, else 3 if any cannot occur, else 4.",
    ),
]
Out = Annotated[
    Path | None,
    typer.Option(
        "--out",
        metavar="FILE",
        help="Write the rows to this file instead of stdout. The same command resumes it where it "
        "was stopped; the file FILE.run.json beside it is for that.",
    ),
]
Format = Annotated[
    str | None,
    typer.Option(
        "--format",
        metavar="FORMAT",
        help="Of the rows: csv, jsonl (whole answers, as with --json) or parquet (with --out; "
        "needs pyarrow). Default: by the suffix of --out, else csv.",
    ),
]


def advise_file(
    rules: str, positions: Path, out: Path | None, format_: str | None, **options: Any
) -> None:
    """Write the rows; SystemExit with the agreed code if a position has no answer."""
    from lama_odds.api.advising import adviser
    from lama_odds.api.batches import batch_to
    from lama_odds.core.files import check_outputs

    check_outputs({"--out": out}, {"--positions": positions})
    try:
        with progress_bar("advise") as progress:
            how = adviser(rules, **options, progress=progress)
            found = batch_to(how, positions, out, format_, progress)
    except KeyboardInterrupt:
        if out is not None:
            note(f"the rows so far are kept in {out}: the same command resumes there")
        raise
    _tell(found)
    if found.exit_code:
        sys.exit(found.exit_code)


def _tell(found: Batch) -> None:
    """Report what was written, and how many positions have no answer."""
    if found.file:
        note(f"wrote {found.positions:,} rows to {found.file}")
    errors = sum(found.errors.values())
    if errors:
        note(f"{errors:,} of {found.positions:,} positions have no answer: see the column error")


def check_many(positions: Path | None, alone: dict[str, Any], many: dict[str, Any]) -> None:
    """ReadError for options that do not go together.

    alone: options that are for one position. many: options that are for --positions.
    """
    if positions is not None:
        for name, value in alone.items():
            if value:
                instead = "--format jsonl" if name == "--json" else "one POSITION"
                raise ReadError(f"{name} does not go with --positions: expected {instead}")
        return
    for name, value in many.items():
        if value is not None:
            raise ReadError(f"{name} is for --positions FILE")
