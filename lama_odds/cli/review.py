"""``lama-odds review``: the cost of each decision of a game; luck and skill in its result."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lama_odds.cli import completion
from lama_odds.cli.common import (
    FEWEST_ROLLOUTS,
    MAX_GAMES,
    NAMED_SO,
    AsJson,
    Seed,
    Threads,
    Verbose,
    note,
    progress_bar,
    record_text,
    show,
    start_kernels,
)
from lama_odds.core.files import check_outputs, write_output

EXAMPLES = """[bold]Examples[/bold]

lama-odds simulate pikomino/egmont --players 2 --policy first-tile --games 1 --show 1 > game.txt

lama-odds review game.txt

lama-odds review game.txt --seat 0 --objective points --html review.html

lama-odds review game.txt --opponents random --games 2000 --json

FILE is a record: simulate --show and play write them, or you type one. Of several records the
first is graded.
"""


def review(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A record of a game (- is stdin).")],
    seat: Annotated[
        int | None,
        typer.Option("--seat", metavar="S", help="Grade this seat only (counted from 0)."),
    ] = None,
    opponents: Annotated[
        str | None,
        typer.Option(
            "--opponents",
            metavar="POLICY",
            help=f"The others' policy ({NAMED_SO}; default: best).",
            autocompletion=completion.policies,
        ),
    ] = None,
    objective: Annotated[
        str | None,
        typer.Option(
            "--objective",
            help="points, margin, round or win (default: as in advise).",
            autocompletion=completion.objectives,
        ),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            min=FEWEST_ROLLOUTS,
            max=MAX_GAMES,
            help="Games for each sampled decision.",
        ),
    ] = None,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Write a page too.")
    ] = None,
    threads: Threads = None,
    seed: Seed = 0,
    verbose: Verbose = False,
    as_json: AsJson = False,
) -> None:
    """What did each decision cost? Grades a recorded game, and separates luck from skill."""
    text = record_text(file)
    check_outputs({"--html": html}, {"FILE": file})
    start_kernels()
    from lama_odds.api.positions import review as ask

    with progress_bar("review") as progress:
        answer = ask(
            text,
            seat=seat,
            objective=objective,
            opponents=opponents,
            games=games,
            threads=threads,
            seed=seed,
            progress=progress,
        )

    def write() -> None:
        if html is not None:
            from lama_odds.report.pages.review_page import review_page

            write_output(html, review_page(answer.found))
            note(f"wrote {html}")

    show(as_json, answer.found, lambda: answer.shown(verbose), write)
