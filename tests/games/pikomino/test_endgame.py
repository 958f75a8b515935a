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
from lama_odds.games.pikomino.solvers import endgame
from lama_odds.games.pikomino.solvers.endgame import (
    after_stop,
    patterns,
    place_of,
    shipped,
    solve_endgame,
)
from lama_odds.games.pikomino.solvers.exact import solve
from tests.games.cases import product_rules
from tests.games.pikomino.cases import FLIPS, NO_STEAL, SHORT, id_of, twin_rules
from tests.reference import pikomino_turn as twin
from tests.reference.pikomino import BUST, STEAL, STOP, tile_worms

# A board: the centre, the stack of who moves, the stack of the other; top last.


def boards_of(tiles):
    """Every way that tiles lie in the centre, in two stacks, or turned over."""
    found = set()
    for order in permutations(tiles):
        for a in range(len(tiles) + 1):
            for b in range(a, len(tiles) + 1):
                for c in range(b, len(tiles) + 1):
                    found.add((tuple(sorted(order[:a])), order[a:b], order[b:c]))
    return found


def after(rules, board, action, tile=None):
    """The board after a turn by the twin, the other to move."""
    centre, (mine, other) = twin.moved(rules, board[0], board[1:], 0, action, tile)
    return tuple(centre), tuple(other), tuple(mine)


def share_of(rules, board):
    """What an ended game gives who would move next."""
    ranks = [(sum(tile_worms(rules, t) for t in s), max(s, default=0)) for s in board[1:]]
    return (1 + (ranks[0] > ranks[1]) - (ranks[0] < ranks[1])) / 2


class FloatTurn(twin.Turn):
    """The twin's turn on a board in floats, for the chances to win at hand."""

    def __init__(self, rules, board, win):
        super().__init__(rules, {}, 0)
        self.bust = 1 - win[after(rules, board, BUST)]
        for total in range(twin.highest_total(rules) + 1):
            worths = [
                1 - win[after(rules, board, STOP if how == "take" else STEAL, tile)]
                for how, tile in twin.tiles_at(rules, board[0], board[2][-1:], total)
            ]
            if worths:
                self.payoff[total] = max(worths)

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
        for board in filter(lambda board: board[0], win):
            turn = FloatTurn(rules, board, win)
            value = turn.value(*turn.begin())
            moved = max(moved, abs(value - win[board]))
            win[board] = value
    return win


THREE = {"dice": 3, "low": 6, "tiles": 8}
# One die: a worm takes the 5, anything else is bust; nobody ever decides anything.
FORCED = {"dice": 1, "low": 5, "tiles": 8}


@cache
def solved_by_hand(tiles):
    return plain_values(twin_rules(THREE), tiles)


@pytest.mark.parametrize(
    ("options", "tiles"),
    [
        pytest.param(THREE, (6, 8, 10), marks=pytest.mark.long),
        (THREE, (6, 9)),
        (THREE | FLIPS | SHORT, (6, 9)),
        (THREE | NO_STEAL, (6, 10)),
        pytest.param(
            {"dice": 4, "low": 9, "tiles": 8, "worms": (3, 1, 2)}, (10, 14), marks=pytest.mark.long
        ),
    ],
    ids=str,
)
def test_every_board_of_two_and_three_tiles(options, tiles):
    rules = product_rules(id_of(options))
    expected = (
        solved_by_hand(tiles) if options == THREE else plain_values(twin_rules(options), tiles)
    )
    found = solve_endgame(rules, [(tiles, (), ())], 2)
    assert found.moved < 1e-9
    assert len(found.boards) > len(tiles)
    for board, number in found.boards.items():
        assert found.win[number] == pytest.approx(expected[board], abs=1e-8), board
    for board in sorted(set(expected) - set(found.boards)):
        if board[0]:
            alone = solve_endgame(rules, [board], 1)
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


def written(board):
    """A board as a position has it."""
    stacks = "/".join(".".join(map(str, stack)) or "-" for stack in board[1:])
    return f"centre={','.join(map(str, board[0]))} stacks={stacks}"


@pytest.mark.parametrize(
    ("kept", "rolled"), [("", None), ("", "15W"), ("W", None), ("WW", None), ("1W", "5")]
)
@pytest.mark.parametrize("board", [((6,), (), (10,)), ((6, 10), (), ())])
def test_values_within_a_turn(board, kept, rolled):
    rules = twin_rules(THREE)
    win = solved_by_hand(tuple(sorted(sum(board, ()))))
    turn = FloatTurn(rules, board, win)
    total = sum(twin.value_of(rules, face) for face in kept)
    state = frozenset(kept), total, rules.dice - len(kept)
    if rolled:
        expected = {f"keep {face}": v for face, v in turn.keeps(*state, rolled).items()}
    else:
        expected = {"roll": turn.roll(*state)}
        for how, tile in twin.tiles_at(rules, board[0], board[2][-1:], total if "W" in kept else 0):
            name, action = (
                (f"stop {tile}", STOP) if how == "take" else (f"steal {tile} from 1", STEAL)
            )
            expected[name] = 1 - win[after(rules, board, action, tile)]
    dice = f" kept={kept}" * bool(kept) + f" rolled={rolled}" * bool(rolled)
    answer = told(THREE, written(board) + dice)
    assert answer.method == "exact"
    assert values(answer) == pytest.approx(expected, abs=1e-8)
    assert answer.best == max(values(answer), key=values(answer).get)
    assert all("points" in action.objectives for action in answer.actions)


