"""How the match equity tables agree with games played out.

At decisions of simulated games, the chance to win of every action is sampled twice with
different seeds. Once the scores after the round are looked up, once the game is played to its end.
"""

from __future__ import annotations

import csv
import io
import math
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from lab.equity.solve_several import ALIKE
from lama_odds.analysis.advice.advise import advise
from lama_odds.analysis.advice.rollouts import Limits
from lama_odds.analysis.equity import equities
from lama_odds.core.policies import Policy
from lama_odds.core.reading import data_json
from lama_odds.games.interface import match_equity
from lama_odds.games.interface.match_equity import FOLDERS, manifest, table_for
from lama_odds.games.registry import game_of
from lama_odds.games.shared.decisions import decisions
from lama_odds.statistics.intervals import Z, share_of
from tools.publishing.reference import markdown
from tools.publishing.target import ANSWERS, POLICIES, Making, Target

TABLE = "reports/equity.csv"
SEVERAL = "3 to 6"
SCORE = 20  # the chance of the starter at this score of both is in the table too
# Errors are standard deviations: of a chance, of the mean chance after a round, of a difference of
# two such means. `games`: how many times as many games playing to the end needs.
HEAD = (
    *("rules", "players", "policy", "chance", "after", "difference", "harville"),
    *("decisions", "actions", "within", "apart", "games", "at 20 each", "at 20 each stderr"),
)


def asked_positions(
    game: Any, rules: Any, policies: Sequence[Policy], number: int, seed: int
) -> list[Any]:
    """One decision with a choice of each of some games, later and later ones in turn."""
    positions: list[Any] = []
    at = 0
    while len(positions) < number:
        record = game.record(rules, policies, seed, at, False)
        reached = [decision.position for decision in decisions(game, rules, record)]
        positions.append(reached[(at * 7919) % len(reached)])
        at += 1
    return positions


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
    def cells(self) -> list[Any]:
        """Decisions, actions, those within 1.96 standard errors, and the mean distance."""
        inside = sum(abs(z) < Z for z in self.apart)
        return [len(self.medians), len(self.apart), inside, statistics.fmean(self.apart)]


