"""Solved endgames against plain value iteration, shipped ones, and those kept on disk."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import permutations
from math import comb
from random import Random

import numpy as np
import pytest

from lama_odds.analysis.advice.advise import advise
from lama_odds.analysis.advice.rollouts import Limits
from lama_odds.core import reading
from lama_odds.core.errors import LamaOddsError, LimitError
from lama_odds.games.pikomino.game import GAME
from lama_odds.games.pikomino.rules.ruleset import parse_rules
from lama_odds.games.pikomino.solvers import endgame
from lama_odds.games.pikomino.solvers.endgame import (
    after_stop,
    patterns,
    place_of,
    shipped,
    solve_endgame,
)
from tests.games.cases import product_rules
from tests.games.pikomino.cases import id_of, twin_rules
from tests.reference import pikomino_turn as twin
from tests.reference.pikomino import tile_worms


def boards_of(tiles):
    """Every way that tiles lie in the centre, in two stacks, or turned over."""
    found = set()
    for order in permutations(tiles):
        for a in range(len(tiles) + 1):
            for b in range(a, len(tiles) + 1):
                for c in range(b, len(tiles) + 1):
                    found.add((tuple(sorted(order[:a])), order[a:b], order[b:c]))
    return found


def after_bust(rules, centre, mine):
    """What a bust leaves: centre and own stack."""
    if not mine and not rules.flip_without_tile:
        return centre, mine
    back, mine = mine[-1:], mine[:-1]
    centre = tuple(sorted(centre + back))
    if back == centre[-1:] and not rules.short:
        return centre, mine
    return centre[:-1], mine


def after_taking(board, how, tile):
    """The board, the other to move, once I have a tile."""
    centre, mine, other = board
    if how == "take":
        return tuple(t for t in centre if t != tile), other, (*mine, tile)
    return centre, other[:-1], (*mine, tile)


def turn_on(rules, board, win):
    """The turn of a board for the chances at hand: a twin's turn in floats, and what it leads to.

    Gives {total: (value, how, tile)}, and the board after a bust.
    """
    centre, mine, other = board
    found = {}
    for total in range(twin.highest_total(rules) + 1):
        for how, tile in twin.tiles_at(rules, centre, other[-1:], total):
            value = 1 - win[after_taking(board, how, tile)]
            if total not in found or value > found[total][0]:
                found[total] = value, how, tile
    left, kept = after_bust(rules, centre, mine)
    return found, (left, other, kept)


def share_of(rules, board):
    """What an ended game gives who would move next."""
    ranks = [(sum(tile_worms(rules, t) for t in s), max(s, default=0)) for s in board[1:]]
    return (1 + (ranks[0] > ranks[1]) - (ranks[0] < ranks[1])) / 2


class FloatTurn(twin.Turn):
    """The twin's turn in floats."""

    def __init__(self, rules, payoff, bust):
        super().__init__(rules, {}, 0)
        self.payoff, self.bust = payoff, bust

    def _roll(self, kept, total, left):
        return sum(
            chance * self._after(kept, total, left, roll) for roll, chance in float_rolls(left)
        )


@cache
def float_rolls(dice):
    return [(roll, float(chance)) for roll, chance in twin.all_rolls(dice)]


def plain_values(rules, tiles):
    """Chances to win of who moves, on every board, by iteration until nothing moves."""
    win = {board: 0.5 if board[0] else share_of(rules, board) for board in boards_of(tiles)}
    moved = 1.0
    while moved > 1e-10:
        moved = 0.0
        for board in win:
            if not board[0]:
                continue
            stops, lost = turn_on(rules, board, win)
            turn = FloatTurn(rules, {t: found[0] for t, found in stops.items()}, 1 - win[lost])
            value = turn.value(*turn.begin())
            moved = max(moved, abs(value - win[board]))
            win[board] = value
    return win


