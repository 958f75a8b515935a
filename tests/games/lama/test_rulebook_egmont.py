"""The Polish rule book (Egmont), its part on the basic game."""

import pytest

from lama_odds.core.errors import ImpossibleError
from lama_odds.games.lama.game import GAME
from lama_odds.games.lama.rules.feasibility import parse_position
from lama_odds.games.lama.rules.ruleset import parse_rules
from lama_odds.games.shared.record import Refused
from lama_odds.simulation.run import run
from tests.games.cases import product_record, rounds_of
from tests.games.lama.checker import seen_in
from tests.games.lama.table import Table

EGMONT = "lama/egmont"
MIXED = ("threshold:4", "random", "threshold:0", "matching:9", "random", "threshold:2")
MOST = ("123456", "123456", "12345L", "23456L", "123456", "13456L")
# Seven cards: two hands of three and one to open; nothing is left to draw.
NO_PILE = "lama/egmont+copies=1+dealt=3+llamas=1"


def games(players, count=12):
    """Give the rounds of some games that the product plays."""
    for game in range(count):
        yield rounds_of(product_record(EGMONT, MIXED[:players], 31, game, rounds=False))


# Przygotowanie gry: what is needed


def test_55_cards_eight_of_each_value_and_seven_llamas():
    rules = parse_rules(EGMONT)
    assert rules.deck == (8, 0) * 6 + (7, 0)
    assert sum(rules.deck) == 55
    assert (rules.black, rules.twenty) == (10, False)


def test_two_to_six_players():
    rules = parse_rules(EGMONT)
    assert list(rules.players) == [2, 3, 4, 5, 6]
    with pytest.raises(ImpossibleError, match="7 players"):
        parse_position(rules, "hand=1 top=2 opp=1,1,1,1,1,1")


# Przygotowanie rundy: the deal, and who begins


@pytest.mark.parametrize("players", range(2, 7))
def test_six_cards_each_one_opens_the_rest_is_the_pile(players):
    table = Table(EGMONT, *MOST[:players])
    assert table.pile == 55 - 6 * players - 1
    for rounds in games(players):
        for number, lines in enumerate(rounds):
            assert lines[0] == ["round", str(number), "first", str(number % players)]
            assert [len(hand) for hand in lines[2][1:]] == [6] * players
            assert lines[3][0] == "top"
            assert lines[4][0] == str(number % players)


def test_the_seat_that_starts_goes_round_and_amigo_lets_the_last_to_act_start():
    # The checker follows the first seat from round to round; both ways must be exercised.
    for rules_id in (EGMONT, "lama/amigo", EGMONT + "+starter=last_actor"):
        assert seen_in(rules_id, MIXED)["end quit"] > 20


@pytest.mark.parametrize("players", range(2, 7))
def test_play_goes_round_in_seat_order(players):
    table = Table(EGMONT, *MOST[:players], first=1)
    seats = []
    for card in "LLLL223"[: players + 1]:
        seats.append(table.seat)
        table.draw(card)
    assert seats == [*range(1, players), 0, 1]


# 1. Zagranie karty


@pytest.mark.parametrize(
    ("top", "playable"),
    [("1", "12"), ("2", "23"), ("3", "34"), ("4", "45"), ("5", "56"), ("6", "6L"), ("L", "1L")],
)
def test_what_goes_on_what(top, playable):
    assert Table(EGMONT, "123456L", "123456", top=top).playable() == playable


def test_tomek_plays_a_6_and_agnieszka_a_llama_on_it():
    table = Table(EGMONT, "134556", "12336L", top="5")
    table.play("6")
    assert (table.seat, table.hands[0]) == (1, "13455")
    table.play("L")
    assert (table.seat, table.hands[1]) == (0, "12336")
    assert table.playable() == "1"


def test_a_card_not_held_cannot_be_played():
    with pytest.raises(Refused, match="seat 0 has no 2"):
        Table(EGMONT, "134556", "123456").play("2")


def test_what_goes_on_what_in_the_compiled_games():
    seen = seen_in(EGMONT, MIXED, games=20)
    steps = {f"{a} on {b}" for a, b in zip("123456L23456L1", "123456L123456L", strict=True)}
    assert steps == {event for event in seen if " on " in event}
    assert all(seen[step] > 50 for step in steps)


# 2. Dobranie karty


def test_a_card_is_drawn_even_if_one_could_be_played_and_the_turn_is_over():
    table = Table(EGMONT, "123456", "123456", top="5")
    pile = table.pile
    table.draw("L")
    assert (table.hands[0], table.pile, table.seat) == ("123456L", pile - 1, 1)


def test_nothing_is_drawn_from_an_empty_pile():
    table = Table(NO_PILE, "124", "35L", top="6")
    assert table.pile == 0
    with pytest.raises(Refused, match="pile is empty"):
        table.draw("1")
    assert table.can("quit")
    seen = seen_in(NO_PILE, MIXED, players=[2], games=50)
    assert seen["pile empty"] > 100
    assert not any(event.startswith("draw") for event in seen)


def test_a_card_that_lies_elsewhere_is_not_drawn():
    table = Table(EGMONT, "LLLLLL", "123456", top="L")
    with pytest.raises(Refused, match="no L is left"):
        table.draw("L")


