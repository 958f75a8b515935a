"""The match equity tables and how they agree with games played out.

At decisions of simulated two-player games, the chance to win of every action is sampled twice with
different seeds. Once the scores after the round are looked up, once the game is played to its end.
"""

from __future__ import annotations

import math
from typing import Any

from scipy import stats

from lama_odds.analysis.advice.advise import advise
from lama_odds.analysis.advice.rollouts import Limits
from lama_odds.analysis.equity import Equities, equities
from lama_odds.core.data import data_json
from lama_odds.games.interface.match_equity import FOLDERS
from lama_odds.games.registry import game_of
from lama_odds.games.shared.decisions import decisions
from lama_odds.report.text.equity import shown_scores
from tools.publishing.target import EQUITY, POLICIES, Making, Target


def table_of(text: str) -> list[str]:
    """A rule set's table as Markdown."""
    game = game_of(text)
    rules = game.rules(text)
    found = equities(game, rules, game.best_policy(rules, 2))
    worst = 100 * found.table.stderr.max()
    return [
        f"Made by `lama-odds equity {text}`. Both players play `{found.table.policy}`, for "
        f"{found.table.rounds:,} rounds from each pair of scores, seed {found.table.seed}. "
        f"Standard errors are at most {worst:.2g} percentage points.",
        "",
        *shown_table(found),
    ]


def shown_table(found: Equities) -> list[str]:
    """Some scores of a table as Markdown."""
    scores = shown_scores(found)
    lines = [
        "| your score \\ other | " + " | ".join(map(str, scores)) + " |",
        "|---" * (len(scores) + 1) + "|",
    ]
    for mine in scores:
        values = [f"{100 * found.win(mine, other).value:.1f}" for other in scores]
        lines.append(f"| **{mine}** | " + " | ".join(values) + " |")
    return lines


def asked_positions(game: Any, rules: Any, number: int, seed: int) -> list[Any]:
    """One decision with a choice of each of some games, later and later ones in turn."""
    best = game.best_policy(rules, 2)
    found: list[Any] = []
    at = 0
    while len(found) < number:
        record = game.record(rules, [best, best], seed, at, False)
        met = [decision.position for decision in decisions(game, rules, record)]
        found.append(met[(at * 7919) % len(met)])
        at += 1
    return found


def agreement(text: str, number: int, games: int, seed: int) -> list[str]:
    """How far the two ways are apart, in units of the error of their difference."""
    game = game_of(text)
    rules = game.rules(text)
    best = game.best_policy(rules, 2)
    apart: list[float] = []
    ratios: list[float] = []
    for at, position in enumerate(asked_positions(game, rules, number, seed)):
        looked_up, played = (
            advise(
                game,
                rules,
                position,
                objective="win",
                opponents=best,  # or rounds of Lama Dice would be solved
                limits=Limits(games=games),
                seed=2 * at + look_up,
                look_up=bool(look_up),
            )
            for look_up in (1, 0)
        )
        others = {action.action: action.value for action in played.actions}
        for action in looked_up.actions:
            mine, other = action.value, others[action.action]
            error = math.hypot(mine.stderr, other.stderr)
            if error > 0:
                apart.append((mine.value - other.value) / error)
            if mine.stderr > 0:
                ratios.append((other.stderr / mine.stderr) ** 2)
    inside = sum(abs(z) < stats.norm.ppf(0.975) for z in apart)
    found = stats.binomtest(inside, len(apart)).proportion_ci(method="wilson")
    ratios.sort()
    return [
        "",
        f"The table was compared with games played to their end: {len(apart)} actions at {number} "
        f"decisions, {games:,} games each way. For {inside} of the actions the two chances are "
        "within 1.96 standard errors of their difference "
        f"({100 * inside / len(apart):.1f} %; 95 % interval {100 * found.low:.1f} to "
        f"{100 * found.high:.1f} %). They are {sum(apart) / len(apart):+.2f} standard errors apart "
        f"on average, and {max(map(abs, apart)):.1f} at most. For the same error, playing to the "
        f"end needs {ratios[len(ratios) // 2]:.1f} times as many games (median).",
    ]


def make(making: Making) -> None:
    """Compare and write."""
    parts = [
        "# Match equity tables of two players",
        "",
        "Each table gives your chance to win the game, in % and with ties shared, if you start the "
        "next round. Rows are your score, columns the other player's. If the other player starts, "
        "your chance is 100 % minus the entry with the scores swapped. "
        "`advise --objective win` looks up here what a round leaves. Below each table stands how "
        "well that agrees with playing the games to their end.",
        "",
        f"Made by {making.made_by}, from the tables of `tools/publish equity-tables` and "
        "`tools/publish fitted-equity`.",
    ]
    for text in data_json(f"{FOLDERS[0]}/manifest.json")["tables"]:
        parts += ["", f"## `{text}`", "", *table_of(text)]
        parts += agreement(text, making["positions"], making["games"], making["seed"])
        making.tell(text)
    making.write("reports/equity.md", "\n".join(parts) + "\n")


TARGET = Target(
    name="equity",
    what="match equity tables as a page, and how they agree with games played out",
    make=make,
    writes=("reports/equity.md",),
    reads=(*POLICIES, *EQUITY),
    options={"games": 10_000, "positions": 30, "seed": 3},
    quick={"games": 1_000, "positions": 1},
)
