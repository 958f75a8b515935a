"""Which differences between editions would anybody notice? reports/studies/editions.md.

No game is played for it: the figures are those of reports/comparisons. From a difference and the
spread of single games follows after how many evenings a watcher can tell two editions apart.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path

from lama_odds.core.estimate import Estimate
from lama_odds.report.figures.draw import draw
from tools.publishing.child import ROOT
from tools.publishing.studies.editions_pairs import (
    DIFFERENCES,
    Changed,
    Difference,
    Pair,
    Study,
)
from tools.publishing.studies.editions_words import chart, page
from tools.publishing.studies.telling_apart import Spread, in_one_game, widened
from tools.publishing.target import Making, Target

READS = "reports/comparisons/"
FOLDER = "reports/studies/"
PAGE, CHART, ROWS = FOLDER + "editions.md", FOLDER + "editions.svg", FOLDER + "editions.csv"
DECISIONS = "decisions"
PER_ROUND = ("of rounds", "per round")  # how units of measures of first rounds end


def rows_of(difference: Difference, best: bool) -> Sequence[Mapping[str, str]]:
    """The rows of a comparison that are about two rule sets."""
    name = f"{READS}{difference.file}{'_best' * best}.csv"
    text = Path(ROOT / name).read_text(encoding="utf-8")
    found = [
        row
        for row in csv.DictReader(text.splitlines())
        if (row["against"], row["rules"]) == (difference.against, difference.rules)
    ]
    assert found, f"{name} compares no {difference.rules} with {difference.against}"
    return found


def estimate(row: Mapping[str, str], what: str, games: int) -> Estimate:
    """One of the three estimates of a row."""
    value, stderr, low, high = (
        float(row[f"{what} {field}"]) for field in ("value", "stderr", "low", "high")
    )
    return Estimate.from_interval(value, stderr, low, high, games)


def pair_of(difference: Difference, best: bool) -> Pair:
    """What changes between two rule sets, each interval on its own."""
    rows = rows_of(difference, best)
    games = int(rows[0]["games"])
    changes = []
    decisions = None
    for row in rows:
        if row["measure"] == DECISIONS:
            if row["difference value"]:
                decisions = estimate(row, "difference", games)
            continue
        old, new = (estimate(row, what, games) for what in ("baseline", "other"))
        if old.value == new.value == old.stderr == new.stderr == 0:
            continue  # nobody blows it with cards
        changes.append(
            Changed(
                row["measure"],
                row["unit"],
                old,
                new,
                estimate(row, "difference", games),
                Spread(in_one_game(old), in_one_game(new)),
                row["unit"].endswith(PER_ROUND),
                int(row["differing blocks"]),
                row["verdict"],
            )
        )
    return Pair(difference, rows[0]["policy"], games, tuple(changes), decisions)


def study() -> Study:
    """All pairs with both policies; the intervals of all differences hold together."""
    pairs = [pair_of(one, best) for one in DIFFERENCES for best in (True, False)]
    intervals = sum(len(pair.changes) for pair in pairs)
    found = [pair.with_changes(widened(pair, intervals)) for pair in pairs]
    return Study(tuple(found[0::2]), tuple(found[1::2]), intervals)


def csv_rows(found: Study) -> list[Sequence[object]]:
    """Every difference, and after how many evenings it can be noticed."""
    head = ("against", "rules", "policy", "measure", "unit", "change", "low", "high")
    lines: list[Sequence[object]] = [(*head, "evenings", "evenings low", "evenings high")]
    for pair in (*found.best, *found.plain):
        for change in pair.changes:
            d, n = change.difference, change.evenings(pair.rounds)
            begin = (pair.difference.against, pair.difference.rules, pair.policy, change.measure)
            told = ["" if x is None else f"{x:.4g}" for x in (n.value, n.low, n.high)]
            lines.append((*begin, change.unit, d.value, d.low, d.high, *told))
    return lines


def make(making: Making) -> None:
    """Read, calculate and write."""
    found = study()
    making.tell(f"{len(found.best)} differences, {found.intervals} intervals")
    making.write_rows(ROWS, csv_rows(found))
    making.write(CHART, draw(chart(found), "svg"))
    making.write(PAGE, page(found, making.made_by))


TARGET = Target(
    name="study-editions",
    what="which differences between editions a watcher would notice, and how soon",
    make=make,
    writes=(PAGE, CHART, ROWS),
    reads=(READS,),
)