# 3. Spasowanie


def test_tomek_passes_with_three_fives_and_takes_no_further_part():
    table = Table(EGMONT, "555", "123456", "12345L", top="2")
    assert table.playable() == ""
    table.quit()
    assert table.penalties[0] == 5
    seats = []
    for card in "44LL":
        seats.append(table.seat)
        table.draw(card)
    assert seats == [1, 2, 1, 2]


def test_who_can_neither_play_nor_draw_must_pass():
    table = Table(NO_PILE, "124", "35L", top="6")
    assert (table.playable(), table.can("draw", "1"), table.can("quit")) == ("", False, True)
    table.quit()
    assert table.seat == 1


# Koniec rundy


def test_the_last_card_ends_the_round_at_once():
    table = Table(EGMONT, "1", "44L", "25", top="L")
    table.play("1")
    assert table.ended == "out"
    assert table.penalties == [0, 14, 7]
    with pytest.raises(Refused, match="is over"):
        table.play("2")


def test_all_passed_ends_the_round():
    table = Table(EGMONT, "3L", "25", "446")
    table.quit(2)
    assert table.ended is None
    table.quit()
    assert table.ended == "quit"
    assert table.penalties == [13, 7, 10]


def test_the_last_player_plays_on_but_never_draws():
    table = Table(EGMONT, "3L", "25", "34466L", top="2")
    table.quit(2)
    with pytest.raises(Refused, match="last player does not draw"):
        table.draw("1")
    table.play("3", "4", "4")
    assert (table.seat, table.ended, table.playable()) == (2, None, "")
    table.quit()
    assert table.ended == "quit"
    assert table.penalties == [13, 7, 16]


def test_the_last_player_may_stop_at_once_or_go_out():
    table = Table(EGMONT, "3L", "34", top="2")
    table.quit()
    assert table.can("quit")
    table.play("3", "4")
    assert (table.ended, table.penalties) == ("out", [13, 0])


def test_both_ends_and_the_last_player_in_the_compiled_games():
    seen = seen_in(EGMONT, MIXED, games=20)
    for event in ("end out", "end quit", "play alone", "quit alone"):
        assert seen[event] > 20
    assert seen["draw alone"] == 0


# Punktacja


@pytest.mark.parametrize(
    ("cards", "penalty"),
    [
        ("1L", 11), ("25", 7), ("46L", 20),  # A, B and C of the example
        ("444", 4), ("LLL", 10), ("11LL", 11), ("2555", 7), ("44466L", 20), ("123456L", 31),
    ],
)  # fmt: skip
def test_each_kind_of_card_costs_once_and_all_llamas_ten(cards, penalty):
    table = Table(EGMONT, cards, "1")
    assert table.penalties == [penalty, 1]


@pytest.mark.parametrize(("cards", "penalty"), [("LLL", 30), ("L", 10), ("44LL", 24), ("66", 6)])
def test_in_the_variant_every_llama_costs_ten(cards, penalty):
    rules_id = EGMONT + "+llama_each"
    assert Table(rules_id, cards, "1").penalties[0] == penalty
    assert seen_in(rules_id, MIXED)["end quit"] > 20


@pytest.mark.parametrize(
    ("score", "left"), [(0, 0), (1, 0), (9, 8), (10, 0), (12, 2), (25, 15), (39, 29)]
)
def test_who_plays_all_cards_gives_the_best_token_back(score, left):
    table = Table(EGMONT, "2", "25", scores=[score, 33])
    table.play("2")
    assert table.scores == [left, 33]
    assert table.penalties == [0, 7]


def test_tokens_go_back_in_the_compiled_games():
    seen = seen_in(EGMONT, MIXED, games=20)
    assert all(seen[f"returns {token}"] > 5 for token in (0, 1, 10))
    assert seen["returns 20"] == 0


# Nowa runda, koniec gry


@pytest.mark.parametrize("players", range(2, 7))
def test_rounds_are_played_until_somebody_has_40(players):
    for rounds in games(players):
        assert all(int(score) < 40 for lines in rounds for score in lines[1][1:])
        assert max(int(score) for score in rounds[-1][-1][1:]) >= 40


def test_the_lowest_score_wins_and_who_ties_for_it_shares():
    policies = ("random",) * 3
    rules = GAME.rules(EGMONT + "+llama_points=1+points=1.1.1.1.1.1+target=6")
    job = GAME.simulation(rules, [GAME.policy(name) for name in policies], rounds=False)
    numbers = set()
    for game in range(60):
        final = product_record(rules.id, policies, 3, game, rounds=False).splitlines()[-1]
        scores = [int(score) for score in final.split()[1:]]
        winners = [score == min(scores) for score in scores]
        tally = run(job, 3, 1, first=game, threads=1).tally[:, 0].tolist()
        found = {(m.name, m.seat): m.unit * n for m, n in zip(job.measures, tally, strict=True)}
        for seat, wins in enumerate(winners):
            assert found["win", seat] == pytest.approx(wins / sum(winners))
            assert found["outright", seat] == (wins and sum(winners) == 1)
        numbers.add(sum(winners))
    assert numbers == {1, 2, 3}