FLIPS, SHORT = {"flip_without_tile": True}, {"short": True}
NO_STEAL = {"no_steal": True}
THREE = {"dice": 3, "low": 6, "tiles": 8}
FOUR = {"dice": 4, "low": 9, "tiles": 8}
CASES = [
    (THREE, [(6, 8, 10)]),
    (THREE | FLIPS, [(6, 9, 13)]),
    (THREE | SHORT, [(6, 9)]),
    (THREE | NO_STEAL, [(6, 10)]),
    (THREE | FLIPS | SHORT, [(6, 10)]),
    (FOUR | {"worms": (3, 1, 2)}, [(10, 14)]),
]
# One die: a worm takes the 5, anything else is bust; nobody ever decides anything.
FORCED = {"dice": 1, "low": 5, "tiles": 8}


@pytest.mark.long
@pytest.mark.parametrize(("options", "sets"), CASES, ids=str)
def test_every_board_of_two_and_three_tiles(options, sets):
    rules = twin_rules(options)
    for tiles in sets:
        expected = solved_by_hand(tiles) if options == THREE else plain_values(rules, tiles)
        endgame = solve_endgame(product_rules(id_of(options)), [(tiles, (), ())], 2)
        assert endgame.moved < 1e-9
        assert len(endgame.boards) > len(tiles)
        for board, number in endgame.boards.items():
            assert endgame.win[number] == pytest.approx(expected[board], abs=1e-8), board
        for board in sorted(set(expected) - set(endgame.boards)):
            if board[0]:
                alone = solve_endgame(product_rules(id_of(options)), [board], 1)
                assert alone.win[0] == pytest.approx(expected[board], abs=1e-8), board


# Positions asked about


def told(options, text, opponents=None, games=2000):
    """An answer about winning."""
    rules = product_rules(id_of(options))
    return advise(
        GAME,
        rules,
        GAME.position(rules, text),
        objective="win",
        opponents=opponents and GAME.policy(opponents),
        limits=Limits(games=games, threads=1),
    )


def values(answer):
    return {action.action: action.value.value for action in answer.actions}


@pytest.mark.long
@pytest.mark.parametrize(
    ("kept", "rolled"),
    [("", None), ("", "15W"), ("", "5WW"), ("W", None), ("WW", None), ("5W", None), ("1W", "5")],
)
@pytest.mark.parametrize("board", [((8,), (6,), (10,)), ((6, 8), (), (10,)), ((6,), (10, 8), ())])
def test_values_within_a_turn(board, kept, rolled):
    rules = twin_rules(THREE)
    win = solved_by_hand(tuple(sorted(board[0] + board[1] + board[2])))
    stops, lost = turn_on(rules, board, win)
    turn = FloatTurn(rules, {t: found[0] for t, found in stops.items()}, 1 - win[lost])
    total = sum(twin.value_of(rules, face) for face in kept)
    state = frozenset(kept), total, rules.dice - len(kept)
    text = f"centre={','.join(map(str, board[0]))} stacks={stack(board[1])}/{stack(board[2])}"
    text += f" kept={kept}" * bool(kept) + f" rolled={rolled}" * bool(rolled)
    if rolled:
        expected = {f"keep {face}": v for face, v in turn.keeps(*state, rolled).items()}
    else:
        expected = {"roll": turn.roll(*state)}
        for how, tile in twin.tiles_at(rules, board[0], board[2][-1:], total if "W" in kept else 0):
            taken = {"take": f"stop {tile}", "steal": f"steal {tile} from 1"}[how]
            expected[taken] = 1 - win[after_taking(board, how, tile)]
    answer = told(THREE, text)
    assert answer.method == "exact"
    assert values(answer) == pytest.approx(expected, abs=1e-8)
    assert answer.best == max(values(answer), key=values(answer).get)
    assert all("points" in action.objectives for action in answer.actions)


@cache
def solved_by_hand(tiles):
    return plain_values(twin_rules(THREE), tiles)


def stack(tiles):
    return ".".join(map(str, tiles)) or "-"


