"""The twin keeps the rule book of Starnberger, section by section (seed 004)."""

import random
from collections import Counter
from dataclasses import replace

import pytest

from tests.reference.noprob import (
    DISCARD,
    DONE,
    EMPTY,
    GIVE,
    MOST_TURNS,
    REPLACE,
    WIN,
    Round,
    Rules,
    Standing,
    Table,
    edition,
    play_first_round,
    play_game,
    record,
    score,
)
from tests.reference.noprob_cards import CELLS, Deck, grid_points
from tests.reference.noprob_policies import DRAW, PASS, PUT_AWAY, TAKE

RULES = edition("starnberger")
DECK = Deck(RULES)


def cards(text):
    return [DECK.texts.index(word) for word in text.split()]


def texts(found):
    return [DECK.texts[card] for card in found]


def points(text, **options):
    return score(replace(RULES, **options), text.split())


class Script:
    """Plays the turns given: (source, what is done with the card); passes when none is left."""

    def __init__(self, *turns):
        self.turns = list(turns)
        self.seen = []

    def source(self, view):
        self.seen.append((view.grid(view.seat), view.last_turn))
        source, self.use = self.turns.pop(0) if self.turns else (PASS, None)
        return source

    def place(self, view, card, source):
        return self.use

    def give(self, view, card):
        return self.use


def round_of(*scripts, top="10", pile="10 10 10", up=None, **options):
    """Set up a round: every card hidden is a 9, those of `up`, by seat, lie face up."""
    table = Table(replace(RULES, **options), ["random"] * len(scripts), 0)
    table.policies = [Script(*turns) for turns in scripts]
    state = Round(table, 0, 0)
    state.grids = [cards("9 " * CELLS) for _ in scripts]
    for seat, number in (up or {}).items():
        state.up[seat] = (1 << number) - 1
    state.pile, state.discards = sorted(cards(pile)), cards(top)
    return state


def only_turn(turn, **options):
    """Play one turn of seat 0 and give the round."""
    state = round_of([turn], [], **options)
    state.history.append(state.play_turn(0))
    state.turns = 1
    return state


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


# Drillinge sammeln

OTHERS = 3 + 4 + 5 + 7 + 8 + 10


def test_example_paula_has_three_sixes_in_a_row_for_minus_6():
    assert points("3 4 5 6 6 6 7 8 10") == OTHERS - 6


def test_a_column_counts_like_a_row():
    assert points("3 6 4 5 6 7 8 6 10") == OTHERS - 6


def test_three_equal_cards_count_as_they_are_elsewhere():
    assert points("6 4 5 3 6 7 8 10 6") == OTHERS + 18  # a diagonal
    assert points("6 6 4 6 5 3 7 8 10") == OTHERS + 18


@pytest.mark.parametrize(
    ("grid", "expected"),
    [
        ("6 6 6 4 4 4 3 5 7", -6 - 4 + 15),
        ("6 6 6 6 6 6 3 5 7", -6 - 6 + 15),
        ("10 10 10 5 5 5 3 3 3", -18),
        # Three rows and three columns, each nine cards once.
        ("7 7 7 7 7 7 7 7 7", -42),
    ],
)
def test_there_may_be_several_lines(grid, expected):
    assert points(grid) == expected


def test_a_row_and_a_column_may_cross():
    assert points("7 7 7 7 3 4 7 5 6") == -14 + 18


@pytest.mark.parametrize(("card", "three"), [("-1", -3), ("-2", -6), ("-5", -15)])
def test_three_equal_negatives_count_as_they_are(card, three):
    assert points(f"{card} 3 4 {card} 5 7 {card} 8 10") == OTHERS + three


# Joker einsetzen


def test_example_fred_has_a_column_and_a_row_of_sevens_with_a_joker_for_minus_14():
    assert points("3 7 4 7 J 7 5 7 6") == -14 + 18  # where they cross
    assert points("3 7 4 7 7 J 5 7 6") == -14 + 18
    assert points("3 J 4 7 7 7 5 7 6") == -14 + 18


@pytest.mark.parametrize("number", range(3, 11))
def test_a_joker_stands_for_any_number(number):
    assert points(f"{number} J {number} -1 -1 -2 -2 -5 -5") == -number - 16
    assert points(f"J J {number} -1 -1 -2 -2 -5 -5") == -number - 16


def test_a_joker_without_a_line_counts_nothing():
    assert points("J 3 4 5 J 6 -1 7 9") == 33
    assert points("J 3 4 5 9 6 -1 7 9") == 42


@pytest.mark.parametrize("card", ["-1", "-2", "-5", "D", "K"])
def test_a_joker_stands_for_nothing_but_a_number(card):
    value = {"D": 3, "K": -3}.get(card) or int(card)
    assert points(f"{card} {card} J 3 4 5 6 7 9") == 2 * value + 34


