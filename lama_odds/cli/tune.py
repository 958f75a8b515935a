"""``lama-odds tune``: which parameters of a policy are best?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from lama_odds.api.options import Option
from lama_odds.api.tables import tune as ask
from lama_odds.cli.asking import asks
from lama_odds.cli.common import note, progress_bar, seat_players, show_answer, start_kernels
from lama_odds.cli.runs import stopped_runs
from lama_odds.core.files import check_outputs, write_output

EXAMPLES = """
lama-odds tune lama/egmont matching --players 4

lama-odds tune dice/amigo threshold --players 2 --against threshold:6 --objective points

lama-odds tune noprob/starnberger planner --players 2 --against greedy --out planner.json

lama-odds tune lama/egmont meanfield --players 4 --games 1000000 --run long

lama-odds simulate noprob/starnberger --players 2 --policy @planner.json --games 1000
"""


@asks(
    "rules family players objective against games out threads engine run seed verbose as_json", ask
)
def tune(
    options: dict[str, Any],
    verbose: bool,
    as_json: bool,
    out: Annotated[
        Path | None, Option("Write the policy to a file, for --policy @FILE.", shown="FILE")
    ] = None,
) -> None:
    """Which parameters of a policy are best? Finds them by racing, and tests them on fresh games.

    Every candidate takes each seat in turn; the others play one policy. All games share the same
    cards and dice.
    """
    start_kernels()
    check_outputs({"--out": out})
    seat_players(options)
    from lama_odds.analysis.policy_files import policy_file

    with stopped_runs(options), progress_bar("tune") as progress:
        answer = ask(**options, progress=progress)

    def write() -> None:
        if out is not None:
            write_output(out, policy_file(answer.found))
            note(f"written: {out}, for --policy @{out}")

    show_answer(answer, as_json, verbose, more=write)
