"""``lama-odds tune``: which parameters of a policy are best?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lama_odds.api.asked import asked_of
from lama_odds.api.tables import FEWEST_TO_TUNE
from lama_odds.cli import completion
from lama_odds.cli.common import (
    MAX_GAMES,
    NAMED_SO,
    AsJson,
    Players,
    Rules,
    Seed,
    Threads,
    Verbose,
    check_players,
    note,
    progress_bar,
    show,
    start_kernels,
)
from lama_odds.cli.runs import RunDir, stopped_runs
from lama_odds.core.files import check_outputs, write_output
from lama_odds.core.policies import BEST

EXAMPLES = """[bold]Examples[/bold]

lama-odds tune lama/egmont matching --players 4

lama-odds tune dice/amigo threshold --players 2 --against threshold:6 --objective points

lama-odds tune noprob/starnberger planner --players 2 --against greedy --out planner.json

lama-odds tune lama/egmont meanfield --players 4 --games 1000000 --run long

lama-odds simulate noprob/starnberger --players 2 --policy @planner.json --games 1000
"""


def tune(
    rules: Rules,
    family: Annotated[
        str,
        typer.Argument(
            metavar="FAMILY",
            help="Policy family, for example threshold.",
            autocompletion=completion.families,
        ),
    ],
    players: Players = None,
    objective: Annotated[
        str,
        typer.Option(
            "--objective",
            help="win: the game; points: per round, or worms.",
            autocompletion=completion.one_of("win", "points"),
        ),
    ] = "win",
    against: Annotated[
        str,
        typer.Option(
            "--against",
            metavar="POLICY",
            help=f"What the others play ({NAMED_SO}).",
            autocompletion=completion.policies,
        ),
    ] = BEST,
    games: Annotated[
        int,
        typer.Option(
            "--games",
            min=FEWEST_TO_TUNE,
            max=MAX_GAMES,
            help="Fresh games for the answer; also the most that a candidate plays in the search.",
        ),
    ] = 40_000,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="FILE", help="Write the policy to a file, for --policy @FILE."
        ),
    ] = None,
    threads: Threads = None,
    run: RunDir = None,
    seed: Seed = 0,
    verbose: Verbose = False,
    as_json: AsJson = False,
) -> None:
    """Which parameters of a policy are best? Finds them by racing, and tests them on fresh games.

    Every candidate takes each seat in turn; the others play one policy. All games share the same
    cards and dice.
    """
    start_kernels()
    check_outputs({"--out": out})
    _, rule_set = asked_of(rules)
    players = check_players(rule_set, players)
    from lama_odds.analysis.policy_files import policy_file
    from lama_odds.api.tables import tune as ask

    with stopped_runs(run), progress_bar("tune") as progress:
        answer = ask(
            rules,
            family,
            players,
            objective=objective,
            against=against,
            games=games,
            threads=threads,
            seed=seed,
            run=run,
            progress=progress,
        )

    def write() -> None:
        if out is not None:
            write_output(out, policy_file(answer.found))
            note(f"written: {out}, for --policy @{out}")

    show(as_json, answer.found, lambda: answer.shown(verbose), write)
