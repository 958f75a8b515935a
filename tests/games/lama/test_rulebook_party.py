"""The Polish rule book: Lama Party, with plus cards, the pink llama and tokens of 20."""

from itertools import pairwise

import pytest

from lama_odds.games.lama.rules.ruleset import parse_rules
from lama_odds.games.shared.record import Refused
from tests.games.cases import product_record, rounds_of, seats_of
from tests.games.lama.checker import fits, seen_in
from tests.games.lama.table import Table, cards_of

PARTY = "lama/party"
MIXED = ("threshold:4", "random", "threshold:0", "matching:9", "random", "threshold:2")
ALL = "11+22+33+44+55+66+LP"


# Przygotowanie gry, przygotowanie rundy


def test_56_cards_with_a_plus_card_of_each_value_and_a_pink_llama():
    rules = parse_rules(PARTY)
    assert rules.deck == (7, 1) * 6 + (7, 1)
    assert sum(rules.deck) == 56
    assert (rules.black, rules.pink, rules.twenty) == (10, 20, True)
    assert list(rules.players) == [2, 3, 4, 5, 6]


@pytest.mark.parametrize("players", range(2, 7))
def test_the_deal_is_that_of_the_basic_game(players):
    for game in range(10):
        for number, lines in enumerate(
            rounds_of(product_record(PARTY, MIXED[:players], 32, game, rounds=False))
        ):
            assert lines[0] == ["round", str(number), "first", str(number % players)]
            assert [len(cards_of(hand)) for hand in lines[2][1:]] == [6] * players


# Zagranie karty, karty z plusem, różowa lama: what goes on what


@pytest.mark.parametrize(
    ("top", "playable"),
    [
        ("1", "11+22+P"), ("2", "22+33+P"), ("3", "33+44+P"), ("4", "44+55+P"), ("5", "55+66+P"),
        ("6", "66+LP"), ("L", "11+LP"), ("P", "11+LP"),
    ],
)  # fmt: skip
def test_what_goes_on_what(top, playable):
    assert Table(PARTY, ALL, "1", top=top).playable() == playable


@pytest.mark.parametrize("value", "123456")
def test_on_a_plus_card_goes_what_goes_on_its_number(value):
    table = Table(PARTY, ALL, "1", top=value)
    assert Table(PARTY, ALL, "1", top=value + "+").playable() == table.playable()


def test_on_6_plus_goes_no_1():
    table = Table(PARTY, "16L6+", "1", top="5")
    table.play("6+")
    assert table.playable() == "6L"
    with pytest.raises(Refused, match=r"1 cannot be played on 6\+"):
        table.play("1")


def test_what_goes_on_what_in_the_compiled_games():
    rules_id = PARTY + "+pink_llamas=4+plus=4"
    seen = seen_in(rules_id, ("random",), games=60, rounds=True)
    kinds = cards_of(ALL)
    expected = {f"{card} on {top}" for card in kinds for top in kinds if fits(card, top)}
    assert {event for event in seen if " on " in event} == expected


# Karty z plusem: another turn


def test_a_plus_card_gives_another_turn_to_play():
    table = Table(PARTY, "123+5", "123456", top="2")
    table.play("3+")
    assert (table.seat, table.ended, table.hands[0]) == (0, None, "125")
    assert table.playable() == ""
    table = Table(PARTY, "23+4L", "123456", top="2")
    table.play("3+", "4")
    assert (table.seat, table.hands[0]) == (1, "2L")


def test_a_plus_card_gives_another_turn_to_draw():
    table = Table(PARTY, "123+5", "123456", top="2")
    table.play("3+")
    table.draw("4")
    assert (table.seat, table.hands[0]) == (1, "1245")


def test_a_plus_card_gives_another_turn_to_pass():
    table = Table(PARTY, "13+", "1234", top="2")
    table.play("3+")
    table.quit()
    assert (table.seat, table.penalties[0]) == (1, 1)


def test_plus_cards_may_follow_one_another():
    table = Table(PARTY, "1+2+2+3+3+45", "123456", top="1")
    table.play("1+", "2+", "2+", "3+", "3+")
    assert (table.seat, table.hands[0]) == (0, "45")
    table.play("4")
    assert (table.seat, table.hands[0]) == (1, "5")