def test_the_last_tile_decides():
    # 1 worm each; the tile 36 adds four, and with it the game is over.
    answer = told({}, "kept=5555WWWW centre=36 stacks=21/22")
    assert values(answer) == {"stop 36": 1.0}
    # Equal worms: the higher tile decides.
    assert values(told({}, "kept=444WW centre=21 stacks=24/27"))["stop 21"] == 0.0
    assert values(told({}, "kept=444WW centre=21 stacks=-/22"))["stop 21"] == 0.0
    assert values(told({}, "kept=444WW centre=22 stacks=-/21"))["stop 22"] == 1.0


def test_few_tiles_are_solved_and_the_rest_is_sampled():
    rules = product_rules(id_of(FORCED))
    many = GAME.position(rules, "centre=5-11 stacks=-/-")
    assert GAME.solve(rules, many, "win", 1) is None
    solved = told(FORCED, "centre=5-10 stacks=-/-")
    sampled = told(FORCED, "centre=5-6 stacks=-/-", "random", games=1000)
    for answer, method, games in ((solved, "exact", 0), (sampled, "simulation", 1000)):
        assert (answer.method, answer.games) == (method, games)
        assert 0 < values(answer)["roll"] < 1


def test_without_all_tiles_there_is_no_answer_for_the_game():
    with pytest.raises(LimitError, match="stacks"):
        told({}, "centre=21-22 own=24 tops=27")


@pytest.mark.long
@pytest.mark.parametrize("opponents", ["random", "optimal-turn"])
def test_where_nobody_decides_samples_agree_with_the_solution(opponents):
    board = (6,), (5,), (7,)
    expected = plain_values(twin_rules(FORCED), (5, 6, 7))[board]
    solved = told(FORCED, written(board))
    assert values(solved) == {"roll": pytest.approx(expected, abs=1e-8)}
    (sampled,) = told(FORCED, written(board), opponents, games=10_000).actions
    assert 0 < sampled.value.stderr < 0.01
    assert abs(sampled.value.value - expected) < 4 * sampled.value.stderr


# The shipped table

EGMONT = product_rules("pikomino/egmont")


def test_shipped_tables_have_every_board():
    numbers = tuple(EGMONT.numbers)
    boards = [board for board in boards_of((21, *numbers[6:10])) if 21 in sum(board, ())]
    found = {place_of(numbers, board) for board in boards if board[0]}
    # The lowest tile is always in play: it is never turned over while the game goes on.
    expected = sum(comb(4, size - 1) * len(patterns(size)) for size in range(1, 6))
    assert len(found) == expected
    assert None not in found
    assert max(found) < 66_856 + 1_243_515 == endgame.length(numbers, 5)
    assert endgame.length(numbers, 4) == 66_856
    for none in (((22, 23), (), ()), ((), (21,), ()), ((21, 22, 23), (24,), (25, 26))):
        assert place_of(numbers, none) is None


def test_shipped_chance_with_21_alone_in_the_centre():
    """Who reaches 21 first wins: p + (1 - p)(1 - w) = w; a bust costs nothing."""
    p = Fraction(4113019191611091399863, 4605706660848611622912)
    assert shipped(EGMONT)(((21,), (), ())) == pytest.approx(float(1 / (2 - p)), abs=1e-10)


class Shipped:
    """Chances by board: shipped ones, and those of ended games."""

    def __getitem__(self, board):
        return shipped(EGMONT)(board) if board[0] else share_of(twin_rules({}), board)


@pytest.mark.parametrize("tiles", [4, 5])
def test_a_turn_of_the_twin_is_worth_what_is_shipped(tiles):
    """Chances that agree with the best turn of every board are the solution; here of a few."""
    luck, win = Random(tiles), Shipped()
    board = luck.choice(endgame.boards_of((21, *sorted(luck.sample(range(22, 37), tiles - 1)))))
    turn = FloatTurn(twin_rules({}), board, win)
    assert turn.value(*turn.begin()) == pytest.approx(win[board], abs=1e-7)


