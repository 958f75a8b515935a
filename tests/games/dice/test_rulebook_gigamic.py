"""The French rule book (Gigamic): its examples, and that it is the game of the English one."""

import pytest

from lama_odds.games.dice.rules.feasibility import parse_position
from lama_odds.games.dice.rules.ruleset import parse_rules
from lama_odds.games.shared.record import Refused
from tests.games.cases import product_record, seats_of
from tests.games.dice.cases import MIXES
from tests.games.dice.table import KINDS, Table, choices_at

GIGAMIC = "dice/gigamic"


# Contenu, mise en place


def test_43_cards_seven_llamas_and_six_of_each_value_three_dice():
    rules = parse_rules(GIGAMIC)
    assert rules.in_play == (6, 6, 6, 6, 6, 6, 7)
    assert rules.dice == 3
    assert rules.dealt == 6


def test_all_cards_lie_open_so_that_a_position_names_them():
    rules = parse_rules(GIGAMIC)
    position = parse_position(rules, "hand=13L opp=2256,q34,L")
    assert Table(GIGAMIC, "13L", "2256").row == KINDS
    assert (position.players, position.others_in) == (4, 2)


# Lancer les dés


def test_aurelia_with_1_3_llama_discards_3_and_llama_or_keeps_one():
    table = Table(GIGAMIC, "3456LL", "123456")
    assert table.roll("1L3") == "match"
    assert table.choices() == ["discard 3", "discard L", "discard 3L"]
    table.discard("3L")
    assert table.hands[0] == "456L"


def test_a_die_discards_one_card_of_its_value():
    assert choices_at(GIGAMIC, "hand=333 opp=2 rolled=33L") == ["discard 3", "discard 33"]
    assert choices_at(GIGAMIC, "hand=333 opp=2 rolled=3LL") == ["discard 3"]


@pytest.mark.parametrize(("score", "left"), [(0, 0), (3, 2), (12, 2)])
def test_three_llamas_give_a_token_back_or_end_the_turn(score, left):
    table = Table(GIGAMIC, "3L", "25", scores=[score, 9])
    assert table.roll("LLL") == "llamas"
    assert table.scores == [left, 9]
    assert table.hands == ["3L", "25"]
    assert table.seat == 1


def test_jerome_with_2_and_two_llamas_takes_the_2_or_the_llama():
    table = Table(GIGAMIC, "113456", "123456")
    assert table.roll("L2L") == "miss"
    assert table.choices() == ["take 2", "take L"]
    with pytest.raises(Refused):
        table.take("1")
    table.take("L")
    assert table.hands[0] == "113456L"
    assert table.row == "123456"


def test_breaking_the_bank_takes_the_row_and_stops_everybody():
    table = Table(GIGAMIC, "11", "25", "LL", row="136")
    assert table.roll("25L") == "blown"
    assert table.hands[0] == "11136"
    assert table.ended == "blown"
    assert table.penalties == [10, 7, 10]


# Quitter la manche


def test_marc_leaves_and_the_others_play_on():
    table = Table(GIGAMIC, "11", "25", "LL")
    table.quit()
    table.roll("LLL")
    table.roll("LLL")
    assert (table.seat, table.ended) == (1, None)


# Fin de la manche


def test_out_of_cards_stops_the_round():
    table = Table(GIGAMIC, "1", "25", scores=[11, 0])
    table.roll("13L")
    table.discard("1")
    assert table.ended == "out"
    assert table.scores == [1, 0]


def test_the_last_card_of_the_row_stops_the_round():
    table = Table(GIGAMIC, "11", "25", row="3")
    table.roll("33L")
    table.take("3")
    assert table.ended == "row"
    assert table.penalties == [4, 7]


def test_everybody_gone_stops_the_round():
    table = Table(GIGAMIC, "11", "25")
    table.quit(2)
    assert table.ended == "quit"


def test_aurelia_alone_with_2_and_5_discards_then_breaks_the_bank():
    table = Table(GIGAMIC, "25", "66", "L", "123", first=1)
    table.quit(3)
    assert table.seat == 0
    table.roll("124")
    assert table.choices() == ["discard 2"]
    table.discard("2")
    assert table.choices() == ["quit", "roll"]
    assert table.roll("26L") == "blown"
    assert table.hands[0] == "1234556L"
    assert table.penalties == [31, 6, 10, 6]


def test_three_llamas_alone_give_a_token_back_as_usual():
    table = Table(GIGAMIC, "25", "66", first=1, scores=[14, 0])
    table.quit()
    assert table.roll("LLL") == "llamas"
    assert table.scores == [4, 0]
    assert (table.seat, table.ended) == (0, None)


# Décompte, prendre et rendre les jetons


@pytest.mark.parametrize(("cards", "penalty"), [("444", 4), ("LL", 10), ("1556", 12)])
def test_each_value_counts_once(cards, penalty):
    assert Table(GIGAMIC, cards, "1").penalties[0] == penalty


def test_aurelia_with_12_points_goes_out_and_gives_ten_back():
    table = Table(GIGAMIC, "5", "66", scores=[12, 0])
    table.roll("25L")
    table.discard("5")
    assert table.scores == [2, 0]


# The same game as in English


@pytest.mark.long
@pytest.mark.parametrize("players", range(2, 7))
@pytest.mark.parametrize(
    "options", ["", "+twenty", "+dealt=5+target=60", "+empty_row_ends=off", "+llama_safe_alone=off"]
)
def test_every_record_is_that_of_amigo(players, options):
    for game in range(8):
        policies = seats_of(MIXES[game % len(MIXES)], players)
        french = product_record(GIGAMIC + options, policies, 23, game, rounds=False)
        english = product_record("dice/amigo" + options, policies, 23, game, rounds=False)
        assert french != english
        assert french.replace(GIGAMIC, "dice/amigo", 1) == english


def test_every_option_has_the_default_of_amigo():
    assert parse_rules(GIGAMIC).values == parse_rules("dice/amigo").values
