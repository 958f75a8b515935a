"""A sweep as a CSV file: a line for each variant and measure."""

from __future__ import annotations

from lama_odds.analysis.sweep.answer import Sweep
from lama_odds.report.text.csv_text import csv_text

HEAD = ("players", "seed", "games", "policy", "rules")
FIELDS = ("value", "stderr", "low", "high")


def sweep_csv(found: Sweep) -> str:
    """All variants; wish and verdict are those for the measure, several with ``;`` between."""
    options = [axis.option for axis in found.axes]
    rows: list[list[object]] = [[*HEAD, *options, "measure", "unit", *FIELDS, "wish", "verdict"]]
    for variant in found.variants:
        begun = [found.players, found.seed, found.games, variant.policy, variant.rules]
        for measure in found.measures:
            value = variant.measures[measure.name]
            own = [w for w in found.wishes if w.wish and w.wish.measure == measure.name]
            rows.append(
                [
                    *begun,
                    *(str(variant.values[option]) for option in options),
                    *(measure.name, measure.unit),
                    *(getattr(value, field) for field in FIELDS),
                    "; ".join(each.wish.text for each in own if each.wish),
                    "; ".join(each.verdict(variant.rules) for each in own),
                ]
            )
    return csv_text(rows)
