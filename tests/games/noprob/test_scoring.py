"""The compiled points of a grid: examples of the rule book, and the twin's brute force."""

from collections import Counter
from random import Random

import pytest

from lama_odds.games.noprob.rules.scoring import score
from lama_odds.games.noprob.rules.transition import UNKNOWN
from tests.games.cases import product_rules
from tests.games.noprob.cases import id_of, twin_rules
from tests.reference import noprob as twin
from tests.reference.noprob_cards import Deck

OTHERS = 3 + 4 + 5 + 7 + 8 + 10
OPTIONS = (
    {},
    {"triple_joker": False},
    {"low": 1, "negatives": (9, 4, 2), "special": 7},
    {"low": 90, "negatives": (99, 98, 97), "triple_joker": False},
)


def packed(rules, cards):
    kinds = [UNKNOWN if card == "?" else rules.names.index(card) for card in cards]
    return sum(kind << 4 * cell for cell, kind in enumerate(kinds))


def points(text, **options):
    rules = product_rules(id_of(options))
    return score(rules.tables, packed(rules, text.split()))


# Rule book, "Drillinge sammeln" and "Joker einsetzen"


def test_paula_has_three_sixes_in_a_row_for_minus_6():
    assert points("3 4 5 6 6 6 7 8 10") == OTHERS - 6


def test_fred_has_a_column_and_a_row_of_sevens_with_a_joker_for_minus_14():
    assert points("3 7 4 7 J 7 5 7 6") == -14 + 18
    assert points("3 J 4 7 7 7 5 7 6") == -14 + 18


def test_three_cards_of_minus_1_stay_minus_3():
    assert points("-1 3 4 -1 5 7 -1 8 10") == OTHERS - 3


@pytest.mark.parametrize(
    ("grid", "expected"),
    [
        ("6 4 5 3 6 7 8 10 6", OTHERS + 18),  # a diagonal
        ("7 7 7 7 7 7 7 7 7", -42),
        ("J 3 4 5 J 6 -1 7 9", 33),
        ("4 4 J 3 5 9 6 7 9", -9 + 8 + 21),  # one value of the joker: that of the nines
        ("J 4 4 4 3 5 4 6 7", -8 + 21),
        ("J J J 3 4 5 6 7 9", -10 + 34),
        ("J J J 8 -1 -2 8 -1 -2", -8 - 8 - 6),
        ("J J J 3 -1 -2 3 -1 -2", -3 - 3 - 6),
        ("J J J J J J J J J", -60),
        ("D 6 6 4 4 5 3 7 9", 3 + 12 + 32),
        ("K K K 4 4 5 6 7 9", -9 + 35),
    ],
)
def test_lines(grid, expected):
    assert points(grid) == expected


def test_three_jokers_are_no_line_without_the_option():
    assert points("J J J 3 4 5 6 7 9", triple_joker=False) == 34
    assert points("J J J 8 -1 -2 8 -1 -2", triple_joker=False) == -8 - 6
    assert points("J J J J J J J J J", triple_joker=False) == 0


def test_what_is_not_known_counts_nothing_and_makes_no_line():
    assert points("? ? ? 6 6 6 7 8 10") == -6 + 25
    assert points("J ? J 6 6 ? 7 8 10") == 12 + 25
    assert points("? ? ? ? ? ? ? ? ?") == 0


# Brute force


def grids(luck, deck, number, most):
    """Give grids of few kinds, with jokers in plenty but not more than `most`."""
    while number:
        few = [*luck.sample(range(14), 3), *luck.sample(range(8), 1), deck.joker]
        grid = luck.choices(few, (2, 2, 2, 4, luck.choice((1, 3, 6))), k=9)
        if grid.count(deck.joker) <= most:
            number -= 1
            yield grid


@pytest.mark.long
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_points_are_those_of_the_brute_force(options):
    rules, plain = product_rules(id_of(options)), twin_rules(options)
    deck, luck, seen = Deck(plain), Random(str(options)), Counter()
    for grid in grids(luck, deck, 1_500, most=3):
        cards = [deck.texts[kind] for kind in grid]
        found = score(rules.tables, packed(rules, cards))
        assert found == twin.score(plain, cards), cards
        seen[grid.count(deck.joker), found != sum(deck.values[kind] for kind in grid)] += 1
    assert min(seen[jokers, lined] for jokers in range(4) for lined in (False, True)) > 20


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_points_with_many_jokers_are_those_of_the_twin(options):
    """Of more jokers than three the twin tries only the values that a line can have."""
    rules = product_rules(id_of(options))
    deck, luck, seen = Deck(twin_rules(options)), Random(9), Counter()
    for grid in grids(luck, deck, 400, most=6):
        found = score(rules.tables, packed(rules, [deck.texts[kind] for kind in grid]))
        assert found == twin.grid_points(deck, grid), grid
        seen[grid.count(deck.joker)] += 1
    assert min(seen[jokers] for jokers in (4, 5, 6)) > 5


@pytest.mark.parametrize("triple_joker", [True, False])
def test_four_and_five_jokers_are_tried_as_every_number(triple_joker):
    options = {} if triple_joker else {"triple_joker": False}
    rules, plain = product_rules(id_of(options)), twin_rules(options)
    deck, luck = Deck(plain), Random(3)
    for jokers, number in ((4, 8), (5, 2)):
        few = [grid for grid in grids(luck, deck, 200, most=5) if grid.count(deck.joker) == jokers]
        for grid in few[:number]:
            cards = [deck.texts[kind] for kind in grid]
            assert score(rules.tables, packed(rules, cards)) == twin.score(plain, cards), cards
