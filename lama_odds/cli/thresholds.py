"""``lama-odds thresholds``: when to quit?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lama_odds.api.asked import asked_of
from lama_odds.api.positions import OBJECTIVES, WIDEST_BAND
from lama_odds.cli import completion
from lama_odds.cli.common import (
    MAX_GAMES,
    NAMED_SO,
    AsJson,
    Csv,
    Players,
    Rules,
    Seed,
    Threads,
    Verbose,
    check_files,
    check_players,
    check_plot,
    check_precision,
    note,
    progress_bar,
    show,
    start_kernels,
    write_csv,
    write_plot,
)
from lama_odds.cli.runs import RunDir, tell_kept
from lama_odds.core.checks import check_one
from lama_odds.core.errors import ReadError, near_names
from lama_odds.core.policies import BEST

if TYPE_CHECKING:
    from lama_odds.analysis.thresholds.answer import Thresholds

EXAMPLES = """[bold]Examples[/bold]

lama-odds thresholds lama/egmont --players 4

lama-odds thresholds lama/party --players 3 --precision 0.1 --csv party.csv

lama-odds thresholds dice/amigo --players 4

lama-odds thresholds dice/amigo --players 4 --objective points

lama-odds thresholds dice/amigo --players 4 --band 10

lama-odds thresholds pikomino/egmont --players 2 --csv pikomino.csv

lama-odds thresholds lama/amigo --players 2 --policy matching:5 --games 1000000
"""


def thresholds(
    rules: Rules,
    players: Players = None,
    policy: Annotated[
        str,
        typer.Option(
            "--policy",
            metavar="POLICY",
            help=f"Everybody's policy ({NAMED_SO}).",
            autocompletion=completion.policies,
        ),
    ] = BEST,
    objective: Annotated[
        str | None,
        typer.Option(
            "--objective",
            metavar="win|points",
            autocompletion=completion.one_of(*OBJECTIVES),
            help="win: winning the game (the default, where the chances by score are known), or "
            "points per round.",
        ),
    ] = None,
    precision: Annotated[
        float | None,
        typer.Option(
            "--precision",
            help="Half-width wanted for each penalty: chance to win (default 0.0025) or points "
            "(default 0.05).",
        ),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            min=1,
            max=MAX_GAMES,
            help="Rounds (with --band: games), instead of as many as the precision takes.",
        ),
    ] = None,
    band: Annotated[
        int | None,
        typer.Option(
            "--band",
            min=1,
            max=WIDEST_BAND,
            help="To win, by both scores in bands of this number of points; games are played to "
            "their ends.",
        ),
    ] = None,
    verbose: Verbose = False,
    csv: Csv = None,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE", help="Draw it, as .svg or .png.")
    ] = None,
    threads: Threads = None,
    run: RunDir = None,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """When should you quit? A rule to keep in mind, and what the wrong choice costs.

    It is found at decisions that arise in self-play: both actions are played out with the same
    cards and dice.
    """
    start_kernels()
    check_objective(objective)
    check_one({"--games": games, "--precision": precision})
    if precision is not None:
        check_precision(precision)
    format_ = check_plot(plot)
    check_files(csv, as_json, plot=plot)
    _, rule_set = asked_of(rules)
    players = check_players(rule_set, players)
    from lama_odds.api.positions import thresholds as ask

    with progress_bar("thresholds") as progress:
        answer = ask(
            rules,
            players,
            policy=policy,
            objective=objective,
            precision=precision,
            games=games,
            band=band,
            threads=threads,
            seed=seed,
            run=run,
            progress=progress,
        )
    found = answer.found
    if found.interrupted:
        note(f"stopped early: the answer rests on {found.games} {found.played}")
        tell_kept(run)
    show(
        as_json,
        found,
        lambda: answer.shown(verbose),
        lambda: _write(found, csv, plot, format_),
        csv=csv,
    )


def check_objective(objective: str | None) -> None:
    """ReadError for an objective without thresholds."""
    if objective is not None and objective not in OBJECTIVES:
        raise ReadError(
            f"--objective {objective}: expected {' or '.join(OBJECTIVES)}",
            hints=near_names(objective, OBJECTIVES),
        )


def _write(answer: Thresholds, csv: Path | None, plot: Path | None, format_: str) -> None:
    """Write the files that are given."""
    from lama_odds.report.text.thresholds import thresholds_csv

    write_csv(csv, lambda: thresholds_csv(answer))
    if plot is not None:
        from lama_odds.analysis.strategy_report.sections.answers import figure_of_thresholds

        write_plot(plot, figure_of_thresholds(answer), format_)
