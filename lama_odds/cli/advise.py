"""``lama-odds advise``: what should I do now?"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lama_odds.api.positions import advise as ask
from lama_odds.cli import common
from lama_odds.cli.asking import asks
from lama_odds.cli.rows import Format, Out, Positions, advise_file, check_rows
from lama_odds.core.checks import check_one

EXAMPLES = """
lama-odds advise lama/egmont "hand=3356L top=4 opp=4,q2,6"

lama-odds advise dice/amigo "hand=25L row=1346L opp=13,q6LL scores=12,0,15"

lama-odds advise pikomino/egmont "kept=444W rolled=1245 own=24 tops=27"

lama-odds advise lama/egmont --after game.txt --objective points

lama-odds advise lama/egmont --positions positions.csv --out advice.csv

How to enter a position of each game: lama-odds help positions.
"""


@asks(
    "rules position after opponents objective seconds precision games sensitivity play_out "
    "positions out format_ verbose plot threads seed language as_json",
    ask,
)
def advise(
    options: dict[str, Any],
    verbose: bool,
    plot: Path | None,
    as_json: bool,
    positions: Positions = None,
    out: Out = None,
    format_: Format = None,
) -> None:
    """What should you do now? A verdict, and what each action costs."""
    common.start_kernels()
    words, after = common.joined(options.pop("position", None)), options.get("after")
    check_one({"POSITION": words, "--after": after, "--positions": positions})
    alone = {"--json": as_json, "--verbose": verbose, "--plot": plot}
    check_rows("--positions", positions, alone, {"--out": out, "--format": format_})
    common.check_plot(plot)
    if positions is not None:
        advise_file(positions, out, format_, **options)
        return
    if after is not None:
        options["after"] = common.record_text(after)
    with common.progress_bar("advise") as progress:
        answer = ask(position=words, **options, progress=progress)
    if answer.interrupted:
        common.note(f"stopped early: the answer rests on the {answer.games} games played so far")
    common.show_answer(answer, as_json, verbose, plot=plot)
