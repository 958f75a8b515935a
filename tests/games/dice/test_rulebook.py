"""The rule books of Lama Dice (Amigo, Egmont, Gigamic), section by section, with their examples."""

import itertools

import pytest

from lama_odds.core.errors import ImpossibleError
from lama_odds.core.notation import Part
from lama_odds.games.dice.rules.ruleset import DEFAULT_FACES, pairings, parse_rules, read_faces
from lama_odds.games.shared.record import Refused
from tests.games.dice.table import KINDS, Table, choices_at

AMIGO, EGMONT, GIGAMIC = BOOKS = ("dice/amigo", "dice/egmont", "dice/gigamic")
TWENTY, UNSAFE = "dice/egmont+twenty", "dice/egmont+llama_safe_alone=off"
every_book = pytest.mark.parametrize("book", BOOKS)


# --- Contents, title page; the book shows two faces of a die at most -------------------------


@every_book
def test_three_dice_and_43_cards_for_two_to_six_players(book):
    rules = parse_rules(book)
    assert (rules.dice, rules.in_play, sum(rules.in_play)) == (3, (6, 6, 6, 6, 6, 6, 7), 43)
    assert (rules.points, rules.llama_points, rules.target) == ((1, 2, 3, 4, 5, 6), 10, 40)
    assert (rules.black, rules.pink, rules.twenty, rules.llama_safe_alone) == (10, 20, False, True)
    assert list(rules.players) == [2, 3, 4, 5, 6]
    with pytest.raises(ImpossibleError, match="7 players"):
        choices_at(book, "hand=1 opp=1,1,1,1,2,2")


def test_a_die_has_two_llamas_and_four_numbers_each_number_is_on_two_dice():
    """By brute force: any three dice of four different numbers."""
    numbers = ["".join(die) + "LL" for die in itertools.combinations("123456", 4)]
    fitting = {
        read_faces(Part("", ".".join(dice), 0))
        for dice in itertools.combinations_with_replacement(numbers, 3)
        if all("".join(dice).count(number) == 2 for number in "123456")
    }
    assert fitting == set(pairings())
    assert (len(fitting), DEFAULT_FACES in fitting) == (15, True)
    assert {parse_rules(book).faces for book in BOOKS} == {DEFAULT_FACES}


# --- Setting up the game ---------------------------------------------------------------------


@every_book
def test_one_card_of_each_kind_makes_the_row_and_six_of_the_others_are_dealt(book):
    assert Table(book, "123456", "12345L").row == "123456L"
    rules = parse_rules(book)
    assert (rules.dealt_from, rules.dealt) == ((5, 5, 5, 5, 5, 5, 6), 6)


@pytest.mark.parametrize("players", range(2, 7))
def test_play_goes_round_from_the_first_player(players):
    table, seats = Table(AMIGO, *["123456"] * players, first=1), []
    for _ in range(players):
        seats.append(table.seat)
        table.roll("LLL")
    assert seats == [*range(1, players), 0]


# --- A turn: rolling, with a match, three llamas, no match, or blown -------------------------


@every_book
def test_a_turn_is_rolling_or_quitting(book):
    assert choices_at(book, "hand=446 opp=13") == ["quit", "roll"]


@pytest.mark.parametrize(
    ("book", "hand", "dice", "discards", "cards", "left"),
    [
        (AMIGO, "3346LL", "13L", "3 L 3L", "3L", "346L"),  # Rosa
        (AMIGO, "3346LL", "13L", "3 L 3L", "3", "346LL"),  # she may keep the llama
        (GIGAMIC, "3456LL", "1L3", "3 L 3L", "3L", "456L"),  # Aurelia
        (EGMONT, "4445LL", "14L", "4 L 4L", "4", "445LL"),
        (AMIGO, "333", "3LL", "3", "3", "33"),
        (AMIGO, "333", "335", "3 33", "33", "3"),
        (AMIGO, "3LLL", "3LL", "3 L 3L LL 3LL", "3LL", "L"),
        (AMIGO, "1L", "2LL", "L", "L", "1"),  # two llamas are no special case
    ],
)
def test_one_card_at_least_and_one_for_each_die_with_its_value(
    book, hand, dice, discards, cards, left
):
    table = Table(book, hand, "123456")
    assert table.roll(dice) == "match"
    assert table.choices() == [f"discard {cards}" for cards in discards.split()]
    for refused in {"", "1", "12", "333", "LL", "5"} - set(discards.split()):
        with pytest.raises(Refused, match="does not allow you to discard"):
            table.discard(refused)
    with pytest.raises(Refused, match="does not allow you to take"):
        table.take("1")
    with pytest.raises(Refused, match="has yet to use"):
        table.quit()
    table.discard(cards)
    assert (table.hands[0], table.row, table.seat, table.ended) == (left, KINDS, 1, None)


def test_one_die_that_matches_is_enough_whatever_lies_in_the_row():
    assert choices_at(AMIGO, "hand=5 opp=2 row=12L rolled=12L") == ["take 1", "take 2", "take L"]
    assert choices_at(AMIGO, "hand=5 opp=2 row=12L rolled=15L") == ["discard 5"]


