"""Endgames that are kept: the same chances as solved at once, found again, honest progress."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest

from lama_odds.games.pikomino.rules.ruleset import parse_rules
from lama_odds.games.pikomino.solvers import endgame_cache
from lama_odds.games.pikomino.solvers.endgame import after_stop, solve_endgame
from lama_odds.games.pikomino.solvers.endgame_table import patterns, shipped

# Small enough to be solved in a moment: three dice.
RULES = parse_rules("pikomino/egmont+dice=3+low=6+tiles=8")
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

    monkeypatch.setattr(endgame_cache, "kept", kept)
    return solved


@pytest.mark.long
def test_the_same_chances_as_solved_at_once(store):
    told = []
    found = endgame_cache.look_up(RULES, START, 2, lambda done, of: told.append(done / of))
    whole = solve_endgame(RULES, [START], 2, None, shipped(RULES))
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


def test_the_next_question_is_looked_up(store):
    endgame_cache.look_up(RULES, START, 2)
    before = len(store)
    told = []
    # A tile is taken; then one is turned over.
    for board in (after_stop(START, 9), ((6, 9), (11, 10), (7,)), ((6,), (11, 9), (10, 7))):
        found = endgame_cache.look_up(RULES, board, 2, lambda done, of: told.append(done))
        assert found.endgame.solved == 0
        assert 0 < found.endgame.win[0] < 1
    assert (len(store), told) == (before, [])


def test_other_rules_and_other_tiles_are_other_tables(store):
    endgame_cache.look_up(RULES, ((6, 9, 13), (7,), (11, 10)), 2)
    assert sorted(map(len, store)) == [5] * 5 + [6]
    endgame_cache.look_up(RULES, ((6, 9, 13), (8,), (11, 10)), 2)
    short = parse_rules("pikomino/egmont+dice=3+low=6+tiles=8+short")
    endgame_cache.look_up(short, ((6, 9, 13), (7,), (11,)), 2)
    # The set of five without 7 and 8 is shared by the first two.
    assert len(store) == 6 + 5 + 1
    few = endgame_cache.look_up(RULES, ((6, 9), (7,), (11,)), 2)
    assert (few.sets, len(store)) == (0, 12)


def test_the_shipped_table_is_what_small_sets_rest_on(store):
    egmont = parse_rules("pikomino/egmont")
    small = endgame_cache.look_up(egmont, ((21, 30), (28,), (35,)), 2)
    assert (small.sets, small.endgame.solved, store) == (0, 0, [])
    five = endgame_cache.look_up(egmont, ((21, 30), (28,), (35, 22)), 2)
    assert (five.sets, five.endgame.solved, store) == (0, 0, [])
    assert egmont_sets((21, 26, 28, 30, 35)) == []
    assert egmont_sets((21, 22, 26, 28, 30, 35)) == [(21, 22, 26, 28, 30, 35)]
    assert len(egmont_sets((22, 26, 28, 30, 35))) == 1


def egmont_sets(tiles):
    return endgame_cache._sets(parse_rules("pikomino/egmont"), tiles)


def test_a_table_is_found_in_another_process(tmp_path, monkeypatch):
    from lama_odds.jit import store as on_disk

    monkeypatch.setattr(on_disk, "cache_folder", lambda module: tmp_path / module)
    board = ((6, 9, 13), (7,), (11, 10))
    first = endgame_cache.look_up(RULES, board, 2)
    assert len(list(tmp_path.rglob("table-*.npy"))) == 6
    monkeypatch.setattr(endgame_cache, "solve_endgame", _only_known)
    again = endgame_cache.look_up(RULES, board, 2)
    assert np.array_equal(first.endgame.win, again.endgame.win)


def _only_known(rules, starts, threads, progress=None, known=None):
    found = solve_endgame(rules, starts, threads, progress, known)
    assert found.solved == 0
    return found
