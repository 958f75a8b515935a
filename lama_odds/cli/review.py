"""``lama-odds review``: the cost of each decision of a game; luck and skill in its result."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from lama_odds.api.positions import review as ask
from lama_odds.cli.asking import asks
from lama_odds.cli.common import note, progress_bar, record_text, show, start_kernels
from lama_odds.core.files import check_outputs, write_output

EXAMPLES = """[bold]Examples[/bold]

lama-odds simulate pikomino/egmont --players 2 --policy first-tile --games 1 --show 1 > game.txt

lama-odds review game.txt

lama-odds review game.txt --seat 0 --objective points --html review.html

lama-odds review game.txt --opponents random --games 2000 --json

FILE is a record: simulate --show and play write them, or you type one. Of several records the
first is graded.
"""


@asks("record seat opponents objective games html threads seed verbose as_json", ask)
def review(
    asked: dict[str, Any],
    verbose: bool,
    as_json: bool,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Write a page too.")
    ] = None,
) -> None:
    """What did each decision cost? Grades a recorded game, and separates luck from skill."""
    file = asked.pop("record")
    text = record_text(file)
    check_outputs({"--html": html}, {"FILE": file})
    start_kernels()
    with progress_bar("review") as progress:
        answer = ask(text, **asked, progress=progress)

    def write() -> None:
        if html is not None:
            from lama_odds.report.pages.review_page import review_page

            write_output(html, review_page(answer.found))
            note(f"wrote {html}")

    show(as_json, answer.found, lambda: answer.shown(verbose), write)
