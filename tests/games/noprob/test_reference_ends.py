"""The twin keeps the rule book of Starnberger: ends of rounds and games."""

from dataclasses import replace

import pytest

from tests.games.noprob.staged import OTHERS, RULES, cards, points, round_of, texts
from tests.reference.noprob import (
    DONE,
    EMPTY,
    MOST_TURNS,
    WIN,
    Round,
    Rules,
    Standing,
    Table,
    play_game,
    record,
)
from tests.reference.noprob_policies import DRAW, PASS, PUT_AWAY, TAKE

# Ende einer Runde


def test_the_round_ends_after_one_last_turn_of_every_other_player():
    state = round_of([(DRAW, 8)], [(DRAW, 0)], [(TAKE, 1)], up={0: 8})
    state.play()
    assert state.end == DONE
    assert [turn[0] for turn in state.history] == [0, 1, 2]
    assert [[last for _, last in policy.seen] for policy in state.table.policies] == [
        [False],
        [True],
        [True],
    ]


def test_a_last_turn_goes_round_the_table_from_the_player_who_ended():
    state = round_of([(DRAW, 0)], [(DRAW, 8)], [], up={1: 8})
    state.play()
    assert [turn[0] for turn in state.history] == [0, 1, 2, 0]
    assert [turn[1] for turn in state.history] == [DRAW, DRAW, PASS, PASS]


def test_a_second_player_with_all_cards_face_up_gives_no_more_last_turns():
    state = round_of([(DRAW, 8)], [(DRAW, 8)], [(DRAW, 8)], up={0: 8, 1: 8, 2: 8})
    state.play()
    assert [turn[0] for turn in state.history] == [0, 1, 2]


def test_nobody_ends_the_round_by_discarding():
    state = round_of([(DRAW, PUT_AWAY), (DRAW, 8)], [(DRAW, 0)], up={0: 8})
    state.play()
    assert [turn[0] for turn in state.history] == [0, 1, 0, 1]


def test_a_special_in_a_last_turn_goes_to_a_player_even_the_one_who_ended():
    state = round_of([(TAKE, 8)], [(DRAW, 0)], top="3", pile="D", up={0: 8})
    state.grids[0] = cards("3 4 5 6 -1 -1 -2 -2 9")
    state.play()
    assert state.end == DONE
    assert state.up[1] == 0
    assert state.penalties()[0] == 3 + 4 + 5 + 6 - 6 + 3 + 3


def test_hidden_cards_count_and_so_do_the_lines_they_form():
    state = round_of([], [])
    state.grids = [cards("6 6 6 3 4 5 7 8 10"), cards("6 6 5 3 4 6 7 8 10")]
    state.up = [0b000011, 0]
    assert state.penalties() == [OTHERS - 6, OTHERS + 18]


def test_hidden_specials_count_and_form_no_line():
    assert points("D 4 5 6 6 6 K 8 10") == 4 + 5 - 6 + 8 + 10
    assert points("D 3 3 4 4 5 6 7 9") == 3 + 41
    assert points("D D D 4 4 5 6 7 9") == 9 + 35
    assert points("K K K 4 4 5 6 7 9") == -9 + 35
    assert points("D 6 6 4 4 5 3 7 9", special=6) == 6 + 12 + 32


def llamas_of(rules, players, *rounds):
    standing = Standing(rules, players)
    for penalties in rounds:
        assert not standing.winners
        standing.settle(penalties)
    return standing


def test_the_lowest_points_earn_a_llama():
    standing = llamas_of(RULES, 3, [12, -3, 40], [5, 6, 4])
    assert standing.llamas == [0, 1, 1]
    assert standing.totals == [17, 3, 44]


def test_a_tie_gives_each_a_llama():
    assert llamas_of(RULES, 3, [7, 12, 7]).llamas == [1, 0, 1]
    assert llamas_of(RULES, 4, [-2, -2, -2, -2]).llamas == [1, 1, 1, 1]


A, B, BOTH = [1, 9, 9], [9, 1, 9], [1, 1, 9]


def test_two_who_reach_the_target_together_raise_it_by_one():
    standing = llamas_of(RULES, 3, A, B, BOTH, BOTH)
    assert (standing.llamas, standing.target, standing.winners) == ([3, 3, 0], 4, [])
    standing.settle(BOTH)
    assert (standing.llamas, standing.target, standing.winners) == ([4, 4, 0], 5, [])
    standing.settle(B)
    assert standing.winners == [1]
    assert standing.shares() == [0, WIN, 0]


def test_a_tie_of_which_one_reaches_the_target_wins_unless_any_tie_raises_it():
    tie = A, A, BOTH
    assert llamas_of(RULES, 3, *tie).winners == [0]
    standing = llamas_of(replace(RULES, any_tie=True), 3, *tie)
    assert (standing.llamas, standing.target, standing.winners) == ([3, 1, 0], 4, [])
    standing.settle(A)
    assert standing.winners == [0]


