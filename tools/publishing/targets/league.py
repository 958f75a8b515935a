"""The league of policies: how strong each is, and what rules of thumb cost against the best.

The rule of thumb of a game is the threshold that `tune` finds best against players who all play
`best`.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator
from typing import Any

from lama_odds.analysis.policy_files import named_policy
from lama_odds.analysis.tournament import Tournament, tournament
from lama_odds.analysis.tune.tune import measure, tune
from lama_odds.core.estimate import ERRORS, Estimate
from lama_odds.games.registry import game_of
from lama_odds.simulation.run import Play
from tools.publishing.reference import markdown
from tools.publishing.target import POLICIES, Making, Target

TABLE = "reports/league.csv"
# Column `among best`: one player among players of `best`; `best among`: one `best` among others.
HEAD = (
    *("rules", "players", "games", "policy", "rank", "win", "win half", "points"),
    *("among best", "among best half", "best among", "best among half", "cost", "cost half"),
)
# Rule set, players, policies, family of the rule of thumb (empty: none), part of the games.
LEAGUES = (
    ("lama/egmont", 4, "random threshold:5 matching:2 matching:5 meanfield best", "matching", 1.0),
    ("lama/egmont", 2, "random threshold:5 matching:4 best", "matching", 1.0),
    ("lama/party", 4, "random threshold:5 matching:3 meanfield best", "matching", 1.0),
    ("dice/amigo", 4, "random threshold:2 threshold:5 meanfield best", "threshold", 1.0),
    ("dice/amigo", 2, "random threshold:5 threshold:8 meanfield best", "threshold", 1.0),
    ("pikomino/egmont", 2, "random first-tile early-worm optimal-turn best", "", 0.05),
    ("pikomino/egmont", 4, "random first-tile early-worm optimal-turn best", "", 0.02),
    (
        "noprob/starnberger",
        4,
        "random low-cards greedy planner:chase=40,lead=6,deny=18,haste=6 best",
        "",
        0.1,
    ),
)


def league(entry: tuple[str, int, str, str, float], games: int, seed: int) -> Tournament:
    """The tournament of an entry."""
    text, players, names, _, part = entry
    game = game_of(text)
    rules = game.rules(text)
    policies = [named_policy(game, rules, name, players) for name in names.split()]
    unique = list({policy.name: policy for policy in policies}.values())
    return tournament(
        game, rules, unique, players, games=max(256, int(part * games)), play=Play(seed)
    )


def half(estimate: Estimate) -> float:
    """The half-width of an interval."""
    return (estimate.high - estimate.low) / 2


def rows_of(entry: tuple[str, int, str, str, float], games: int, seed: int) -> Iterator[list[Any]]:
    """A row for each policy of a league, then one for the best rule of thumb."""
    table = league(entry, games, seed)
    game = game_of(table.rules)
    best = game.best_policy(game.rules(table.rules), table.players).name
    for standing in sorted(table.standings, key=lambda s: -s.win.value):
        name, win = standing.policy, standing.win
        row = [table.rules, table.players, table.games, name, standing.rank, win.value, half(win)]
        row += [standing.points.value]
        if name != best:
            among, against = table.matrix[name][best], table.matrix[best][name]
            row += [among.value, half(among), against.value, half(against)]
        yield row
    if entry[3]:
        yield rule_of_thumb(entry, best, 5 * games, seed)


def rule_of_thumb(
    entry: tuple[str, int, str, str, float], best_name: str, games: int, seed: int
) -> list[Any]:
    """What the best threshold is worth among `best`, for winning and for points."""
    text, players, _, family_name, _ = entry
    game = game_of(text)
    rules = game.rules(text)
    family = next(f for f in game.families if f.name == family_name)
    best = game.policy(best_name)
    tuned = tune(game, rules, family, players, against=best, games=games, play=Play(seed))
    rule = game.policy(tuned.policy)
    mine, theirs = (
        measure(game, rules, players, "points", best, one, games, seed) for one in (rule, best)
    )
    cost = [mine.value - theirs.value, ERRORS * math.hypot(mine.stderr, theirs.stderr)]
    among = [tuned.value.value, half(tuned.value)]
    return [text, players, games, tuned.policy, "", "", "", "", *among, "", "", *cost]


def page(text: str, made_by: str) -> str:
    """The page of a table: a line for each league."""
    leagues: dict[tuple[str, str], list[dict[str, str]]] = {}
    for row in csv.DictReader(io.StringIO(text)):
        leagues.setdefault((row["rules"], row["players"]), []).append(row)
    lines: list[list[str]] = []
    ahead = 0
    for (rules, players), rows in leagues.items():
        ranked = [row for row in rows if row["rank"]]
        best = next(row for row in ranked if not row["among best"])
        other = next(row for row in ranked if row["among best"])
        ahead += int(best["rank"]) < int(other["rank"])
        cells = [f"`{rules}`", players, f"{100 / int(players):.0f} %"]
        for row, column in ((best, "win"), (other, "win"), (rows[-1], "among best")):
            shown = f"{100 * float(row[column]):.1f} ± {100 * float(row[f'{column} half']):.1f} %"
            cells += [f"`{row['policy']}`", shown]
        if len(ranked) == len(rows):
            cells[-2:] = ["–", "–"]
        lines.append(cells)
    head = ("rules", "players", "even share", "`best` is", "it wins", "the next is", "it wins")
    return markdown.page(
        f"`best` is ahead of all others in {ahead} of {len(leagues)} leagues",
        "Win rates (ties shared) in games of all policies of a league, in every balanced line-up "
        "and seating, with the same cards and dice. Their 95 % intervals are simultaneous within a "
        "league. The last columns are of the best rule of thumb that `tune` finds, played by one "
        "player among others who play `best`.",
        markdown.table((*head, "rule of thumb", "it wins"), lines, "lrrlrlrlr"),
        "[All policies as CSV](league.csv), also one against all `best`, one `best` against all "
        "others, and what the rule of thumb costs in points per round. What thinking ahead adds is "
        f"in [best responses](best_response.md). Made by {made_by}.",
        target=TARGET.name,
    )


def make(making: Making) -> None:
    """Play all leagues and write the files."""
    rows: list[list[Any]] = [list(HEAD)]
    for entry in LEAGUES:
        for row in rows_of(entry, making["games"], making["seed"]):
            rows.append(row + [""] * (len(HEAD) - len(row)))
        making.tell(f"{entry[0]}, {entry[1]} players")
    making.write_rows(TABLE, rows)
    again(making)


def again(making: Making) -> None:
    """Write the page from the table."""
    text = making.path(TABLE).read_text(encoding="utf-8")
    making.write("reports/league.md", page(text, making.made_by))


TARGET = Target(
    name="league",
    what="how strong each policy is, and what rules of thumb cost",
    make=make,
    again=again,
    writes=("reports/league.md", TABLE),
    reads=POLICIES,
    options={"games": 1_000, "seed": 5},
    quick={"games": 32},
)