@every_book
@pytest.mark.parametrize(("score", "left"), [(0, 0), (9, 8), (10, 0), (25, 15)])
def test_three_llamas_return_a_token_if_any_and_nothing_else(book, score, left):
    hand = "12345L"
    table = Table(book, hand, "123456", scores=[score, 7])
    assert table.roll("LLL") == "llamas"
    assert (table.scores, table.hands, table.row) == ([left, 7], [hand, "123456"], KINDS)
    assert (table.seat, table.ended) == (1, None)
    with pytest.raises(ImpossibleError, match="nothing to decide"):
        choices_at(book, "hand=L opp=2 rolled=LLL")


@pytest.mark.parametrize(
    ("book", "hand", "row", "dice", "takes", "taken", "left"),
    [
        (AMIGO, "134456", KINDS, "2LL", "2L", "L", "134456L"),  # John
        (GIGAMIC, "113456", KINDS, "L2L", "2L", "L", "113456L"),  # Jérôme
        (EGMONT, "111333", KINDS, "46L", "46L", "4", "1113334"),
        (AMIGO, "13", "1356", "256", "56", "5", "135"),  # the 2 is gone from the row
        (AMIGO, "13", "1346L", "25L", "L", "L", "13L"),
        (AMIGO, "1133", "136L", "2LL", "L", "L", "1133L"),
    ],
)
def test_without_a_match_a_card_of_the_row_with_a_value_rolled_is_taken(
    book, hand, row, dice, takes, taken, left
):
    table = Table(book, hand, "123456", row=row)
    assert table.roll(dice) == "miss"
    assert table.choices() == [f"take {kind}" for kind in takes]
    for refused in set(KINDS) - set(takes):
        with pytest.raises(Refused, match="does not allow you to take"):
            table.take(refused)
    with pytest.raises(Refused, match="has yet to use"):
        table.quit()
    table.take(taken)
    assert (table.hands[0], table.row) == (left, row.replace(taken, ""))
    assert (table.seat, table.ended) == (1, None)


def test_a_card_taken_can_be_discarded_later():
    table = Table(AMIGO, "11", "123456")
    table.play("roll 256 take 5 roll LLL roll 15L")
    assert table.choices() == ["discard 1", "discard 5", "discard 15"]


@pytest.mark.parametrize(
    ("book", "hands", "row", "dice", "blown", "penalties"),
    [
        (AMIGO, ("1133", "246", "555"), "136", "2LL", "1113336", [10, 12, 5]),
        (EGMONT, ("111333", "25", "LL"), "1235", "46L", "1111233335", [11, 7, 10]),
        (GIGAMIC, ("11", "25", "LL"), "136", "25L", "11136", [10, 7, 10]),
    ],
)
def test_neither_in_hand_nor_in_the_row_is_blown(book, hands, row, dice, blown, penalties):
    table = Table(book, *hands, row=row)
    assert table.roll(dice) == "blown"
    assert (table.hands, table.row) == ([blown, *hands[1:]], row)
    assert (table.ended, table.penalties) == ("blown", penalties)
    with pytest.raises(Refused, match="is over"):
        table.quit()


# --- Quitting --------------------------------------------------------------------------------


@every_book
def test_who_quits_takes_no_further_part(book):
    table = Table(book, "112345", "223456", "33456L")  # Martin
    table.quit()
    for seat in (1, 2, 1, 2):
        assert table.seat == seat
        table.roll("LLL")
    table.play("roll 22L discard 22")
    assert (table.seat, table.ended, table.penalties[0]) == (2, None, 15)
    table.play("quit roll LLL quit")
    assert (table.ended, table.penalties) == ("quit", [15, 18, 28])


# --- The end of a round ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("book", "hand", "dice", "cards", "score", "left"),
    [
        (AMIGO, "25", "225", "25", 0, 0),
        (AMIGO, "6", "46L", "6", 12, 2),  # Rosa with 12 points
        (GIGAMIC, "5", "25L", "5", 12, 2),  # Aurelia
        (EGMONT, "3L", "13L", "3L", 27, 17),
        (EGMONT, "3", "13L", "3", 1, 0),
        (TWENTY, "3", "13L", "3", 35, 15),
        (TWENTY, "3", "13L", "3", 15, 5),
    ],
)
def test_the_last_card_ends_the_round_and_returns_a_token(book, hand, dice, cards, score, left):
    table = Table(book, hand, "25", "446", scores=[score, 15, 30])
    table.play(f"roll {dice} discard {cards}")
    assert (table.ended, table.scores) == ("out", [left, 15, 30])
    assert table.penalties == [0, 7, 10]


@pytest.mark.parametrize("book", [AMIGO, GIGAMIC, EGMONT + "+empty_row_ends"])
def test_the_last_card_of_the_row_ends_the_round(book):
    table = Table(book, "25", "123456", row="1")
    table.play("roll 14L take 1")
    assert (table.ended, table.penalties) == ("row", [8, 21])
    with pytest.raises(ImpossibleError, match="llama row is empty"):
        choices_at(book, "hand=25 row=- opp=446")


