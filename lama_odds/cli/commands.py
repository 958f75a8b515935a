"""The commands by name, and one run of them."""

from __future__ import annotations

import gc
import io
import os
import sys

import typer

import lama_odds
from lama_odds.cli import (
    advise,
    cache,
    compare,
    completion,
    equity,
    listings,
    odds,
    play,
    report,
    review,
    runs,
    serve,
    simulate,
    sweep,
    thresholds,
    tournament,
    tune,
    warm,
)
from lama_odds.cli.engines import on_engine
from lama_odds.cli.errors import CANNOT, reported
from lama_odds.core.screen import PLAIN, tidy_sizes

NAME = "lama-odds"
COMPLETE = "_LAMA_ODDS_COMPLETE"  # set by a shell that wants words, see `completion`

app = typer.Typer(
    name=NAME,
    help="Strategy analyzer and odds calculator for push-your-luck games: L.A.M.A. and its kin.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)
app.command("advise", epilog=advise.EXAMPLES)(reported(advise.advise))
app.command("odds", epilog=odds.EXAMPLES)(reported(odds.odds))
app.command("thresholds", epilog=thresholds.EXAMPLES)(reported(on_engine(thresholds.thresholds)))
app.command("equity", epilog=equity.EXAMPLES)(reported(equity.equity))
app.command("simulate", epilog=simulate.EXAMPLES)(reported(on_engine(simulate.simulate)))
app.command("compare", epilog=compare.EXAMPLES)(reported(on_engine(compare.compare)))
app.command("sweep", epilog=sweep.EXAMPLES)(reported(on_engine(sweep.sweep)))
app.command("tournament", epilog=tournament.EXAMPLES)(reported(on_engine(tournament.tournament)))
app.command("tune", epilog=tune.EXAMPLES)(reported(on_engine(tune.tune)))
app.command("report", epilog=report.EXAMPLES)(reported(on_engine(report.report)))
app.command("review", epilog=review.EXAMPLES)(reported(review.review))
app.command("play", epilog=play.EXAMPLES)(reported(play.play))
app.command("serve", epilog=serve.EXAMPLES)(reported(serve.serve))
app.command("runs", epilog=runs.EXAMPLES)(reported(runs.runs))
app.command("cache", epilog=cache.EXAMPLES)(reported(cache.cache))
app.command("warm", epilog=warm.EXAMPLES)(reported(warm.warm))
app.command("rules", epilog=listings.RULES_EXAMPLES)(reported(listings.rules))
app.command("policies", epilog=listings.POLICIES_EXAMPLES)(reported(listings.policies))


def _show_version(asked: bool) -> None:
    if asked:
        typer.echo(f"lama-odds {lama_odds.__version__}")
        raise typer.Exit


@app.callback()
def _main(
    version: bool = typer.Option(
        False,
        "--version",
        help="Show the version and stop.",
        is_eager=True,
        callback=_show_version,
    ),
) -> None:
    del version


def run() -> None:
    """Run the command of this process's arguments; SystemExit with the agreed code.

    The entry point is `main.main`, which also handles Ctrl-C before and after.
    """
    if sys.stdout is None or sys.stderr is None:  # closed by the caller: nobody to answer
        sys.exit(CANNOT)
    tidy_sizes(os.environ)
    for stream in (sys.stdout, sys.stderr):
        # A terminal that lacks a character shows what stands for it, not a traceback.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=PLAIN)
    # A command is short; looking for garbage while modules load takes an eighth of its time.
    gc.disable()
    try:
        if completion.asked_by_bash(os.environ, COMPLETE):
            completion.offered_to_bash(os.environ, reported(_answer))
        else:
            reported(_answer)()
    finally:
        gc.enable()


def _answer() -> None:
    """Pass the arguments to typer, which exits with 1 if the pipe of its help is closed."""
    try:
        args = play.last_resumed(sys.argv[1:])
        code = app(args=args, prog_name=NAME, standalone_mode=False)
    except SystemExit as end:
        code = 0 if end.code == 1 else end.code
    sys.stdout.flush()
    sys.exit(code)
