"""``lama-odds thresholds``: when to quit?"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lama_odds.api.asked import policy_of
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
from lama_odds.cli.runs import RunDir, run_folder, tell_kept
from lama_odds.core.checks import check_one
from lama_odds.core.errors import ReadError, near_names
from lama_odds.core.policies import BEST

if TYPE_CHECKING:
    from rich.console import RenderableType

    from lama_odds.analysis.thresholds.answer import Thresholds

OBJECTIVES = ("points", "win")

EXAMPLES = """[bold]Examples[/bold]

lama-odds thresholds lama/egmont --players 4

lama-odds thresholds lama/party --players 3 --precision 0.1 --csv party.csv

lama-odds thresholds dice/amigo --players 4

lama-odds thresholds dice/amigo --players 4 --objective win

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
        str,
        typer.Option(
            "--objective",
            metavar="points|win",
            autocompletion=completion.one_of("points", "win"),
            help="Points of a round, or winning the game: then by own and the best other's score.",
        ),
    ] = "points",
    precision: Annotated[
        float | None,
        typer.Option(
            "--precision",
            help="Half-width wanted for each penalty, in points (default 0.05) or of the chance "
            "to win (default 0.01).",
        ),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            min=1,
            max=MAX_GAMES,
            help="Rounds (to win: games), instead of as many as the precision takes.",
        ),
    ] = None,
    band: Annotated[
        int,
        typer.Option("--band", min=1, max=1000, help="Points of a class of scores (to win)."),
    ] = 10,
    csv: Csv = None,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE", help="Draw it, as .svg or .png.")
    ] = None,
    threads: Threads = None,
    run: RunDir = None,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Quitting against going on, for each penalty: values, errors, and where to quit.

    The decisions are those that self-play meets, both actions played out on the same luck.
    """
    start_kernels()
    from lama_odds.games.registry import game_of

    check_objective(objective)
    check_one({"--games": games, "--precision": precision})
    if precision is not None:
        check_precision(precision)
    format_ = check_plot(plot)
    check_files(csv, as_json, plot=plot)
    game = game_of(rules)
    rule_set = game.rules(rules)
    players = check_players(rule_set, players)
    chosen = policy_of(game, rule_set, policy, players, objective)
    question = {
        "command": "thresholds",
        "rules": rule_set.id,
        "players": players,
        "policy": chosen.name,
        "seed": seed,
        **({} if objective == "points" else {"objective": objective, "band": band}),
    }
    with run_folder(run, question, several=True) as folder, progress_bar("thresholds") as progress:
        ask: dict[str, Any] = {
            "policy": chosen,
            "games": games,
            "seed": seed,
            "threads": threads,
            "progress": (lambda done, of: progress(done / of, "playing")) if progress else None,
            "folder": folder,
        }
        if precision is not None:
            ask["precision"] = precision
        if objective == "win":
            ask["band"] = band
        answer = _asker(objective)(game, rule_set, players, **ask)
    if answer.interrupted:
        note(f"stopped early: the answer rests on {answer.games} {answer.played}")
        tell_kept(run)
    show(
        as_json, answer, lambda: _text(answer), lambda: _write(answer, csv, plot, format_), csv=csv
    )


def check_objective(objective: str) -> None:
    """ReadError for what thresholds cannot be for."""
    if objective not in OBJECTIVES:
        raise ReadError(
            f"--objective {objective}: expected {' or '.join(OBJECTIVES)}",
            hints=near_names(objective, OBJECTIVES),
        )


def _asker(objective: str) -> Callable[..., Thresholds]:
    """What answers for an objective."""
    if objective == "win":
        from lama_odds.analysis.thresholds.by_score import game_thresholds

        return game_thresholds
    from lama_odds.analysis.thresholds.thresholds import thresholds as round_thresholds

    return round_thresholds


def _text(answer: Thresholds) -> RenderableType:
    if answer.band is None:
        from lama_odds.report.text.thresholds import thresholds_text

        return thresholds_text(answer)
    from lama_odds.report.text.by_score import game_thresholds_text

    return game_thresholds_text(answer)


def _write(answer: Thresholds, csv: Path | None, plot: Path | None, format_: str) -> None:
    """The files that were asked for."""
    from lama_odds.report.text.thresholds import thresholds_csv

    write_csv(csv, lambda: thresholds_csv(answer))
    if plot is not None:
        from lama_odds.analysis.strategy_report.sections.answers import figure_of_thresholds

        write_plot(plot, figure_of_thresholds(answer), format_)
