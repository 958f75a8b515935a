"""``lama-odds simulate``: what happens when these policies play?"""

from __future__ import annotations

from typing import Annotated, Any

import typer

from lama_odds.api.options import Option
from lama_odds.api.tables import simulate as ask
from lama_odds.cli.asking import asks
from lama_odds.cli.common import progress_bar, seat_players, show_answer, start_kernels
from lama_odds.cli.rows import Format, Out, check_rows, simulate_file
from lama_odds.cli.runs import tell_stopped
from lama_odds.core.errors import ReadError

EXAMPLES = """
lama-odds simulate lama/egmont --players 4 --policy matching:5 --games 100000

lama-odds simulate dice/amigo --players 2 --policy meanfield --policy threshold:6 --games 100000

lama-odds simulate dice/egmont --players 3 --policy random --games 1000 --rounds --show 2

lama-odds simulate dice/amigo --players 4 --policy threshold:5 --games 1000000000 --run long

lama-odds simulate dice/amigo --players 3 --policy best --games 500 --rows decisions --out moves.csv
"""


@asks(
    "rules policy games players rounds threads engine records rows out format_ run verbose seed "
    "as_json",
    ask,
)
def simulate(
    options: dict[str, Any],
    verbose: bool,
    as_json: bool,
    rows: Annotated[
        str | None,
        Option(
            "Instead of the measures: the games themselves as rows of a table, for each seat "
            "of games or rounds, or for each of the decisions.",
            shown="KIND",
        ),
    ] = None,
    out: Out = None,
    format_: Format = None,
) -> None:
    """Who wins, and how long do games last? Plays whole games, or first rounds."""
    start_kernels()
    policies, games, records = options["policy"], options["games"], options["records"]
    if "players" not in options and len(policies) > 1:
        options["players"] = len(policies)
    seat_players(options)
    alone = {
        "--show": records,
        "--run": options.get("run"),
        "--verbose": verbose,
        "--json": as_json,
    }
    check_rows("--rows", rows, alone, {"--out": out, "--format": format_})
    if rows is not None:
        shown = (options["rules"], options["players"], policies, games, rows)
        simulate_file((*shown, options["rounds"], options["seed"]), out, format_)
        return
    if records > games:
        raise ReadError(f"--show {records}: only {games} games are played")
    with progress_bar("simulate") as progress:
        answer = ask(**options, progress=progress)
    played = answer.found
    tell_stopped(played, options, f"stopped early, after {played.games} of {games} games")
    for text in played.records:
        # With --json stdout holds one object, nothing else.
        typer.echo(text, err=as_json)
    show_answer(answer, as_json, verbose)
