"""The report section on playing to win: its numbers are those of `advise` and the table."""

from __future__ import annotations

import pytest

from lama_odds.analysis.advice.advise import advise
from lama_odds.analysis.equity import best_play_equities
from lama_odds.analysis.strategy_report.by_game.dice.playing_to_win import (
    CARDS,
    STARTING,
    STEPS,
    playing_to_win_section,
    values_of_points,
)
from lama_odds.analysis.strategy_report.document import Section, from_plain, to_plain
from lama_odds.analysis.strategy_report.report import Ask, Budget
from lama_odds.games.interface.match_equity import best_play
from lama_odds.games.registry import game_of

RULES = "dice/amigo"


def ask(rules: str = RULES, players: int = 2) -> Ask:
    game = game_of(rules)
    return Ask(game, game.rules(rules), players, Budget(0.25), threads=1)


@pytest.fixture(scope="module")
def section() -> Section:
    found = playing_to_win_section(ask())
    assert found is not None
    return found


def test_there_is_none_without_a_table() -> None:
    assert playing_to_win_section(ask(players=3)) is None
    assert playing_to_win_section(ask("dice/amigo+target=30")) is None


@pytest.mark.parametrize("scores", [(0, 0), (5, 25), (35, 30)])
def test_a_field_of_the_map_is_what_advise_says(section: Section, scores: tuple[int, int]) -> None:
    asked = ask()
    position = asked.game.position(asked.rules, f"{CARDS} scores={scores[0]},{scores[1]} first=0")
    found = advise(asked.game, asked.rules, position, objective="win", brief=True)
    rows = {row[:2]: row[2:] for row in section.tables[0].rows}
    better, by = rows[scores]
    assert better == found.best
    regret = found.actions[1].regret
    assert (by.value, by.low, by.high) == pytest.approx((regret.value, regret.low, regret.high))


def test_values_of_points_are_those_of_the_table() -> None:
    found = best_play_equities(ask().rules)
    table = best_play(RULES)
    assert table is not None
    values = table.values
    worth = {name: dict(points) for name, points in values_of_points(found).items()}
    assert worth[STARTING][12].value == pytest.approx(values[12, 12] - 0.5)

    def either(mine: int, other: int) -> float:
        """The chance to win if a coin says who starts."""
        return (values[mine, other] + 1 - values[other, mine]) / 2 if mine < 40 else 0.0

    for name, (before, after) in STEPS.items():
        for score in (10, 27, 35):
            expected = either(score + after, score) - either(score + before, score)
            assert worth[name][score].value == pytest.approx(expected)
    assert worth["no llama card"][30].value == pytest.approx(0.5)


def test_the_sentences_say_what_the_map_shows(section: Section) -> None:
    rows = {row[:2]: row for row in section.tables[0].rows}
    assert len(rows) == 64
    for mine in (0, 10, 20, 30):
        rolls = [other for other in range(0, 40, 5) if rows[mine, other][2] == "roll"]
        if rolls == list(range(0, rolls[-1] + 5, 5)) and len(rolls) < 8:
            assert f"up to {rolls[-1]} with {mine} points" in section.headlines[0]
    costs = [row[3].value for row in rows.values() if row[2] == "roll"]
    assert f"wins up to {100 * max(costs):.1f}" in section.headlines[1]


def test_it_reads_back(section: Section) -> None:
    assert from_plain(to_plain(section)) == section
