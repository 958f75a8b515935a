"""What makes each edition good: length, fairness, tension, decisions and skill, with intervals.

reports/good_games.md has a table for each game, reports/good_games.csv all values.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from lama_odds.analysis.compare import design
from lama_odds.analysis.compare.planning import Measured, measured
from lama_odds.games.registry import game_of
from lama_odds.report.terminal import number
from lama_odds.report.text.numbers import measure_title
from tools.publishing.target import EQUITY, POLICIES, Making, Target

PAGE, ROWS = "reports/good_games.md", "reports/good_games.csv"
PLAYERS = 4
BEST = "best"
FEWEST = 160  # games, whatever the scale
LOOKED_AT = 256  # games of which single decisions are looked at; fewer where turns are long


class Asked(NamedTuple):
    """A rule set, who plays it, and how many games."""

    rules: str
    policy: str
    games: int


CARDS, DICE, TURNS, LONG = 4_000, 4_000, 4_000, 400
TABLES = {
    "L.A.M.A.": [
        Asked(f"lama/{edition}", policy, CARDS)
        for edition in ("amigo", "egmont", "party")
        for policy in (BEST, "threshold:8")
    ],
    "Lama Dice": [
        Asked(f"dice/{edition}", policy, DICE)
        for edition in ("amigo", "egmont")
        for policy in (BEST, "threshold:8")
    ],
    "Pickomino": [Asked("pikomino/egmont", "first-tile", TURNS)],
    "No Prob-Lama": [
        Asked("noprob/starnberger", "greedy", LONG),
        Asked("noprob/starnberger+four_rounds", "greedy", LONG),
    ],
}


def answer(asked: Asked, scale: float, seed: int) -> Measured:
    """The measures of a rule set."""
    game = game_of(asked.rules)
    rules = game.rules(asked.rules)
    best = asked.policy == BEST
    policy = game.best_policy(rules, PLAYERS) if best else game.policy(asked.policy)
    games = max(FEWEST, round(asked.games * scale))
    looked_at = max(2, round(LOOKED_AT * scale))
    return measured(game, rules, policy, PLAYERS, games, seed, looked_at=looked_at)


def table(asked: Sequence[Asked], found: Sequence[Measured]) -> list[str]:
    """A row for each measure, a column for each rule set with its policy."""
    heads = [f"{one.rules}, {one.policy}" for one in asked]
    lines = [f"| | {' | '.join(heads)} |", "|---|" + "---:|" * len(heads)]
    measures = {m.name: m for one in found for m, _ in one.values}
    order = list(design.members(design.GOOD))
    for name, measure in sorted(measures.items(), key=lambda item: order.index(item[1].key)):
        cells = []
        for one in found:
            value = next((v for m, v in one.values if m.name == name), None)
            cells.append("–" if value is None else number(value, measure.share))
        lines.append(f"| {measure_title(measure)} | {' | '.join(cells)} |")
    shows = [one.skill_shows for one in found]
    told = ["–" if s is None or s.games is None else f"{s.games} ({s.low}–{s.high})" for s in shows]
    return [*lines, f"| skill shows after, games | {' | '.join(told)} |", ""]


def rows_of(found: Measured) -> list[Sequence[object]]:
    """A row for each measure of a rule set."""
    begin = (found.rules, found.policy, found.players, found.games, found.seed)
    return [
        (*begin, m.name, m.unit, v.value, v.stderr, v.low, v.high, v.n) for m, v in found.values
    ]


def page(sections: Sequence[str], made_by: str) -> str:
    """The whole page."""
    lines = [
        "# What makes each edition good",
        "",
        f"Games of {PLAYERS} players who all play one policy. It is the strongest one known "
        "(`best`), or that of casual players. "
        "[Design](../docs/howto/design.md#what-makes-it-good) defines the measures, with their "
        "sources. ± is a 95 % interval.",
        "",
        "`decided` and `drama` are from one game in eight, `choices` and `matter` from at most "
        f"{LOOKED_AT} games. Where a game has no such measure there is a dash.",
        "",
        *sections,
        f"Made by {made_by}.",
    ]
    return "\n".join(lines) + "\n"


def make(making: Making) -> None:
    """Measure all editions and write the page."""
    sections: list[str] = []
    head = ("rules", "policy", "players", "games", "seed", "measure", "unit")
    rows: list[Sequence[object]] = [(*head, "value", "stderr", "low", "high", "n")]
    for title, asked in TABLES.items():
        found = []
        for one in asked:
            found.append(answer(one, making["scale"], making["seed"]))
            making.tell(f"{one.rules}, {one.policy}")
        rows += [row for each in found for row in rows_of(each)]
        sections += [f"## {title}", "", *table(asked, found)]
    making.write_rows(ROWS, rows)
    making.write(PAGE, page(sections, making.made_by))


TARGET = Target(
    name="good-games",
    what="what makes each edition good: length, fairness, tension, decisions, skill",
    make=make,
    writes=(PAGE, ROWS),
    reads=(*POLICIES, *EQUITY),
    options={"scale": 1.0, "seed": 1},
    quick={"scale": 0.02},
)
