"""The Polish rule book: the basic game, Lama 20, Lama Party and Lama Drama, section by section."""

from __future__ import annotations

import random
from itertools import pairwise, product

import pytest

from lama_odds.core.errors import ImpossibleError
from lama_odds.games.lama.rules.feasibility import parse_position
from lama_odds.games.lama.rules.ruleset import EDITIONS, NAMES, parse_rules
from lama_odds.games.shared.record import Refused
from tests.games.cases import product_record, rounds_of
from tests.games.lama.table import Table, cards_of, cost, counts, purse

EGMONT, AMIGO, PARTY = "lama/egmont", "lama/amigo", "lama/party"
TWENTY, EACH = "lama/egmont+twenty", "lama/egmont+llama_each"
DRAMA, PARTY_DRAMA = "lama/egmont+drama", "lama/party+drama"
MIXED = ("threshold:4", "random", "threshold:0", "matching:9", "random", "threshold:2")
MOST = ("123456", "123456", "12345L", "23456L", "123456", "13456L")
# Seven cards: two hands of three and one to open; nothing is left to draw.
NO_PILE = "lama/egmont+copies=1+dealt=3+llamas=1"
ALL = "11+22+33+44+55+66+LP"
any_players = pytest.mark.parametrize("players", range(2, 7))


# --- Przygotowanie gry, przygotowanie rundy: what is needed, the deal, and who begins --------


@pytest.mark.parametrize(
    ("book", "deck", "cards", "twenty"),
    [
        (EGMONT, (8, 0) * 6 + (7, 0), 55, False),
        (TWENTY, (8, 0) * 6 + (7, 0), 55, True),
        (PARTY, (7, 1) * 6 + (7, 1), 56, True),
    ],
)
def test_the_cards_and_tokens_for_two_to_six_players(book, deck, cards, twenty):
    rules = parse_rules(book)
    assert (rules.deck, sum(rules.deck)) == (deck, cards)
    assert (rules.black, rules.pink, rules.twenty) == (10, 20, twenty)
    assert list(rules.players) == [2, 3, 4, 5, 6]
    with pytest.raises(ImpossibleError, match="7 players"):
        parse_position(rules, "hand=1 top=2 opp=1,1,1,1,1,1")


@any_players
@pytest.mark.parametrize("book", [EGMONT, AMIGO, PARTY])
def test_six_cards_each_one_opens_and_rounds_follow_until_somebody_has_40(book, players):
    assert Table(book, *MOST[:players]).pile == sum(parse_rules(book).deck) - 6 * players - 1
    for game in range(6):
        rounds = rounds_of(product_record(book, MIXED[:players], 31, game, rounds=False))
        first = 0
        for number, lines in enumerate(rounds):
            assert lines[0] == ["round", str(number), "first", str(first)]
            assert [len(cards_of(hand)) for hand in lines[2][1:]] == [6] * players
            assert (lines[3][0], lines[4][0]) == ("top", str(first))
            turns = [line for line in lines if line[0].isdigit()]
            first = int(turns[-1][0]) if book == AMIGO else (number + 1) % players
        scores = [[int(word) for word in lines[1][1:]] for lines in rounds]
        scores.append([int(word) for word in rounds[-1][-1][1:]])
        assert max(map(max, scores[:-1])) < 40 <= max(scores[-1])
        for lines, before, after in zip(rounds, scores, scores[1:], strict=False):
            costs = next(line[1:] for line in lines if line[0] == "penalties")
            returned = [b + int(c) - a for b, c, a in zip(before, costs, after, strict=True)]
            outs = [r for r in returned if r]
            assert len(outs) <= (["end", "out"] in lines)
            assert set(outs) <= {1, 10, 20}


@any_players
def test_play_goes_round_in_seat_order(players):
    table, seats = Table(EGMONT, *MOST[:players], first=1), []
    for card in "LLLL223"[: players + 1]:
        seats.append(table.seat)
        table.draw(card)
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
    played = [product_record(NO_PILE, MIXED[:2], 5, game) for game in range(20)]
    assert not any(" draw " in record for record in played)


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
    for book in (DRAMA, "lama/amigo+drama", PARTY_DRAMA + "+twenty=off", PARTY_DRAMA,
                 "lama/egmont+drama+twenty"):  # fmt: skip
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


@pytest.mark.parametrize("tokens", [1, 2, 5, 20])
def test_the_number_of_tokens_that_starts_it_is_an_option(tokens):
    for short in (0, 1):
        if tokens > short:
            pot = [1] * (tokens - 1 - short)
            table = about_to_run(f"{DRAMA}+drama_tokens={tokens}", "3L", "25", pot=pot)
            table.play("L")
            assert table.drama == ([1] * (tokens - short), short == 0)


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


def test_the_pot_stays_from_round_to_round():
    rounds = rounds_of(product_record(DRAMA + "+target=90", MIXED[:4], 32, 0))
    pots = [[int(word) for word in lines[2][1:] if word != "-"] for lines in rounds]
    carried = 0
    for (lines, before), after in pairwise(zip(rounds, pots, strict=True)):
        lies = list(before)
        for line in lines:
            lies = [] if "takes" in line else lies
            lies += [int(line[-1])] if "pays" in line else []
        assert sorted(lies) == after[1]
        carried += len(lies) > 0
    assert carried >= 3


# --- Rule sets: ids, options and numbers -----------------------------------------------------


