"""``lama-odds review``: what did each decision of a game lose, and what was luck?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lama_odds.cli.common import (
    MAX_GAMES,
    AsJson,
    Seed,
    Threads,
    note,
    progress_bar,
    show,
    start_kernels,
)
from lama_odds.core.errors import ReadError, near_names
from lama_odds.games.record import HEADER

EXAMPLES = """[bold]Examples[/bold]

lama-odds simulate pikomino/egmont --players 2 --policy first-tile --games 1 --show 1 > game.txt

lama-odds review game.txt

lama-odds review game.txt --seat 0 --objective points --html review.html

lama-odds review game.txt --opponents random --games 2000 --json

FILE is a record as simulate --show and play write it, or typed in; of several the first.
"""


def review(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A record of a game.")],
    seat: Annotated[
        int | None, typer.Option("--seat", metavar="S", help="Grade this seat only (from 0).")
    ] = None,
    opponents: Annotated[
        str | None,
        typer.Option(
            "--opponents", metavar="POLICY", help="The others' policy (default: the best known)."
        ),
    ] = None,
    objective: Annotated[
        str | None,
        typer.Option("--objective", help="points, margin, round or win (default: as in advise)."),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(
            "--games", min=1, max=MAX_GAMES, help="Games for each decision that is sampled."
        ),
    ] = None,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Write a page too.")
    ] = None,
    threads: Threads = None,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Grade every decision of a recorded game, and tell its luck apart."""
    text = record_text(file)
    start_kernels()
    from lama_odds.games.decisions import rules_named
    from lama_odds.games.registry import game_of

    named = rules_named(text)
    game = game_of(named)
    rule_set = game.rules(named)
    if objective is not None and objective not in game.objectives:
        raise ReadError(
            f"unknown objective {objective!r} of {game.name}",
            objective,
            0,
            near_names(objective, game.objectives),
        )
    policy = game.policy(opponents) if opponents is not None else None

    from lama_odds.analysis.review import review as look_again
    from lama_odds.report.review import review_text

    with progress_bar("review") as progress:
        answer = look_again(
            game,
            rule_set,
            text,
            seat=seat,
            objective=objective,
            opponents=policy,
            games=games,
            threads=threads,
            seed=seed,
            progress=progress,
        )
    if html is not None:
        from lama_odds.core.files import write_whole
        from lama_odds.report.review_page import review_page

        write_whole(html, review_page(answer))
        note(f"wrote {html}")
    show(as_json, answer, lambda: review_text(answer))


def record_text(path: Path) -> str:
    """The first record of a file, without what simulate prints after it.

    ReadError if the file cannot be read.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text"
        raise ReadError(f"cannot read {path}: {reason}") from None
    lines = text.splitlines()
    for number, line in enumerate(lines):
        after_blank = number > 0 and not lines[number - 1].strip()
        if after_blank and (line.strip() == HEADER or "/" in line.partition(" ")[0]):
            return "\n".join(lines[:number]) + "\n"
    return text
