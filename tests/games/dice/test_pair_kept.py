"""Rounds of two looked up in the solution of their first position: the same values."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from unittest import mock

import numpy as np
import pytest

import lama_odds as lo
from lama_odds.games.dice.rules.ruleset import parse_rules
from lama_odds.games.dice.solvers import pair_cache
from lama_odds.games.dice.solvers.tokens import tokens_of
from lama_odds.games.dice.solvers.two_players import pair_states, solve_pair
from tests.games.dice.table import counts

RULES = parse_rules("dice/amigo")
ROW = 0b1000011  # 1, 2 and the llama


def solved(mine: str, other: str, row: int, scores: tuple[int, int], look_up: bool):
    solve = pair_cache.solve_or_look_up if look_up else solve_pair
    hands = counts(mine), counts(other)
    tokens = tuple(tokens_of(RULES, score) for score in scores)
    return solve(RULES, *hands, row, tokens, 1)


@pytest.mark.parametrize(
    ("mine", "other", "row", "scores"),
    [
        ("13L", "14", ROW, (12, 3)),  # the same
        ("3L", "14", ROW, (12, 3)),
        ("13L", "124", 0b1000001, (2, 3)),  # a card taken, a token returned
        ("14", "13L", ROW, (3, 12)),  # the other's turn
        ("4", "123L", 0b1000001, (2, 2)),
    ],
)
def test_later_positions_are_looked_up(
    mine: str, other: str, row: int, scores: tuple[int, int]
) -> None:
    pair_cache.forget()
    solved("13L", "14", ROW, (12, 3), True)
    with mock.patch.object(pair_cache, "solve_pair", side_effect=solve_pair) as again:
        found = solved(mine, other, row, scores, True)
    assert again.call_count == 0
    expected = solved(mine, other, row, scores, False)
    assert found.states == expected.states
    if other.startswith("14") or (mine, other) == ("13L", "124"):
        assert np.array_equal(found.passed, expected.passed)
    # With the players changed what three llamas tie together is rounded the other way.
    assert np.allclose(found.passed, expected.passed, rtol=0, atol=1e-12)
    assert found.root == expected.root
    pair_cache.forget()


def test_what_a_solution_has_not_is_solved() -> None:
    pair_cache.forget()
    kept = solved("13", "14", ROW, (0, 0), True)
    tokens = tuple(tokens_of(RULES, score) for score in (0, 0))
    more = tuple(tokens_of(RULES, score) for score in (5, 0))
    states = pair_states(counts("133"), counts("14"), ROW)
    assert pair_cache.looked_up(kept, states, tokens) is None
    assert pair_cache.looked_up(kept, kept.states, more) is None
    assert pair_cache.looked_up(kept, kept.states, tokens) is not None
    other = solved("133", "14", ROW, (0, 0), True)
    assert np.array_equal(other.passed, solved("133", "14", ROW, (0, 0), False).passed)
    pair_cache.forget()


def test_threads_that_ask_different_things_get_their_own_answers() -> None:
    """Solutions of several rule sets and of both payoffs replace each other all the time."""
    asked = [
        ("dice/amigo", "hand=12 row=123L opp=3L", "margin"),
        ("dice/egmont", "hand=12 row=123L opp=3L", "margin"),
        ("dice/amigo", "hand=12 row=123L opp=3L scores=12,3", "win"),
        ("dice/egmont", "hand=1L row=12L opp=12 scores=3,12", "win"),
        ("dice/amigo", "hand=1L row=12L opp=12 scores=20,20", "win"),
    ]

    def values(question: tuple[str, str, str]) -> list[float]:
        rules, position, objective = question
        found = lo.advise(rules, position, objective=objective, games=1_000, threads=1)
        return [action.value.value for action in found.actions]

    alone = [values(question) for question in asked]
    with ThreadPoolExecutor(4) as pool:
        for _ in range(4):
            assert list(pool.map(values, asked)) == alone
