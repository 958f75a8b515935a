"""``lama-odds simulate``: what happens when these policies play?"""

from __future__ import annotations

from typing import Annotated

import typer

from lama_odds.api.asked import asked_of
from lama_odds.api.tables import MOST_RECORDS
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
from lama_odds.cli.rows import Format, Out, check_rows, simulate_file
from lama_odds.cli.runs import RunDir, tell_kept
from lama_odds.core.errors import ReadError

EXAMPLES = """[bold]Examples[/bold]

lama-odds simulate lama/egmont --players 4 --policy matching:5 --games 100000

lama-odds simulate pikomino/egmont --players 3 --policy first-tile --games 100000

lama-odds simulate dice/amigo --players 2 --policy meanfield --policy threshold:6 --games 100000

lama-odds simulate dice/egmont --players 3 --policy random --games 1000 --rounds --show 2

lama-odds simulate dice/amigo --players 4 --policy threshold:5 --games 1000000000 --run long

lama-odds simulate dice/amigo --players 3 --policy best --games 500 --rows decisions --out moves.csv
"""


def simulate(
    rules: Rules,
    policy: Annotated[
        list[str],
        typer.Option(
            "--policy",
            metavar="POLICY",
            autocompletion=completion.policies,
            help=f"One policy for all players, or one for each in order ({NAMED_SO}; "
            "with --rounds, best is for points).",
        ),
    ],
    games: Annotated[int, typer.Option("--games", min=1, max=MAX_GAMES, help="Games to play.")],
    players: Players = None,
    rounds: Annotated[
        bool, typer.Option("--rounds", help="Play first rounds, not whole games.")
    ] = False,
    threads: Threads = None,
    records: Annotated[
        int,
        typer.Option(
            "--show", min=0, max=MOST_RECORDS, help="Print the records of the first K games."
        ),
    ] = 0,
    rows: Annotated[
        str | None,
        typer.Option(
            "--rows",
            metavar="KIND",
            help="Instead of the measures: the games themselves as rows of a table, for each seat "
            "of games or rounds, or for each of the decisions.",
        ),
    ] = None,
    out: Out = None,
    format_: Format = None,
    run: RunDir = None,
    verbose: Verbose = False,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Who wins, and how long do games last? Plays whole games, or first rounds."""
    start_kernels()
    _, rule_set = asked_of(rules)
    if players is None and len(policy) > 1:
        players = len(policy)
    players = check_players(rule_set, players)
    alone = {"--show": records, "--run": run, "--verbose": verbose, "--json": as_json}
    check_rows("--rows", rows, alone, {"--out": out, "--format": format_})
    if rows is not None:
        shown = (rules, players, policy, games, rows, rounds, seed)
        simulate_file(shown, out, format_)
        return
    if records > games:
        raise ReadError(f"--show {records}: only {games} games are played")
    from lama_odds.api.tables import simulate as ask

    with progress_bar("simulate") as progress:
        answer = ask(
            rules,
            players,
            policy,
            games,
            rounds=rounds,
            records=records,
            threads=threads,
            seed=seed,
            run=run,
            progress=progress,
        )
    found = answer.found
    if found.interrupted:
        note(f"stopped early, after {found.games} of {games} games")
        tell_kept(run)
    for text in found.records:
        # With --json stdout holds one object, nothing else.
        typer.echo(text, err=as_json)
    show(as_json, found, lambda: answer.shown(verbose))
