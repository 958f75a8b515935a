"""``lama-odds review``: the cost of each decision of games; luck and skill in their results."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from lama_odds.api.options import Option
from lama_odds.api.reviewing import KEEP, review_many
from lama_odds.api.reviewing import review as ask
from lama_odds.cli.asking import asks
from lama_odds.cli.common import note, progress_bar, show_answer, start_kernels, whole_text
from lama_odds.core.errors import ReadError
from lama_odds.core.files import check_outputs, write_output
from lama_odds.core.language import say
from lama_odds.games.shared.record import records_in

EXAMPLES = """
lama-odds simulate pikomino/egmont --players 2 --policy first-tile --games 1 --show 1 > game.txt

lama-odds review game.txt

lama-odds review game.txt --seat 0 --objective points --html review.html

lama-odds review game.txt --opponents random --games 2000 --json

lama-odds review my_games --worse-than 1.0

FILE is a record: simulate --show and play write them, or you type one. Of several records or a
folder you get your record: a line for each game, what decisions cost in all, and of which kind.
What is finished stays in FILE.review.json, and the same command resumes there.
"""


OPTIONS = (
    "record seat opponents objective games worse_than keep html threads seed verbose language "
    "as_json"
)


@asks(OPTIONS, ask)
def review(
    options: dict[str, Any],
    verbose: bool,
    as_json: bool,
    html: Annotated[Path | None, Option("Write a page too.", shown="FILE")] = None,
    keep: Annotated[bool, Option(KEEP, flag="--keep/--no-keep")] = True,
) -> None:
    """What did each decision cost? Grades recorded games, and separates luck from skill."""
    files: list[Path] = options.pop("record")
    given, several = _given(files)
    if several and html is not None:
        raise ReadError(say("--html is a page of one game: expected one record"))
    check_outputs({"--html": html}, {"FILE": files[0]})
    start_kernels()
    try:
        with progress_bar("review") as progress:
            options |= {"keep": keep, "progress": progress}
            answer: Any = review_many(given, **options) if several else ask(given[0], **options)
    except KeyboardInterrupt:
        if keep and any(isinstance(one, Path) for one in given):
            note(say("what is finished is kept: the same command resumes there"))
        raise

    def write() -> None:
        if html is not None:
            from lama_odds.report.pages.review_page import review_page

            write_output(html, review_page(answer.found))
            note(say("wrote {file}", file=html))

    show_answer(answer, as_json, verbose, more=write)


def _given(files: list[Path]) -> tuple[list[str | Path], bool]:
    """Files and folders, or the text where it can be read only once; whether these are several.

    ReadError if a single file cannot be read.
    """
    given: list[str | Path] = []
    several = len(files) > 1
    for file in files:
        if file.is_dir():
            given, several = [*given, file], True
            continue
        text = whole_text(file)
        given.append(file if file.is_file() else text)
        several |= len(records_in(text)) > 1
    return given, several
