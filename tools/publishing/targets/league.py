"""The league of policies: how strong each is, and what rules of thumb cost against the best.

The rule of thumb of a game is the threshold that `tune` finds best against players who all play
`best`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from lab.best_response import Response
from lama_odds.analysis.policy_files import named_policy
from lama_odds.analysis.tournament import Tournament, tournament
from lama_odds.analysis.tune.tune import measure, tune
from lama_odds.core.estimate import ERRORS, Estimate
from lama_odds.games.interface.best import WIN
from lama_odds.games.registry import game_of
from lama_odds.simulation.run import Play
from lama_odds.statistics.intervals import Z
from tools.publishing.target import POLICIES, Making, Target
from tools.publishing.targets.best_response import TABLE as RESPONSES
from tools.publishing.targets.best_response import read_rows

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


def share(found: Estimate) -> str:
    """A win rate with its half-width, in per cent."""
    return f"{100 * found.value:.2f} ± {50 * (found.high - found.low):.2f} %"


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


def thinks(text: str, players: int, responses: Sequence[Response]) -> list[str]:
    """The row of the player who thinks at each decision, from the best responses to `best`.

    It infers hidden cards where such a row is there.
    """
    rows = [
        one
        for one in responses
        if (one.rules, one.players, one.objective) == (text, players, WIN) and one.most
    ]
    if not rows:
        return []
    one = max(rows, key=lambda row: row.recalls)
    # What `best` itself wins in its place is an equal share, without any error.
    win = Estimate.normal(one.base.value + one.gain.value, one.gain.stderr, one.games, Z)
    return [f"| `search:{one.most}` | – | – | – | {share(win)} | – |"]


def table(found: Tournament, best: str, thinking: Sequence[str]) -> list[str]:
    """The league as Markdown: win rates, points, ranks, and both ways against `best`.

    thinking: rows that come first.
    """
    unit = found.points_name
    lines = [
        f"| policy | rank | win rate | {unit} | one among `best` | one `best` among it |",
        "|---|---|---|---|---|---|",
        *thinking,
    ]
    for standing in sorted(found.standings, key=lambda s: -s.win.value):
        name = standing.policy
        among = against = "–"
        if name != best:
            among = share(found.matrix[name][best])
            against = share(found.matrix[best][name])
        shown = f"`{name}`" + (" (`best`)" if name == best else "")
        rank = str(standing.rank)
        points = f"{standing.points.value:.2f}"
        lines.append(
            f"| {shown} | {rank} | {share(standing.win)} | {points} | {among} | {against} |"
        )
    return lines


def rule_of_thumb(entry: tuple[str, int, str, str, float], games: int, seed: int) -> list[str]:
    """What the best threshold is worth among `best`, for winning and for points."""
    text, players, _, family_name, _ = entry
    if not family_name:
        return []
    game = game_of(text)
    rules = game.rules(text)
    family = next(f for f in game.families if f.name == family_name)
    best = game.best_policy(rules, players)
    found = tune(game, rules, family, players, against=best, games=games, play=Play(seed))
    rule = game.policy(found.policy)
    mine = measure(game, rules, players, "points", best, rule, games, seed)
    theirs = measure(game, rules, players, "points", best, best, games, seed)
    plateau = ", ".join(f"`{tried.policy}`" for tried in found.plateau)
    return [
        "",
        f"The best rule of thumb found is `{found.policy}`. It wins {share(found.value)} of games "
        f"against players of `best`; an equal player would win {100 / players:.1f} %. "
        f"{_cost(mine, theirs)} These were not shown to be worse: {plateau}.",
    ]


def _cost(mine: Estimate, theirs: Estimate) -> str:
    """What the rule costs in points, in a sentence."""
    more = mine.value - theirs.value
    half = ERRORS * math.hypot(mine.stderr, theirs.stderr)
    verb = "costs" if more >= 0 else "saves"
    return f"Per round it {verb} {abs(more):.2f} ± {half:.2f} points compared with `best`."


def make(making: Making) -> None:
    """Play all leagues and write the files."""
    games, seed = making["games"], making["seed"]
    responses = read_rows(making.path(RESPONSES).read_text(encoding="utf-8"))
    parts = [
        "# The league of policies",
        "",
        "Win rates (ties shared) and points of each policy. The 95 % intervals are simultaneous "
        "for all policies of a league. All seatings of every balanced line-up are played with the "
        "same cards and dice. *One among `best`*: one player plays the policy and all others play "
        "`best`. An equal player would win one over the number of players. `search:GAMES` "
        "thinks at each decision, as `advise` does. Its row is from "
        "[best responses](best_response.md), and its interval holds for itself alone.",
        "",
        f"Made by {making.made_by}.",
    ]
    rows: list[list[Any]] = [
        ["rules", "players", "games", "policy", "rank", "win", "win low", "win high", "points"]
    ]
    for entry in LEAGUES:
        found = league(entry, games, seed)
        game = game_of(entry[0])
        best = game.best_policy(game.rules(entry[0]), entry[1]).name
        parts += ["", f"## `{entry[0]}`, {entry[1]} players", ""]
        parts += table(found, best, thinks(entry[0], entry[1], responses))
        parts += rule_of_thumb(entry, 5 * games, seed)
        parts += [
            "",
            f"{found.games:,} games in each of {len(found.schedule.seatings):,} line-ups.",
        ]
        for standing in found.standings:
            win = standing.win
            made = (found.rules, found.players, found.games, standing.policy, standing.rank)
            rows.append([*made, win.value, win.low, win.high, standing.points.value])
        making.tell(f"{entry[0]}, {entry[1]} players")
    making.write_rows("reports/league.csv", rows)
    making.write("reports/league.md", "\n".join(parts) + "\n")


TARGET = Target(
    name="league",
    what="how strong each policy is, and what rules of thumb cost",
    make=make,
    writes=("reports/league.md", "reports/league.csv"),
    reads=(*POLICIES, RESPONSES),
    options={"games": 1_000, "seed": 5},
    quick={"games": 32},
)