def test_what_a_steal_adds_is_a_mean_over_all_boards():
    tables = {table.name: table for table in GAME.exact_tables(EGMONT, 2)}
    rows = {(row["tiles"], row["tile"]): row for row in tables["steals_in_the_game"].rows}
    rules, win, found = twin_rules({}), Shipped(), []
    for tile in {*range(22, 37)} - {25}:
        for board in boards_of((21, tile, 25)):
            lower = max((t for t in board[0] if t < 25), default=None)
            if sum(map(len, board)) == 3 and board[2][-1:] == (25,) and lower:
                how = ((STEAL, 25), (STOP, lower))
                found.append([1 - win[after(rules, board, *each)] for each in how])
    steal, stop = np.array(found).T
    adds, row = steal - stop, rows[3, 25]
    expected = [steal.mean(), stop.mean(), adds.mean(), adds.min(), adds.max(), (adds > 0).mean()]
    names = ("steal", "next lower", "steal adds", "least", "most", "better on")
    assert [row[name].value for name in names] == pytest.approx(expected)
    assert row["boards"] == len(found)


def test_chances_in_bytes_are_right_to_the_precision_that_is_told():
    chances = np.linspace(0, 1, 1001)
    back = [endgame.chance_of(row) for row in endgame.in_bytes(chances)]
    assert (back[0], back[-1]) == (0.0, 1.0)
    assert np.abs(np.array(back) - chances).max() <= endgame.precision(5) == 3e-8


def test_other_rules_do_not_use_the_shipped_table():
    assert shipped(product_rules("pikomino/egmont+short"))(((36,), (), ())) is None
    for options, there in ((SHORT, False), ({}, True)):
        answer = told(options, "centre=36 stacks=21/-")
        assert ("shipped" in " ".join(answer.assumptions)) == there


def test_a_table_that_is_not_the_one_of_its_manifest_is_refused(tmp_path, monkeypatch):
    other = tmp_path / "endgames.npy"
    other.write_bytes(b"another table")
    known = shipped(EGMONT)
    monkeypatch.setattr(reading, "data_file", lambda name: other)
    endgame._table.cache_clear()
    try:
        with pytest.raises(LamaOddsError, match="differs from its manifest"):
            shipped(EGMONT)(((36,), (), ()))
        with pytest.raises(LamaOddsError, match="differs from its manifest"):
            known(((21, 26, 30), (28,), (35,)))
    finally:
        endgame._table.cache_clear()


# Solved once and kept: three dice are solved in a moment.

THREE_DICE = product_rules(id_of(THREE))
START = ((6, 9, 13), (7,), (11, 10))


def test_chances_are_those_of_the_best_turn_of_every_board():
    """Also where it is better not to steal: to end the game, for example."""
    found = solve_endgame(THREE_DICE, [((6, 9), (13,), (10,))], 1)
    for board, number in found.boards.items():
        if board[0]:
            turn = solve(THREE_DICE, *found.payoffs(board))
            assert turn.worth[-1] == pytest.approx(found.win[number], abs=1e-9), board


@pytest.fixture
def store(monkeypatch):
    """What is kept, in memory: the sets of tiles that were solved."""
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
def test_what_was_solved_once_is_looked_up_with_the_same_chances(store):
    progress = []
    found = endgame.look_up(THREE_DICE, START, 2, lambda done, of: progress.append(done / of))
    whole = solve_endgame(THREE_DICE, [START], 2, None, shipped(THREE_DICE))
    for board, number in found.endgame.boards.items():
        if board[0]:
            expected = whole.win[whole.boards[board]]
            assert found.endgame.win[number] == pytest.approx(expected, abs=1e-9), board
    # The lowest tile is never turned over.
    assert list(map(len, store)) == [5] * 5 + [6]
    assert found.sets == sum(comb(5, size - 1) * len(patterns(size)) for size in range(1, 7))
    assert progress == sorted(progress)
    assert (progress[-1], max(np.diff([0, *progress])) < 0.5) == (1, True)
    before = len(progress)
    # A tile is taken; then one is turned over.
    for board in (after_stop(START, 9), ((6, 9), (11, 10), (7,)), ((6,), (11, 9), (10, 7))):
        again = endgame.look_up(THREE_DICE, board, 2, lambda done, of: progress.append(done))
        assert again.endgame.solved == 0
        assert 0 < again.endgame.win[0] < 1
    assert (len(store), len(progress)) == (6, before)


@pytest.mark.long
def test_other_rules_and_other_tiles_are_other_tables(store):
    endgame.look_up(THREE_DICE, START, 2)
    endgame.look_up(THREE_DICE, ((6, 9, 13), (8,), (11, 10)), 2)
    endgame.look_up(product_rules(id_of(THREE | SHORT)), ((6, 9, 13), (7,), (11,)), 2)
    # The set of five without 7 and 8 is shared by the first two.
    assert len(store) == 6 + 5 + 1
    few = endgame.look_up(THREE_DICE, ((6, 9), (7,), (11,)), 2)
    assert (few.sets, len(store)) == (0, 12)


def test_the_shipped_table_is_what_small_sets_rest_on(store):
    for board in (((21, 30), (28,), (35,)), ((21, 30), (28,), (35, 22))):
        found = endgame.look_up(EGMONT, board, 2)
        assert (found.sets, found.endgame.solved, found.rests, store) == (0, 0, True, [])
    assert endgame._sets(EGMONT, (21, 22, 26, 28, 30, 35)) == [(21, 22, 26, 28, 30, 35)]