def test_what_i_win_the_other_loses():
    mine = values(told(THREE, "kept=1WW centre=6,13 stacks=7/8.11"))
    theirs = values(told(THREE, "centre=6,13 stacks=8/7.11"))
    assert mine.keys() == {"steal 11 from 1", "stop 6"}
    assert mine["steal 11 from 1"] == pytest.approx(1 - theirs["roll"], abs=1e-9)
    assert 0 < mine["stop 6"] < mine["steal 11 from 1"]


def test_the_last_tile_decides():
    # 1 worm each; the tile 36 adds four, and with it the game is over.
    answer = told({}, "kept=5555WWWW centre=36 stacks=21/22")
    assert values(answer) == {"stop 36": 1.0}
    # Equal worms: the higher tile decides.
    assert values(told({}, "kept=444WW centre=21 stacks=24/27"))["stop 21"] == 0.0
    assert values(told({}, "kept=444WW centre=21 stacks=-/22"))["stop 21"] == 0.0
    assert values(told({}, "kept=444WW centre=22 stacks=-/21"))["stop 22"] == 1.0


# Solved or sampled


@pytest.mark.parametrize(
    ("text", "opponents", "method"),
    [
        ("centre=5-10 stacks=-/-", None, "exact"),
        ("centre=5-8 stacks=9/10", None, "exact"),
        # How the best policy goes on is compiled for longer than all others.
        pytest.param("centre=5-11 stacks=-/-", None, "simulation", marks=pytest.mark.long),
        pytest.param("centre=5-8 stacks=9/10.11", None, "simulation", marks=pytest.mark.long),
        ("centre=5-6 stacks=-/-", "random", "simulation"),
        ("centre=5-6 stacks=-/-/-", None, "simulation"),
    ],
)
def test_few_tiles_are_solved_and_the_rest_is_sampled(text, opponents, method):
    answer = told(FORCED, text, opponents, games=1000)
    assert answer.method == method
    assert answer.games == (0 if method == "exact" else 1000)
    assert 0 < values(answer)["roll"] < 1


def test_without_all_tiles_there_is_no_answer_for_the_game():
    with pytest.raises(LimitError, match="stacks"):
        told({}, "centre=21-22 own=24 tops=27")


@pytest.mark.long
@pytest.mark.parametrize("opponents", ["random", "first-tile", "optimal-turn"])
@pytest.mark.parametrize("board", [((5,), (), (6,)), ((5, 7), (), ()), ((6,), (5,), (7,))])
def test_where_nobody_decides_samples_agree_with_the_solution(board, opponents):
    text = f"centre={','.join(map(str, board[0]))} stacks={stack(board[1])}/{stack(board[2])}"
    expected = plain_values(twin_rules(FORCED), tuple(sorted(sum(board, ()))))[board]
    solved = told(FORCED, text)
    assert solved.method == "exact"
    assert values(solved) == {"roll": pytest.approx(expected, abs=1e-8)}
    (sampled,) = told(FORCED, text, opponents, games=10_000).actions
    assert 0 < sampled.value.stderr < 0.01
    assert abs(sampled.value.value - expected) < 4 * sampled.value.stderr


# The shipped table


@pytest.mark.parametrize(("most", "length"), [(4, 66_856), (5, 66_856 + 1_243_515)])
def test_shipped_tables_have_every_board(most, length):
    rules = product_rules("pikomino/egmont")
    numbers = tuple(rules.numbers)
    others = numbers[6 : 5 + most]
    boards = [board for board in boards_of((21, *others)) if 21 in sum(board, ())]
    found = {place_of(numbers, board) for board in boards if board[0]}
    # The lowest tile is always in play: it is never turned over while the game goes on.
    expected = sum(
        comb(most - 1, size - 1) * len(endgame.patterns(size)) for size in range(1, most + 1)
    )
    assert len(found) == expected
    assert None not in found
    assert max(found) < length == endgame.length(numbers, most)


