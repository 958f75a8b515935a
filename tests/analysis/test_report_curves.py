"""Curves of a report: which rows they show, and how far."""

from __future__ import annotations

import pytest

from lama_odds.analysis.strategy_report.document import Curves
from lama_odds.analysis.strategy_report.sections.answers import figure_of_thresholds
from lama_odds.analysis.strategy_report.sections.rounds import PAST, by_others
from lama_odds.analysis.thresholds.answer import Row, Thresholds
from lama_odds.core.errors import LimitError
from lama_odds.core.estimate import Estimate
from lama_odds.games.interface.jobs import Scale
from lama_odds.report.figures.draw import draw

ACTIONS = ("quit", "draw")


def row_of(penalty: int, points: float, margin: float, others: int | None) -> Row:
    values = {
        name: (
            Estimate(0.0),
            Estimate(value),
            Estimate(value, 0.1, value - 0.2, value + 0.2, 900, "simulation"),
        )
        for name, value in (("points", points), ("margin", margin))
    }
    return Row({"penalty": penalty, "others": others}, 0.1, 900, values)


def answer_of(rows: list[Row]) -> Thresholds:
    made = ("points", "margin"), tuple(rows), (), 5000, 0, 1.0
    return Thresholds("lama/egmont", 4, "best", ACTIONS, "here", Scale(), *made)


def rows_of(turns: dict[int, tuple[int, int]], first: int = 1) -> list[Row]:
    """Penalties up to 20; turns: by others still in, the last to quit with for points, margin."""
    return [
        row_of(penalty, points + 0.5 - penalty, margin + 0.5 - penalty, others)
        for others, (points, margin) in turns.items()
        for penalty in range(first, 21)
    ]


def test_a_curve_for_each_number_of_players_left() -> None:
    found = by_others(answer_of(rows_of({1: (6, 8), 2: (5, 5), 3: (4, 4)})))
    assert [part.title for part in found.parts] == ["points", "vs. others"]
    for part in found.parts:
        assert isinstance(part, Curves)
        assert [line.label for line in part.lines] == ["1 other in", "2 others in", "3 others in"]
        assert part.lines[0].x == tuple(range(1, 8 + PAST + 1))
    points = found.parts[0].lines[1]
    assert points.y[4:6] == pytest.approx((0.5, -0.5))
    assert points.low[0] == pytest.approx(points.y[0] - 0.2)
    assert "1 other in, vs. others: quit up to 8" in found.alt
    assert b"<svg" in draw(found, "svg")


def test_curves_where_going_on_is_always_better_show_their_start() -> None:
    found = by_others(answer_of(rows_of({1: (-3, -3), 2: (-3, -3)}, first=9)))
    assert found.parts[0].lines[0].x == tuple(range(9, 9 + PAST + 1))
    assert b"<svg" in draw(found, "svg")


def test_nothing_to_draw_is_said() -> None:
    with pytest.raises(LimitError, match="nothing to draw"):
        figure_of_thresholds(answer_of([]))
