"""The match equity tables and how they agree with games played out.

At decisions of simulated games, the chance to win of every action is sampled twice with
different seeds. Once the scores after the round are looked up, once the game is played to its end.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from scipy import stats

from lab.equity.solve_several import ALIKE
from lama_odds.analysis.advice.advise import advise
from lama_odds.analysis.advice.rollouts import Limits
from lama_odds.analysis.equity import Equities, equities
from lama_odds.core.policies import Policy
from lama_odds.core.reading import data_json
from lama_odds.games.interface import match_equity
from lama_odds.games.interface.match_equity import FOLDERS, manifest, table_for
from lama_odds.games.registry import game_of
from lama_odds.games.shared.decisions import decisions
from lama_odds.report.text.equity import shown_scores
from tools.publishing.target import EQUITY, POLICIES, Making, Target

SEVERAL_HEAD = (
    "",
    "## Three to six players",
    "",
    "These tables are small networks of the scores and turns, fitted to rounds of one policy. That "
    "is the best tuned one, and where `learned` is trained there is a table of it too. `lama-odds "
    "equity RULES --players 4` shows a few of their chances, with `--scores` those that you ask "
    "for. Their errors are standard deviations in percentage points, at most with 95 %, against "
    "whole games of another seed from random scores:",
    "",
    "- **chance**: of a chance at given scores, as `equity` shows it,",
    "- **after a round**: of the mean chance over what a round leaves, as `advise` takes it,",
    "- **difference**: of the difference between two such means, at scores near each other,",
    "- **Harville**: of chances by Harville's formula with fitted strengths, the simplest "
    "alternative.",
    "",
    "`advise` adds the second to the intervals of chances, and the third to those of costs. "
    "**Agreement** and **games** compare `advise` with games played to their end, as above.",
    "",
    "| rules | players | policy | chance | after a round | difference | Harville | "
    "within 1.96 errors | mean apart | games |",
    "|---" * 10 + "|",
)


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


def asked_positions(
    game: Any, rules: Any, policies: Sequence[Policy], number: int, seed: int
) -> list[Any]:
    """One decision with a choice of each of some games, later and later ones in turn."""
    found: list[Any] = []
    at = 0
    while len(found) < number:
        record = game.record(rules, policies, seed, at, False)
        met = [decision.position for decision in decisions(game, rules, record)]
        found.append(met[(at * 7919) % len(met)])
        at += 1
    return found


@dataclass(frozen=True)
class Agreement:
    """How far the two ways are apart at some decisions.

    apart: for each action, in units of the error of their difference. ratios: for each action, by
    how many times as many games the other way needs for the same sampling error; a median for each
    decision.
    """

    apart: list[float]
    ratios: list[float]
    medians: list[float]

    @property
    def inside(self) -> int:
        """Actions whose chances are within 1.96 standard errors."""
        return sum(abs(z) < stats.norm.ppf(0.975) for z in self.apart)

    @property
    def interval(self) -> tuple[float, float]:
        """The share of these, at least and at most."""
        found = stats.binomtest(self.inside, len(self.apart)).proportion_ci(method="wilson")
        return float(found.low), float(found.high)


def agreement(
    text: str, policies: Sequence[Policy], number: int, games: int, seed: int
) -> Agreement:
    """Value the actions of some decisions both ways. policies: the same for each player."""
    game = game_of(text)
    rules = game.rules(text)
    table = table_for(rules.id, policies)
    off = 0.0 if table is None else table.off[0]
    found = Agreement([], [], [])
    for at, position in enumerate(asked_positions(game, rules, policies, number, seed)):
        looked_up, played = (
            advise(
                game,
                rules,
                position,
                objective="win",
                opponents=policies[0],  # or rounds of Lama Dice would be solved
                limits=Limits(games=games),
                seed=2 * at + look_up,
                look_up=bool(look_up),
                brief=True,
            )
            for look_up in (1, 0)
        )
        others = {action.action: action.value for action in played.actions}
        ratios = []
        for action in looked_up.actions:
            mine, other = action.value, others[action.action]
            error = math.hypot(mine.stderr, other.stderr)
            if error > 0:
                found.apart.append((mine.value - other.value) / error)
            sampling = mine.stderr**2 - off**2
            if sampling > 0:
                ratios.append(other.stderr**2 / sampling)
        found.ratios.extend(ratios)
        found.medians.extend([statistics.median(ratios)] if ratios else [])
    return found


def agreement_of_two(text: str, number: int, games: int, seed: int) -> list[str]:
    """How far the two ways are apart for two players, in words."""
    game = game_of(text)
    policies = [game.best_policy(game.rules(text), 2)] * 2
    found = agreement(text, policies, number, games, seed)
    apart, ratios = found.apart, sorted(found.ratios)
    low, high = found.interval
    return [
        "",
        f"The table was compared with games played to their end: {len(apart)} actions at {number} "
        f"decisions, {games:,} games each way. For {found.inside} of the actions the two chances "
        "are within 1.96 standard errors of their difference "
        f"({100 * found.inside / len(apart):.1f} %; 95 % interval {100 * low:.1f} to "
        f"{100 * high:.1f} %). They are {sum(apart) / len(apart):+.2f} standard errors apart "
        f"on average, and {max(map(abs, apart)):.1f} at most. For the same error, playing to the "
        f"end needs {ratios[len(ratios) // 2]:.1f} times as many games (median).",
    ]


def entries() -> list[tuple[str, int, dict[str, Any]]]:
    """All tables of more than two players: rules, players, and what the manifest says of each."""
    found = [manifest(folder)["tables"] for folder in match_equity.SEVERAL_FOLDERS]
    texts = list(dict.fromkeys(text for tables in found for text in tables))
    return [
        (text, int(players), entry)
        for text in texts
        for tables in found
        for players, entry in tables.get(text, {}).items()
    ]


def of_several(making: Making) -> list[str]:
    """The part on three to six players: the errors of all tables, and how they agree."""
    rows = []
    all_apart: list[float] = []
    medians: list[float] = []
    for text, players, entry in entries():
        known = [entry[name] for name in ("stderr", "after", "apart", "harville stderr")]
        errors = " | ".join(f"{100 * value:.2g}" for value in known)
        begin = f"| `{text}` | {players} | "
        if text in ALIKE:
            rows.append(f"{begin}as `{ALIKE[text]}` |" + " |" * 7)
            continue
        policies = [game_of(text).policy(entry["policy"])] * players
        found = agreement(text, policies, making["several"], making["games"], making["seed"])
        all_apart += found.apart
        medians += found.medians
        mean = sum(found.apart) / len(found.apart)
        rows.append(
            f"{begin}`{entry['policy']}` | {errors} | {found.inside} of {len(found.apart)} | "
            f"{mean:+.2f} | {statistics.median(found.medians):.1f} |"
        )
        making.tell(f"{text}, {players} players of {entry['policy']}")
    whole = Agreement(all_apart, [], medians)
    low, high = whole.interval
    return [
        *SEVERAL_HEAD,
        *rows,
        "",
        f"All together: at {len(medians)} decisions, {making['games']:,} games each way, "
        f"{whole.inside} of {len(all_apart)} actions are within 1.96 standard errors "
        f"({100 * whole.inside / len(all_apart):.1f} %; 95 % interval {100 * low:.1f} to "
        f"{100 * high:.1f} %). They are {sum(all_apart) / len(all_apart):+.2f} standard errors "
        f"apart on average, and {max(map(abs, all_apart)):.1f} at most. For the same sampling "
        f"error, playing to the end needs {statistics.median(medians):.1f} times as many games "
        "(median over the decisions).",
    ]


def make(making: Making) -> None:
    """Compare and write."""
    parts = [
        "# Match equity tables",
        "",
        "For two players, each table gives your chance to win the game, in % and with ties shared, "
        "if you start the next round. Rows are your score, columns the other player's. If the "
        "other player starts, your chance is 100 % minus the entry with the scores swapped. "
        "`advise --objective win` looks up here what a round leaves. Below each table stands how "
        "well that agrees with playing the games to their end. Tables of three to six players are "
        "at the end of the page.",
        "",
        f"Made by {making.made_by}, from the tables of `tools/publish equity-tables`, "
        "`fitted-equity`, `several-equity` and `fitted-several`.",
    ]
    for text in data_json(f"{FOLDERS[0]}/manifest.json")["tables"]:
        parts += ["", f"## `{text}`", "", *table_of(text)]
        parts += agreement_of_two(text, making["positions"], making["games"], making["seed"])
        making.tell(text)
    parts += of_several(making)
    making.write("reports/equity.md", "\n".join(parts) + "\n")


TARGET = Target(
    name="equity",
    what="match equity tables as a page, and how they agree with games played out",
    make=make,
    writes=("reports/equity.md",),
    reads=(*POLICIES, *EQUITY),
    options={"games": 10_000, "positions": 30, "several": 10, "seed": 3},
    quick={"games": 1_000, "positions": 1, "several": 1},
)
