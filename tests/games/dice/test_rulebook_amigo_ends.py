"""The English rule book (Amigo) on ends: of a round, of the game, and what they cost."""

from itertools import pairwise

import pytest

from lama_odds.games.dice.rules.ruleset import parse_rules
from tests.games.cases import product_record, rounds_of
from tests.games.dice.table import KINDS, Table

AMIGO = "dice/amigo"
MIXED = ("threshold:4", "random", "threshold:0", "threshold:9", "random", "threshold:2")


def games(players, count=12):
    """Give the rounds of some games that the product plays."""
    for game in range(count):
        yield rounds_of(product_record(AMIGO, MIXED[:players], 21, game, rounds=False))


def scores_after(lines):
    """Add up the scores after a round of a record: tokens go back first, then penalties come."""
    scores = [int(word) for word in lines[1][1:]]
    turns = [line for line in lines if line[0].isdigit()]
    returns = [int(line[0]) for line in turns if line[1:] == ["roll", "LLL"]]
    if ["end", "out"] in lines:
        returns.append(int(turns[-1][0]))
    for seat in returns:
        scores[seat] -= 10 if scores[seat] >= 10 else min(scores[seat], 1)
    penalties = next(line for line in lines if line[0] == "penalties")
    return [score + int(word) for score, word in zip(scores, penalties[1:], strict=True)]


# The end of a round


def test_the_round_ends_when_one_has_discarded_all_cards():
    table = Table(AMIGO, "25", "123456", "LL")
    table.roll("225")
    table.discard("25")
    assert table.ended == "out"
    assert table.penalties == [0, 21, 10]


def test_the_round_ends_when_the_last_card_of_the_llama_row_is_taken():
    table = Table(AMIGO, "25", "123456", row="1")
    table.roll("14L")
    table.take("1")
    assert table.ended == "row"
    assert table.penalties == [8, 21]


def test_the_round_ends_when_all_have_quit():
    table = Table(AMIGO, "25", "123456", "LLL")
    table.quit(2)
    assert table.ended is None
    table.quit()
    assert table.ended == "quit"
    assert table.penalties == [7, 21, 10]


# The end of a round: the last player


def left_alone(hand, score=0, row=KINDS):
    """Lay out a round that all but the last of four have quit."""
    table = Table(AMIGO, "123456", "66", "L", hand, scores=[0, 0, 0, score], row=row)
    table.quit(3)
    assert table.seat == 3
    return table


def test_rosa_alone_discards_her_2_goes_on_and_blows_it():
    table = left_alone("25")
    assert table.roll("124") == "match"
    assert table.choices() == ["discard 2"]
    table.discard("2")
    assert (table.seat, table.ended) == (3, None)
    assert table.roll("26L") == "blown"
    assert table.ended == "blown"
    assert table.hands[3] == "1234556L"
    assert table.penalties == [21, 6, 10, 31]


@pytest.mark.parametrize("dice", ["134", "1LL", "346", "66L"])
def test_alone_any_miss_is_blown_even_if_the_row_matches(dice):
    assert left_alone("25").roll(dice) == "blown"
    assert Table(AMIGO, "25", "1").roll(dice) == "miss"


def test_alone_one_may_stop_at_any_time():
    table = left_alone("25")
    assert table.choices() == ["quit", "roll"]
    table.roll("225")
    table.discard("2")
    assert table.choices() == ["quit", "roll"]
    table.quit()
    assert table.ended == "quit"
    assert table.penalties == [21, 6, 10, 5]


@pytest.mark.parametrize("hand", ["25", "25L"])
def test_alone_three_llamas_return_a_token_as_usual(hand):
    table = left_alone(hand, score=23)
    assert table.roll("LLL") == "llamas"
    assert table.scores[3] == 13
    assert table.hands[3] == hand
    assert (table.seat, table.ended) == (3, None)


def test_alone_one_can_go_out():
    table = left_alone("2", score=8)
    table.roll("12L")
    table.discard("2")
    assert table.ended == "out"
    assert table.scores[3] == 7
    assert table.penalties == [21, 6, 10, 0]


# Scoring


@pytest.mark.parametrize(
    ("cards", "penalty"),
    [
        ("1", 1), ("2", 2), ("3", 3), ("4", 4), ("5", 5), ("6", 6), ("L", 10),
        ("444", 4), ("LLL", 10), ("1556", 12), ("123456L", 31), ("66LL", 16),
    ],
)  # fmt: skip
def test_each_value_counts_once_and_all_llamas_ten(cards, penalty):
    table = Table(AMIGO, cards, "1")
    table.quit(2)
    assert table.penalties == [penalty, 1]


# Returning tokens


@pytest.mark.parametrize(
    ("score", "token"), [(0, 0), (1, 1), (9, 1), (10, 10), (12, 10), (20, 10), (39, 10)]
)
def test_ten_white_tokens_are_a_black_one_and_that_is_returned(score, token):
    assert parse_rules(AMIGO).token(score) == token


def test_rosa_with_12_points_discards_her_last_card_and_returns_ten():
    table = Table(AMIGO, "6", "25", "LL", scores=[12, 30, 5])
    table.roll("46L")
    table.discard("6")
    assert table.ended == "out"
    assert table.scores == [2, 30, 5]
    assert table.penalties == [0, 7, 10]


# The next round


@pytest.mark.parametrize("players", range(2, 7))
def test_who_acted_last_goes_first_in_the_next_round(players):
    for rounds in games(players):
        for before, after in pairwise(rounds):
            turns = [line for line in before if line[0].isdigit()]
            assert after[0][3] == turns[-1][0]


@pytest.mark.parametrize("players", range(2, 7))
def test_points_add_up_from_round_to_round(players):
    for rounds in games(players):
        for before, after in pairwise(rounds):
            assert [int(word) for word in after[1][1:]] == scores_after(before)
        assert [int(word) for word in rounds[-1][-1][1:]] == scores_after(rounds[-1])


def test_all_cards_are_shuffled_anew():
    for rounds in games(6):
        deals = [tuple(lines[2]) for lines in rounds]
        assert len(set(deals)) == len(deals)


# The end of the game


@pytest.mark.parametrize("players", range(2, 7))
def test_the_game_goes_on_until_one_has_at_least_40(players):
    for rounds in games(players):
        assert all(int(score) < 40 for lines in rounds for score in lines[1][1:])
        assert max(int(score) for score in rounds[-1][-1][1:]) >= 40
