"""Solved endgames against plain value iteration, and against play by random dice."""

from fractions import Fraction
from functools import cache
from math import comb, sqrt
from random import Random

import numpy as np
import pytest

from lama_odds.analysis.advice.advise import advise
from lama_odds.analysis.advice.rollouts import Limits
from lama_odds.core import data
from lama_odds.core.errors import LamaOddsError, LimitError
from lama_odds.games.pikomino.game import GAME
from lama_odds.games.pikomino.solvers import endgame_table, exact
from lama_odds.games.pikomino.solvers.endgame import solve_endgame
from lama_odds.games.pikomino.solvers.endgame_table import place_of
from tests.games.cases import product_rules
from tests.games.pikomino.cases import id_of, twin_rules
from tests.games.pikomino.endgames import (
    FloatTurn,
    after_bust,
    after_taking,
    boards_of,
    plain_values,
    share_of,
    turn_on,
)
from tests.reference import pikomino_turn as twin

FLIPS, SHORT = {"flip_without_tile": True}, {"short": True}
NO_STEAL = {"no_steal": True}
THREE = {"dice": 3, "low": 6, "tiles": 8}
FOUR = {"dice": 4, "low": 9, "tiles": 8}
CASES = [
    (THREE, [(6, 8, 9)]),
    (THREE | FLIPS, [(6, 9, 13)]),
    (THREE | SHORT, [(6, 8, 9)]),
    (THREE | NO_STEAL, [(6, 10), (6, 8, 9)]),
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
        expected = plain_values(rules, tiles)
        endgame = solve_endgame(product_rules(id_of(options)), [(tiles, (), ())], 2)
        assert endgame.moved < 1e-9
        assert len(endgame.boards) > len(tiles)
        for board, number in endgame.boards.items():
            assert endgame.win[number] == pytest.approx(expected[board], abs=1e-8), board
        for board in sorted(set(expected) - set(endgame.boards)):
            if board[0]:
                alone = solve_endgame(product_rules(id_of(options)), [board], 1)
                assert alone.win[0] == pytest.approx(expected[board], abs=1e-8), board


# The solution played out by random dice


def play_out(luck, endgame, turns, board):
    """Play a board to its end, both for the solved chances; the share of who moves first."""
    rules, movers = endgame.rules, 0
    while board[0]:
        if board not in turns:
            turns[board] = exact.solve(rules, *endgame.payoffs(board))
        turn, kept = turns[board], (0,) * 6
        while True:
            state = turn.state(kept)
            stop = turn.stop[rules.total(kept)] if kept[5] else -1.0
            if max(stop, turn.rolling[state]) < 0:
                board = after_lost(rules, board)
                break
            if stop >= turn.rolling[state]:
                board = after_won(turn, board, rules.total(kept))
                break
            shown = [luck.randrange(6) for _ in range(rules.dice - sum(kept))]
            options = [
                (*kept[:face], shown.count(face), *kept[face + 1 :])
                for face in sorted(set(shown))
                if not kept[face]
            ]
            if not options:
                board = after_lost(rules, board)
                break
            kept = max(options, key=lambda kept: turn.worth[turn.state(kept)])
        movers += 1
    share = share_of(rules, board)
    return share if movers % 2 == 0 else 1 - share


def after_lost(rules, board):
    centre, mine = after_bust(rules, board[0], board[1])
    return centre, board[2], mine


def after_won(turn, board, total):
    if turn.steals[total]:
        return after_taking(board, "steal", total)
    return after_taking(board, "take", max(t for t in board[0] if t <= total))


@pytest.mark.long
@pytest.mark.parametrize(
    ("options", "board"),
    [
        (FOUR, ((10, 13, 15), (), ())),
        (FOUR | SHORT, ((10, 13), (14,), (12, 9))),
        (FOUR | FLIPS, ((9, 12), (), (13,))),
    ],
    ids=str,
)
def test_the_solution_played_out_wins_as_often_as_it_says(options, board):
    endgame = solve_endgame(product_rules(id_of(options)), [board], 2)
    luck, games, turns = Random(17), 3000, {}
    shares = [play_out(luck, endgame, turns, board) for _ in range(games)]
    mean = sum(shares) / games
    error = sqrt(sum((share - mean) ** 2 for share in shares)) / games
    assert 0.001 < error < 0.01
    assert abs(mean - endgame.win[0]) < 4 * error


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
@pytest.mark.parametrize(
    "board", [((6, 8), (), ()), ((8,), (6,), (10,)), ((6, 9), (), (10,)), ((6,), (10, 11), ())]
)
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
        comb(most - 1, size - 1) * len(endgame_table.patterns(size)) for size in range(1, most + 1)
    )
    assert len(found) == expected
    assert None not in found
    assert max(found) < length == endgame_table.length(numbers, most)


