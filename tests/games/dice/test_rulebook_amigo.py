"""The English rule book (Amigo), section by section."""

from collections import Counter

import pytest

from lama_odds.core.errors import ImpossibleError
from lama_odds.games.dice.rules.ruleset import pairings, parse_rules
from lama_odds.games.shared.record import Refused
from tests.games.cases import product_record, rounds_of
from tests.games.dice.table import KINDS, Table, choices_at

AMIGO = "dice/amigo"
MIXED = ("threshold:4", "random", "threshold:0", "threshold:9", "random", "threshold:2")


def games(players, count=12):
    """Give the rounds of some games that the product plays."""
    for game in range(count):
        yield rounds_of(product_record(AMIGO, MIXED[:players], 21, game, rounds=False))


# Contents, title page


def test_43_cards_seven_llamas_and_six_of_each_value():
    assert parse_rules(AMIGO).in_play == (6, 6, 6, 6, 6, 6, 7)
    assert sum(parse_rules(AMIGO).in_play) == 43


def test_three_dice():
    assert parse_rules(AMIGO).dice == 3


def test_two_to_six_players():
    assert list(parse_rules(AMIGO).players) == [2, 3, 4, 5, 6]
    with pytest.raises(ImpossibleError, match="7 players"):
        choices_at(AMIGO, "hand=1 opp=1,1,1,1,2,2")


# The book shows two faces of a die at most; what is known of the dice is more.


@pytest.mark.parametrize("faces", [parse_rules(AMIGO).faces, *pairings()])
def test_a_die_has_two_llamas_and_four_numbers_each_number_is_on_two_dice(faces):
    dice = faces.split(".")
    assert [die.count("L") for die in dice] == [2, 2, 2]
    assert [len(die) for die in dice] == [len(set(die)) + 1 for die in dice] == [6, 6, 6]
    assert Counter("".join(dice)) == {**dict.fromkeys("123456", 2), "L": 6}


def test_there_are_15_such_sets_of_dice():
    assert len({frozenset(faces.split(".")) for faces in pairings()}) == 15


# Setting up the game


def test_the_llama_row_has_one_card_of_each_kind():
    assert Table(AMIGO, "123456", "12345L").row == "123456L"


def test_the_other_36_cards_are_dealt_from():
    assert parse_rules(AMIGO).dealt_from == (5, 5, 5, 5, 5, 5, 6)


@pytest.mark.parametrize("players", range(2, 7))
def test_six_cards_are_dealt_to_each_player(players):
    for rounds in games(players):
        for _, _, deal, *_ in rounds:
            assert [len(hand) for hand in deal[1:]] == [6] * players


def test_six_players_have_all_36_cards_between_them():
    for rounds in games(6):
        for _, _, deal, *_ in rounds:
            assert Counter("".join(deal[1:])) == {**dict.fromkeys("123456", 5), "L": 6}


# Playing the game


@pytest.mark.parametrize("players", range(2, 7))
def test_the_first_player_goes_first_then_clockwise(players):
    for rounds in games(players):
        assert rounds[0][0] == ["round", "0", "first", "0"]
    table = Table(AMIGO, *["123456"] * players, first=1)
    seats = []
    for _ in range(players):
        seats.append(table.seat)
        table.roll("LLL")
    assert seats == [*range(1, players), 0]


def test_a_turn_is_rolling_or_quitting():
    assert choices_at(AMIGO, "hand=13L opp=13") == ["quit", "roll"]


# Rolling: a match


def test_rosa_with_1_3_llama_may_discard_3_llama_or_both():
    table = Table(AMIGO, "3346LL", "123456")
    assert table.roll("13L") == "match"
    assert table.choices() == ["discard 3", "discard L", "discard 3L"]
    table.discard("3L")
    assert table.hands[0] == "346L"
    assert table.row == KINDS
    assert table.seat == 1


def test_rosa_might_have_kept_the_llama():
    table = Table(AMIGO, "3346LL", "123456")
    table.roll("13L")
    table.discard("3")
    assert table.hands[0] == "346LL"


def test_at_least_one_matching_card_must_be_discarded():
    table = Table(AMIGO, "3346LL", "123456")
    table.roll("13L")
    for refused in ("", "1", "4", "13", "33", "LL"):
        with pytest.raises(Refused, match="does not allow you to discard"):
            table.discard(refused)
    with pytest.raises(Refused, match="does not allow you to take"):
        table.take("1")
    with pytest.raises(Refused, match="has yet to use"):
        table.quit()
    assert table.hands[0] == "3346LL"


