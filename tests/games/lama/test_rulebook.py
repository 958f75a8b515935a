"""The Polish rule book: the basic game, Lama 20, Lama Party and Lama Drama, section by section."""

import pytest

from lama_odds.games.lama.rules.ruleset import EDITIONS, NAMES, parse_rules
from lama_odds.games.shared.record import Refused
from tests.games.lama.table import Table

EGMONT, PARTY = "lama/egmont", "lama/party"
TWENTY, EACH = "lama/egmont+twenty", "lama/egmont+llama_each"
DRAMA, PARTY_DRAMA = "lama/egmont+drama", "lama/party+drama"
# Seven cards: two hands of three and one to open; nothing is left to draw.
NO_PILE = "lama/egmont+copies=1+dealt=3+llamas=1"
ALL = "11+22+33+44+55+66+LP"


# --- Przygotowanie gry, przygotowanie rundy: what is needed, the deal, and who begins --------


def test_the_cards_and_numbers_of_each_edition():
    cards = {"egmont": (8, 0, 7, 0, 55), "amigo": (8, 0, 8, 0, 56), "party": (7, 1, 7, 1, 56)}
    assert set(cards) == set(EDITIONS)
    for edition, (copies, plus, llamas, pink, size) in cards.items():
        rules = parse_rules(f"lama/{edition}")
        assert (rules.deck, sum(rules.deck)) == ((copies, plus) * 6 + (llamas, pink), size)
        assert (rules.dealt, rules.players, rules.target) == (6, range(2, 7), 40)
        assert (rules.points, rules.llama_points) == ((1, 2, 3, 4, 5, 6), 10)
        assert (rules.black, rules.pink, rules.twenty) == (10, 20, edition == "party")
        assert rules.starter == ("last_actor" if edition == "amigo" else "rotate")
        assert {rules.drama, rules.llama_each, rules.pink_adds} == {False}
    assert " ".join(NAMES) == "1 1+ 2 2+ 3 3+ 4 4+ 5 5+ 6 6+ L P"


@pytest.mark.parametrize("players", [2, 6])
def test_play_goes_round_in_seat_order(players):
    table, seats = Table(EGMONT, *["123456"] * players, first=1), []
    assert table.pile == 55 - 6 * players - 1
    for _ in range(players + 1):
        seats.append(table.seat)
        table.draw("L")
    assert seats == [*range(1, players), 0, 1]


# --- 1. Zagranie karty -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("book", "tops", "playable"),
    [
        (EGMONT, "1", "12"), (EGMONT, "2", "23"), (EGMONT, "3", "34"), (EGMONT, "4", "45"),
        (EGMONT, "5", "56"), (EGMONT, "6", "6L"), (EGMONT, "L", "1L"),
        # On a plus card goes what goes on its number; the pink llama goes on any card.
        (PARTY, "1 1+", "11+22+P"), (PARTY, "2 2+", "22+33+P"), (PARTY, "3 3+", "33+44+P"),
        (PARTY, "4 4+", "44+55+P"), (PARTY, "5 5+", "55+66+P"), (PARTY, "6 6+", "66+LP"),
        (PARTY, "L P", "11+LP"),
    ],
)  # fmt: skip
def test_what_goes_on_what(book, tops, playable):
    for top in tops.split():
        hand = ALL if book == PARTY else "123456L"
        assert Table(book, hand, "1", top=top).playable() == playable


def test_tomek_plays_a_6_and_agnieszka_a_llama_on_it():
    table = Table(EGMONT, "134556", "12336L", top="5")
    table.play("6")
    assert (table.seat, table.hands[0]) == (1, "13455")
    table.play("L")
    assert (table.seat, table.hands[1]) == (0, "12336")
    assert table.playable() == "1"
    with pytest.raises(Refused, match="seat 0 has no 2"):
        Table(EGMONT, "134556", "123456").play("2")


# --- 2. Dobranie karty -----------------------------------------------------------------------


def test_a_card_is_drawn_even_if_one_could_be_played_and_the_turn_is_over():
    table = Table(EGMONT, "123456", "123456", top="5")
    pile = table.pile
    table.draw("L")
    assert (table.hands[0], table.pile, table.seat) == ("123456L", pile - 1, 1)
    with pytest.raises(Refused, match="no L is left"):
        Table(EGMONT, "LLLLLL", "123456", top="L").draw("L")


