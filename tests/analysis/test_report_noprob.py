"""No Prob-Lama's sections on cards drawn and lines, and cells of studies taken together."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from lama_odds.analysis.strategy_report.by_game import noprob
from lama_odds.analysis.strategy_report.by_game.noprob import NO_GROUP, pooled_job
from lama_odds.analysis.strategy_report.document import SAMPLED, Ask, Budget, HeatMap
from lama_odds.core.estimate import Estimate
from lama_odds.games.interface.objectives import ThresholdTable
from lama_odds.games.interface.tally_layout import (
    DIFFERENCE,
    DIFFERENCE_FORKS,
    DIFFERENCE_SQUARED,
    FIRST,
    FIRST_FORKS,
    FIRST_SQUARED,
    FORKS,
    FORKS_SQUARED,
    PER_OBJECTIVE,
    SECOND_SQUARED,
)
from lama_odds.games.noprob.game import GAME
from lama_odds.games.noprob.jobs import tables_beside
from lama_odds.simulation.run import BLOCK, run

pytestmark = pytest.mark.long  # pages and sections are made once a module
RULES = GAME.rules("noprob/starnberger")
POINTS = dict(zip(RULES.names, RULES.points, strict=True))
COARSE = Budget(2.0)


def ask_of(players: int = 2, rules: Any = RULES) -> Ask:
    return Ask(GAME, rules, players, COARSE, 0, 1)


# Kinds of places


def test_kinds_of_places() -> None:
    for card, replaces, place in (
        ("7", "face down", "face down"),
        ("7", "completes a line", "completes a line"),
        ("7", "10", "saves some"),
        ("7", "(9)", "saves little"),
        ("4", "10", "saves much"),
        ("7", "7", "equal"),
        ("3", "(D)", "equal"),
        ("7", "(3)", "cheaper"),
        ("7", "(K)", "negative"),
        ("-2", "-5", "negative"),
        ("J", "-2", "negative"),
        ("J", "(J)", "joker"),
        ("-5", "-2", "saves some"),
    ):
        assert noprob.place_of(POINTS[card], replaces, POINTS) == place, (card, replaces)


def test_every_replacement_has_one_kind_of_place() -> None:
    studied = tables_beside(RULES, [GAME.best_policy(RULES, 3)] * 3)
    beside = noprob.with_places(studied, RULES)
    by_name = {table.name: table for table in beside.tables}
    groups, replacements = beside.job.tables[1], by_name["replacements"].keys
    assert (groups[:, by_name["gifts"].first :] == NO_GROUP).all()
    for at, keys in enumerate(replacements):
        mine = by_name["places_by_card"].keys[groups[0, at]]
        everyones = by_name["places"].keys[groups[1, at] - len(by_name["places_by_card"].keys)]
        assert mine["card"] == keys["card"]
        assert mine["on"] == everyones["on"]
    assert by_name["places"].first + len(by_name["places"].keys) == beside.job.shape[0]


# Cells taken together


@pytest.fixture(scope="module")
def studied() -> Any:
    return tables_beside(RULES, [GAME.policy("greedy")] * 2).job


def test_pooled_cells_are_sums_over_blocks(studied: Any) -> None:
    cells = studied.shape[0]
    groups = np.full((2, cells), NO_GROUP, dtype=np.int64)
    groups[0] = np.arange(cells) % 3
    groups[1, : cells // 2] = 3
    job = pooled_job(studied, groups)
    assert job.shape == (cells + 4, studied.shape[1])
    tally = run(job, 7, 48, threads=2, chunk=16).tally
    direct = run(studied, 7, 48, threads=1).tally
    assert (tally[:cells] == direct).all()
    expected = np.zeros((4, studied.shape[1]), dtype=np.int64)
    for start in range(0, 48, BLOCK):
        block = run(studied, 7, BLOCK, first=start, threads=1).tally
        for group in range(4):
            here = (groups == group).any(axis=0)
            n = int(block[here, FORKS].sum())
            expected[group, [FORKS, FORKS_SQUARED]] += [n, n * n]
            for at in (0, PER_OBJECTIVE):
                f, d = (int(block[here, column + at].sum()) for column in (FIRST, DIFFERENCE))
                expected[group, FIRST + at] += f
                expected[group, FIRST_SQUARED + at] += f * f
                expected[group, FIRST_FORKS + at] += f * n
                expected[group, DIFFERENCE + at] += d
                expected[group, DIFFERENCE_SQUARED + at] += d * d
                expected[group, DIFFERENCE_FORKS + at] += d * n
                expected[group, SECOND_SQUARED + at] += (f + d) ** 2
    assert (tally[cells:] == expected).all()
    assert expected[:, FORKS].min() > 20
    assert (run(job, 7, 48, threads=1, chunk=48).tally == tally).all()


# The sections


def test_cards_drawn() -> None:
    drawn = noprob.drawn_section(ask_of())
    assert drawn is not None
    assert drawn.method == SAMPLED
    assert drawn.games % BLOCK == 0

    places, _ = drawn.figures  # with two players there is nobody else to give a special to
    points, chances = (part.dots for part in places.parts)
    assert [dot.value for dot in points] == sorted(dot.value for dot in points)
    assert [dot.label for dot in points] == [dot.label for dot in chances]
    (places_table,) = (table for table in drawn.tables if table.name == "places")
    broken = {row[0]: row for row in places_table.rows}["a line is broken"]
    assert broken[1] == broken[2].n
    assert min(broken[2].low, broken[3].low) > 0  # nobody should
    won = {dot.label: dot.value for dot in chances}["a line is broken"]
    assert won == pytest.approx(100 * broken[3].value)
    assert not any("Drama" in line for line in drawn.headlines)


def estimate(value: float, half: float) -> Estimate:
    return Estimate(value, half / 2, value - half, value + half, 500, "simulation")


def test_only_what_is_clear_is_written_into_the_map() -> None:
    rows = tuple(
        {"card": card, "on": on, "n": 500, "points": estimate(value, half)}
        for card, on, value, half in (
            ("3", "a card face down", -1.0, 0.4),
            ("10", "a card face down", 0.5, 0.6),
            ("-2", "a line is broken", 2.0, 0.4),
            ("J", "a line is broken", 3.0, 0.4),
        )
    )
    found = noprob.place_map(ThresholdTable("places_by_card", "t", rows), RULES.names)
    assert isinstance(found, HeatMap)
    assert found.y_names == ("joker", "−2", "3", "10")
    assert found.texts == (("", "+3.0"), ("", "+2.0"), ("−1.0", ""), ("", ""))
    assert [line[0] for line in found.values] == [None, None, -1.0, 0.5]


def test_lines_are_worth_what_the_rules_say() -> None:
    section = noprob.lines_section(ask_of())
    assert section is not None
    (table,) = section.tables
    assert [row[0] for row in table.rows] == [str(n) for n in range(3, 11)]
    name, loose, line, saved, third = table.rows[-1]
    assert (name, loose, line, saved) == ("10", 30, -10, 40)
    assert third.value == pytest.approx((14 - 2 + 5) / 154)
    fewer = noprob.lines_section(
        ask_of(rules=GAME.rules("noprob/starnberger+copies=10+jokers=2+low=5"))
    )
    assert fewer is not None
    assert noprob.lines_section(ask_of(rules=GAME.rules("noprob/starnberger+copies=1"))) is None
    assert fewer.tables[0].rows[0][:4] == ("5", 15, -5, 20)
    assert fewer.tables[0].rows[0][4].value == pytest.approx((10 - 2 + 2) / (156 - 32 - 3 - 2))
