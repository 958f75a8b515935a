"""``lama-odds advise``: what should I do now?"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lama_odds.api.positions import advise as ask
from lama_odds.cli.asking import asks
from lama_odds.cli.common import (
    check_plot,
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


@asks(
    "rules position after opponents objective seconds precision games sensitivity play_out "
    "positions out format_ verbose plot threads seed language as_json",
    ask,
)
def advise(
    asked: dict[str, Any],
    verbose: bool,
    plot: Path | None,
    as_json: bool,
    positions: Positions = None,
    out: Out = None,
    format_: Format = None,
) -> None:
    """What should you do now? A verdict, and what each action costs."""
    start_kernels()
    words, after = joined(asked.pop("position", None)), asked.get("after")
    check_one({"POSITION": words, "--after": after, "--positions": positions})
    alone = {"--json": as_json, "--verbose": verbose, "--plot": plot}
    check_rows("--positions", positions, alone, {"--out": out, "--format": format_})
    drawn = check_plot(plot)
    if positions is not None:
        advise_file(positions, out, format_, **asked)
        return
    if after is not None:
        asked["after"] = record_text(after)
    with progress_bar("advise") as progress:
        answer = ask(position=words, **asked, progress=progress)
    if answer.interrupted:
        note(f"stopped early: the answer rests on the {answer.games} games played so far")
    show(as_json, answer.found, lambda: answer.shown(verbose))
    if plot is not None:
        from lama_odds.analysis.strategy_report.sections.answers import figure_of

        write_plot(plot, figure_of(answer.found), drawn)
