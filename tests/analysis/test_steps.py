"""Steps of a sweep from one value to the next: exact, and fast for many values."""

from __future__ import annotations

import pytest

import lama_odds as lo
from lama_odds.analysis.sweep.grid import Grid, grid_of, read_axes
from lama_odds.analysis.sweep.trends import fits_of
from lama_odds.games.registry import game_of
from lama_odds.report.text.sweep.answer import findings, shown_measures
from lama_odds.statistics.contrasts import Contrast, coefficient


def grid(*vary: str, players: int = 2) -> Grid:
    game = game_of("lama/amigo")
    return grid_of(game, game.rules("lama/amigo"), read_axes(game, vary), players)


def solved(of: Grid, axis: int) -> list[Contrast | None]:
    """Each step as the coefficient of a column, the others' values having levels of their own."""
    numbers = [len(each.values) for each in of.axes]
    columns = [[int(cell.at[axis] >= at) for cell in of.cells] for at in range(1, numbers[axis])]
    columns.append([1] * len(of.cells))
    for other in range(len(of.axes)):
        there = sorted({cell.at[other] for cell in of.cells})[1:] if other != axis else []
        columns += [[int(cell.at[other] == at) for cell in of.cells] for at in there]
    return [coefficient(columns, at) for at in range(numbers[axis] - 1)]


@pytest.mark.parametrize(
    ("vary", "players"),
    [
        (("target=10,20,40,70",), 2),
        (("target=10..13", "dealt=4..6", "twenty"), 2),
        (("dealt=7..10", "target=20,30,40"), 5),
        (("target=10,20,30", "twenty", "pink=20,30"), 2),  # pink=30 needs twenty
    ],
)
def test_steps_are_coefficients_of_the_fit(vary: tuple[str, ...], players: int) -> None:
    found = grid(*vary, players=players)
    for fit in fits_of(found):
        if len(fit.axis.values) > 2:
            steps = [step for _, step in fit.steps]
            assert steps == solved(found, found.axes.index(fit.axis))


def test_a_hundred_values_take_no_time() -> None:
    (fit,) = fits_of(grid("target=10..109"))
    assert len(fit.steps) == 99
    assert fit.steps[7][1].weights[6:10] == (0, -1, 1, 0)


def test_there_are_no_steps_to_a_value_that_cannot_be_played() -> None:
    found = grid("dealt=8,9,10", players=6)
    assert len(found.left_out) == 1
    (fit,) = fits_of(found)
    assert fit.steps == ()


def test_values_without_an_order_are_told_apart() -> None:
    vary = {"out_token": ["always", "llama", "never"]}
    found = lo.sweep("lama/amigo", vary, 4, policy="threshold:5", games=4_000).found
    (line,) = findings(found)
    assert line.startswith(
        "▶ The values of out_token differ in spread, points (25.9 to 31.8), rounds"
    )
    # What stays the same is not shown, however early it comes in the usual order.
    names = [measure.name for measure in shown_measures(found, 4)]
    assert names == ["spread", "rounds", "length", "shared"]
    both = lo.sweep("lama/amigo", {**vary, "twenty": [False, True]}, 4, policy="random", games=200)
    assert findings(both.found)[0] == "  The values of out_token have no order: no trend."
