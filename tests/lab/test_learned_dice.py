"""What teaches `learned` of Lama Dice: decisions of games, and slopes of the error."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from lab.learned_dice.fit import RULES, Lesson, Table
from lab.learned_dice.net import UNIT, Decisions, teach
from lab.nets import Report, begun, taught
from lama_odds.games.dice.engine.trained import NOTHING, ROWS, SHAPES, Net
from lama_odds.games.dice.game import GAME
from tests.lab.slopes import check_slopes
from tools.publishing.target import Making


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Table:
    folder: Path = tmp_path_factory.mktemp("learned-dice")
    options = {"scores": 300, "rounds": 2, "seed": 5}
    return Table(Making("learned-dice", folder, options, folder, ""), GAME.rules(RULES), 3)


@pytest.fixture(scope="module")
def lesson(table: Table) -> Lesson:
    return table.lesson(None, 7, (400, 400))


@pytest.mark.long
def test_decisions_are_the_same_each_time_and_differ_in_what_is_chosen(
    table: Table, lesson: Lesson
) -> None:
    again = table.lesson(None, 7, (400, 400))
    for seen, same in zip(lesson, again, strict=True):
        assert all(np.array_equal(a, b) for a, b in zip(seen, same, strict=True))
        assert np.abs(seen.worths).max() <= UNIT
        assert np.any(seen.worths)
        assert seen.rows.min() >= 0
        assert seen.rows.max() < ROWS
    rolling, choosing = lesson
    assert rolling.worths.mean() > 0  # with many cards it is better to roll
    assert abs(choosing.worths.mean()) < 0.5  # two choices in any order
    one, other = choosing.rows[:, 0], choosing.rows[:, 1]
    assert (one != other).any(axis=1).all()


@pytest.mark.long
@pytest.mark.parametrize("kind", [0, 1])
def test_slopes_are_those_of_the_error(lesson: Lesson, kind: int) -> None:
    """Of any decision: the error changes with a weight as the slope says."""
    check_slopes(Net(*begun(np.random.default_rng(1), SHAPES[:4])), lesson[kind], teach)


@pytest.mark.long
@pytest.mark.parametrize("kind", [0, 1])
def test_it_learns_what_it_is_shown(lesson: Lesson, kind: int) -> None:
    seen = lesson[kind]
    assert (seen.rows == NOTHING).any()
    many = Decisions(*(np.concatenate([part[:397]] * 30) for part in seen))
    told: list[Report] = []
    net = Net(*begun(np.random.default_rng(1), SHAPES[:4]))
    taught(net, many, teach, 100, 5e-3, np.random.default_rng(2), told.append)
    assert told[-1].explained > 0.6
