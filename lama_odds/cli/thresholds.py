"""``lama-odds thresholds``: when to quit?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lama_odds.cli.common import (
    MAX_GAMES,
    AsJson,
    Players,
    Rules,
    Seed,
    Threads,
    check_players,
    check_plot,
    check_precision,
    note,
    progress_bar,
    show,
    start_kernels,
    write_plot,
)
from lama_odds.cli.runs import RunDir, run_folder, tell_kept

EXAMPLES = """[bold]Examples[/bold]

lama-odds thresholds lama/egmont --players 4

lama-odds thresholds lama/party --players 3 --precision 0.1 --csv party.csv

lama-odds thresholds dice/amigo --players 4

lama-odds thresholds pikomino/egmont --players 2 --csv pikomino.csv

lama-odds thresholds lama/amigo --players 2 --policy matching:5 --games 1000000
"""


def thresholds(
    rules: Rules,
    players: Players = 4,
    policy: Annotated[
        str | None,
        typer.Option("--policy", metavar="POLICY", help="Everybody's policy (default: the best)."),
    ] = None,
    precision: Annotated[
        float,
        typer.Option("--precision", help="Half-width in points wanted for each penalty."),
    ] = 0.05,
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            min=1,
            max=MAX_GAMES,
            help="Rounds, instead of as many as the precision takes.",
        ),
    ] = None,
    csv: Annotated[
        Path | None, typer.Option("--csv", metavar="FILE", help="Write all rows to a CSV file.")
    ] = None,
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

    check_precision(precision)
    format_ = check_plot(plot)
    game = game_of(rules)
    rule_set = game.rules(rules)
    check_players(rule_set, players)
    from lama_odds.analysis.policy_files import named_policy

    if policy is not None:
        chosen = named_policy(game, rule_set, policy, players)
    else:
        chosen = game.best_policy(rule_set, players, "points")

    from lama_odds.analysis.thresholds import thresholds as thresholds_of
    from lama_odds.report.thresholds import thresholds_csv, thresholds_text

    question = {
        "command": "thresholds",
        "rules": rule_set.id,
        "players": players,
        "policy": chosen.name,
        "seed": seed,
    }
    with run_folder(run, question, several=True) as folder, progress_bar("thresholds") as progress:
        tell = (lambda done, of: progress(done / of, "playing")) if progress else None
        answer = thresholds_of(
            game,
            rule_set,
            players,
            policy=chosen,
            precision=precision,
            games=games,
            seed=seed,
            threads=threads,
            progress=tell,
            folder=folder,
        )
    if answer.interrupted:
        note(f"stopped early: the answer rests on {answer.games} rounds")
        tell_kept(run)
    if csv is not None:
        from lama_odds.core.files import write_whole

        write_whole(csv, thresholds_csv(answer))
    if plot is not None:
        from lama_odds.analysis.report_answers import figure_of_thresholds

        write_plot(plot, figure_of_thresholds(answer), format_)
    show(as_json, answer, lambda: thresholds_text(answer))
