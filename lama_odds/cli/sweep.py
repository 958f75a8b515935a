"""``lama-odds sweep``: what grows with what, and where is a wish fulfilled?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from lama_odds.api.comparisons import sweep as ask
from lama_odds.api.options import Option
from lama_odds.cli import common
from lama_odds.cli.asking import asks
from lama_odds.cli.compare import check_retuned, tell_plan
from lama_odds.cli.runs import tell_stopped

EXAMPLES = """
lama-odds sweep lama/amigo --vary target=20..60..10 --players 3 --wish "rounds=4..6"

lama-odds sweep lama/amigo --vary dealt=4..8 --vary target=30,40,50 --plot map.svg

lama-odds sweep dice/amigo --vary twenty --vary target=30,40 --wish "seat bias<1%" --csv all.csv

lama-odds sweep @quick.toml --vary llama_points=5..20..5 --policies retuned --games 20000 --run long
"""


@asks(
    "rules vary players policy policies measures wishes games csv plot threads engine run verbose "
    "seed as_json",
    ask,
)
def sweep(
    options: dict[str, Any],
    csv: Path | None,
    verbose: bool,
    as_json: bool,
    plot: Annotated[
        Path | None, Option("Draw one or two options, as .svg or .png.", shown="FILE")
    ] = None,
) -> None:
    """What grows with what? Plays every combination of options on the same cards and dice.

    Trends and wishes come with intervals that hold together.
    """
    common.start_kernels()
    from lama_odds.analysis.sweep.answer import read_axes
    from lama_odds.report.figures.sweeps import check_drawable

    check_retuned(options)
    game = common.seat_players(options)
    axes = read_axes(game, options["vary"])
    common.check_plot(plot)
    if plot is not None:
        check_drawable(axes)
    common.check_files(csv, as_json, plot=plot)
    with common.progress_bar("sweep") as progress:
        answer = ask(**options, progress=progress, planned=tell_plan)
    played = answer.found
    tell_stopped(played, options, f"stopped early: the answer rests on {played.games} games")
    from lama_odds.report.text.sweep import sweep_csv

    common.show_answer(answer, as_json, verbose, csv, sweep_csv, plot)
