"""What the whole game of Pikomino adds to its turns: reports/whole_pikomino.md, and its CSV.

`learned` plays against policies that look at one turn, in games for which nothing was fitted. Then
every turn of such games is judged by what `learned` has learned: what the plan of its policy costs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from lab.learned_pikomino.thumb_rules import choose_rules, turns_for_worms
from lama_odds.core.estimate import Estimate
from lama_odds.core.policies import Policy
from lama_odds.games.pikomino.engine.look_ahead import (
    BEST,
    BEST_BUST,
    COLUMNS,
    LEAD,
    PLAN,
    PLAN_BUST,
    SEAT,
    TILES_LEFT,
    TOP,
    judge_games,
)
from lama_odds.games.pikomino.game import GAME
from lama_odds.games.pikomino.policies import AS_SOLD, learned, play_tables, policy_rows
from lama_odds.report.figures.draw import draw
from tools.publishing.duels import seatings, won
from tools.publishing.pikomino_risk import mean_of, points, risk_map, rules_of_thumb, when_to_risk
from tools.publishing.target import Making, Target

PAGE, TABLE = "reports/whole_pikomino.md", "reports/whole_pikomino.csv"
MAP = "reports/whole_pikomino_risk.svg"
OTHERS = ("lead:50", "optimal-turn")
TABLES = (2, 4)  # players
PIECE = 50  # games that are judged at a time
ROOM = 120  # turns of a game, at most, for which there is room
DISAGREES = 0.005  # of the chance to win: costs from here on are counted
RULES = 3
FRESH = 2  # times as many games to measure rules of thumb as to find them
MEANS = ("turns", "cost", "disagrees", "bust", "best_bust")


class Band(NamedTuple):
    """Turns that are counted together. least, most: of a column of `plan_costs`."""

    title: str
    column: int
    least: float
    most: float


BANDS = (
    Band("all turns", LEAD, -99, 99),
    Band("behind by 4 worms or more", LEAD, -99, -4),
    Band("behind by 1 to 3", LEAD, -3, -1),
    Band("even", LEAD, 0, 0),
    Band("ahead by 1 to 3", LEAD, 1, 3),
    Band("ahead by 4 or more", LEAD, 4, 99),
    Band("no tile to lose", TOP, -1, -1),
    Band("top tile 21 to 24", TOP, 0, 3),
    Band("top tile 25 to 28", TOP, 4, 7),
    Band("top tile 29 to 32", TOP, 8, 11),
    Band("top tile 33 to 36", TOP, 12, 15),
    Band("11 or more tiles in the centre", TILES_LEFT, 11, 16),
    Band("6 to 10 tiles in the centre", TILES_LEFT, 6, 10),
    Band("3 to 5 tiles in the centre", TILES_LEFT, 3, 5),
    Band("1 or 2 tiles in the centre", TILES_LEFT, 1, 2),
)


class Judged(NamedTuple):
    """Games of `learned` with another policy, judged. costs: of a game, of the other's plans.

    adjusted: what `learned` won, luck-adjusted. turns: rows of `plan_costs`, of the other's.
    """

    adjusted: Estimate
    costs: Estimate
    turns: np.ndarray


def among(other: str, players: int) -> list[list[Policy]]:
    """Return `learned` in every seat among others."""
    return seatings(GAME.policy("learned"), GAME.policy(other), players)


def judged(making: Making, other: str, games: int, seed: int) -> Judged:
    """Play two-player games in both seats and judge every turn; the same dice in both."""
    rules = GAME.rules(AS_SOLD)
    play = play_tables(rules, learned())
    adjusted, costs, turns = [], [], []
    for first in range(0, games, PIECE):
        count = min(PIECE, games - first)
        shares, cost = np.zeros(count), np.zeros(count)
        for seat, policies in enumerate(among(other, 2)):
            rows, results = np.zeros((ROOM * count, COLUMNS)), np.zeros((count, 4))
            filled = judge_games(
                rules.columns, policy_rows(policies), play, seed, first, count, rows, results
            )
            theirs = rows[:filled][rows[:filled, SEAT] != seat]
            shares += results[:, 2 + seat] / 2
            cost += (
                np.bincount(theirs[:, 0].astype(int), theirs[:, BEST] - theirs[:, PLAN], count) / 2
            )
            turns.append(theirs)
        adjusted.append(shares)
        costs.append(cost)
    making.tell(f"{games} games × 2 against {other} judged")
    return Judged(
        mean_of(np.concatenate(adjusted)), mean_of(np.concatenate(costs)), np.concatenate(turns)
    )


def by_bands(turns: np.ndarray) -> list[dict[str, float | str]]:
    """Return the means of each band."""
    found: list[dict[str, float | str]] = []
    cost = turns[:, BEST] - turns[:, PLAN]
    for band in BANDS:
        value = turns[:, band.column]
        here = (value >= band.least) & (value <= band.most)
        if here.sum() < 2:
            continue
        found.append(
            {
                "when": band.title,
                "turns": int(here.sum()),
                "cost": float(cost[here].mean()),
                "disagrees": float((cost[here] >= DISAGREES).mean()),
                "bust": float(turns[here, PLAN_BUST].mean()),
                "best_bust": float(turns[here, BEST_BUST].mean()),
            }
        )
    return found


def bands_table(rows: Sequence[dict[str, float | str]]) -> list[str]:
    """The table of one policy."""
    lines = [
        "| your turn | turns | cost, points | turns that cost ≥ 0.5 points | bust | bust of the "
        "best plan |",
        "|---|---|---|---|---|---|",
    ]
    for row in rows:
        cells = [
            str(row["when"]), f"{row['turns']:,}", f"{100 * float(row['cost']):.2f}",
            *(f"{100 * float(row[name]):.1f} %" for name in ("disagrees", "bust", "best_bust")),
        ]  # fmt: skip
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def page(
    making: Making,
    wins: dict[tuple[int, str], Estimate],
    found: dict[str, Judged],
    thumb: Sequence[str],
) -> str:
    """The report as Markdown. thumb: its rules of thumb."""
    lines = [
        "# Pickomino: what the whole game adds to the turn",
        "",
        "`learned` plays each turn for its chance to win the game. It reads this chance off "
        "the board after the turn, by networks that learned from games against themselves. How "
        "much is that worth, compared to policies that look at the turn or at the lead?",
        "",
        "## Win rates of `learned`",
        "",
        "One player plays `learned`, and all others play the same policy. Every seat is played as "
        "often. An even share is 50 % with two players and 25 % with four.",
        "",
        "| against | two players | one of four | two players, luck-adjusted |",
        "|---|---|---|---|",
    ]
    for other in OTHERS:
        cells = [f"{points(wins[players, other])} %" for players in TABLES]
        lines.append(f"| `{other}` | {' | '.join(cells)} | {points(found[other].adjusted, 2)} % |")
    most = found["lead:50"].costs
    two, four = (wins[players, OTHERS[0]].n for players in TABLES)
    lines += [
        "",
        f"Games: {two:,} with two players and {four:,} with four, on random numbers that nothing "
        f"was fitted to. Luck-adjusted: {found[OTHERS[0]].adjusted.n:,} × 2. Adjusting subtracts "
        "what each turn brought more than its plan was worth. It changes no mean, and the error "
        "is several times smaller.",
        "",
        "## How much more could there be?",
        "",
        f"The plans of `lead:50` cost {points(most, 2)} points of winning chance per game, judged "
        "by `learned`. With exact chances this would be what the best play gains against it. "
        "Errors of the chances make the best plan look better than it is, so this is likely too "
        f"much. `learned` gains {100 * (found['lead:50'].adjusted.value - 0.5):.2f} points. So "
        "little is left to gain with two players: the simple value of the lead is that close to "
        "the best play.",
    ]
    for other in OTHERS:
        lines += [
            "",
            f"## When the whole game disagrees with `{other}`",
            "",
            "What the plan of a turn costs on average, before the dice are rolled. Then how often "
            "the turn goes bust by this plan, and by the best one. If the last number is lower, "
            "you should stop earlier; if it is higher, risk more.",
            "",
            *bands_table(by_bands(found[other].turns)),
        ]
    lines += [
        "",
        *when_to_risk(found["optimal-turn"].turns, MAP),
        "",
        *thumb,
        "",
        f"Made by {making.made_by}.",
    ]
    return "\n".join(lines) + "\n"


def make(making: Making) -> None:
    """Play, judge and write."""
    wins = {}
    for players in TABLES:
        for number, other in enumerate(OTHERS):
            games = making["games" if players == 2 else "games_of_four"]
            seed = making["seed"] + 100 * players + 10 * number
            seeds = [seed + seat for seat in range(players)]
            seated = among(other, players)
            wins[players, other] = won(
                GAME, GAME.rules(AS_SOLD), seated, games, seeds, making.threads
            )
            making.tell(f"{players} players against {other}: {points(wins[players, other])} %")
    found = {
        other: judged(making, other, making["judged"], making["seed"] + 1_000 + number)
        for number, other in enumerate(OTHERS)
    }
    rows = [["against", "when", *MEANS]]
    for other, one in found.items():
        rows += [[other, *map(str, row.values())] for row in by_bands(one.turns)]
    making.write_rows(TABLE, rows)
    making.write(MAP, draw(risk_map(found["optimal-turn"].turns), "svg"))
    fitted, fresh = (
        turns_for_worms(making["thumb"] * times, making["seed"] + 2_000 + times)
        for times in (1, FRESH)
    )
    rules = choose_rules(fitted, RULES)
    making.tell("rules of thumb: " + "; ".join(f"{r.situation}: {r.advice}" for r in rules))
    thumb = rules_of_thumb(fresh, rules, 2 * making["thumb"], 2 * FRESH * making["thumb"])
    making.write(PAGE, page(making, wins, found, thumb))


TARGET = Target(
    name="whole-pikomino",
    what="what the whole game of Pikomino adds to its turns",
    make=make,
    writes=(PAGE, TABLE, MAP),
    reads=("data/pikomino/learned.npy", "data/pikomino/learned.json"),
    options={"games": 10_000, "games_of_four": 500, "judged": 250, "thumb": 150, "seed": 70_001},
    quick={"games": 50, "games_of_four": 10, "judged": 20, "thumb": 8},
)