def test_in_egmont_an_empty_row_ends_nothing_and_the_next_miss_costs_nothing_more():
    table = Table(EGMONT, "25", "446", row="1")
    table.play("roll 14L take 1")
    assert (table.row, table.seat, table.ended) == ("", 1, None)
    assert table.choices() == ["quit", "roll"]
    table.roll("LLL")
    assert table.roll("346") == "blown"
    assert (table.hands[0], table.penalties) == ("125", [8, 10])


# --- The last player -------------------------------------------------------------------------


def left_alone(book, hand, score=0):
    """Lay out a round that all but the last of four have quit."""
    table = Table(book, "123456", "66", "L", hand, scores=[0, 0, 0, score])
    table.play("quit quit quit")
    assert table.seat == 3
    return table


@every_book
def test_alone_with_2_and_5_one_goes_on_and_blows_it(book):
    table = left_alone(book, "25")
    assert table.roll("124") == "match"
    assert table.choices() == ["discard 2"]
    table.discard("2")
    assert (table.seat, table.ended, table.choices()) == (3, None, ["quit", "roll"])
    assert table.roll("26L") == "blown"
    assert (table.ended, table.hands[3]) == ("blown", "1234556L")
    assert table.penalties == [21, 6, 10, 31]


@pytest.mark.parametrize("dice", ["134", "1LL", "346", "66L"])
def test_alone_any_miss_is_blown_even_if_the_row_matches(dice):
    assert left_alone(AMIGO, "25").roll(dice) == "blown"
    assert Table(AMIGO, "25", "1").roll(dice) == "miss"


@every_book
def test_alone_one_may_stop_at_any_time_or_go_out(book):
    stopped, table = (left_alone(book, "2255", score=8) for _ in range(2))
    stopped.play("roll 225 discard 2 quit")
    assert (stopped.ended, stopped.penalties) == ("quit", [21, 6, 10, 7])
    table.play("roll 225 discard 22 roll 25L discard 5")
    assert (table.hands[3], table.ended) == ("5", None)
    table.play("roll 25L discard 5")
    assert (table.ended, table.scores[3], table.penalties) == ("out", 7, [21, 6, 10, 0])


@pytest.mark.parametrize(
    ("book", "hand", "case", "score"),
    [
        *((book, hand, "llamas", 13) for book in BOOKS for hand in ("25", "25L")),
        (UNSAFE, "25L", "llamas", 13),  # the house rule reads the book the other way
        (UNSAFE, "25", "blown", 23),
    ],
)
def test_alone_three_llamas_return_a_token_as_usual(book, hand, case, score):
    table = left_alone(book, hand, score=23)
    assert table.roll("LLL") == case
    assert (table.scores[3], table.ended) == (score, None if case == "llamas" else "blown")
    assert Table(book, hand, "123456").roll("LLL") == "llamas"


# --- Scoring, tokens, Lama 20 ----------------------------------------------------------------


@every_book
@pytest.mark.parametrize(
    ("cards", "penalty"),
    [
        *((kind, points) for points, kind in enumerate("123456", 1)), ("L", 10), ("444", 4),
        ("LLL", 10), ("11256", 14), ("1556", 12), ("5L", 15), ("123456L", 31), ("66LL", 16),
    ],
)  # fmt: skip
def test_each_value_costs_once_and_all_llamas_ten(book, cards, penalty):
    table = Table(book, cards, "1")
    table.play("quit quit")
    assert table.penalties == [penalty, 1]


@pytest.mark.parametrize(
    ("score", "token"), [(0, 0), (1, 1), (9, 1), (10, 10), (19, 10), (20, 20), (39, 20)]
)
def test_the_most_valuable_token_goes_back_of_20_in_lama_20(score, token):
    assert parse_rules(TWENTY).token(score) == token
    assert {parse_rules(book).token(score) for book in BOOKS} == {min(token, 10)}
    table = Table(TWENTY, "3", "25", scores=[score, 0])
    table.roll("LLL")
    assert table.scores == [score - token, 0]


# --- The French game is the English one ------------------------------------------------------


def test_gigamic_is_amigo_but_for_its_name():
    assert parse_rules(GIGAMIC).values == parse_rules(AMIGO).values
    # The list of ends in the book of Egmont does not name the empty row.
    only = {name: value for name, value in parse_rules(EGMONT).values.items()
            if value != parse_rules(AMIGO).values[name]}  # fmt: skip
    assert only == {"empty_row_ends": False}


# --- House rules -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("dice/amigo+points=02.4.6.8.10.12", "dice/amigo+points=2.4.6.8.10.12"),
        ("dice/amigo+faces=LL4321.5LL612.3456LL", "dice/amigo"),
    ],
)
def test_ids_are_canonical(text, canonical):
    assert parse_rules(text).id == canonical
