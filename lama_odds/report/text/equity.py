"""Match equity tables as text and as a CSV file."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text

from lama_odds.analysis.equity import Equities
from lama_odds.analysis.variants.given import titled
from lama_odds.report.text.answers import table
from lama_odds.report.text.csv_text import csv_text
from lama_odds.report.text.numbers import brief
from lama_odds.statistics.intervals import Z

TITLE = "Chance to win in % if you start the next round, by your score and the other's"
STEPS = 10  # rows and columns of the table with -v, and one for the score before the target
FEW_STEPS = 5  # without it


def shown_scores(found: Equities, steps: int = STEPS) -> list[int]:
    """Every few scores, and the last."""
    step = max(1, found.target // steps)
    return sorted({*range(0, found.target, step), found.target - 1})


def equity_text(found: Equities, verbose: bool = False) -> RenderableType:
    """The worth of a level score and of a lead, then chances at a few scores; verbose: more."""
    both = "as well as possible" if found.table.solved else found.table.policy
    head = f"{titled(found)} · 2 players · both play {both}"
    parts: list[RenderableType] = [Text(head, style="dim"), Text()]
    parts += [Text(worth(found), style="bold"), Text()]
    parts.append(Text(TITLE))
    parts += [_table(found, shown_scores(found, STEPS if verbose else FEW_STEPS)), Text()]
    worst = Z * 100 * float(found.table.stderr.max())
    if not verbose:
        sure = f"95 % intervals up to ± {worst:.2g} %. The other player has the rest. More: -v"
        return Group(*parts, Text(sure, style="dim"))
    rounds = (
        "solved, of many scores and deals, smoothed over the scores"
        if found.table.solved
        else "from each pair of scores"
    )
    notes = (
        "ties shared; second player: 100 % minus the entry with the scores swapped",
        f"{found.table.rounds:,} rounds {rounds}, seed {found.table.seed}; 95 % "
        f"intervals up to ± {worst:.2g} %",
        "--csv FILE has every pair of scores with its error",
    )
    return Group(*parts, Text("\n".join(f"· {note}" for note in notes), style="dim"))


def worth(found: Equities) -> str:
    """In a sentence, what it is worth to start at equal scores, and to be ahead."""
    level = found.target // 2
    lead = max(1, found.target // 4)
    even, ahead = found.win(level, level), found.win(level - lead, level)
    return (
        f"▶ At {level} points each, the player who starts wins with {brief(even, share=True)}; "
        f"at {level - lead} to {level}, with {brief(ahead, share=True)}."
    )


def _table(found: Equities, scores: list[int]) -> RenderableType:
    rows = [
        [str(mine), *(f"{100 * found.win(mine, other).value:.1f}" for other in scores)]
        for mine in scores
    ]
    return table(["you, other →", *map(str, scores)], rows)


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
