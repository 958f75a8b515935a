"""``lama-odds advise --positions FILE``: one row of advice for each position of a file."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lama_odds.cli.common import note, progress_bar
from lama_odds.cli.rows import stopped_rows
from lama_odds.core.files import check_outputs

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


def advise_file(
    rules: str, positions: Path, out: Path | None, format_: str | None, **options: Any
) -> None:
    """Write the rows; SystemExit with the agreed code if a position has no answer."""
    from lama_odds.api.advising import adviser
    from lama_odds.api.batches import batch_to

    check_outputs({"--out": out}, {"--positions": positions})
    with stopped_rows(out), progress_bar("advise") as progress:
        how = adviser(rules, **options, progress=progress)
        found = batch_to(how, positions, out, format_, progress)
    _tell(found)
    if found.exit_code:
        sys.exit(found.exit_code)


def _tell(found: Batch) -> None:
    """Report what was written, and how many positions have no answer."""
    if found.file:
        note(f"{found.file} has {found.positions:,} rows")
    errors = sum(found.errors.values())
    if errors:
        note(f"{errors:,} of {found.positions:,} positions have no answer: see the column error")