def test_who_can_neither_play_nor_draw_must_pass():
    table = Table(NO_PILE, "124", "35L", top="6")
    assert (table.pile, table.playable(), table.can("quit")) == (0, "", True)
    with pytest.raises(Refused, match="pile is empty"):
        table.draw("1")
    table.quit()
    assert table.seat == 1


# --- 3. Spasowanie ---------------------------------------------------------------------------


def test_tomek_passes_with_three_fives_and_takes_no_further_part():
    table = Table(EGMONT, "555", "123456", "12345L", top="2")
    assert table.playable() == ""
    table.quit()
    assert table.penalties[0] == 5
    for card, seat in zip("44LL", (1, 2, 1, 2), strict=True):
        assert table.seat == seat
        table.draw(card)


# --- Koniec rundy ----------------------------------------------------------------------------


def test_the_last_card_ends_the_round_at_once():
    table = Table(EGMONT, "1", "44L", "25", top="L")
    table.play("1")
    assert (table.ended, table.penalties) == ("out", [0, 14, 7])
    with pytest.raises(Refused, match="is over"):
        table.play("2")


def test_all_passed_ends_the_round():
    table = Table(EGMONT, "3L", "25", "446")
    table.quit(2)
    assert table.ended is None
    table.quit()
    assert (table.ended, table.penalties) == ("quit", [13, 7, 10])


def test_the_last_player_plays_on_but_never_draws_and_may_stop_or_go_out():
    table = Table(EGMONT, "3L", "25", "34466L", top="2")
    table.quit(2)
    with pytest.raises(Refused, match="last player does not draw"):
        table.draw("1")
    assert table.can("quit")
    table.play("3", "4", "4")
    assert (table.seat, table.ended, table.playable()) == (2, None, "")
    table.quit()
    assert (table.ended, table.penalties) == ("quit", [13, 7, 16])
    table = Table(EGMONT, "3L", "34", top="2")
    table.quit()
    table.play("3", "4")
    assert (table.ended, table.penalties) == ("out", [13, 0])


# --- Punktacja -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("book", "cards", "penalty"),
    [
        (EGMONT, "1L", 11), (EGMONT, "25", 7), (EGMONT, "46L", 20),  # A, B and C of the example
        (EGMONT, "444", 4), (EGMONT, "LLL", 10), (EGMONT, "11LL", 11), (EGMONT, "123456L", 31),
        (EACH, "LLL", 30), (EACH, "L", 10), (EACH, "44LL", 24), (EACH, "66", 6),
        (PARTY, "1L", 11), (PARTY, "25", 7), (PARTY, "46P", 30),  # the example of Lama Party
        (PARTY, "444+", 4), (PARTY, "LLL", 10), (PARTY, "LLP", 20), (PARTY, "P", 20),
        (PARTY, "4+", 4), (PARTY, "11+66+LP", 27), (PARTY, ALL, 41),
        (PARTY + "+pink_adds", "LLP", 30), (PARTY + "+pink_adds", "P", 20),
        (PARTY + "+pink_adds", "LL", 10), (PARTY + "+pink_llamas=2", "PP", 20),
        (PARTY + "+pink_points=35", "4LP", 39), (PARTY + "+llama_points=15+pink_adds", "LP", 35),
    ],
)  # fmt: skip
def test_each_kind_of_card_costs_once_and_llamas_as_the_book_says(book, cards, penalty):
    assert Table(book, cards, "3").penalties == [penalty, 3]


@pytest.mark.parametrize(
    ("score", "best", "least"),
    [
        (0, 0, 0), (1, 1, 1), (9, 1, 1), (10, 10, 10), (19, 10, 1), (20, 20, 20), (21, 20, 1),
        (29, 20, 1), (30, 20, 10), (39, 20, 1), (40, 20, 20), (50, 20, 10),
    ],
)  # fmt: skip
def test_tokens_are_exchanged_and_the_best_goes_back_on_going_out(score, best, least):
    for book in (EGMONT, TWENTY, PARTY):
        largest = 10 if book == EGMONT else 20
        rules = parse_rules(book)
        assert (rules.token(score), rules.lowest_token(score)) == (
            min(best, largest), min(least, largest)
        )  # fmt: skip
        table = Table(book, "2", "25", scores=[score, 33])
        table.play("2")
        assert table.scores == [score - min(best, largest), 33]
        assert table.penalties == [0, 7]


