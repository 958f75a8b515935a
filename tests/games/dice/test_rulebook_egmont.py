"""The Polish rule book (Egmont), its part on the dice game and Lama 20."""

from itertools import pairwise

import pytest

from lama_odds.core.errors import ImpossibleError
from lama_odds.games.dice.rules.ruleset import parse_rules
from lama_odds.games.shared.record import Refused
from tests.games.cases import product_record, rounds_of
from tests.games.dice.table import KINDS, Table, choices_at

EGMONT = "dice/egmont"
TWENTY = "dice/egmont+twenty"
MIXED = ("threshold:0", "random", "threshold:5", "threshold:8", "random", "threshold:1")


def games(players, count=12):
    """Give the rounds of some games that the product plays."""
    for game in range(count):
        yield rounds_of(product_record(EGMONT, MIXED[:players], 22, game, rounds=False))


# Przygotowanie gry: what is needed


def test_three_dice_and_43_cards_six_of_each_value_and_seven_llamas():
    rules = parse_rules(EGMONT)
    assert rules.dice == 3
    assert rules.in_play == (6, 6, 6, 6, 6, 6, 7)


# Przygotowanie rundy: the deal, and who begins


def test_seven_open_cards_one_to_six_and_the_llama_make_the_row():
    assert Table(EGMONT, "123456", "123456").row == "123456L"


@pytest.mark.parametrize("players", range(2, 7))
def test_the_rest_is_dealt_six_cards_to_each(players):
    assert parse_rules(EGMONT).dealt_from == (5, 5, 5, 5, 5, 5, 6)
    for rounds in games(players):
        for _, _, deal, *_ in rounds:
            assert [len(hand) for hand in deal[1:]] == [6] * players


@pytest.mark.parametrize("players", range(2, 7))
def test_who_ended_the_round_begins_the_next(players):
    for rounds in games(players):
        assert rounds[0][0][3] == "0"
        for before, after in pairwise(rounds):
            turns = [line for line in before if line[0].isdigit()]
            assert after[0][3] == turns[-1][0]


# 1. Rzucić kostką


def test_a_turn_is_a_roll_or_a_pass():
    assert choices_at(EGMONT, "hand=446 opp=13") == ["quit", "roll"]


def test_a_good_roll_discards_at_least_one_card_one_a_die():
    table = Table(EGMONT, "4445LL", "123456")
    assert table.roll("14L") == "match"
    assert table.choices() == ["discard 4", "discard L", "discard 4L"]
    for refused in ("", "44", "LL", "1", "5"):
        with pytest.raises(Refused):
            table.discard(refused)
    table.discard("4")
    assert table.hands[0] == "445LL"
    assert (table.seat, table.ended) == (1, None)


def test_two_dice_of_a_value_discard_up_to_two_cards():
    assert choices_at(EGMONT, "hand=4446 opp=13 rolled=44L") == ["discard 4", "discard 44"]


def test_bad_luck_takes_a_card_with_one_of_the_values():
    table = Table(EGMONT, "111333", "123456")
    assert table.roll("46L") == "miss"
    assert table.choices() == ["take 4", "take 6", "take L"]
    with pytest.raises(Refused):
        table.take("5")
    table.take("4")
    assert table.hands[0] == "1113334"
    assert table.row == "12356L"
    assert (table.seat, table.ended) == (1, None)


def test_neither_in_hand_nor_in_the_row_ends_the_round():
    table = Table(EGMONT, "111333", "25", "LL", row="1235")
    assert table.roll("46L") == "blown"
    assert table.ended == "blown"
    assert table.hands == ["1111233335", "25", "LL"]
    assert table.penalties == [11, 7, 10]


@pytest.mark.parametrize("hand", ["123456", "12345L"])
@pytest.mark.parametrize(("score", "left"), [(0, 0), (4, 3), (10, 0), (31, 21)])
def test_three_llamas_give_a_token_back_and_move_no_card(hand, score, left):
    table = Table(EGMONT, hand, "25", scores=[score, 0])
    assert table.roll("LLL") == "llamas"
    assert table.scores == [left, 0]
    assert table.hands[0] == hand
    assert table.row == KINDS
    assert table.seat == 1


# 2. Spasować


@pytest.mark.parametrize(
    ("cards", "penalty"), [("444", 4), ("LLL", 10), ("11256", 14), ("5L", 15), ("123456L", 31)]
)
def test_passing_costs_each_kind_once_and_llamas_ten(cards, penalty):
    table = Table(EGMONT, cards, "25")
    table.quit()
    assert table.penalties[0] == penalty