def agreement(
    text: str, policies: Sequence[Policy], number: int, games: int, seed: int
) -> Agreement:
    """Value the actions of some decisions both ways. policies: the same for each player."""
    game = game_of(text)
    rules = game.rules(text)
    table = table_for(rules.id, policies)
    table_error = 0.0 if table is None else table.off[0]
    cases = Agreement([], [], [])
    for at, position in enumerate(asked_positions(game, rules, policies, number, seed)):
        looked_up, played = (
            advise(
                game,
                rules,
                position,
                objective="win",
                opponents=policies[0],  # or rounds of Lama Dice would be solved
                everybody=True,  # or there is no table, unless these are the best
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
                cases.apart.append((mine.value - other.value) / error)
            sampling = mine.stderr**2 - table_error**2
            if sampling > 0:
                ratios.append(other.stderr**2 / sampling)
        cases.ratios.extend(ratios)
        cases.medians.extend([statistics.median(ratios)] if ratios else [])
    return cases


def of_two(text: str, number: int, games: int, seed: int) -> list[Any]:
    """The row of a table for two players."""
    game = game_of(text)
    rules = game.rules(text)
    best = game.best_policy(rules, 2)
    table = equities(game, rules, best)
    even = table.win(SCORE, SCORE)
    cases = agreement(text, [best] * 2, number, games, seed)
    row = [text, 2, table.table.policy, float(table.table.stderr.max()), "", "", "", *cases.cells]
    return [*row, statistics.median_high(cases.ratios), even.value, even.stderr]


def entries() -> list[tuple[str, int, dict[str, Any]]]:
    """All tables of more than two players: rules, players, and what the manifest says of each."""
    folders = [manifest(folder)["tables"] for folder in match_equity.SEVERAL_FOLDERS]
    texts = list(dict.fromkeys(text for tables in folders for text in tables))
    return [
        (text, int(players), entry)
        for text in texts
        for tables in folders
        for players, entry in tables.get(text, {}).items()
        if text not in ALIKE
    ]


def of_several(making: Making) -> Iterator[list[Any]]:
    """The rows of tables for three to six players, and one of all together."""
    whole = Agreement([], [], [])
    for text, players, entry in entries():
        errors = [entry[name] for name in ("stderr", "after", "apart", "harville stderr")]
        policies = [game_of(text).policy(entry["policy"])] * players
        cases = agreement(text, policies, making["several"], making["games"], making["seed"])
        whole.apart.extend(cases.apart)
        whole.medians.extend(cases.medians)
        games = statistics.median(cases.medians)
        yield [text, players, entry["policy"], *errors, *cases.cells, games, "", ""]
        making.tell(f"{text}, {players} players of {entry['policy']}")
    games = statistics.median(whole.medians)
    yield ["all", SEVERAL, "", "", "", "", "", *whole.cells, games, "", ""]


def page(text: str, made_by: str) -> str:
    """The page of a table: a line for each rule set and kind of policy."""
    *rows, whole = csv.DictReader(io.StringIO(text))
    groups: dict[tuple[str, ...], list[dict[str, str]]] = {}
    for row in rows:
        players = "2" if row["players"] == "2" else SEVERAL
        policy = row["policy"].partition(":")[0]
        groups.setdefault((f"`{row['rules']}`", players, f"`{policy}`"), []).append(row)
    lines = []
    for key, group in groups.items():
        errors = [
            f"{100 * max(float(row[name]) for row in group):.2g}" if group[0][name] else "–"
            for name in ("chance", "after", "harville")
        ]
        ends = (most(float(row["games"]) for row in group) for most in (min, max))
        games = " to ".join(dict.fromkeys(f"{end:.1f}" for end in ends))
        lines.append((*key, *errors, _agreeing(group), games))
    inside = share_of(_sum(rows, "within"), _sum(rows, "actions"))
    head = ("rules", "players", "policy", "error of a chance", "after a round")
    return markdown.page(
        f"Chances by score agree with games played out in {_agreeing(rows)} cases",
        "`advise --objective win` looks up the chance to win after a round, in a match equity "
        "table. Here both ways of valuing an action are within 1.96 standard errors of each other "
        f"in {100 * inside.value:.1f} % of cases (95 % interval {100 * inside.low:.1f} to "
        f"{100 * inside.high:.1f} %), where 95 % would be right. With three to six players, "
        f"playing to the end needs {float(whole['games']):.1f} times as many games for the same "
        "sampling error (median).",
        markdown.table(
            (*head, "by Harville's formula", "agree", "times the games"), lines, "lllrrrrr"
        ),
        "Errors are the largest of a group, in percentage points: standard errors for two players; "
        "otherwise standard deviations against whole games from random scores, at most with 95 %. "
        "Harville's formula with fitted strengths is the simplest alternative. "
        "`lama-odds equity RULES` shows the chances themselves.",
        "[All tables as CSV](equity.csv). `dice/gigamic` plays as `dice/amigo`. "
        f"Made by {made_by}.",
        target=TARGET.name,
    )


def _sum(rows: list[dict[str, str]], name: str) -> int:
    return sum(int(row[name]) for row in rows)


def _agreeing(rows: list[dict[str, str]]) -> str:
    return f"{_sum(rows, 'within'):,} of {_sum(rows, 'actions'):,}"


def make(making: Making) -> None:
    """Compare and write."""
    rows: list[list[Any]] = [list(HEAD)]
    for text in data_json(f"{FOLDERS[0]}/manifest.json")["tables"]:
        if text not in ALIKE:
            rows.append(of_two(text, making["positions"], making["games"], making["seed"]))
            making.tell(text)
    making.write_rows(TABLE, [*rows, *of_several(making)])
    again(making)


def again(making: Making) -> None:
    """Write the page from the table."""
    text = making.path(TABLE).read_text(encoding="utf-8")
    making.write("reports/equity.md", page(text, making.made_by))


TARGET = Target(
    name="equity",
    what="how match equity tables agree with games played out",
    make=make,
    again=again,
    writes=("reports/equity.md", TABLE),
    reads=(*POLICIES, *ANSWERS),
    options={"games": 10_000, "positions": 30, "several": 10, "seed": 3},
    quick={"games": 1_000, "positions": 1, "several": 1},
)
