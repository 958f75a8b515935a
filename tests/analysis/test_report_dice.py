"""The dice sections of a report: what they say is what the solvers say, one by one."""

from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lama_odds.analysis.advice.advise import advise
from lama_odds.analysis.equity import best_play_equities
from lama_odds.analysis.strategy_report.by_game.dice import dice, discards, pairings
from lama_odds.analysis.strategy_report.by_game.dice.dice import OTHERS, solved
from lama_odds.analysis.strategy_report.by_game.dice.pairings import Rounds, compare_pairings
from lama_odds.analysis.strategy_report.by_game.dice.playing_to_win import (
    CARDS,
    STARTING,
    STEPS,
    playing_to_win_section,
    values_of_points,
)
from lama_odds.analysis.strategy_report.document import (
    Ask,
    Budget,
    HeatMap,
    Section,
    Table,
    from_plain,
    to_plain,
)
from lama_odds.games.dice.game import GAME
from lama_odds.games.dice.rules.position import Opponent, Position
from lama_odds.games.dice.rules.ruleset import DEFAULT_FACES, DiceRules
from lama_odds.games.dice.rules.transition import FULL_ROW, KINDS, LLAMA
from lama_odds.games.dice.solvers.choices import last_discards, pair_takes
from lama_odds.games.interface.match_equity import best_play
from lama_odds.games.shared.card_values import hands_of

REPORTS = Path(__file__).resolve().parents[2] / "reports"

EXACT_SECTIONS: dict[str, Callable[[Ask], Section | None]] = {
    "two_players": dice.two_players_section,
    "blow": dice.blow_section,
    "discard": discards.discard_section,
    "take": discards.take_section,
}


def ask_of(rules: str = "dice/amigo", threads: int = 2) -> Ask:
    return Ask(GAME, GAME.rules(rules), 2, Budget(2.0), 0, threads)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def sections() -> dict[str, Section]:
    found = {name: make(ask_of()) for name, make in EXACT_SECTIONS.items()}
    return {name: section for name, section in found.items() if section}


def values_of(position: Position, objective: str) -> dict[str, float]:
    """Values of the actions, solved on their own."""
    solution = GAME.solve(ask_of().rules, position, objective, 1)
    assert solution is not None
    return {a.action: a.values[objective].value for a in solution.actions}


def one_each(cards: str) -> tuple[int, ...]:
    return tuple(int(name in cards) for name in "123456L")


def figure_of(section: Section, name: str) -> Any:
    return next(figure for figure in section.figures if figure.name == name)


def cell_of(figure: HeatMap, x: str, y: str) -> tuple[float | None, str]:
    row, column = figure.y_names.index(y), figure.x_names.index(x)
    return figure.values[row][column], figure.texts[row][column]


def table_of(section: Section, name: str) -> Table:
    return next(table for table in section.tables if table.name == name)


@pytest.mark.long
def test_the_map_of_others_holds_means_of_single_solutions(sections: dict[str, Section]) -> None:
    figure = figure_of(sections["two_players"], "two_players_others")
    saved = []
    for mine in ("4", "13"):  # all hands of four points
        for other in "123456":
            values = values_of(
                Position(one_each(mine), FULL_ROW, (Opponent(one_each(other)),)), "margin"
            )
            saved.append(values["roll"] - values["quit"])
    value, text = cell_of(figure, "1", "4")
    assert value == pytest.approx(sum(saved) / len(saved), abs=1e-9)
    assert text == f"{100 * sum(x > 0 for x in saved) / len(saved):.0f}"


@pytest.mark.long
def test_the_map_of_rows_quits_up_to_what_it_says(sections: dict[str, Section]) -> None:
    gain = solved(ask_of()).gain
    figure = figure_of(sections["two_players"], "two_players_rows")
    penalties = ask_of().rules.penalties
    against = [sum(1 << k for k in hand) for hand in combinations(range(KINDS), OTHERS)]
    for low, high in (("123", "456L"), ("none", "L"), ("12", "4")):
        row = sum(1 << "123456L".index(card) for card in (low + high).replace("none", ""))
        quits = [
            points
            for points in range(1, 32)
            if (hands := np.flatnonzero(penalties == points)).size
            and gain[row][np.ix_(against, hands)].mean() > 0
        ]
        assert cell_of(figure, low, high)[1] == (str(max(quits)) if quits else "–")


@pytest.mark.long
def test_a_blow_is_what_the_odds_say(sections: dict[str, Section]) -> None:
    figure = figure_of(sections["blow"], "blow")
    assert cell_of(figure, "none", "L")[0] == pytest.approx((4 / 6) ** 3)
    assert cell_of(figure, "123", "456L") == (0.0, "–")
    rules = ask_of().rules
    together = GAME.odds(rules, GAME.position(rules, "hand=25 row=36L opp=134LLL"))["blown"]
    assert cell_of(figure, "23", "56L")[0] == together.value
    alone = GAME.odds(rules, GAME.position(rules, "hand=136 opp=q4"))["blown"]
    assert cell_of(figure, "13", "6")[0] == alone.value
    assert len(table_of(sections["blow"], "blow").rows) == FULL_ROW


