"""Rounds of two played through a solution."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from lab.best_play.pair_walk import (
    ALONE,
    LAST,
    Walked,
    Walks,
    value_decisions,
    walk,
    walked,
)
from lama_odds.core.policies import Policy
from lama_odds.games.dice.game import GAME
from lama_odds.games.dice.rules.position import Position
from lama_odds.games.dice.rules.ruleset import EVEN, chance_to_win
from lama_odds.games.dice.solvers.last_player import tokens_of, win_payoff
from lama_odds.games.dice.solvers.two_players import (
    PairSolution,
    solve_pair,
)
from lama_odds.games.interface.match_equity import shipped

# --- Rounds end as solved, and mistakes cost what they change --------------------------------

ROUNDS = 4_000
TEXTS = {
    "dice/amigo": "hand=25L row=1346L opp=2456 scores=12,17 first=0",
    "dice/egmont": "hand=125L row=136L opp=134 scores=31,28 first=0",
}


def best_of(rules_id: str) -> Policy:
    return GAME.best_policy(GAME.rules(rules_id), 2, "win")


@cache
def opened(rules_id: str, objective: str) -> tuple[Position, PairSolution, Walked]:
    rules = GAME.rules(rules_id)
    position = GAME.position(rules, TEXTS[rules_id])
    assert position.scores is not None
    other = position.opponents[0].cards
    tokens = tokens_of(rules, position.scores[0]), tokens_of(rules, position.scores[1])
    payoff = None
    if objective == "win":
        best = best_of(rules_id)
        table = shipped(rules_id, [best, best])
        payoff = win_payoff(rules, tokens, position.scores, table, (0.0, 0.0))
    found = solve_pair(rules, position.hand, other, position.row, tokens, 1, None, payoff)
    return position, found, walked(rules, found)


def played_from(
    rules_id: str, objective: str, begins: int, policies: tuple, seed: int = 1
) -> Walks:
    position, _, through = opened(rules_id, objective)
    hands = position.hand, position.opponents[0].cards
    return walk(
        GAME.rules(rules_id), through, hands, position.row, position.scores, begins, policies,
        seed, ROUNDS, most_seen=100,
    )  # fmt: skip


def worth_of(rules_id: str, objective: str, walks: Walks) -> np.ndarray:
    """What each round was worth to player 0; lower is better."""
    mine, other, last = walks.finals.T
    if objective == "margin":
        position = opened(rules_id, objective)[0]
        return mine - position.scores[0] - (other - position.scores[1])
    best = best_of(rules_id)
    table = shipped(rules_id, [best, best])
    rules = GAME.rules(rules_id)
    again = chance_to_win(rules, mine, other, table)
    return EVEN - np.where(last == 0, again, 1 - chance_to_win(rules, other, mine, table))


SEATS = ((None, None), ("best", None), (None, "best"), ("best", "threshold:4"))


@pytest.mark.one_in(4)
@pytest.mark.parametrize("seats", SEATS, ids=str)
@pytest.mark.parametrize(("objective", "begins"), [("win", 0), ("margin", 1)])
@pytest.mark.parametrize("rules_id", TEXTS)
def test_a_round_is_worth_its_value_and_the_mistakes(rules_id, objective, begins, seats):
    named = {
        None: None,
        "best": best_of(rules_id),
        "threshold:4": GAME.policy("threshold:4"),
    }
    walks = played_from(rules_id, objective, begins, tuple(named[seat] for seat in seats))
    _, solution, _ = opened(rules_id, objective)
    value = -solution.passed[begins][solution.root, 0] * (1 - 2 * begins)
    cost = walks.costs.sum(axis=2)
    for player, seat in enumerate(seats):
        assert (np.abs(walks.costs[:, player]).max() > 0) == (seat is not None)
    left = worth_of(rules_id, objective, walks) - (cost[:, 0] - cost[:, 1])
    error = left.std() / ROUNDS**0.5
    assert abs(left.mean() - value) < 4 * error


def test_costs_say_where_mistakes_are_made():
    policy = GAME.policy("threshold:4")
    costs = played_from("dice/amigo", "win", 0, (policy, policy)).costs.mean(axis=0)
    assert (costs[:, :ALONE] > 0).all()
    assert (costs[:, ALONE] >= 0).all()


def test_the_same_seed_gives_the_same_rounds():
    best = best_of("dice/amigo")
    one, same, other = (
        played_from("dice/amigo", "win", 0, (best, None), seed).finals for seed in (1, 1, 2)
    )
    assert np.array_equal(one, same)
    assert not np.array_equal(one, other)
    assert set(one[:, LAST]) == {0, 1}


def test_the_better_of_quitting_and_rolling_is_what_the_solution_says():
    _position, solution, through = opened("dice/amigo", "win")
    rules = GAME.rules("dice/amigo")
    seen = np.unique(played_from("dice/amigo", "win", 0, (None, None)).seen, axis=0)
    worth = np.empty((len(seen), 2))
    value_decisions(rules.columns, rules.rolls, through, seen, worth)
    quits, rolls = worth.T
    best = np.array([
        -solution.passed[me][through_place(through, me, hand, theirs, row), at]
        for me, hand, theirs, row, at in seen.tolist()
    ])  # fmt: skip
    assert len(seen) > 20
    assert np.allclose(best, np.minimum(quits, rolls), atol=1e-12, rtol=0)
    assert 0.5 < (rolls < quits).mean() < 1


def through_place(through: Walked, me: int, hand: int, theirs: int, row: int) -> int:
    first, second = (hand, theirs) if me == 0 else (theirs, hand)
    return sum(
        int(through.parts[kind, row >> kind & 1, first >> 4 * kind & 15, second >> 4 * kind & 15])
        for kind in range(7)
    )
