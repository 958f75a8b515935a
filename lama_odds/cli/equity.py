"""``lama-odds equity``: who is ahead, and by how much?"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lama_odds.api.tables import equity as ask
from lama_odds.cli.asking import asks
from lama_odds.cli.common import check_files, progress_bar, show_answer, start_kernels
from lama_odds.core.errors import ReadError

EXAMPLES = """
lama-odds equity dice/amigo

lama-odds equity dice/amigo --best-play

lama-odds equity dice/egmont --policy threshold:8 --rounds 20000

lama-odds equity lama/amigo --players 4

lama-odds equity lama/amigo --scores 12,3,20,0

Tables of the best policies are shipped for the editions of cards and dice. `advise` looks scores
up in them instead of playing games to their end. For two players, those of other policies are
solved on request.
"""


def _scores_of(text: str) -> list[int]:
    """The scores of a text such as 12,3,20,0."""
    scores = text.split(",")
    for score in scores:
        if not (score.isascii() and score.isdigit()):
            raise ReadError(f"--scores {text}: found {score!r}, expected a whole number")
    return [int(score) for score in scores]


@asks("rules players scores policy best_play rounds csv threads seed verbose as_json", ask)
def equity(options: dict[str, Any], csv: Path | None, verbose: bool, as_json: bool) -> None:
    """Who is ahead? The chance to win by the scores between rounds."""
    start_kernels()
    check_files(csv, as_json)
    if "scores" in options:
        options["scores"] = _scores_of(options["scores"])
    with progress_bar("equity") as progress:
        answer = ask(**options, progress=progress)
    from lama_odds.analysis.equity import Equities
    from lama_odds.report.text.equity import equity_csv, standings_csv

    table: Any = equity_csv if isinstance(answer.found, Equities) else standings_csv
    show_answer(answer, as_json, verbose, csv, table)
