"""Does Pickomino need stealing? reports/studies/stealing.md.

The same dice with stealing and without, two to seven players, strong and casual ones. How much a
steal is worth comes from games of `learned`: each steal is compared with the best other action.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from lama_odds.analysis.compare.compare import Amount, Row, compare
from lama_odds.core.estimate import Estimate
from lama_odds.games.pikomino.game import GAME
from lama_odds.games.pikomino.solvers.solve import chances_ahead
from lama_odds.report.figures.draw import draw
from lama_odds.statistics.intervals import ratio_of
from tools.publishing.duels import seatings, won
from tools.publishing.studies.stealing_found import (
    CASUAL,
    CLEAR,
    PLAYERS,
    STRONG,
    TENSE,
    WITH,
    WITHOUT,
    Compared,
    Skill,
    Steals,
    Study,
)
from tools.publishing.studies.stealing_words import chart, page
from tools.publishing.studies.wide import wide_row
from tools.publishing.studies.wording import together
from tools.publishing.target import POLICIES, Making, Target

FOLDER = "reports/studies/"
PAGE, CHART, ROWS = (f"{FOLDER}stealing.{ending}" for ending in ("md", "svg", "csv"))
USUAL = ("turns", "busts", "steals", "worms", "shared", "win")
ALONG = ("lead changes", "comebacks", "decided")
RIVALS = ("learned", "optimal-turn")
Rows = Mapping[int, Sequence[Row]]


def compared(
    making: Making, policy: str, players: Sequence[int], measures: Sequence[str], games: int
) -> Rows:
    """The rows of comparisons of both rule sets, by number of players."""
    rules = [GAME.rules(text) for text in (WITH, WITHOUT)]
    found = {}
    for n in players:
        answer = compare(
            GAME,
            rules,
            [GAME.policy(policy)] * len(rules),
            n,
            amount=Amount(games=games),
            measures=measures,
            seed=making["seed"],
            threads=making.threads,
        )
        if answer.interrupted:
            raise KeyboardInterrupt
        found[n] = answer.rows
        making.tell(f"{answer.games:,} games of {n} players of {policy}")
    return found


def duel(making: Making, rules: str, mine: str, other: str, players: int, games: int) -> Estimate:
    """How often one player wins among others of another policy; games: of all seats together."""
    seated = seatings(GAME.policy(mine), GAME.policy(other), players)
    seeds = [making["seed"] + players] * players
    return won(GAME, GAME.rules(rules), seated, games // players, seeds, making.threads)


def skills(making: Making, players: int) -> Skill:
    """How often a strong player beats casual ones, and rivals beat strong ones without stealing."""
    games = making["duels"]
    with_it, without = (
        duel(making, rules, STRONG, CASUAL, players, games) for rules in (WITH, WITHOUT)
    )
    rivals = {
        name: duel(making, WITHOUT, name, STRONG, players, making["rivals"]) for name in RIVALS
    }
    learned = duel(making, WITH, "learned", CASUAL, players, games)
    making.tell(f"duels of {players} players")
    return Skill(with_it, without, learned, rivals)


def steals(making: Making, players: int) -> Steals:
    """What steals are worth in games of `learned`, in chance to win."""
    rules = GAME.rules(WITH)
    policies = [GAME.policy("learned")] * players
    sums = []
    for game in range(making["records"]):
        text = GAME.record(rules, policies, making["seed"] + 10 + players, game, False)
        gains = np.array(gains_of(text), dtype=float)
        sums.append((len(gains), gains.sum(), int((gains > CLEAR).sum())))
    making.tell(f"{making['records']} records of {players} players")
    number, gained, clear = np.array(sums, dtype=float).T
    return Steals(mean_in_groups(gained, number), mean_in_groups(clear, number), len(sums))


def gains_of(record: str) -> list[float]:
    """For each steal of a record: its chance to win minus that of the best other action."""
    rules = GAME.rules(WITH)
    lines = record.splitlines()
    found = []
    for at, line in enumerate(lines):
        before, stolen, _ = line.partition(" steal ")
        if not stolen:
            continue
        position = GAME.position_after(rules, "\n".join([*lines[:at], before]) + "\n")
        values = {one.action: one.values["win"].value for one in chances_ahead(rules, position)}
        mine = max(value for name, value in values.items() if name.startswith("steal"))
        others = [value for name, value in values.items() if not name.startswith("steal")]
        if others:  # all dice kept, and no tile of the centre: it was that or a bust
            found.append(mine - max(others))
    return found


def mean_in_groups(totals: np.ndarray, counts: np.ndarray) -> Estimate:
    """The mean of values that come in games: in millionths, as integers have no rounding."""
    unit = 1e-6
    sums = [round(x / unit) for x in totals.tolist()]
    numbers = [round(n) for n in counts.tolist()]
    return ratio_of(
        sum(sums),
        sum(s * s for s in sums),
        sum(s * n for s, n in zip(sums, numbers, strict=True)),
        sum(numbers),
        sum(n * n for n in numbers),
        unit,
    )


def widened(rows: Rows, intervals: int) -> dict[int, dict[str, Compared]]:
    """The measures by players and name; all intervals hold together."""
    return {n: {r.measure.name: wide(r, intervals) for r in each} for n, each in rows.items()}


def wide(row: Row, intervals: int) -> Compared:
    """A measure with intervals that hold together with others."""
    share = row.measure.share
    before, after = (together(e, intervals, share) for e in (row.baseline, row.other))
    return Compared(share, before, after, wide_row(row, intervals))


def study(making: Making) -> Study:
    """Play everything."""
    strong = compared(making, STRONG, PLAYERS, USUAL, making["strong"])
    casual = compared(making, CASUAL, PLAYERS, (*USUAL, *ALONG), making["casual"])
    tense = compared(making, STRONG, TENSE, ALONG, making["tense"])
    skill = {n: skills(making, n) for n in PLAYERS}
    worth = {n: steals(making, n) for n in PLAYERS}
    rows = sum(len(rows) for part in (strong, casual, tense) for rows in part.values())
    intervals = 3 * rows + len(PLAYERS) * (4 + len(RIVALS) + 2)
    return Study(
        strong=widened(strong, intervals),
        casual=widened(casual, intervals),
        tense=widened(tense, intervals),
        skill={n: one.wide(intervals) for n, one in skill.items()},
        steals={n: one.wide(intervals) for n, one in worth.items()},
        intervals=intervals,
        games={name: making[name] for name in GAMES},
        seed=making["seed"],
        best=GAME.best_policy(GAME.rules(WITHOUT), PLAYERS[0]).name,
    )


def csv_rows(found: Study) -> list[Sequence[object]]:
    """Every figure."""
    lines: list[Sequence[object]] = [
        ("players", "policy", "measure", "what", "value", "stderr", "low", "high", "n")
    ]

    def add(*begin: object, value: Estimate) -> None:
        lines.append((*begin, value.value, value.stderr, value.low, value.high, value.n))

    for policy, part in ((STRONG, found.strong), (CASUAL, found.casual), (STRONG, found.tense)):
        for n, measures in part.items():
            for name, one in measures.items():
                add(n, policy, name, "with", value=one.before)
                add(n, policy, name, "without", value=one.after)
                add(n, policy, name, "change", value=one.change)
    for n, skill in found.skill.items():
        add(n, STRONG, "skill", "with", value=skill.before)
        add(n, STRONG, "skill", "without", value=skill.after)
        add(n, "learned", "skill", "with", value=skill.learned)
        for name, wins in skill.rivals.items():
            add(n, name, f"wins among {STRONG}", "without", value=wins)
    for n, worth in found.steals.items():
        add(n, "learned", "worth of a steal", "with", value=worth.gain)
        add(n, "learned", "steals that matter", "with", value=worth.clear)
    return lines


def make(making: Making) -> None:
    """Play and write."""
    found = study(making)
    making.write_rows(ROWS, csv_rows(found))
    making.write(CHART, draw(chart(found), "svg"))
    making.write(PAGE, page(found, making.made_by))


GAMES = {
    "strong": 4_800,
    "casual": 32_000,
    "tense": 800,
    "duels": 9_600,
    "rivals": 2_400,
    "records": 120,
}
QUICK = {"strong": 160, "casual": 160, "tense": 104, "duels": 420, "rivals": 42, "records": 3}
TARGET = Target(
    name="study-stealing",
    what="whether Pickomino needs stealing: length, tension, fairness, skill, worth of a steal",
    make=make,
    writes=(PAGE, CHART, ROWS),
    reads=POLICIES,
    options={**GAMES, "seed": 1},
    quick=QUICK,
)