def test_shipped_chance_with_21_alone_in_the_centre():
    """Who reaches 21 first wins: p + (1 - p)(1 - w) = w; a bust costs nothing."""
    p = Fraction(4113019191611091399863, 4605706660848611622912)
    known = endgame.shipped(product_rules("pikomino/egmont"))
    assert known(((21,), (), ())) == pytest.approx(float(1 / (2 - p)), abs=1e-10)


@pytest.mark.long
def test_shipped_chances_against_solving_on_request():
    rules = product_rules("pikomino/egmont")
    start = ((21, 30), (28,), (35,))
    solved = solve_endgame(rules, [start], 2)
    known = endgame.shipped(rules)
    assert solved.solved > 100
    for board, number in solved.boards.items():
        if board[0]:
            assert solved.win[number] == pytest.approx(known(board), abs=1e-8), board


class Shipped:
    """Chances by board: shipped ones, and those of ended games."""

    def __init__(self, rules):
        self.known = endgame.shipped(product_rules("pikomino/egmont"))
        self.rules = rules

    def __getitem__(self, board):
        return self.known(board) if board[0] else share_of(self.rules, board)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3))
def test_a_turn_of_the_twin_is_worth_what_is_shipped_for_five_tiles(seed):
    """Chances that agree with the best turn of every board are the solution; here of a few."""
    luck, rules = Random(seed), twin_rules({})
    win = Shipped(rules)
    tiles = (21, *sorted(luck.sample(range(22, 37), 4)))
    board = luck.choice(endgame.boards_of(tiles))
    stops, lost = turn_on(rules, board, win)
    turn = FloatTurn(rules, {t: found[0] for t, found in stops.items()}, 1 - win[lost])
    assert turn.value(*turn.begin()) == pytest.approx(win[board], abs=1e-7)


def test_chances_in_bytes_are_right_to_the_precision_that_is_told():
    chances = np.array([0.0, 1.0, 0.5, 1 / 3, 0.123456789])
    back = [endgame.chance_of(row) for row in endgame.in_bytes(chances)]
    assert back[:2] == [0.0, 1.0]
    assert np.abs(np.array(back) - chances).max() <= endgame.precision(5) == 3e-8


def test_other_rules_do_not_use_the_shipped_table():
    rules = product_rules("pikomino/egmont+short")
    assert endgame.shipped(rules)(((36,), (), ())) is None
    answer = told(SHORT, "centre=36 stacks=21/-")
    assert "shipped" not in " ".join(answer.assumptions)
    assert "shipped" in " ".join(told({}, "centre=36 stacks=21/-").assumptions)


def test_a_table_that_is_not_the_one_of_its_manifest_is_refused(tmp_path, monkeypatch):
    other = tmp_path / "endgames.npy"
    other.write_bytes(b"another table")
    known = endgame.shipped(product_rules("pikomino/egmont"))
    monkeypatch.setattr(reading, "data_file", lambda name: other)
    endgame._table.cache_clear()
    try:
        with pytest.raises(LamaOddsError, match="differs from its manifest"):
            endgame.shipped(product_rules("pikomino/egmont"))(((36,), (), ()))
        with pytest.raises(LamaOddsError, match="differs from its manifest"):
            known(((21, 26, 30), (28,), (35,)))
    finally:
        endgame._table.cache_clear()


# Small enough to be solved in a moment: three dice.
THREE_DICE = parse_rules("pikomino/egmont+dice=3+low=6+tiles=8")
SIX = (6, 7, 9, 10, 11, 13)
START = ((6, 9, 13), (7,), (11, 10))


@pytest.fixture
def store(monkeypatch):
    """What is kept, in memory, with how often anything was solved."""
    held, solved = {}, []

    def kept(module, inputs, solve):
        key = (module, *(array.tobytes() for array in inputs))
        if key not in held:
            held[key] = solve()
            solved.append(inputs[-1].tolist())
        return held[key]

    monkeypatch.setattr(endgame, "kept", kept)
    return solved


