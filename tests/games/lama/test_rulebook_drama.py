"""The Polish rule book: Lama Drama, with the basic game and with Lama Party."""

import pytest

from tests.games.lama.checker import seen_in
from tests.games.lama.table import Table

DRAMA = "lama/egmont+drama"
PARTY = "lama/party+drama"
MIXED = ("matching:5", "threshold:3", "random", "threshold:9", "matching:0", "random")


def about_to_run(rules_id, *hands, top="6", scores=(5, 12, 7), pot=(1, 1, 1, 1)):
    """Lay out a round with one token less than the drama takes."""
    return Table(rules_id, *hands, top=top, scores=scores[: len(hands)], pot=pot)


# A llama puts the token of lowest value on the pot


@pytest.mark.parametrize("rules_id", [DRAMA, "lama/amigo+drama", "lama/party+drama+twenty=off"])
@pytest.mark.parametrize(
    ("score", "token"), [(0, 0), (1, 1), (9, 1), (10, 10), (11, 1), (20, 10), (39, 1), (60, 10)]
)
def test_a_llama_puts_the_lowest_token_on_the_pot(rules_id, score, token):
    table = Table(rules_id, "3L", "25", top="6", scores=[score, 7])
    assert table.play("L") == (token, 0)
    assert table.scores == [score - token, 7]
    assert table.drama == ([token] if token else [], False)


@pytest.mark.parametrize("rules_id", [PARTY, "lama/egmont+drama+twenty"])
@pytest.mark.parametrize(
    ("score", "token"),
    [(0, 0), (1, 1), (10, 10), (11, 1), (20, 20), (21, 1), (30, 10), (40, 20), (50, 10)],
)
def test_with_tokens_of_20_ten_is_the_lowest_if_an_odd_one_is_held(rules_id, score, token):
    table = Table(rules_id, "3L", "25", top="6", scores=[score, 7])
    assert table.play("L") == (token, 0)
    assert table.scores == [score - token, 7]


def test_only_llamas_put_tokens_there():
    table = Table(PARTY, "123+6P", "25", top="2", scores=[5, 5])
    assert table.play("3+") == (0, 0)
    assert table.play("P") == (1, 0)
    assert table.drama == ([1], False)
    assert Table("lama/party", "3L", "25", top="6", scores=[5, 5]).play("L") == (0, 0)


def test_a_llama_that_opens_puts_nothing_there():
    assert Table(DRAMA, "3L", "25", top="L", scores=[5, 5]).drama == ([], False)


# The fifth token starts it: the next player takes all, unless by a llama


def test_the_fifth_token_starts_the_drama_and_the_fourth_does_not():
    table = about_to_run(DRAMA, "3L", "25", pot=[1, 1, 1])
    table.play("L")
    assert table.drama == ([1] * 4, False)
    table = about_to_run(DRAMA, "3L", "25", pot=[1, 1, 1, 10])
    table.play("L")
    assert table.drama == ([1, 1, 1, 1, 10], True)


@pytest.mark.parametrize(
    ("action", "arguments"), [("play", "1"), ("draw", "4"), ("quit", ""), ("play", "1+")]
)
def test_the_next_player_takes_all_tokens_before_anything_but_a_llama(action, arguments):
    table = about_to_run(PARTY, "3L", "1251+", "46", pot=[1, 1, 1, 10])
    table.play("L")
    assert getattr(table, action)(*[arguments][: bool(arguments)]) == (0, 14)
    assert table.scores == [4, 26, 7]
    assert table.drama == ([], False)


def test_a_llama_passes_it_on_with_one_more_token():
    table = about_to_run(DRAMA, "3L", "25L", "46L")
    table.play("L")
    assert table.play("L") == (1, 0)
    assert table.play("L") == (1, 0)
    assert table.drama == ([1] * 7, True)
    assert table.draw("4") == (0, 7)
    assert table.scores == [11, 11, 6]


def test_a_llama_without_a_token_passes_it_on_too():
    table = about_to_run(DRAMA, "3L", "25L", "46L", scores=(1, 0, 7))
    table.play("L")
    assert table.play("L") == (0, 0)
    assert table.drama == ([1] * 5, True)
    assert table.draw("4") == (0, 5)
    assert table.scores == [0, 0, 12]


def test_who_has_passed_is_left_out():
    table = about_to_run(DRAMA, "25", "3L", "46", top="L", scores=(5, 12, 7))
    table.quit()
    table.play("L")
    table.draw("4")
    assert table.seat == 1
    table = about_to_run(DRAMA, "3L", "25", "46")
    table.round.quit_seats.add(1)
    table.play("L")
    assert table.seat == 2
    assert table.quit() == (0, 5)
    assert table.scores == [4, 12, 12]


