"""``lama-odds equity``: who is ahead in a two-player game, and by how much?"""

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
from lama_odds.core.policies import BEST

EXAMPLES = """[bold]Examples[/bold]

lama-odds equity dice/amigo

lama-odds equity lama/egmont --csv equity.csv

lama-odds equity dice/amigo --best-play

lama-odds equity dice/egmont --policy threshold:8 --rounds 20000

Tables of the best policies are shipped for the editions of cards and dice. `advise` looks scores
up in them instead of playing two-player games to their end. Others are solved on request.
"""


def equity(
    rules: Rules,
    policy: Annotated[
        str,
        typer.Option(
            "--policy",
            metavar="POLICY",
            help=f"What both play ({NAMED_SO}).",
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
    """Who is ahead in a two-player game? The chance to win by both scores."""
    start_kernels()
    check_files(csv, as_json)
    from lama_odds.api.tables import equity as ask

    with progress_bar("equity") as progress:
        answer = ask(
            rules,
            policy=policy,
            best_play=best_play,
            rounds=rounds,
            threads=threads,
            seed=seed,
            progress=progress,
        )
    from lama_odds.report.text.equity import equity_csv

    show(
        as_json,
        answer.found,
        lambda: answer.shown(verbose),
        lambda: write_csv(csv, lambda: equity_csv(answer.found)),
        csv=csv,
    )
