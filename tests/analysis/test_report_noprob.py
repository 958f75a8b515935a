"""No Prob-Lama's sections on cards drawn and lines, and cells of studies taken together."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from lama_odds.analysis.strategy_report import plan as report_plan
from lama_odds.analysis.strategy_report.by_game import noprob
from lama_odds.analysis.strategy_report.by_game.noprob import NO_GROUP, pooled_job
from lama_odds.analysis.strategy_report.document import SAMPLED, Ask, Beside, Budget, HeatMap
from lama_odds.analysis.strategy_report.sections import variants
from lama_odds.analysis.thresholds import thresholds
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
from lama_odds.report.figures.draw import draw
from lama_odds.simulation.run import BLOCK, run

pytestmark = pytest.mark.long  # pages and sections are made once a module

RULES = GAME.rules("noprob/starnberger")
POINTS = dict(zip(RULES.names, RULES.points, strict=True))
COARSE = Budget(2.0)
FINE = Budget(1.0)


def ask_of(players: int = 2, rules: Any = RULES, threads: int = 1) -> Ask:
    return Ask(GAME, rules, players, COARSE, 0, threads)


# Kinds of places


@pytest.mark.parametrize(
    ("card", "replaces", "place"),
    [
        ("7", "face down", "face down"),
        ("7", "completes a line", "completes a line"),
        ("7", "10", "saves some"),
        ("7", "8", "saves little"),
        ("7", "(9)", "saves little"),
        ("4", "10", "saves much"),
        ("4", "9", "saves some"),
        ("7", "7", "equal"),
        ("7", "(3)", "cheaper"),
        ("7", "(K)", "negative"),
        ("7", "J", "joker"),
        ("J", "(J)", "joker"),
        ("J", "-2", "negative"),
        ("J", "6", "saves much"),
        ("-5", "-2", "saves some"),
        ("-2", "-5", "negative"),
        ("-2", "(D)", "saves some"),
        ("3", "(D)", "equal"),
    ],
)
def test_kinds_of_places(card: str, replaces: str, place: str) -> None:
    assert noprob.place_of(POINTS[card], replaces, POINTS) == place


def test_every_replacement_has_one_kind_of_place() -> None:
    studied = tables_beside(RULES, [GAME.best_policy(RULES, 3)] * 3)
    beside = noprob.with_places(studied, RULES)
    by_name = {table.name: table for table in beside.tables}
    assert by_name.keys() == {"places", "places_by_card", "replacements", "gifts"}
    cells, (levels, of_job) = studied.job.shape[0], beside.job.tables[1].shape
    assert (levels, of_job) == (2, cells)
    groups = beside.job.tables[1]
    count = len(by_name["replacements"].keys)
    assert (groups[:, :count] >= 0).all()
    assert (groups[:, by_name["gifts"].first :] == NO_GROUP).all()
    for at, keys in enumerate(by_name["replacements"].keys):
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


def test_parts_of_blocks_are_refused(studied: Any) -> None:
    job = pooled_job(studied, np.zeros((1, studied.shape[0]), dtype=np.int64))
    with pytest.raises(ValueError, match="not whole blocks"):
        job.play(0, 0, BLOCK - 1)


# The sections


@pytest.fixture(scope="module")
def drawn() -> Any:
    return noprob.drawn_section(ask_of())


def test_cards_drawn(drawn: Any) -> None:
    assert drawn.method == SAMPLED
    assert drawn.games % BLOCK == 0
    assert drawn.games >= noprob.FEWEST_ROUNDS // BLOCK * BLOCK
    tables = {table.name: table for table in drawn.tables}
    assert {"places", "gifts"} <= tables.keys()
    rows = {row[0]: row for row in tables["places"].rows}
    broken, n = rows["a line is broken"][2], rows["a line is broken"][1]
    assert broken.low > 0  # nobody should
    assert n == broken.n
    dots = drawn.figures[0]
    assert isinstance(dots, Beside)
    values = [dot.value for dot in dots.parts[0].dots]
    assert values == sorted(values)
    assert [d.label for d in dots.parts[1].dots] == [d.label for d in dots.parts[0].dots]
    for figure in drawn.figures:
        assert draw(figure, "svg").count(b"<svg") == 1
        assert len(figure.alt) > 40
    assert any(
        line.endswith(" percentage points of winning the round.") for line in drawn.headlines
    )
    # Costs are positive everywhere: also of the chance to win the round.
    chances = {dot.label: dot.value for dot in dots.parts[1].dots}
    cost = rows["a line is broken"][3]
    assert chances["a line is broken"] == pytest.approx(100 * cost.value)
    assert cost.low > 0
    # With two players there is nobody else to give a special to.
    assert [figure.name for figure in drawn.figures] == ["places", "places_by_card"]
    assert not any("Drama" in line for line in drawn.headlines)


def test_the_same_on_any_number_of_threads(drawn: Any) -> None:
    assert noprob.drawn_section(ask_of(threads=2)) == drawn


@pytest.mark.long
def test_whom_to_give_a_special_is_asked_of_three() -> None:
    section = noprob.drawn_section(Ask(GAME, RULES, 3, FINE, 0, 2))
    assert section is not None
    (gifts,) = (figure for figure in section.figures if figure.name == "gifts")
    assert isinstance(gifts, Beside)
    assert [part.title for part in gifts.parts] == [
        "What giving a Drama costs you",
        "What giving a Karma costs you",
    ]
    drama, karma = gifts.parts
    assert [dot.label for dot in drama.dots] == [
        *("lowest total", "highest total"),
        *("next in turn", "2nd in turn"),
    ]
    assert [dot.label for dot in karma.dots] == [dot.label for dot in drama.dots]
    assert drama.dots[0].value < karma.dots[0].value


def estimate(value: float, half: float) -> Estimate:
    return Estimate(value, half / 2, value - half, value + half, 500, "simulation")


def test_only_what_is_clear_is_written_into_the_map() -> None:
    rows = (
        {"card": "3", "on": "a card face down", "n": 500, "points": estimate(-1.0, 0.4)},
        {"card": "10", "on": "a card face down", "n": 500, "points": estimate(0.5, 0.6)},
        {"card": "-2", "on": "a line is broken", "n": 500, "points": estimate(2.0, 0.4)},
        {"card": "J", "on": "a line is broken", "n": 500, "points": estimate(3.0, 0.4)},
    )
    found = noprob.place_map(ThresholdTable("places_by_card", "t", rows), RULES.names)
    assert isinstance(found, HeatMap)
    assert found.y_names == ("joker", "−2", "3", "10")
    assert found.x_names == ("a card face down", "a line is broken")
    assert found.texts == (("", "+3.0"), ("", "+2.0"), ("−1.0", ""), ("", ""))
    assert [line[0] for line in found.values[2:]] == [-1.0, 0.5]
    assert found.values[0][0] is None
    assert not found.border
    assert "3 of 4 fields" in found.alt


def test_what_a_gift_elsewhere_costs_is_said() -> None:
    policy = "whom the policy gives it"
    rows = tuple(
        {"card": "D", "to": to, "against": against, "n": 500, "margin": estimate(value, 0.2)}
        for to, against, value in (
            ("lowest total", "nobody", -0.9),
            ("lowest total", policy, 0.0),
            ("highest total", "nobody", -0.5),
            ("highest total", policy, 0.4),
            ("next in turn", policy, 0.2),
        )
    )
    (said,) = noprob.gifts_said(ThresholdTable("gifts", "t", rows))
    assert said == (
        "Giving a Drama to the player with the lowest total of the others saves you 0.9 ± 0.2 "
        "points vs. others. Giving it to the player with the highest total instead costs you "
        "0.4 ± 0.2 points more."
    )


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
    assert fewer.tables[0].rows[0][:4] == ("5", 15, -5, 20)
    assert fewer.tables[0].rows[0][4].value == pytest.approx((10 - 2 + 2) / (156 - 32 - 3 - 2))


def test_without_pairs_there_is_no_section_of_lines() -> None:
    rules = GAME.rules("noprob/starnberger+copies=1")
    assert noprob.lines_section(ask_of(rules=rules)) is None


def test_the_page_has_these_sections_and_both_ends_of_a_game() -> None:
    ask = ask_of()
    names = [plan.name for plan in report_plan.planned(ask)]
    assert {"thresholds", "drawn", "lines", "variants"} < set(names)
    assert [rules.id for rules in variants.variants_of(ask)] == [
        "noprob/starnberger",
        "noprob/starnberger+four_rounds",
        "noprob/starnberger+any_tie",
    ]
    ended = variants.variants_of(ask_of(rules=GAME.rules("noprob/starnberger+four_rounds")))
    assert [rules.id for rules in ended] == ["noprob/starnberger+four_rounds"]


def test_the_section_of_thresholds_plays_no_tables_beside(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: Any) -> Any:
        raise AssertionError("played")

    monkeypatch.setattr("lama_odds.analysis.thresholds.thresholds.tables_beside", never)
    monkeypatch.setattr(thresholds, "PILOT_GAMES", 400)
    found = thresholds.thresholds(GAME, RULES, 2, games=2_000, beside=False)
    assert found.tables == ()
    with pytest.raises(AssertionError, match="played"):
        thresholds.thresholds(GAME, RULES, 2, games=2_000)