# --- Karty z plusem: another turn ------------------------------------------------------------


def test_a_plus_card_gives_another_turn_to_play_draw_or_pass():
    table = Table(PARTY, "23+4L", "123456", top="2")
    table.play("3+")
    assert (table.seat, table.ended, table.hands[0]) == (0, None, "24L")
    table.play("4")
    assert (table.seat, table.hands[0]) == (1, "2L")
    table = Table(PARTY, "123+5", "123456", top="2")
    table.play("3+")
    assert table.playable() == ""
    table.draw("4")
    assert (table.seat, table.hands[0]) == (1, "1245")
    table = Table(PARTY, "13+", "1234", top="2")
    table.play("3+")
    table.quit()
    assert (table.seat, table.penalties[0]) == (1, 1)


def test_plus_cards_may_follow_one_another_and_on_6_plus_goes_no_1():
    table = Table(PARTY, "1+2+2+3+3+45", "123456", top="1")
    table.play("1+", "2+", "2+", "3+", "3+")
    assert (table.seat, table.hands[0]) == (0, "45")
    table.play("4")
    assert (table.seat, table.hands[0]) == (1, "5")
    table = Table(PARTY, "16L6+", "1", top="5")
    table.play("6+")
    with pytest.raises(Refused, match=r"1 cannot be played on 6\+"):
        table.play("1")


def test_a_plus_card_as_the_last_one_ends_the_round_and_as_the_first_gives_nothing():
    table = Table(PARTY, "2+", "13L", scores=[4, 0])
    table.play("2+")
    assert (table.ended, table.scores, table.penalties) == ("out", [3, 0], [0, 14])
    table = Table(PARTY, "123456", "123456", top="4+")
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


def test_the_pink_llama_gives_no_other_turn_and_may_be_the_last_card():
    table = Table(PARTY, "P5", "13", top="4+")
    table.play("P")
    assert table.seat == 1
    table = Table(PARTY, "P", "13", top="3", scores=[22, 0])
    table.play("P")
    assert (table.ended, table.scores) == ("out", [2, 0])


# --- Lama Drama: a llama puts the token of lowest value on the pot ---------------------------


def about_to_run(rules_id, *hands, top="6", scores=(5, 12, 7), pot=(1, 1, 1, 1)):
    """Lay out a round with one token less than the drama takes."""
    return Table(rules_id, *hands, top=top, scores=scores[: len(hands)], pot=pot)


@pytest.mark.parametrize(
    ("score", "token", "twenty"),
    [
        (0, 0, 0), (1, 1, 1), (9, 1, 1), (10, 10, 10), (11, 1, 1), (20, 10, 20), (21, 1, 1),
        (30, 10, 10), (39, 1, 1), (40, 10, 20), (50, 10, 10), (60, 10, 20),
    ],
)  # fmt: skip
def test_a_llama_puts_the_lowest_token_on_the_pot(score, token, twenty):
    """With tokens of 20, ten is the lowest if an odd one is held."""
    for book in (DRAMA, PARTY_DRAMA + "+twenty=off", DRAMA + "+twenty"):
        lowest = twenty if parse_rules(book).twenty else token
        table = Table(book, "3L", "25", top="6", scores=[score, 7])
        assert table.play("L") == (lowest, 0)
        assert table.scores == [score - lowest, 7]
        assert table.drama == ([lowest] if lowest else [], False)


def test_only_llamas_that_are_played_put_tokens_there():
    table = Table(PARTY_DRAMA, "123+6P", "25", top="2", scores=[5, 5])
    assert table.play("3+") == (0, 0)
    assert table.play("P") == (1, 0)
    assert table.drama == ([1], False)
    assert Table(PARTY, "3L", "25", top="6", scores=[5, 5]).play("L") == (0, 0)
    assert Table(DRAMA, "3L", "25", top="L", scores=[5, 5]).drama == ([], False)


# --- The fifth token starts it: the next player takes all, unless by a llama -----------------


@pytest.mark.parametrize(
    ("action", "arguments"), [("play", "1"), ("draw", "4"), ("quit", ""), ("play", "1+")]
)
def test_the_next_player_takes_all_tokens_before_anything_but_a_llama(action, arguments):
    table = about_to_run(PARTY_DRAMA, "3L", "1251+", "46", pot=[1, 1, 1, 10])
    table.play("L")
    assert table.drama == ([1, 1, 1, 1, 10], True)
    assert getattr(table, action)(*[arguments][: bool(arguments)]) == (0, 14)
    assert (table.scores, table.drama) == ([4, 26, 7], ([], False))


