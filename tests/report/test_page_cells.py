"""Cells of a page: what they show, and what they are sorted by."""

from __future__ import annotations

import pytest

from lama_odds.analysis.strategy_report.document import Cell, Column
from lama_odds.core.estimate import Estimate
from lama_odds.report.pages.page_tables import Shown, shown_cell

SAMPLED = Estimate(1 / 3, 0.01, 0.31, 0.35, 900, "simulation")


@pytest.mark.parametrize(
    ("kind", "cell", "shown"),
    [
        ("number", None, Shown("–")),
        ("number", 12, Shown("12")),
        ("number", 3.0, Shown("3")),
        ("number", 0.123456789, Shown("0.1235", "0.123457")),
        ("share", 0.5, Shown("50.00 %", "0.5")),
        ("number", SAMPLED, Shown("0.33 ± 0.02", "0.333333")),
        ("share", SAMPLED, Shown("33.3 ± 2.0 %", "0.333333")),
        ("text", "6L1", Shown("6L1")),
    ],
)
def test_a_cell_shows_its_value_and_keeps_what_rounding_hides(
    kind: str, cell: Cell, shown: Shown
) -> None:
    assert shown_cell(Column("x", kind), cell) == shown
