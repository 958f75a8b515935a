"""``lama-odds sweep``: what grows with what, and where is a wish fulfilled?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lama_odds.api.asked import asked_of
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
    note,
    progress_bar,
    show,
    start_kernels,
    write_csv,
)
from lama_odds.cli.compare import tell_plan
from lama_odds.cli.runs import RunDir, tell_kept
from lama_odds.core.checks import check_one
from lama_odds.core.files import write_output

if TYPE_CHECKING:
    from lama_odds.analysis.sweep.answer import Sweep

EXAMPLES = """[bold]Examples[/bold]

lama-odds sweep lama/amigo --vary target=20..60..10 --players 3 --wish "rounds=4..6"

lama-odds sweep lama/amigo --vary dealt=4..8 --vary target=30,40,50 --plot map.svg

lama-odds sweep dice/amigo --vary twenty --vary target=30,40 --wish "seat bias<1%" --csv all.csv

lama-odds sweep @quick.toml --vary llama_points=5..20..5 --policies retuned --games 20000 --run long
"""


def sweep(
    rules: Rules,
    vary: Annotated[
        list[str],
        typer.Option(
            "--vary",
            metavar="OPTION=VALUES",
            autocompletion=completion.varied,
            help="Values of an option: 4..8, 20..60..10, 30,40, off,on, or a switch alone; "
            "repeatable, for every combination.",
        ),
    ],
    players: Players = None,
    policy: Annotated[
        str | None,
        typer.Option(
            "--policy",
            metavar="POLICY",
            autocompletion=completion.policies,
            help=f"Everybody's policy in all variants ({NAMED_SO}; default: best, of RULES).",
        ),
    ] = None,
    policies: Annotated[
        str,
        typer.Option(
            "--policies",
            metavar="same|retuned",
            autocompletion=completion.one_of("same", "retuned"),
            help="same: one policy in all variants; retuned: the best of each.",
        ),
    ] = "same",
    measure: Annotated[
        list[str] | None,
        typer.Option(
            "--measure",
            metavar="NAME",
            help="What to show, as in compare, or seat bias; repeatable (default: what is usual). "
            "Fewer measures have narrower intervals.",
        ),
    ] = None,
    wish: Annotated[
        list[str] | None,
        typer.Option(
            "--wish",
            metavar="MEASURE=A..B",
            help='Where a measure should be: "rounds=4..6", "seat bias<1%"; repeatable.',
        ),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            min=1,
            max=MAX_GAMES,
            help="Games of each variant (default: 200,000, or 20 seconds' worth of all).",
        ),
    ] = None,
    csv: Csv = None,
    plot: Annotated[
        Path | None,
        typer.Option("--plot", metavar="FILE", help="Draw one or two options, as .svg or .png."),
    ] = None,
    threads: Threads = None,
    run: RunDir = None,
    verbose: Verbose = False,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """What grows with what? Plays every combination of options on the same cards and dice.

    Trends and wishes come with intervals that hold together.
    """
    start_kernels()
    from lama_odds.analysis.sweep.answer import read_axes
    from lama_odds.analysis.variants.given import RETUNED
    from lama_odds.api.comparisons import sweep as ask
    from lama_odds.report.figures.sweeps import check_drawable

    check_one({"--policy": policy, "--policies retuned": policies if policies == RETUNED else None})
    game, rule_set = asked_of(rules)
    players = check_players(rule_set, players)
    axes = read_axes(game, vary)
    check_plot(plot)
    if plot is not None:
        check_drawable(axes)
    check_files(csv, as_json, plot=plot)
    with progress_bar("sweep") as progress:
        answer = ask(
            rules,
            vary,
            players,
            policy=policy,
            policies=policies,
            measures=measure or (),
            wishes=wish or (),
            games=games,
            threads=threads,
            seed=seed,
            run=run,
            progress=progress,
            planned=tell_plan,
        )
    found = answer.found
    if found.interrupted:
        note(f"stopped early: the answer rests on {found.games} games")
        tell_kept(run)
    show(
        as_json,
        found,
        lambda: answer.shown(verbose),
        lambda: write_files(found, csv, plot),
        csv=csv,
    )


def write_files(answer: Sweep, csv: Path | None, plot: Path | None) -> None:
    """Write the rows and the figure to the files that are given."""
    from lama_odds.report.text.sweep import sweep_csv

    write_csv(csv, lambda: sweep_csv(answer))
    if plot is not None:
        from lama_odds.report.figures.style import check_format
        from lama_odds.report.figures.sweeps import sweep_figure

        write_output(plot, sweep_figure(answer, check_format(plot)))