@pytest.mark.parametrize(
    ("held", "paid", "pot", "scores"),
    [((5, 12, 7), 1, 7, [11, 11, 6]), ((1, 0, 0), 0, 5, [5, 0, 0])],
)
def test_a_llama_passes_it_on_with_one_more_token_or_without(held, paid, pot, scores):
    table = about_to_run(DRAMA, "3L", "25L", "46L", scores=held)
    table.play("L")
    assert table.play("L") == (paid, 0)
    assert table.play("L") == (paid, 0)
    assert table.drama == ([1] * pot, True)
    assert table.draw("4") == (0, pot)
    assert table.scores == scores


def test_who_has_passed_is_left_out_of_the_drama():
    table = about_to_run(DRAMA, "25", "3L", "46", top="L")
    table.quit()
    table.play("L")
    assert (table.seat, table.draw("4")) == (2, (0, 5))
    assert (table.seat, table.scores) == (1, [5, 11, 12])


def test_the_taken_tokens_may_go_back_on_going_out():
    table = about_to_run(DRAMA, "3L", "1", scores=(5, 0), pot=[1, 1, 1, 10])
    table.play("L")
    assert table.play("1") == (0, 14)
    assert (table.ended, table.scores) == ("out", [4, 4])


def test_a_plus_card_takes_first_and_a_llama_after_it_pays_into_the_emptied_pot():
    table = about_to_run(PARTY_DRAMA, "3L", "1+25P", "46", scores=(5, 10, 7))
    table.play("L")
    assert table.play("1+") == (0, 5)
    assert (table.seat, table.drama) == (1, ([], False))
    assert table.play("P") == (1, 0)
    assert (table.drama, table.scores) == (([1], False), [4, 14, 7])
    table = about_to_run(PARTY_DRAMA, "36+L", "25", "46")
    assert table.play("6+", "L") == (1, 0)
    assert (table.seat, table.draw("4")) == (1, (0, 5))


def test_nothing_is_taken_when_nobody_else_is_left():
    table = about_to_run(DRAMA, "25", "123LL", top="6")
    table.quit()
    table.play("L")
    assert table.drama == ([1] * 5, True)
    assert table.play("L") == (1, 0)
    assert table.play("1") == (0, 0)
    assert table.drama == ([1] * 6, False)
    table.quit()
    assert (table.scores, table.round.pot) == ([5, 10], [1] * 6)


def test_a_round_with_enough_tokens_begins_with_the_drama_not_running():
    table = Table(DRAMA, "3L", "25", top="L", scores=[0, 9], pot=[1] * 6)
    assert table.drama == ([1] * 6, False)
    assert table.draw("4") == table.draw("4") == (0, 0)
    table.play("L")  # no token held, none added: enough to start it
    assert table.drama == ([1] * 6, True)
    assert table.quit() == (0, 6)


def test_going_out_with_a_llama_pays_ends_the_round_and_gives_one_token_back():
    table = about_to_run(DRAMA, "L", "25", scores=(12, 3))
    assert table.play("L") == (1, 0)
    assert (table.ended, table.scores, table.round.pot) == ("out", [1, 3], [1] * 5)
    assert table.penalties == [0, 7]


def test_the_pink_llama_counts_unless_that_is_off():
    for options, moved, drama in (
        ("", (1, 0), ([1] * 6, True)),
        ("+pink_drama=off", (0, 5), ([], False)),
    ):
        table = about_to_run(PARTY_DRAMA + options, "3L", "25P", "46")
        table.play("L")
        assert table.play("P") == moved
        assert table.drama == drama
    off = Table(PARTY_DRAMA + "+pink_drama=off", "3P", "25", scores=[5, 5])
    assert off.play("P") == (0, 0)


# --- What tables of the engine rest on -------------------------------------------------------


@pytest.mark.parametrize("rules_id", [EGMONT, EACH, PARTY, EGMONT + "+pink_llamas=2"])
def test_no_hand_costs_more_than_the_bound(rules_id):
    rules = parse_rules(rules_id)
    dearest, slack = rules.penalty(rules.deck), rules.llama_points * (rules.deck[-1] > 0)
    assert dearest <= rules.most_points <= dearest + slack