@pytest.mark.long
def test_the_same_chances_as_solved_at_once(store):
    told = []
    found = endgame.look_up(THREE_DICE, START, 2, lambda done, of: told.append(done / of))
    whole = solve_endgame(THREE_DICE, [START], 2, None, shipped(THREE_DICE))
    for board, number in found.endgame.boards.items():
        if board[0]:
            expected = whole.win[whole.boards[board]]
            assert found.endgame.win[number] == pytest.approx(expected, abs=1e-9), board
    # The lowest tile is never turned over.
    assert list(map(len, store)) == [5] * 5 + [6]
    following = sum(comb(5, size - 1) * len(patterns(size)) for size in range(1, 7))
    assert found.sets == following
    assert told == sorted(told)
    assert told[-1] == 1
    assert max(np.diff([0, *told])) < 0.5


@pytest.mark.long
def test_the_next_question_is_looked_up(store):
    endgame.look_up(THREE_DICE, START, 2)
    before = len(store)
    told = []
    # A tile is taken; then one is turned over.
    for board in (after_stop(START, 9), ((6, 9), (11, 10), (7,)), ((6,), (11, 9), (10, 7))):
        found = endgame.look_up(THREE_DICE, board, 2, lambda done, of: told.append(done))
        assert found.endgame.solved == 0
        assert 0 < found.endgame.win[0] < 1
    assert (len(store), told) == (before, [])


@pytest.mark.long
def test_other_rules_and_other_tiles_are_other_tables(store):
    endgame.look_up(THREE_DICE, ((6, 9, 13), (7,), (11, 10)), 2)
    assert sorted(map(len, store)) == [5] * 5 + [6]
    endgame.look_up(THREE_DICE, ((6, 9, 13), (8,), (11, 10)), 2)
    short = parse_rules("pikomino/egmont+dice=3+low=6+tiles=8+short")
    endgame.look_up(short, ((6, 9, 13), (7,), (11,)), 2)
    # The set of five without 7 and 8 is shared by the first two.
    assert len(store) == 6 + 5 + 1
    few = endgame.look_up(THREE_DICE, ((6, 9), (7,), (11,)), 2)
    assert (few.sets, len(store)) == (0, 12)


def test_the_shipped_table_is_what_small_sets_rest_on(store):
    egmont = parse_rules("pikomino/egmont")
    small = endgame.look_up(egmont, ((21, 30), (28,), (35,)), 2)
    assert (small.sets, small.endgame.solved, store) == (0, 0, [])
    five = endgame.look_up(egmont, ((21, 30), (28,), (35, 22)), 2)
    assert (five.sets, five.endgame.solved, store) == (0, 0, [])
    assert egmont_sets((21, 26, 28, 30, 35)) == []
    assert egmont_sets((21, 22, 26, 28, 30, 35)) == [(21, 22, 26, 28, 30, 35)]
    assert len(egmont_sets((22, 26, 28, 30, 35))) == 1


def egmont_sets(tiles):
    return endgame._sets(parse_rules("pikomino/egmont"), tiles)


@pytest.mark.long
def test_a_table_is_found_in_another_process(tmp_path, monkeypatch):
    from lama_odds.jit import store as on_disk

    monkeypatch.setattr(on_disk, "cache_folder", lambda module: tmp_path / module)
    board = ((6, 9, 13), (7,), (11, 10))
    first = endgame.look_up(THREE_DICE, board, 2)
    assert len(list(tmp_path.rglob("table-*.npy"))) == 6
    monkeypatch.setattr(endgame, "solve_endgame", _only_known)
    again = endgame.look_up(THREE_DICE, board, 2)
    assert np.array_equal(first.endgame.win, again.endgame.win)


def _only_known(rules, starts, threads, progress=None, known=None):
    found = solve_endgame(rules, starts, threads, progress, known)
    assert found.solved == 0
    return found