def test_a_plus_card_as_the_last_one_ends_the_round():
    table = Table(PARTY, "2+", "13L", scores=[4, 0])
    table.play("2+")
    assert (table.ended, table.scores, table.penalties) == ("out", [3, 0], [0, 14])


def test_a_plus_card_that_opens_gives_nothing():
    table = Table(PARTY, "123456", "123456", top="4+")
    assert table.seat == 0
    table.draw("L")
    assert table.seat == 1
    table.play("4")
    assert table.seat == 0


def test_the_last_player_may_play_plus_cards_too_but_not_draw_after_one():
    table = Table(PARTY, "1", "2+6", top="1")
    table.quit()
    table.play("2+")
    assert not table.can("draw", "1")
    table.quit()
    assert table.penalties == [1, 6]


def test_plus_cards_in_the_compiled_games():
    seen = seen_in(PARTY, MIXED, games=40)
    for event in ("play after plus", "draw after plus", "quit after plus", "opening plus"):
        assert seen[event] > 20
    assert sum(seen[f"out with {value}+"] for value in "123456") > 5


# Różowa lama


def test_it_goes_on_any_card_and_gives_no_other_turn():
    for top in cards_of("11+22+33+44+55+66+L"):
        table = Table(PARTY, "P5", "13", top=top)
        table.play("P")
        assert table.seat == 1


def test_it_may_be_the_last_card():
    table = Table(PARTY, "P", "13", top="3", scores=[22, 0])
    table.play("P")
    assert (table.ended, table.scores) == ("out", [2, 0])


# Punktacja


@pytest.mark.parametrize(
    ("cards", "penalty"),
    [
        ("1L", 11), ("25", 7), ("46P", 30),  # A, B and C of the example
        ("444+", 4), ("LLL", 10), ("LLP", 20), ("P", 20), ("4+", 4), ("11+66+LP", 27), (ALL, 41),
    ],
)  # fmt: skip
def test_a_plus_card_costs_its_number_and_llamas_with_the_pink_one_twenty(cards, penalty):
    assert Table(PARTY, cards, "3").penalties == [penalty, 3]


@pytest.mark.parametrize(
    ("options", "cards", "penalty"),
    [
        ("+pink_adds", "LLP", 30),
        ("+pink_adds", "P", 20),
        ("+pink_adds", "LL", 10),
        ("+pink_llamas=2", "PP", 20),
        ("+pink_points=35", "4LP", 39),
        ("+llama_points=15+pink_adds", "LP", 35),
    ],
)
def test_options_of_what_the_pink_llama_costs(options, cards, penalty):
    assert Table(PARTY + options, cards, "3").penalties[0] == penalty


@pytest.mark.parametrize("options", ["", "+pink_adds", "+llama_points=15+pink_points=35"])
def test_penalties_of_the_compiled_games(options):
    assert seen_in(PARTY + options, MIXED)["end quit"] > 20


@pytest.mark.parametrize(("score", "left"), [(0, 0), (9, 8), (17, 7), (20, 0), (39, 19)])
def test_going_out_gives_the_best_token_back(score, left):
    table = Table(PARTY, "2", "25", scores=[score, 33])
    table.play("2")
    assert table.scores == [left, 33]


def test_tokens_go_back_in_the_compiled_games():
    seen = seen_in(PARTY + "+target=90", MIXED, games=20)
    assert all(seen[f"returns {token}"] > 5 for token in (0, 1, 10, 20))


# Koniec gry


def test_scores_add_up_until_somebody_has_40():
    for players in range(2, 7):
        for game in range(10):
            text = product_record(PARTY, seats_of(MIXED, players), 33, game, rounds=False)
            scores = [[int(score) for score in lines[1][1:]] for lines in rounds_of(text)]
            final = [int(score) for score in text.splitlines()[-1].split()[1:]]
            assert max(map(max, scores)) < 40 <= max(final)
            for before, after in pairwise([*scores, final]):
                assert all(b - a >= -20 for a, b in zip(before, after, strict=True))
