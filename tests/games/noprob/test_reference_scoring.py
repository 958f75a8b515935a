"""The twin keeps the rule book of Starnberger: lines of three, jokers."""

import random
from dataclasses import replace

import pytest

from tests.games.noprob.staged import OTHERS, RULES, points
from tests.reference.noprob import score
from tests.reference.noprob_cards import CELLS, Deck, grid_points

# Drillinge sammeln


def test_example_paula_has_three_sixes_in_a_row_for_minus_6():
    assert points("3 4 5 6 6 6 7 8 10") == OTHERS - 6


def test_a_column_counts_like_a_row():
    assert points("3 6 4 5 6 7 8 6 10") == OTHERS - 6


def test_three_equal_cards_count_as_they_are_elsewhere():
    assert points("6 4 5 3 6 7 8 10 6") == OTHERS + 18  # a diagonal
    assert points("6 6 4 6 5 3 7 8 10") == OTHERS + 18


@pytest.mark.parametrize(
    ("grid", "expected"),
    [
        ("6 6 6 4 4 4 3 5 7", -6 - 4 + 15),
        ("6 6 6 6 6 6 3 5 7", -6 - 6 + 15),
        ("10 10 10 5 5 5 3 3 3", -18),
        # Three rows and three columns, each nine cards once.
        ("7 7 7 7 7 7 7 7 7", -42),
    ],
)
def test_there_may_be_several_lines(grid, expected):
    assert points(grid) == expected


def test_a_row_and_a_column_may_cross():
    assert points("7 7 7 7 3 4 7 5 6") == -14 + 18


@pytest.mark.parametrize(("card", "three"), [("-1", -3), ("-2", -6), ("-5", -15)])
def test_three_equal_negatives_count_as_they_are(card, three):
    assert points(f"{card} 3 4 {card} 5 7 {card} 8 10") == OTHERS + three


# Joker einsetzen


def test_example_fred_has_a_column_and_a_row_of_sevens_with_a_joker_for_minus_14():
    assert points("3 7 4 7 J 7 5 7 6") == -14 + 18  # where they cross
    assert points("3 7 4 7 7 J 5 7 6") == -14 + 18
    assert points("3 J 4 7 7 7 5 7 6") == -14 + 18


@pytest.mark.parametrize("number", range(3, 11))
def test_a_joker_stands_for_any_number(number):
    assert points(f"{number} J {number} -1 -1 -2 -2 -5 -5") == -number - 16
    assert points(f"J J {number} -1 -1 -2 -2 -5 -5") == -number - 16


def test_a_joker_without_a_line_counts_nothing():
    assert points("J 3 4 5 J 6 -1 7 9") == 33
    assert points("J 3 4 5 9 6 -1 7 9") == 42


@pytest.mark.parametrize("card", ["-1", "-2", "-5", "D", "K"])
def test_a_joker_stands_for_nothing_but_a_number(card):
    value = {"D": 3, "K": -3}.get(card) or int(card)
    assert points(f"{card} {card} J 3 4 5 6 7 9") == 2 * value + 34


def test_a_joker_has_one_value():
    # It belongs to a row of fours or to a column of nines: nines are worth more, and save more.
    assert points("4 4 J 3 5 9 6 7 9") == -9 + 8 + 21
    assert points("J 9 9 4 3 5 4 6 7") == -9 + 8 + 21


def test_a_joker_may_prefer_the_lower_value_that_makes_two_lines():
    # Row and column of fours (-8), and two nines lost, against a row of nines (-9).
    assert points("J 4 4 4 3 5 4 6 7") == -8 + 21
    # Jokers that are threes make a row and two columns; tens would leave four threes.
    assert points("J J J 3 3 -1 3 3 -2") == -9 - 3


def test_three_jokers_are_a_line_of_the_highest_number():
    assert points("J J J 3 4 5 6 7 9") == -10 + 34
    assert points("J J J 3 4 5 6 7 9", triple_joker=False) == 34
    assert points("J J J 3 4 5 6 7 9", low=2) == -9 + 34


def test_three_jokers_take_the_value_of_a_crossing_line_if_that_is_better():
    assert points("J J J 8 -1 -2 8 -1 -2") == -8 - 8 - 6
    assert points("J J J 8 -1 -2 8 -1 -2", triple_joker=False) == -8 - 6
    # The column of threes costs the row seven, but without it the threes would count six.
    assert points("J J J 3 -1 -2 3 -1 -2") == -3 - 3 - 6


@pytest.mark.long
def test_the_points_counted_in_play_are_those_of_the_brute_force():
    chance = random.Random(4)
    for triple_joker in (True, False):
        rules = replace(RULES, triple_joker=triple_joker)
        deck = Deck(rules)
        lined = 0
        for _ in range(1500):
            few = [*chance.sample(deck.pack, 3), deck.joker]
            grid = chance.choices(few, (3, 3, 2, 3), k=CELLS)
            if grid.count(deck.joker) <= 3 or (grid.count(deck.joker) == 4 and lined % 20 == 0):
                text = [deck.texts[card] for card in grid]
                assert grid_points(deck, grid) == score(rules, text), text
                lined += grid_points(deck, grid) != sum(deck.values[card] for card in grid)
        assert lined > 300
