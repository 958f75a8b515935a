"""``lama-odds odds``: what can happen next?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lama_odds.api.asked import asked_of
from lama_odds.cli import completion
from lama_odds.cli.common import (
    NAMED_SO,
    AsJson,
    Rules,
    Seed,
    Verbose,
    check_plot,
    joined,
    record_text,
    show,
    start_kernels,
    write_plot,
)
from lama_odds.core.checks import check_one
from lama_odds.core.errors import ReadError

EXAMPLES = """[bold]Examples[/bold]

lama-odds odds lama/egmont "hand=3356L top=4 opp=4,q2,1"

lama-odds odds lama/party deal

lama-odds odds pikomino/egmont "kept=444W"

lama-odds odds dice/amigo "hand=25L row=1346L opp=13,6LL"

lama-odds odds dice/amigo "hand=25L row=1346L opp=13,6LL rolled=25L"

lama-odds odds lama/egmont --after game.txt

lama-odds odds noprob/starnberger "grid=3,?,5/?,(7),?/J,?,? top=4 opp=?,?,?/?,?,9/?,?,?:DK"
"""


def odds(
    rules: Rules,
    position: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="POSITION", help="The position, in quotes or without, or the word deal."
        ),
    ] = None,
    after: Annotated[
        Path | None,
        typer.Option(
            "--after",
            metavar="FILE",
            help="A record that ends with your decision, instead of POSITION (- is stdin). In "
            "L.A.M.A. it also shows what the others probably hold.",
        ),
    ] = None,
    opponents: Annotated[
        str | None,
        typer.Option(
            "--opponents",
            metavar="POLICY",
            help=f"The policy that the others are assumed to play, with --after ({NAMED_SO}; "
            "default: best).",
            autocompletion=completion.policies,
        ),
    ] = None,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE", help="Draw it, as .svg or .png.")
    ] = None,
    verbose: Verbose = False,
    seed: Seed = 0,  # noqa: ARG001 (every command takes it)
    as_json: AsJson = False,
) -> None:
    """What can happen next? Exact chances of the next card or roll, or of the deal."""
    start_kernels()
    format_ = check_plot(plot)
    game, _ = asked_of(rules)
    words = joined(position)
    check_one({"POSITION": words, "--after": after})
    if words is None and after is None:
        dealt = "" if game.no_deal else ", or the word deal"
        raise ReadError(f'give a position, for example "{game.example}"{dealt}')
    if opponents is not None and after is None:
        raise ReadError("--opponents is for --after: nothing is inferred from a position alone")
    from lama_odds.api.positions import DEAL
    from lama_odds.api.positions import odds as ask

    if words is not None and words.lower() == DEAL:
        words = DEAL
    text = None if after is None else record_text(after)
    answer = ask(rules, words, after=text, opponents=opponents)
    show(as_json, answer.found, lambda: answer.shown(verbose))
    if plot is not None:
        from lama_odds.analysis.strategy_report.sections.answers import figure_of_odds

        write_plot(plot, figure_of_odds(answer.found), format_)
