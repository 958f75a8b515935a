"""Plans of comparisons as text and as a CSV file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from lama_odds.analysis.compare.planning import ComparisonPlan, PlannedRow
from lama_odds.analysis.variants.given import named
from lama_odds.report.text.answers import table
from lama_odds.report.text.compare import two_digits, variant_name
from lama_odds.report.text.csv_text import csv_text
from lama_odds.report.text.measured.words import called, measure_title
from lama_odds.statistics.equivalence import ALPHA, POWER

HEAD = ("players", "seed", "pilot", "games", "against", "rules", "measure", "unit")
FIELDS = ("baseline", "deviation", "delta", "games to show", "games to rule out", "detectable")
LONG = 90.0  # seconds from which on a time is given in minutes, and minutes in hours


def planned_text(found: ComparisonPlan, verbose: bool = False) -> RenderableType:
    """How many games each measure needs, and what the budget shows; verbose: how it was found."""
    names = found.names
    head = f"{named(found.rules[0], names)} · {found.players} players · a plan, nothing is compared"
    parts: list[RenderableType] = [Text(head, style="dim"), *called(found)]
    for (against, rules), rows in found.pairs.items():
        said = _finding(found, against, rules, rows, names)
        parts += [Text(), *(Text(line, style="bold") for line in said)]
        if any(row.deviation != 0 for row in rows):
            parts += [Text(), _table(found, rows)]
    off = f"{100 * found.uncertainty:.0f} %"
    sure = (
        f"A plan from a pilot of {found.pilot:,} games: the numbers of games may be off by {off}. "
        "--delta sets the change, --games the budget. More: -v"
    )
    parts += [Text(), Text(sure, style="dim")]
    if verbose:
        parts.append(_rests_on(found))
    return Group(*parts)


def _finding(
    found: ComparisonPlan,
    against: str,
    rules: str,
    rows: Sequence[PlannedRow],
    names: Mapping[str, str],
) -> list[str]:
    """What it takes to settle all measures, and what the budget settles."""
    name = variant_name(against, rules, names)
    if all(row.deviation == 0 for row in rows):
        return [f"▶ {name} plays exactly as {named(against, names)}: there is nothing to plan."]
    known = [row for row in rows if row.to_show is not None and row.to_rule_out is not None]
    if not known:
        return [f"≈ What {name} changes: the pilot gives no number of games that would settle it."]
    needed = max((max(row.to_show or 0, row.to_rule_out or 0) for row in known), default=0)
    settled = [row for row in known if max(row.to_show or 0, row.to_rule_out or 0) <= found.games]
    open_ = len(rows) - len(known)
    lines = [
        f"▶ What {name} changes: {two_digits(needed):,} games settle every measure"
        f"{f' but {open_}' * bool(open_)}, in about {_time(needed * found.each)} here."
    ]
    if needed > found.games:
        lines.append(
            f"  {found.games:,} games settle {len(settled)} of {len(rows)} measures, in about "
            f"{_time(found.games * found.each)}."
        )
    return lines


def _time(seconds: float) -> str:
    for unit, size in (("s", 1), ("minutes", 60)):
        if seconds < LONG * size:
            return f"{max(1, round(seconds / size))} {unit}"
    return f"{seconds / 3600:.1f} hours"


def _table(found: ComparisonPlan, rows: Sequence[PlannedRow]) -> RenderableType:
    heads = ("", "a change of", "games to show", "to rule out", f"{found.games:,} games show")
    return table(heads, [_line(row) for row in rows])


def _line(row: PlannedRow) -> tuple[str, ...]:
    scale, sign = (100, " points") if row.measure.share else (1, "")
    if row.deviation == 0:
        games: tuple[str, ...] = ("no change at all", "–", "–")
    elif row.to_show is None or row.to_rule_out is None or row.detectable is None:
        games = ("not known", "not known", "–")
    else:
        shown = (f"{two_digits(number):,}" for number in (row.to_show, row.to_rule_out))
        games = (*shown, f"{scale * row.detectable:.2g}{sign}")
    return (measure_title(row.measure), f"{scale * row.delta:.2g}{sign}", *games)


def _rests_on(found: ComparisonPlan) -> Text:
    lines = [
        f"policies: {', '.join(dict.fromkeys(found.policies))}, the same cards and dice for all",
        "a change of: δ of the comparison (without --delta: 1 % of the baseline, for chances half "
        "a percentage point)",
        "games to show: after these a change of δ is found to differ with a chance of "
        f"{100 * POWER:.0f} %",
        "to rule out: if nothing changes, it is found to be equivalent after these, with the same "
        "chance",
        f"each at the level {ALPHA:g} divided by the {len(found.rows)} measures, with which Holm's "
        "correction begins: a comparison may need fewer games, never more",
        "points: percentage points",
        "not known: no game of the pilot differed. no change at all: both play the same games",
        f"seed {found.seed}; compare plays other games than the pilot",
    ]
    return Text("\n".join(f"· {line}" for line in lines), style="dim")


def planned_csv(found: ComparisonPlan) -> str:
    """A line for each pair and measure."""
    rows: list[list[object]] = [[*HEAD, *FIELDS]]
    for row in found.rows:
        asked = [found.players, found.seed, found.pilot, found.games, row.against, row.rules]
        numbers = [row.baseline.value, row.deviation, row.delta]
        numbers += [row.to_show, row.to_rule_out, row.detectable]
        rows.append([*asked, row.measure.name, row.measure.unit, *numbers])
    return csv_text(rows)
