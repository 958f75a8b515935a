"""``lama-odds advise``: what should I do now?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from lama_odds.cli import completion
from lama_odds.cli.common import (
    FEWEST_ROLLOUTS,
    MAX_GAMES,
    NAMED_SO,
    AsJson,
    Plot,
    Rules,
    Seed,
    Threads,
    Verbose,
    check_plot,
    check_precision,
    check_seconds,
    joined,
    note,
    progress_bar,
    record_text,
    show,
    start_kernels,
    write_plot,
)
from lama_odds.cli.rows import Format, Out, Positions, advise_file, check_rows
from lama_odds.core.checks import check_one

EXAMPLES = """[bold]Examples[/bold]

lama-odds advise lama/egmont "hand=3356L top=4 opp=4,q2,6"

lama-odds advise lama/party+drama "hand=33+5LP top=4 opp=4,5 pot=1,1,10 scores=12,31,5"

lama-odds advise dice/amigo "hand=25L row=1346L opp=13,6LL"

lama-odds advise dice/amigo "hand=25L row=1346L opp=13 rolled=13L"

lama-odds advise dice/egmont "hand=25 opp=q6LL scores=12,15"

lama-odds advise pikomino/egmont "kept=444W rolled=1245 own=24 tops=27"

lama-odds advise lama/egmont --after game.txt --objective points

lama-odds advise noprob/starnberger "grid=3,?,5/?,(7),?/J,?,? top=4 opp=?,?,?/?,?,9/?,?,?:DK"

lama-odds advise lama/egmont "hand=2245 top=6 opp=4,3" --sensitivity

lama-odds advise lama/amigo "hand=34 top=1 opp=2?,2? pile=~10"

lama-odds advise lama/egmont "hand=3356L top=4 opp=4,q2,6" --plot advice.svg

lama-odds advise dice/amigo --positions positions.txt

lama-odds advise lama/egmont --positions positions.csv --games 2000 --out advice.csv

A position is one string of name=value words: yours first, then the others in turn order.
The word scores: points in tokens now. The word first: the player who started this round, counted
from you.
Pikomino has neither.

A number that is a guess ends in ?, as in opp=4?,4?, and pile=~10 is roughly known. Other guesses
are tried then. If one of them changes what is best, you get a rule by that number.

Cards: hand, top (the top discard), opp (how many cards each other player holds; q2: quit with 2).
Also pile (cards to draw), seen (discards remembered below the top), pot (drama; ! while it runs).

Dice: hand, opp (the others' cards; q: has quit, as in q6LL, or q=16 by penalty).
Also row (default full; - is empty; 1346L? is a guess), rolled (the dice as they lie).

Pikomino: kept, rolled, centre (tiles; default all), own and tops (top tiles), or stacks
(24.22/27: all tiles, for the chance to win); "" is the start of a turn.

No Prob-Lama: grid (rows by /, cells by commas; ? face down, (7) face down but known to you), top.
The others' grids are opp (; between them, specials after a colon; ? alone: you do not say).
The word mine has your specials.
With drawn or taken you decide what to do with this card. Then pile and seen, as for cards.
Also last (last turns left, yours included), llamas and target (that win), or scores and round.
"""


def advise(
    rules: Rules,
    position: Annotated[
        list[str] | None,
        typer.Argument(metavar="POSITION", help="The position, in quotes or without."),
    ] = None,
    after: Annotated[
        Path | None,
        typer.Option("--after", metavar="FILE", help="A record that ends where you decide."),
    ] = None,
    opponents: Annotated[
        str | None,
        typer.Option(
            "--opponents",
            metavar="POLICY",
            help=f"The others' policy ({NAMED_SO}; default: best). "
            "all:POLICY: you continue with it too.",
            autocompletion=completion.policies,
        ),
    ] = None,
    objective: Annotated[
        str | None,
        typer.Option(
            "--objective",
            autocompletion=completion.objectives,
            help="points, margin (not pikomino), worms (pikomino), round (No Prob-Lama) or win. "
            "Default: win with scores or llamas, else points; two players of dice: margin; "
            "No Prob-Lama: round (with four_rounds: points).",
        ),
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(
            "--seconds",
            help="Time for sampling at most (default: 1, with --sensitivity 2); 1,000 games are "
            "played in any case.",
        ),
    ] = None,
    precision: Annotated[
        float | None,
        typer.Option(
            "--precision",
            help="Sample until the values are within ± this, for a minute at most "
            "(default: 0.05 points, 0.005 of a chance).",
        ),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            min=FEWEST_ROLLOUTS,
            max=MAX_GAMES,
            help="Games for sampling, instead of a time.",
        ),
    ] = None,
    sensitivity: Annotated[
        bool,
        typer.Option(
            "--sensitivity",
            help="Does the answer depend on your opponents? Repeats the analysis against other "
            "kinds of opponents, in about twice the time.",
        ),
    ] = False,
    play_out: Annotated[
        bool,
        typer.Option(
            "--play-out",
            help="Play games to their end, instead of looking the scores up in the match equity "
            "table.",
        ),
    ] = False,
    positions: Positions = None,
    out: Out = None,
    format_: Format = None,
    verbose: Verbose = False,
    plot: Plot = None,
    threads: Threads = None,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """What should you do now? A verdict, and what each action costs."""
    start_kernels()
    words = joined(position)
    check_one({"POSITION": words, "--after": after, "--positions": positions})
    alone = {"--json": as_json, "--verbose": verbose, "--plot": plot}
    check_rows("--positions", positions, alone, {"--out": out, "--format": format_})
    check_one({"--games": games, "--seconds": seconds})
    check_one({"--games": games, "--precision": precision})
    if precision is not None:
        check_precision(precision)
    if seconds is not None:
        check_seconds(seconds)
    drawn = check_plot(plot)
    options: dict[str, Any] = {
        "opponents": opponents,
        "objective": objective,
        "seconds": seconds,
        "games": games,
        "precision": precision,
        "sensitivity": sensitivity,
        "play_out": play_out,
        "threads": threads,
        "seed": seed,
    }
    if positions is not None:
        advise_file(rules, positions, out, format_, **options)
        return
    from lama_odds.api.positions import advise as ask

    text = None if after is None else record_text(after)
    with progress_bar("advise") as progress:
        answer = ask(rules, words, after=text, **options, progress=progress)
    if answer.interrupted:
        note(f"stopped early: the answer rests on the {answer.games} games played so far")
    show(as_json, answer.found, lambda: answer.shown(verbose))
    if plot is not None:
        from lama_odds.analysis.strategy_report.sections.answers import figure_of

        write_plot(plot, figure_of(answer.found), drawn)
