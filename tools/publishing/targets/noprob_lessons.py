"""What `learned` teaches about No Prob-Lama: reports/noprob_lessons.md, its charts and CSV.

Decisions of rounds in which all play `learned` are played out both ways, on common random numbers:
the choice is forced, and `learned` continues. So each figure is measured, and none is a weight that
was learned.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from lab.learned_noprob.habits import habit_keys, habits
from lama_odds.analysis.strategy_report.document import Figure
from lama_odds.analysis.thresholds.answer import Thresholds
from lama_odds.analysis.thresholds.answer import tables_beside as tables_of
from lama_odds.analysis.thresholds.thresholds import thresholds
from lama_odds.core.estimate import Estimate
from lama_odds.games.interface.tally_layout import CERTAIN, ForkCell
from lama_odds.games.noprob.game import GAME
from lama_odds.games.noprob.jobs import tables_beside
from lama_odds.report.figures.draw import draw
from lama_odds.simulation.run import run
from lama_odds.statistics.intervals import ratio_of
from tools.publishing.duels import seatings, won
from tools.publishing.noprob_choices import (
    ANY,
    ENDS,
    HABITS,
    LEADS,
    PLANNER,
    TABLES,
    USUAL_LEAD,
    Answer,
    Leads,
    ends_map,
    ends_part,
    gained,
    gifts_part,
    habit_chart,
    habit_part,
    leads_part,
)
from tools.publishing.target import Making, Target

RULES, POLICY = "noprob/starnberger", "learned"
PAGE, TABLE = "reports/noprob_lessons.md", "reports/noprob_lessons.csv"
FEWEST = 100  # decisions of a row that is shown
POINTS, ROUND = range(2)


def asked(making: Making, players: int) -> list[Answer]:
    """Play rounds with habits both ways."""
    rules = GAME.rules(RULES)
    job = habits(rules, [GAME.policy(POLICY)] * players)
    rounds = making["rounds" if players == 2 else "rounds_of_four"]
    tally = run(job, making["seed"] + players, rounds, threads=making.threads).tally
    making.tell(f"{rounds:,} rounds of {players} players, both ways")
    found = []
    for keys, row in zip(habit_keys(rules), tally, strict=True):
        cell = ForkCell(row)
        if cell.decisions >= FEWEST:
            both = (ratio_of(*cell.difference(at)) for at in (POINTS, ROUND))
            found.append(Answer(*keys, *both))
    return found


def ends(making: Making, players: int) -> Thresholds:
    """Play decisions whether to end the round both ways."""
    rounds = making["ends" if players == 2 else "ends_of_four"]
    found = thresholds(
        GAME,
        GAME.rules(RULES),
        players,
        policy=GAME.policy(POLICY),
        games=rounds,
        seed=making["seed"] + 100 + players,
        threads=making.threads,
        beside=False,
    )
    making.tell(f"{rounds:,} rounds of {players} players, ended or not")
    return found


def given(making: Making, players: int) -> list[Mapping[str, Any]]:
    """Play specials that were drawn out with each of the others, and with nobody."""
    policies = [GAME.policy(POLICY)] * players
    beside = tables_beside(GAME.rules(RULES), policies)
    only_specials = np.array([0, CERTAIN], dtype=np.int64)
    beside = replace(beside, job=beside.job.with_tables(chances=only_specials))
    seed = making["seed"] + 200 + players
    tables, _ = tables_of(beside, seed, making["gifts"], making.threads, None, None)
    making.tell(f"{making['gifts']:,} rounds of {players} players, gifts")
    return list(next(table.rows for table in tables if table.name == "gifts"))


def ended_at(making: Making) -> Leads:
    """Play `planner` with other leads for ending a round, against two players."""
    rules, seed = GAME.rules(RULES), making["seed"] + 300
    found = {}
    for lead in LEADS:
        mine = GAME.policy(PLANNER.format(lead))
        for other in (PLANNER.format(USUAL_LEAD), POLICY):
            seated = seatings(mine, GAME.policy(other), 2)
            found[lead, other] = won(
                GAME, rules, seated, making["games"], [seed, seed], making.threads
            )
    making.tell(f"{making['games']:,} × 2 games for each lead")
    return found


def page(
    making: Making,
    found: dict[int, list[Answer]],
    ended: dict[int, Thresholds],
    leads: Leads,
    gifts: Sequence[Mapping[str, Any]],
    alts: dict[str, str],
) -> str:
    """The report as Markdown. alts: what the charts show, by their names."""
    lines = [
        "# No Prob-Lama: what one learns",
        "",
        "`learned` is the strongest known policy of No Prob-Lama. Here its rounds are stopped at a "
        "decision. Each of two choices is forced, and `learned` continues for everybody, with the "
        "same cards in the pile. The difference is what the choice is worth.",
        "",
        "*Chance* is the change of the chance to win the round, in percentage points. *Total* is "
        "the change of your total in points: less is better. A choice can raise both, because "
        "only the lowest total of a round wins. ± is a 95 % interval.",
        "",
    ]
    for habit in HABITS:
        lines += habit_part(habit, found, alts[habit.name])
    lines += ends_part(ended, alts["ends"])
    lines += leads_part(leads)
    lines += gifts_part(gifts, TABLES[-1])
    lines += [
        "The choices are those that come up when `learned` plays, and `learned` continues after "
        "each of them. Among other players a choice may be worth something else.",
        "",
        f"Made by {making.made_by}.",
    ]
    return "\n".join(lines) + "\n"


def rows_of(
    found: dict[int, list[Answer]],
    ended: dict[int, Thresholds],
    leads: Leads,
    gifts: Sequence[Mapping[str, Any]],
) -> Iterable[Sequence[object]]:
    """Every figure, for the CSV."""
    yield "players", "question", "what", "face down", "n", "measure", "value", "low", "high"
    for players, answers in found.items():
        for one in answers:
            for measure, value in (("total", one.points), ("chance", one.round)):
                yield players, *one[:3], value.n, measure, *bounds(value)
    for players, game in ended.items():
        for row in game.rows:
            lead = game.scale.text(row.keys["penalty"] or 0)
            down = row.keys["down"] or ANY
            yield players, "end", lead, down, row.n, "chance", *bounds(gained(row))
    for (least, other), wins in leads.items():
        yield 2, f"planner ends, against {other}", least, "", wins.n, "win", *bounds(wins)
    for gift in gifts:
        what = f"{gift['card']} to {gift['to']} against {gift['against']}"
        yield TABLES[-1], "gift", what, "", gift["n"], "chance", *bounds(gift["round"])


def bounds(found: Estimate) -> list[str]:
    """A value and its interval."""
    return [f"{x:.5f}" for x in (found.value, found.low, found.high)]


def make(making: Making) -> None:
    """Play and write."""
    found = {players: asked(making, players) for players in TABLES}
    ended = {players: ends(making, players) for players in TABLES}
    leads = ended_at(making)
    gifts = given(making, TABLES[-1])
    two = TABLES[0]
    alts = {
        habit.name: f"Chart for {two} players: {habit.title.lower()}, by card" for habit in HABITS
    }
    alts["ends"] = f"Map for {two} players: what ending gains, by lead and the cards of the other"
    figures: list[tuple[str, Figure]] = [
        (habit.chart, habit_chart(habit, found[two], alts[habit.name])) for habit in HABITS
    ]
    figures.append((ENDS, ends_map(ended[two], alts["ends"])))
    for file, figure in figures:
        making.write(file, draw(figure, "svg"))
    making.write_rows(TABLE, rows_of(found, ended, leads, gifts))
    making.write(PAGE, page(making, found, ended, leads, gifts, alts))


TARGET = Target(
    name="noprob-lessons",
    what="what choices of No Prob-Lama are worth if `learned` continues",
    make=make,
    writes=(PAGE, TABLE, ENDS, *(habit.chart for habit in HABITS)),
    reads=("data/learned/noprob-2.npy", "data/learned/noprob-4.npy", "data/learned/noprob.json"),
    options={
        "rounds": 40_000,
        "rounds_of_four": 12_000,
        "ends": 60_000,
        "ends_of_four": 40_000,
        "gifts": 20_000,
        "games": 4_000,
        "seed": 80_001,
    },
    quick={
        "rounds": 400,
        "rounds_of_four": 100,
        "ends": 4_000,
        "ends_of_four": 4_000,
        "gifts": 300,
        "games": 20,
    },
)
