"""``lama-odds equity``: who is ahead, and by how much?"""

from __future__ import annotations

from typing import Annotated

import typer

from lama_odds.api.tables import FEWEST_ROUNDS, MOST_ROUNDS
from lama_odds.cli import completion
from lama_odds.cli.common import (
    NAMED_SO,
    AsJson,
    Csv,
    Rules,
    Seed,
    Threads,
    Verbose,
    check_files,
    progress_bar,
    show,
    start_kernels,
    write_csv,
)
from lama_odds.core.errors import ReadError
from lama_odds.core.policies import BEST

EXAMPLES = """[bold]Examples[/bold]

lama-odds equity dice/amigo

lama-odds equity lama/egmont --csv equity.csv

lama-odds equity dice/amigo --best-play

lama-odds equity dice/egmont --policy threshold:8 --rounds 20000

lama-odds equity lama/amigo --players 4

lama-odds equity lama/amigo --scores 12,3,20,0

Tables of the best policies are shipped for the editions of cards and dice. `advise` looks scores
up in them instead of playing games to their end. Of two players, others are solved on request.
"""


def _scores_of(text: str) -> list[int]:
    """The scores of a text such as 12,3,20,0."""
    found = text.split(",")
    for score in found:
        if not (score.isascii() and score.isdigit()):
            raise ReadError(f"--scores {text}: found {score!r}, expected a whole number")
    return [int(score) for score in found]


def equity(
    rules: Rules,
    players: Annotated[
        int | None,
        typer.Option("--players", help="Number of players (default: 2, or that of the scores)."),
    ] = None,
    scores: Annotated[
        str | None,
        typer.Option(
            "--scores",
            metavar="SCORES",
            help="Only these scores, for example 12,3,20,0: first of the player who starts the "
            "next round, then around the table.",
        ),
    ] = None,
    policy: Annotated[
        str,
        typer.Option(
            "--policy",
            metavar="POLICY",
            help=f"What all play ({NAMED_SO}).",
            autocompletion=completion.policies,
        ),
    ] = BEST,
    best_play: Annotated[
        bool,
        typer.Option(
            "--best-play",
            help="Both play as well as possible: rounds of Lama Dice were solved for this.",
        ),
    ] = False,
    rounds: Annotated[
        int | None,
        typer.Option(
            "--rounds",
            min=FEWEST_ROUNDS,
            max=MOST_ROUNDS,
            help="Solve again from this many rounds per pair of scores (default: the shipped "
            "table, or 5000 if there is none).",
        ),
    ] = None,
    csv: Csv = None,
    threads: Threads = None,
    seed: Seed = 0,
    verbose: Verbose = False,
    as_json: AsJson = False,
) -> None:
    """Who is ahead? The chance to win by the scores between rounds."""
    start_kernels()
    check_files(csv, as_json)
    from lama_odds.api.tables import equity as ask

    with progress_bar("equity") as progress:
        answer = ask(
            rules,
            players=players,
            scores=None if scores is None else _scores_of(scores),
            policy=policy,
            best_play=best_play,
            rounds=rounds,
            threads=threads,
            seed=seed,
            progress=progress,
        )
    from lama_odds.analysis.equity import Equities
    from lama_odds.report.text.equity import equity_csv, standings_csv

    found = answer.found
    show(
        as_json,
        found,
        lambda: answer.shown(verbose),
        lambda: write_csv(
            csv,
            lambda: equity_csv(found) if isinstance(found, Equities) else standings_csv(found),
        ),
        csv=csv,
    )