def test_the_taken_tokens_may_go_back_on_going_out():
    table = about_to_run(DRAMA, "3L", "1", scores=(5, 0), pot=[1, 1, 1, 10])
    table.play("L")
    assert table.play("1") == (0, 14)
    assert (table.ended, table.scores) == ("out", [4, 4])


# Plus cards


def test_a_plus_card_takes_first_and_a_llama_after_it_pays_into_the_emptied_pot():
    table = about_to_run(PARTY, "3L", "1+25P", "46", scores=(5, 10, 7))
    table.play("L")
    assert table.play("1+") == (0, 5)
    assert (table.seat, table.drama) == (1, ([], False))
    assert table.play("P") == (1, 0)
    assert table.drama == ([1], False)
    assert table.scores == [4, 14, 7]


def test_a_llama_after_a_plus_card_starts_the_drama_for_the_next_player():
    table = about_to_run(PARTY, "36+L", "25", "46")
    assert table.play("6+", "L") == (1, 0)
    assert table.seat == 1
    assert table.draw("4") == (0, 5)


# Nobody else left


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


# From round to round


def test_a_round_with_enough_tokens_begins_with_the_drama_not_running():
    table = Table(DRAMA, "3L", "25", top="L", scores=[0, 9], pot=[1] * 6)
    assert table.drama == ([1] * 6, False)
    assert table.draw("4") == (0, 0)
    assert table.draw("4") == (0, 0)
    table.play("L")  # no token held, none added: enough to start it
    assert table.drama == ([1] * 6, True)
    assert table.quit() == (0, 6)


def test_going_out_with_a_llama_pays_ends_the_round_and_gives_one_token_back():
    table = about_to_run(DRAMA, "L", "25", scores=(12, 3))
    assert table.play("L") == (1, 0)
    assert table.ended == "out"
    assert (table.scores, table.round.pot) == ([1, 3], [1] * 5)
    assert table.penalties == [0, 7]


# The pink llama (an option), the number of tokens (another)


def test_the_pink_llama_counts_unless_that_is_off():
    for options, moved, drama in (
        ("", (1, 0), ([1] * 6, True)),
        ("+pink_drama=off", (0, 5), ([], False)),
    ):
        table = about_to_run(PARTY + options, "3L", "25P", "46")
        table.play("L")
        assert table.play("P") == moved
        assert table.drama == drama
    assert Table(PARTY + "+pink_drama=off", "3P", "25", scores=[5, 5]).play("P") == (0, 0)


@pytest.mark.parametrize("tokens", [1, 2, 20])
def test_the_number_of_tokens_is_an_option(tokens):
    for short in (0, 1):
        pot = [1] * (tokens - 1 - short)
        if tokens > short:
            table = about_to_run(f"{DRAMA}+drama_tokens={tokens}", "3L", "25", pot=pot)
            table.play("L")
            assert table.drama[1] is (short == 0)


# The compiled games, checked line by line


def test_every_event_in_the_compiled_games_with_party_cards():
    seen = seen_in(PARTY + "+drama_tokens=2+target=80", MIXED, games=15)
    events = ["passed on", "taken", "nobody takes", "runs unpaid"]
    events += ["carried", "carried, could run", "out with pay", "out after taking"]
    events += ["pays 0", "pays 1", "pays 10", "pays 20", "pays 10 beside 20", "out with L"]
    assert [event for event in events if seen[event] < 3] == []


def test_llamas_into_the_emptied_pot_in_the_compiled_games():
    rules_id = PARTY + "+drama_tokens=1+llamas=12+pink_llamas=4+plus=4"
    seen = seen_in(rules_id, ("threshold:3", "random"), games=100)
    assert seen["into the emptied pot"] > 3


@pytest.mark.parametrize("options", ["", "+drama_tokens=3+starter=last_actor", "+twenty"])
def test_every_event_in_the_compiled_games_with_basic_cards(options):
    seen = seen_in(f"{DRAMA}+target=90{options}", MIXED, games=12)
    events = ["passed on", "taken", "nobody takes", "carried", "carried, could run"]
    events += ["pays 0", "pays 1", "pays 10", "out with pay"]
    assert [event for event in events if seen[event] < 3] == []
    assert (seen["pays 20"] > 3) is ("twenty" in options)


def test_the_compiled_games_when_the_pink_llama_does_not_count():
    rules_id = PARTY + "+drama_tokens=2+pink_drama=off+pink_llamas=4"
    seen = seen_in(rules_id, MIXED, games=30)
    assert min(seen["taken"], seen["passed on"], seen["P on L"]) > 10
