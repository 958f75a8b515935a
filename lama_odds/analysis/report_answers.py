"""The figure of a single answer: of odds and of thresholds, the same as in reports."""

from __future__ import annotations

from lama_odds.analysis.odds import Odds
from lama_odds.analysis.report import Dots, Figure, dot_of
from lama_odds.analysis.report_rounds import by_penalty
from lama_odds.analysis.report_turns import reach_curves, stop_map
from lama_odds.analysis.thresholds import Thresholds
from lama_odds.core.errors import LimitError


def figure_of_thresholds(found: Thresholds) -> Figure:
    """Quit or go on by penalty; for games that are solved, the map of it."""
    if found.rows:
        return by_penalty(found)
    for table in found.tables:
        if table.name == "stop_or_roll":
            return stop_map(table)
    raise LimitError("there is nothing to draw: no decision was met often enough")


def figure_of_odds(found: Odds) -> Figure:
    """Chances by total where they stand apart; else all chances, beside their names."""
    if "reach" in found.groups:
        return reach_curves(found.groups)
    chances = {n: e for n, e in found.events.items() if not n.startswith("mean ")}
    if not chances:
        raise LimitError("there is nothing to draw: nothing here is left to chance")
    return Dots(
        "odds",
        f"{found.rules}: {found.position or 'deal'}",
        "Chances: " + ", ".join(f"{n} {100 * e.value:.1f} %" for n, e in chances.items()) + ".",
        "chance (exact)",
        tuple(dot_of(name, chance) for name, chance in chances.items()),
        share=True,
    )