# Options that go with some editions only.
WITH = {
    "drama_tokens": ("lama/{}+drama+drama_tokens=3", 3),
    "llama_each": ("lama/{}+llama_each", True),
    "pink": ("lama/{}+pink=30+twenty", 30),
    "pink_adds": ("lama/{}+pink_adds+pink_llamas=2", True),
    "pink_llamas": ("lama/{}+pink_llamas=2", 2),
    "pink_points": ("lama/{}+pink_llamas=2+pink_points=25", 25),
    "starter": ("lama/{}+starter={}", None),
}


def test_the_numbers_of_the_rule_books() -> None:
    cards = {"egmont": (8, 0, 7, 0, 55), "amigo": (8, 0, 8, 0, 56), "party": (7, 1, 7, 1, 56)}
    assert set(cards) == set(EDITIONS)
    for edition, (copies, plus, llamas, pink, size) in cards.items():
        rules = parse_rules(f"lama/{edition}")
        assert rules.id == f"lama/{edition}"
        assert rules.deck == (copies, plus) * 6 + (llamas, pink)
        assert sum(rules.deck) == size
        assert (rules.dealt, rules.players, rules.target) == (6, range(2, 7), 40)
        assert (rules.points, rules.llama_points) == ((1, 2, 3, 4, 5, 6), 10)
        assert (rules.black, rules.pink, rules.twenty) == (10, 20, edition == "party")
        assert rules.starter == ("last_actor" if edition == "amigo" else "rotate")
        assert {rules.drama, rules.llama_each, rules.pink_adds} == {False}
    assert " ".join(NAMES) == "1 1+ 2 2+ 3 3+ 4 4+ 5 5+ 6 6+ L P"


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("name", WITH)
def test_an_option_that_needs_company(edition: str, name: str) -> None:
    text, value = WITH[name]
    other = "rotate" if edition == "amigo" else "last_actor"
    text = text.format(edition, other)
    if edition == "party" and name == "llama_each":
        text += "+pink_llamas=0"
    rules = parse_rules(text)
    assert getattr(rules, name) == (value or other)
    assert rules.id == (text.replace("+twenty", "") if edition == "party" else text)


def test_the_same_options_make_sense_where_they_fit() -> None:
    for text in (
        "lama/party+llama_each+pink_llamas=0",
        "lama/egmont+pink_adds+pink_llamas=1+pink_points=30",
        "lama/party+drama+pink_drama=off",
        "lama/egmont+drama+pink_drama=off+pink_llamas=1",
        "lama/amigo+drama+drama_tokens=3",
        "lama/party+pink=11",
        "lama/party+black=25+twenty=off",
        "lama/amigo+copies=1+llamas=7",
        "lama/egmont+drama+llama_each+twenty",
    ):
        rules = parse_rules(text)
        assert parse_rules(rules.id) == rules


def test_players_are_as_many_as_the_cards_suffice_for() -> None:
    assert parse_rules("lama/egmont+dealt=12").players == range(2, 5)
    assert parse_rules("lama/egmont+dealt=9").players == range(2, 7)
    assert parse_rules("lama/amigo+copies=1+llamas=7").players == range(2, 3)
    assert parse_rules("lama/egmont+dealt=9+llamas=6").players == range(2, 6)


def test_the_pink_llama_counts_for_the_drama_by_default() -> None:
    assert parse_rules("lama/egmont+drama+pink_llamas=1").pink_drama


# Points and tokens, against the plain reading of the rules


@pytest.mark.parametrize(
    "text",
    [
        *("lama/egmont", "lama/egmont+llama_each", "lama/party", "lama/party+pink_adds"),
        "lama/party+llama_points=3+pink_llamas=3+pink_points=7+plus=3+points=6.5.4.3.2.1",
        "lama/egmont+llama_each+llama_points=2+plus=1+points=3.3.3.40.3.1",
    ],
)
def test_penalties_of_many_hands(text: str) -> None:
    rules, rng = parse_rules(text), random.Random(text)
    deck = [name for name, count in zip(NAMES, rules.deck, strict=True) for _ in range(count)]
    for size in [*range(1, 13)] * 20:
        hand = rng.sample(deck, size)
        packed = rules.pack(counts("".join(hand)))
        assert rules.penalty(counts("".join(hand))) == cost(rules, hand)
        assert rules.unpack(packed) == counts("".join(hand))


@pytest.mark.parametrize(
    "text",
    ["lama/egmont", "lama/party", "lama/amigo+black=7", "lama/party+black=6+pink=9"],
)
def test_the_best_and_the_least_token_of_any_score(text: str) -> None:
    rules = parse_rules(text)
    for score in range(200):
        tokens = purse(rules, score) or [0]
        assert (rules.token(score), rules.lowest_token(score)) == (tokens[0], tokens[-1])


def test_which_cards_count_for_the_drama() -> None:
    for name, kind in product(("lama/party", "lama/party+drama"), NAMES):
        assert parse_rules(name).pays(NAMES.index(kind)) is (kind in "LP" and "drama" in name)
    off = parse_rules("lama/party+drama+pink_drama=off")
    assert [kind for kind in NAMES if off.pays(NAMES.index(kind))] == ["L"]


@pytest.mark.parametrize("options", ["", "+llama_each"])
@pytest.mark.parametrize("edition", ["egmont", "amigo"])
def test_no_hand_costs_more_than_all_cards(edition: str, options: str) -> None:
    rules = parse_rules(f"lama/{edition}{options}")
    assert rules.most_points == rules.penalty(rules.deck)


@pytest.mark.parametrize("rules_id", ["lama/party", "lama/egmont+pink_llamas=2+pink_points=25"])
def test_the_bound_is_at_most_a_llama_too_high_with_pink_llamas(rules_id: str) -> None:
    rules = parse_rules(rules_id)
    dearest = rules.penalty(rules.deck)
    assert dearest <= rules.most_points <= dearest + rules.llama_points
