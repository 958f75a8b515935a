"""The sheet of Pickomino: when to stop, which face to keep first, what a turn reaches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lama_odds import api
from lama_odds.core.estimate import Estimate
from lama_odds.games.interface.solution import ThresholdTable
from tools.publishing.reference.markdown import table
from tools.publishing.sheets.limits import Played

RULES, PLAYERS = "pikomino/egmont", 4
MOST_DICE = 4
BEST, STEP = 0.995, 3


def parts(played: Played) -> Iterator[str]:
    """The sheet, part by part; turns are exact, nothing is played."""
    found = {each.name: each for each in played.thresholds(RULES, PLAYERS).tables}
    stop = found["stop_or_roll"]
    yield "## Stop or roll on?"
    yield (
        "For the worms of this turn, with all tiles in the centre and none of your own. All of it "
        f"is exact. {stop.rule.partition(': ')[2][:1].upper()}{stop.rule.partition(': ')[2][1:]}"
    )
    yield (
        "The share of situations in which you should roll on, by your total and by the dice that "
        "you have left. It depends on the faces that you have kept: more faces are worse. All sets "
        "of faces count alike here, and the rule weighs them by how often they occur."
    )
    yield _stops(stop.rows)
    yield "## The first roll: which face to keep?"
    yield _first_rules(found["first_rules"])
    yield "## How far does a turn reach?"
    yield "The chance of at least this total, if you play for it from the start:"
    yield _reach()


def _stops(rows: Sequence[Mapping[str, Any]]) -> str:
    totals = sorted({row["total"] for row in rows})
    dice = [n for n in sorted({row["dice"] for row in rows}) if n <= MOST_DICE]
    lines = []
    for total in totals:
        cells = [[r for r in rows if r["total"] == total and r["dice"] == n] for n in dice]
        lines.append([str(total), *map(_share, cells)])
    return table(("total", *(f"{n} {'dice' if n > 1 else 'die'} left" for n in dice)), lines)


def _share(rows: Sequence[Mapping[str, Any]]) -> str:
    if not rows:
        return "–"
    rolls = sum(row["better"] == "roll" for row in rows)
    if rolls in (0, len(rows)):
        return "roll" if rolls else "stop"
    return f"{100 * rolls / len(rows):.0f} %"


def _first_rules(found: ThresholdTable) -> str:
    rows = [
        (row["keep"], f"{100 * row['best on'].value:.0f} %", f"{row['costs'].value:.2f}")
        for row in found.rows
    ]
    return table(("keep", "best on this share of rolls", "cost in worms per turn"), rows)


def _reach() -> str:
    chances: Mapping[str, Estimate] = api.odds(RULES, "").to_json()["reach"]
    totals = sorted(chances, key=int)[::STEP]
    shown = [f"{100 * _value(chances[total]):.0f} %" for total in totals]
    return table(("total", *totals), [["chance", *shown]])


def _value(found: Any) -> float:
    return float(found["value"])