def test_a_joker_has_one_value():
    # It belongs to a row of fours or to a column of nines: nines are worth more, and save more.
    assert points("4 4 J 3 5 9 6 7 9") == -9 + 8 + 21
    assert points("J 9 9 4 3 5 4 6 7") == -9 + 8 + 21


def test_a_joker_may_prefer_the_lower_value_that_makes_two_lines():
    # Row and column of fours (-8), and two nines lost, against a row of nines (-9).
    assert points("J 4 4 4 3 5 4 6 7") == -8 + 21
    # Jokers that are threes make a row and two columns; tens would leave four threes.
    assert points("J J J 3 3 -1 3 3 -2") == -9 - 3


def test_three_jokers_are_a_line_of_the_highest_number():
    assert points("J J J 3 4 5 6 7 9") == -10 + 34
    assert points("J J J 3 4 5 6 7 9", triple_joker=False) == 34
    assert points("J J J 3 4 5 6 7 9", low=2) == -9 + 34


def test_three_jokers_take_the_value_of_a_crossing_line_if_that_is_better():
    assert points("J J J 8 -1 -2 8 -1 -2") == -8 - 8 - 6
    assert points("J J J 8 -1 -2 8 -1 -2", triple_joker=False) == -8 - 6
    # The column of threes costs the row seven, but without it the threes would count six.
    assert points("J J J 3 -1 -2 3 -1 -2") == -3 - 3 - 6


def test_the_points_counted_in_play_are_those_of_the_brute_force():
    chance = random.Random(4)
    for triple_joker in (True, False):
        rules = replace(RULES, triple_joker=triple_joker)
        deck = Deck(rules)
        lined = 0
        for _ in range(1500):
            few = [*chance.sample(deck.pack, 3), deck.joker]
            grid = chance.choices(few, (3, 3, 2, 3), k=CELLS)
            if grid.count(deck.joker) <= 3 or (grid.count(deck.joker) == 4 and lined % 20 == 0):
                text = [deck.texts[card] for card in grid]
                assert grid_points(deck, grid) == score(rules, text), text
                lined += grid_points(deck, grid) != sum(deck.values[card] for card in grid)
        assert lined > 300


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


# The policy and the record


def test_random_chooses_evenly_and_never_passes():
    table = Table(RULES, ["random"] * 4, 3)
    sources, drawn, taken, given = (Counter() for _ in range(4))
    for game in range(300):
        state = Round(table, game, 0)
        state.play()
        for seat, source, _, use, place, _ in state.history:
            if use == GIVE:
                given[(place - seat) % 4] += 1
            else:
                (drawn if source == DRAW else taken)[use, place] += 1
            sources[source] += 1
    assert set(sources) == {DRAW, TAKE}
    for counted, choices in ((drawn, 10), (taken, 9), (given, 3)):
        assert len(counted) == choices
        mean = counted.total() / choices
        assert all(abs(count - mean) < 4.5 * mean**0.5 for count in counted.values())
    # The discards are seldom empty, the pile never.
    assert abs(sources[DRAW] - sources[TAKE]) < 4.5 * sources.total() ** 0.5


@pytest.mark.parametrize("players", [2, 3, 6])
def test_a_record_can_be_followed_card_by_card(players):
    names = ["random"] * players
    for game in range(20):
        lines = record(RULES, "noprob/starnberger", names, 2, game, False).splitlines()
        grids = [row.replace("/", ",").split(",") for row in lines[8].split()[1:]]
        discards, beside = [lines[9].split()[1]], [0] * players
        up = [set() for _ in names]
        closed = []
        for at, line in enumerate(lines[10:-2]):
            seat, source, card, use, *rest = line.split()
            seat = int(seat)
            assert seat == at % players
            if source == TAKE:
                assert discards.pop() == card
            assert (use == GIVE) == (card in "DK")
            if use == GIVE:
                assert int(rest[0]) != seat
                beside[int(rest[0])] += 3 if card == "D" else -3
            elif use == DISCARD:
                assert source == DRAW
                discards.append(card)
            else:
                row, column = map(int, rest[0].split(","))
                cell = 3 * (row - 1) + column - 1
                assert grids[seat][cell] == rest[2]
                discards.append(grids[seat][cell])
                grids[seat][cell] = card
                up[seat].add(cell)
            closed.append(any(len(cells) == 9 for cells in up))
        # From the turn that closes on, everybody has one turn, itself included.
        assert closed.count(True) == players
        assert lines[-2] == "end done"
        points = [score(RULES, grid) + own for grid, own in zip(grids, beside, strict=True)]
        assert lines[-1] == " ".join(map(str, ["penalties", *points]))
        assert play_first_round(RULES, names, 2, game) == (points, len(closed))
