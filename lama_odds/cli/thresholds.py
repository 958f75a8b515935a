"""``lama-odds thresholds``: when to quit?"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lama_odds.api.positions import thresholds as ask
from lama_odds.cli import common
from lama_odds.cli.asking import asks
from lama_odds.cli.runs import tell_stopped
from lama_odds.core.language import say

EXAMPLES = """
lama-odds thresholds lama/egmont --players 4

lama-odds thresholds dice/amigo --players 4

lama-odds thresholds dice/amigo --players 4 --band 10

lama-odds thresholds pikomino/egmont --players 2 --csv pikomino.csv

lama-odds thresholds lama/amigo --players 2 --policy matching:5 --games 1000000
"""


@asks(
    "rules players policy objective precision games band verbose csv plot threads engine run seed "
    "language as_json",
    ask,
)
def thresholds(
    options: dict[str, Any], verbose: bool, csv: Path | None, plot: Path | None, as_json: bool
) -> None:
    """When should you quit? A rule to keep in mind, and what the wrong choice costs.

    It is found at decisions that arise in self-play: both actions are played out with the same
    cards and dice.
    """
    common.start_kernels()
    common.check_plot(plot)
    common.check_files(csv, as_json, plot=plot)
    common.seat_players(options)
    with common.progress_bar("thresholds") as progress:
        answer = ask(**options, progress=progress)
    played = answer.found
    if played.band is None:
        message = say("stopped early: the answer rests on {games} rounds", games=played.games)
    else:
        message = say("stopped early: the answer rests on {games} games", games=played.games)
    tell_stopped(played, options, message)
    from lama_odds.report.text.thresholds import thresholds_csv

    common.show_answer(answer, as_json, verbose, csv, thresholds_csv, plot)