def alone_again(rules: DiceRules, cards: int) -> tuple[float, float, float]:
    """For the last player, where discarding all leaves a lone llama: as `Discards.left` has it."""
    hands = hands_of(rules.dealt_from, cards)
    dealt = sum(ways for _, ways in hands)
    found = np.zeros(3)
    for hand, ways in hands:
        if max(hand) > 2 or not hand[LLAMA]:
            continue
        here = Position(hand, FULL_ROW, (Opponent(None, True, 0),))
        values = values_of(here, "points")
        if values["quit"] <= values["roll"] + 1e-9:
            continue
        for rolled, outcomes in rules.sorted_rolls.items():
            gone = [min(hand[k], rolled.count(k)) for k in range(KINDS)]
            left = [held - less for held, less in zip(hand, gone, strict=True)]
            if sum(gone) < 2 or sum(left[:LLAMA]) or not left[LLAMA] or rolled == (LLAMA,) * 3:
                continue
            options = values_of(replace(here, rolled=rolled), "points")
            lost = list(options.values())[-1] - min(options.values())
            weight = ways * outcomes / dealt
            found += weight * np.array([1, lost > 1e-9, max(lost, 0)])
    return tuple(found)


@pytest.mark.long
def test_keeping_a_card_back_alone_is_counted_like_single_solutions() -> None:
    rules = ask_of().rules
    cards = 3
    found = last_discards(rules).left[:, 1, 0, cards]
    assert found == pytest.approx(alone_again(rules, cards), abs=1e-6)


@pytest.mark.long
def test_taking_is_worth_what_single_solutions_say() -> None:
    rules, others, first, second = ask_of().rules, 1, LLAMA, 1
    found = pair_takes(rules, solved(ask_of()), others)
    saved = []
    for mine in "13456":
        for other in "123456L":
            position = Position(one_each(mine), FULL_ROW, (Opponent(one_each(other)),))
            values = values_of(position, "margin")
            if values["roll"] < values["quit"] - 1e-9:
                rolled = values_of(replace(position, rolled=(1, 1, 6)), "margin")
                saved.append(rolled["take 2"] - rolled["take L"])
    assert found.gain[first, second, 1] == pytest.approx(np.mean(saved), abs=1e-9)
    assert found.right[first, second, 1] == pytest.approx(np.mean(np.array(saved) > 1e-9))
    assert found.gain[second, first, 1] == pytest.approx(-found.gain[first, second, 1])


@pytest.mark.long
def test_what_cannot_be_asked_is_left_out() -> None:
    ask = ask_of("dice/amigo+faces=12LL")
    made = {name: EXACT_SECTIONS[name](ask) for name in ("discard", "take", "blow")}
    assert (made["discard"], made["take"]) == (None, None)
    assert made["blow"] is not None
    assert pairings.pairings_section(ask) is None
    assert pairings.pairings_section(ask_of("dice/amigo+dealt=3")) is None
    assert playing_to_win_section(replace(ask_of(), players=3)) is None
    assert playing_to_win_section(ask_of("dice/amigo+target=30")) is None


@pytest.mark.long
def test_pairings_are_the_published_ones() -> None:
    rules = ask_of().rules
    position = pairings.POSITION
    found = compare_pairings(GAME, rules, {"midgame": position}, [], Rounds(4, 0, 1))  # type: ignore[arg-type]
    with (REPORTS / "dice_pairings.csv").open(encoding="utf-8", newline="") as file:
        published = list(csv.DictReader(file))
    assert [pairing.faces for pairing in found] == [row["faces"] for row in published]
    for pairing, row in zip(found, published, strict=True):
        assert pairing.changed == int(row["other decisions of 127"])
        assert pairing.largest == pytest.approx(float(row["largest change alone"]), abs=1e-9)
        for action in ("roll", "quit"):
            value = pairing.values["midgame"][action]
            assert value == pytest.approx(float(row[f"midgame {action}"]), abs=1e-9)
        assert pairing.largest > 0 or pairing.faces == DEFAULT_FACES


def test_a_field_of_the_map_is_what_advise_says() -> None:
    section = playing_to_win_section(ask_of())
    assert section is not None
    assert from_plain(to_plain(section)) == section
    rows = {row[:2]: row[2:] for row in section.tables[0].rows}
    assert len(rows) == 64
    for scores in ((0, 0), (5, 25), (35, 30)):
        text = f"{CARDS} scores={scores[0]},{scores[1]} first=0"
        position = GAME.position(ask_of().rules, text)
        found = advise(GAME, ask_of().rules, position, objective="win", brief=True)
        better, by = rows[scores]
        assert better == found.best
        regret = found.actions[1].regret
        assert (by.value, by.low, by.high) == pytest.approx((regret.value, regret.low, regret.high))
    costs = [by.value for better, by in rows.values() if better == "roll"]
    assert f"wins up to {100 * max(costs):.1f}" in section.headlines[1]


def test_values_of_points_are_those_of_the_table() -> None:
    found = best_play_equities(ask_of().rules)
    table = best_play("dice/amigo")
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