def test_shipped_chance_with_21_alone_in_the_centre():
    """Who reaches 21 first wins: p + (1 - p)(1 - w) = w; a bust costs nothing."""
    p = Fraction(4113019191611091399863, 4605706660848611622912)
    known = endgame_table.shipped(product_rules("pikomino/egmont"))
    assert known(((21,), (), ())) == pytest.approx(float(1 / (2 - p)), abs=1e-10)


def test_shipped_chances_against_solving_on_request():
    rules = product_rules("pikomino/egmont")
    start = ((21, 30), (28,), (35,))
    solved = solve_endgame(rules, [start], 2)
    known = endgame_table.shipped(rules)
    assert solved.solved > 100
    for board, number in solved.boards.items():
        if board[0]:
            assert solved.win[number] == pytest.approx(known(board), abs=1e-8), board


@pytest.mark.long
def test_shipped_chances_of_five_tiles_against_solving_on_request():
    rules = product_rules("pikomino/egmont")
    known = endgame_table.shipped(rules)

    def few(board):
        return known(board) if sum(map(len, board)) < 5 else None

    solved = solve_endgame(rules, [((21, 26, 30), (28,), (35,))], 2, None, few)
    fives = [board for board in solved.boards if board[0] and sum(map(len, board)) == 5]
    assert len(fives) == solved.solved > 100
    for board in fives:
        assert solved.win[solved.boards[board]] == pytest.approx(known(board), abs=3.1e-8), board


class Shipped:
    """Chances by board: shipped ones, and those of ended games."""

    def __init__(self, rules):
        self.known = endgame_table.shipped(product_rules("pikomino/egmont"))
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
    board = luck.choice(endgame_table.boards_of(tiles))
    stops, lost = turn_on(rules, board, win)
    turn = FloatTurn(rules, {t: found[0] for t, found in stops.items()}, 1 - win[lost])
    assert turn.value(*turn.begin()) == pytest.approx(win[board], abs=1e-7)


def test_chances_in_bytes_are_right_to_the_precision_that_is_told():
    chances = np.array([0.0, 1.0, 0.5, 1 / 3, 0.123456789])
    back = [endgame_table.chance_of(row) for row in endgame_table.in_bytes(chances)]
    assert back[:2] == [0.0, 1.0]
    assert np.abs(np.array(back) - chances).max() <= endgame_table.precision(5) == 3e-8


def test_other_rules_do_not_use_the_shipped_table():
    rules = product_rules("pikomino/egmont+short")
    assert endgame_table.shipped(rules)(((36,), (), ())) is None
    answer = told(SHORT, "centre=36 stacks=21/-")
    assert "shipped" not in " ".join(answer.assumptions)
    assert "shipped" in " ".join(told({}, "centre=36 stacks=21/-").assumptions)


def test_a_table_that_is_not_the_one_of_its_manifest_is_refused(tmp_path, monkeypatch):
    other = tmp_path / "endgames.npy"
    other.write_bytes(b"another table")
    known = endgame_table.shipped(product_rules("pikomino/egmont"))
    monkeypatch.setattr(data, "data_file", lambda name: other)
    endgame_table._table.cache_clear()
    try:
        with pytest.raises(LamaOddsError, match="differs from its manifest"):
            endgame_table.shipped(product_rules("pikomino/egmont"))(((36,), (), ()))
        with pytest.raises(LamaOddsError, match="differs from its manifest"):
            known(((21, 26, 30), (28,), (35,)))
    finally:
        endgame_table._table.cache_clear()
