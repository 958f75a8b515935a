"""The twin keeps the rule book of Starnberger: material, turns, specials."""

from collections import Counter

import pytest

from tests.games.noprob.staged import DECK, RULES, cards, only_turn, round_of, texts
from tests.reference.noprob import DISCARD, GIVE, REPLACE, Round, Table
from tests.reference.noprob_policies import DRAW, PASS, PUT_AWAY, TAKE

# Spielmaterial, Spielvorbereitung


def test_142_numbers_and_14_specials():
    count = Counter(texts(DECK.pack))
    assert [count[str(number)] for number in range(3, 11)] == [14] * 8
    assert [count[kind] for kind in ("-1", "-2", "-5", "J")] == [10, 10, 5, 5]
    assert [count["D"], count["K"]] == [6, 8]
    assert count.total() == 142 + 14


@pytest.mark.parametrize("players", range(2, 7))
def test_nine_cards_each_and_one_on_the_discards(players):
    state = Round(Table(RULES, ["random"] * players, 0), 3, 0)
    assert [len(grid) for grid in state.grids] == [9] * players
    assert len(state.discards) == 1
    assert len(state.pile) == 156 - 9 * players - 1
    assert sorted(sum(state.grids, state.discards + state.pile)) == DECK.pack
    assert state.up == [0] * players


def test_each_has_looked_at_two_of_the_own_cards_and_no_more():
    state = Round(Table(RULES, ["random"] * 3, 0), 3, 0)
    for seat, view in enumerate(state.views):
        own = view.grid(seat)
        assert own == [*state.grids[seat][:2], *[None] * 7]
        assert [view.grid(other) for other in range(3) if other != seat] == [[None] * 9] * 2


# Spielverlauf, Aktion A and B


@pytest.mark.parametrize("source", [DRAW, TAKE])
@pytest.mark.parametrize("card", ["4", "-5", "J"])
def test_a_number_or_joker_replaces_a_card_which_goes_face_up_onto_the_discards(source, card):
    state = only_turn((source, 4), top=f"8 {card}" if source == TAKE else "8", pile=card)
    assert texts(state.grids[0]) == ["9"] * 4 + [card] + ["9"] * 4
    assert state.up == [1 << 4, 0]
    assert texts(state.discards) == ["8", "9"]
    assert len(state.pile) == (source == TAKE)


def test_a_card_face_up_may_be_replaced_too():
    state = only_turn((DRAW, 1), pile="3", up={0: 2})
    assert texts(state.grids[0])[1] == "3"
    assert state.up[0] == 0b11
    assert texts(state.discards) == ["10", "9"]


def test_a_card_drawn_may_be_discarded_and_nothing_is_turned_up():
    state = only_turn((DRAW, PUT_AWAY), top="8", pile="7")
    assert state.history[-1][3] == DISCARD
    assert state.up == [0, 0]
    assert texts(state.discards) == ["8", "7"]


def test_a_card_from_the_discards_must_replace_another():
    with pytest.raises(ValueError, match="must replace"):
        only_turn((TAKE, PUT_AWAY))


def test_one_has_to_move_unless_it_is_the_last_turn():
    with pytest.raises(ValueError, match="only a last turn"):
        only_turn((PASS, None))


# Sonderkarten


@pytest.mark.parametrize("source", [DRAW, TAKE])
@pytest.mark.parametrize("card", ["D", "K"])
def test_a_special_goes_to_another_player_and_ends_the_turn(source, card):
    state = only_turn((source, 1), top=f"8 {card}" if source == TAKE else "8", pile=card)
    assert [texts(beside) for beside in state.beside] == [[], [card]]
    assert state.up == [0, 0]
    assert texts(state.grids[0]) == ["9"] * 9
    assert texts(state.discards) == ["8"]
    with pytest.raises(ValueError, match="another player"):
        only_turn((source, 0), top=card, pile=card)


def test_a_special_in_the_grid_that_is_replaced_can_be_taken_and_given():
    state = round_of([(DRAW, 0)], [(TAKE, 0)], pile="3 3")
    state.grids[0] = cards("K 9 9 9 9 9 9 9 9")
    for seat in (0, 1):
        state.history.append(state.play_turn(seat))
        state.turns += 1
    assert [turn[3] for turn in state.history] == [REPLACE, GIVE]
    assert [texts(beside) for beside in state.beside] == [["K"], []]
    assert texts(state.discards) == ["10"]


def test_example_lisa_adds_two_dramas_and_subtracts_a_karma():
    state = round_of([], [])
    state.grids[0] = cards("3 -1 4 5 3 6 -2 4 8")
    assert state.penalties()[0] == 30
    state.beside[0] = cards("D D")
    assert state.penalties()[0] == 36
    state.beside[0] = cards("D D K")
    assert state.penalties()[0] == 33