def test_who_has_passed_takes_no_further_part():
    table = Table(EGMONT, "123456", "33", "25")
    table.quit()
    seats = []
    for _ in range(4):
        seats.append(table.seat)
        table.roll("LLL")
    assert seats == [1, 2, 1, 2]


# Koniec rundy


def test_the_last_card_gone_ends_the_round_and_gives_a_token_back():
    table = Table(EGMONT, "3L", "25", "446", scores=[27, 15, 30])
    table.roll("13L")
    table.discard("3L")
    assert table.ended == "out"
    assert table.scores == [17, 15, 30]
    assert table.penalties == [0, 7, 10]


def test_who_goes_out_without_tokens_gives_none_back():
    table = Table(EGMONT, "3", "25")
    table.roll("13L")
    table.discard("3")
    assert table.scores == [0, 0]


def test_all_passed_ends_the_round():
    table = Table(EGMONT, "3L", "25", "446")
    table.quit(3)
    assert table.ended == "quit"
    assert table.penalties == [13, 7, 10]


def test_the_last_player_goes_on_discarding():
    table = Table(EGMONT, "123456", "2255")
    table.quit()
    for dice, cards in (("225", "25"), ("25L", "5"), ("12L", "2")):
        assert (table.seat, table.ended) == (1, None)
        table.roll(dice)
        table.discard(cards)
    assert table.ended == "out"


def test_the_last_player_blows_it_whatever_lies_in_the_row():
    table = Table(EGMONT, "123456", "25")
    table.quit()
    assert table.roll("46L") == "blown"
    assert table.hands[1] == "12234556L"
    assert table.penalties == [21, 31]


def test_the_last_players_three_llamas_are_read_as_safe():
    table = Table(EGMONT, "123456", "25", scores=[0, 12])
    table.quit()
    assert table.roll("LLL") == "llamas"
    assert table.scores == [0, 2]


def test_read_the_other_way_they_are_blown_without_a_llama_card():
    rules_id = EGMONT + "+llama_safe_alone=off"
    table = Table(rules_id, "123456", "25", scores=[0, 12])
    table.quit()
    assert table.roll("LLL") == "blown"
    assert table.scores == [0, 12]
    assert table.penalties == [21, 31]
    table = Table(rules_id, "123456", "25L", scores=[0, 12])
    table.quit()
    assert table.roll("LLL") == "llamas"
    assert table.scores == [0, 2]
    assert Table(rules_id, "25", "123456").roll("LLL") == "llamas"


# The list of ends does not name an empty row


def test_an_empty_row_ends_nothing_and_the_next_miss_costs_nothing_more():
    table = Table(EGMONT, "25", "446", row="1")
    table.roll("14L")
    table.take("1")
    assert (table.row, table.seat, table.ended) == ("", 1, None)
    assert table.choices() == ["quit", "roll"]
    table.roll("LLL")
    assert table.roll("346") == "blown"
    assert table.hands[0] == "125"
    assert table.penalties == [8, 10]


def test_amigo_ends_the_round_there():
    assert choices_at(EGMONT, "hand=25 row=- opp=446") == ["quit", "roll"]
    with pytest.raises(ImpossibleError, match="llama row is empty"):
        choices_at("dice/amigo", "hand=25 row=- opp=446")


# Koniec gry


@pytest.mark.parametrize("players", range(2, 7))
def test_forty_points_at_the_end_of_a_round_end_the_game(players):
    for rounds in games(players):
        assert all(int(score) < 40 for lines in rounds for score in lines[1][1:])
        assert max(int(score) for score in rounds[-1][-1][1:]) >= 40


# Lama 20


@pytest.mark.parametrize(
    ("score", "token"), [(0, 0), (9, 1), (10, 10), (19, 10), (20, 20), (29, 20), (39, 20)]
)
def test_lama_20_adds_tokens_of_20(score, token):
    assert parse_rules(TWENTY).token(score) == token
    assert parse_rules(EGMONT).token(score) == min(token, 10)


def test_lama_20_gives_back_20_for_three_llamas_and_for_going_out():
    table = Table(TWENTY, "3", "25", scores=[35, 21])
    table.roll("LLL")
    table.roll("LLL")
    assert table.scores == [15, 1]
    table.roll("13L")
    table.discard("3")
    assert table.scores == [5, 1]
