"""Match equity tables as text and as a CSV file."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text

from lama_odds.analysis.equity import Equities
from lama_odds.report.text.answers import table
from lama_odds.report.text.csv_text import csv_text

STEPS = 10  # rows and columns of the table as text, and one for the score before the target


def shown_scores(found: Equities) -> list[int]:
    """Every few scores, and the last."""
    step = max(1, found.target // STEPS)
    return sorted({*range(0, found.target, step), found.target - 1})


def equity_text(found: Equities) -> RenderableType:
    """The chances in per cent, at every few scores, and how they were made."""
    scores = shown_scores(found)
    rows = [
        [str(mine), *(f"{100 * found.win(mine, other).value:.1f}" for other in scores)]
        for mine in scores
    ]
    worst = 100 * float(found.table.stderr.max())
    return Group(
        Text(f"{found.rules}   2 players, both {found.table.policy}", style="dim"),
        Text("Chance to win of who starts the next round, in %, by my score and the other's:"),
        Text(),
        table(["mine", *map(str, scores)], rows),
        Text(),
        Text(
            "· ties shared; who does not start has 100 % less the entry with the scores exchanged\n"
            f"· {found.table.rounds:,} rounds from each pair of scores, seed {found.table.seed}; "
            f"standard errors up to {worst:.2g} %\n"
            "· --csv FILE has every pair of scores with its error",
            style="dim",
        ),
    )


def equity_csv(found: Equities) -> str:
    """Every pair of scores."""
    rows: list[list[object]] = [
        ["rules", "policy", "seed", "rounds", "mine", "other", "win", "stderr", "low", "high"]
    ]
    made = [found.rules, found.table.policy, found.seed, found.table.rounds]
    for mine in range(found.target):
        for other in range(found.target):
            win = found.win(mine, other)
            rows.append([*made, mine, other, win.value, win.stderr, win.low, win.high])
    return csv_text(rows)