def test_any_tie_raises_the_target_once_a_round():
    standing = llamas_of(replace(RULES, any_tie=True), 3, BOTH, BOTH, BOTH)
    assert (standing.llamas, standing.target, standing.winners) == ([3, 3, 0], 4, [])


def test_a_tie_before_the_deciding_round_raises_nothing():
    for any_tie in (False, True):
        assert llamas_of(replace(RULES, any_tie=any_tie), 3, BOTH, A).target == 3


def test_the_next_round_starts_left_of_the_player_who_started():
    table = Table(RULES, ["random"] * 3, 0)
    assert [Round(table, 0, number).first for number in range(5)] == [0, 1, 2, 0, 1]
    lines = record(RULES, "noprob/starnberger", ["random"] * 3, 0, 0, True).splitlines()
    for at, line in enumerate(lines):
        if line.startswith("top"):
            number, first = int(lines[at - 4].split()[1]), lines[at - 4].split()[3]
            assert first == lines[at + 1].split()[0] == str(number % 3)


# Spielende


@pytest.mark.parametrize(("players", "target"), [(2, 3), (3, 3), (4, 3), (5, 2), (6, 2)])
def test_three_llamas_win_or_two_among_five_or_six(players, target):
    penalties = [-4, *range(players - 1)]
    standing = llamas_of(RULES, players, *[penalties] * target)
    assert standing.winners == [0]
    assert standing.llamas == [target, *[0] * (players - 1)]


@pytest.mark.parametrize("players", [2, 4, 5])
def test_a_game_ends_with_the_only_one_who_has_the_llamas(players):
    for game in range(20):
        found = play_game(RULES, ["random"] * players, 1, game)
        assert not found["unfinished"]
        assert sum(found["win"]) == WIN
        winner = found["outright"].index(1)
        assert found["llamas"].index(max(found["llamas"])) == winner
        assert found["llamas"].count(max(found["llamas"])) == 1
        assert found["llamas"][winner] >= (3 if players < 5 else 2)
        assert sum(found["llamas"]) >= found["rounds"]


def test_alternative_end_the_lowest_sum_of_four_rounds_wins():
    rules = Rules(four_rounds=True)
    standing = llamas_of(rules, 3, [1, 9, 9], [1, 9, 9], [1, 9, 9], [20, 9, -9])
    assert (standing.totals, standing.llamas) == ([23, 36, 18], [0, 0, 0])
    assert standing.shares() == [0, 0, WIN]
    tied = llamas_of(rules, 3, [1, 9, 9], [1, 9, 9], [1, 9, 9], [20, 9, -4])
    assert tied.shares() == [WIN // 2, 0, WIN // 2]
    assert play_game(rules, ["random"] * 3, 0, 0)["rounds"] == 4


# What the rule book leaves open


def test_an_empty_pile_is_made_of_all_discards_but_the_top():
    state = round_of([(DRAW, 0)], [(DRAW, 0)], top="3 8 4 D 5", pile="6")
    state.history.append(state.play_turn(0))
    assert texts(state.discards) == ["3", "8", "4", "D", "5", "9"]
    state = round_of([(DRAW, 8)], [], top="7 7 7 8", pile="", up={0: 8})
    state.play()
    assert texts([state.history[0][2]]) == ["7"]
    assert texts(state.pile) == ["7", "7"]
    assert texts(state.discards) == ["8", "9"]


def test_without_refill_the_round_ends_with_the_pile():
    state = round_of([(DRAW, 0)], [(DRAW, 0)], pile="3", refill=False)
    state.play()
    assert (state.end, state.turns) == (EMPTY, 1)
    state = round_of([(DRAW, 8)], [], [], pile="3", up={0: 8}, refill=False)
    state.play()
    assert (state.end, state.turns) == (EMPTY, 1)


def test_without_any_card_to_take_one_passes_and_such_a_round_is_abandoned():
    state = round_of([(TAKE, 1)], [], top="K", pile="")
    state.play()
    assert state.history[1:] == [(turn % 2, PASS, *[None] * 4) for turn in range(1, MOST_TURNS)]
    assert (state.end, state.turns) == (None, MOST_TURNS)


def test_an_abandoned_game_has_no_winner():
    # But for the Karmas no card is left on the table: once all are given, nobody can move.
    rules = Rules(copies=2, negative_copies=(1, 1, 0), jokers=0, dramas=0, karmas=6)
    found = [play_game(rules, ["random"] * 2, 0, game) for game in range(30)]
    unfinished = [game for game in found if game["unfinished"]]
    assert 0 < len(unfinished) < 30
    assert all(game["win"] == game["outright"] == [0, 0] for game in unfinished)