@pytest.mark.parametrize(
    ("hand", "dice", "discards"),
    [
        ("333", "3LL", "3"),
        ("333", "335", "3 33"),
        ("3LLL", "3LL", "3 L 3L LL 3LL"),
        ("L1", "1LL", "1 L 1L"),
        ("56", "156", "5 6 56"),
        ("11", "11L", "1 11"),
    ],
)
def test_one_card_for_each_die_with_its_value(hand, dice, discards):
    found = choices_at(AMIGO, f"hand={hand} opp=2 rolled={dice}")
    assert found == [f"discard {cards}" for cards in discards.split()]


def test_one_die_that_matches_is_enough_whatever_lies_in_the_row():
    assert choices_at(AMIGO, "hand=5 opp=2 row=12L rolled=12L") == ["take 1", "take 2", "take L"]
    assert choices_at(AMIGO, "hand=5 opp=2 row=12L rolled=15L") == ["discard 5"]


# Rolling: three llamas


@pytest.mark.parametrize("hand", ["123456", "12345L", "LLLLLL"])
@pytest.mark.parametrize(
    ("score", "left"), [(0, 0), (1, 0), (9, 8), (10, 0), (12, 2), (25, 15), (39, 29)]
)
def test_three_llamas_return_a_token_if_any_and_nothing_else(hand, score, left):
    table = Table(AMIGO, hand, "123456", scores=[score, 7])
    assert table.roll("LLL") == "llamas"
    assert table.scores == [left, 7]
    assert table.hands == [hand, "123456"]
    assert table.row == KINDS
    assert (table.seat, table.ended) == (1, None)


def test_three_llamas_leave_nothing_to_choose():
    with pytest.raises(ImpossibleError, match="nothing to decide"):
        choices_at(AMIGO, "hand=L opp=2 rolled=LLL")


def test_two_llamas_are_no_special_case():
    assert choices_at(AMIGO, "hand=L opp=2 rolled=2LL") == ["discard L"]


# Rolling: no match


def test_john_with_2_and_two_llamas_must_take_the_2_or_the_llama():
    table = Table(AMIGO, "134456", "123456")
    assert table.roll("2LL") == "miss"
    assert table.choices() == ["take 2", "take L"]
    for refused in "13456":
        with pytest.raises(Refused, match="does not allow you to take"):
            table.take(refused)
    with pytest.raises(Refused, match="has yet to use"):
        table.quit()
    table.take("L")
    assert table.hands[0] == "134456L"
    assert table.row == "123456"
    assert (table.seat, table.ended) == (1, None)


def test_only_values_rolled_that_are_in_the_row_can_be_taken():
    assert choices_at(AMIGO, "hand=13 row=1356 opp=24 rolled=256") == ["take 5", "take 6"]
    assert choices_at(AMIGO, "hand=13 row=1346L opp=25 rolled=25L") == ["take L"]


def test_a_value_rolled_that_is_gone_from_the_row_cannot_be_taken():
    table = Table(AMIGO, "13", "24", row="1356")
    assert table.roll("256") == "miss"
    with pytest.raises(Refused, match="it allows: take 5, take 6"):
        table.take("2")
    assert (table.hands[0], table.row, table.seat) == ("13", "1356", 0)


def test_a_card_taken_can_be_discarded_later():
    table = Table(AMIGO, "11", "123456")
    table.roll("256")
    table.take("5")
    table.roll("LLL")
    table.roll("15L")
    assert table.choices() == ["discard 1", "discard 5", "discard 15"]


# Rolling: blown


def test_neither_in_the_own_row_nor_in_the_llama_row_is_blown():
    table = Table(AMIGO, "1133", "246", "555", row="136")
    assert table.roll("2LL") == "blown"
    assert table.hands == ["1113336", "246", "555"]
    assert table.row == "136"
    assert table.ended == "blown"
    assert table.penalties == [10, 12, 5]
    with pytest.raises(Refused, match="is over"):
        table.quit()


def test_one_value_in_the_row_is_enough_not_to_blow_it():
    table = Table(AMIGO, "1133", "246", "555", row="136L")
    assert table.roll("2LL") == "miss"


# Quitting


def test_martin_quits_and_the_others_play_on_without_him():
    table = Table(AMIGO, "112345", "223456", "33456L")
    table.quit()
    assert table.seat == 1
    table.roll("LLL")
    table.roll("LLL")
    assert table.seat == 1
    table.roll("22L")
    table.discard("22")
    assert (table.seat, table.ended) == (2, None)
    assert table.penalties[0] == 15
