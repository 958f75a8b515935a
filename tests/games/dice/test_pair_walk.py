"""Rounds of two played through a solution, and best responses to fixed play."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
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
from lab.best_play.response import Setting, as_solved, by_policy, respond
from lama_odds.core.errors import ReadError
from lama_odds.core.policies import Policy
from lama_odds.games.dice.game import GAME
from lama_odds.games.dice.records.live import Player
from lama_odds.games.dice.rules.position import Opponent, Position
from lama_odds.games.dice.rules.ruleset import EVEN, chance_to_win
from lama_odds.games.dice.solvers.last_player import tokens_of, win_payoff
from lama_odds.games.dice.solvers.two_players import (
    PairSolution,
    pair_space,
    pair_states,
    solve_pair,
)
from lama_odds.games.interface.capabilities import Situation
from lama_odds.games.interface.match_equity import shipped
from tests.games.dice.table import AMIGO, EGMONT, Small, small, table_of
from tests.reference.dice_wins import Response, share

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


# --- Best responses --------------------------------------------------------------------------

NAMES = "123456L"
FEW = {"faces": "1L.23L.34L"}
# Positions, and the policy of the other.
AGAINST = (
    (small(("amigo", FEW), "13L", "24", "23", scores=(0, 0)), "threshold:4"),
    (small(("amigo", FEW), "23", "L", "134", scores=(10, 9)), "threshold:2"),
    (small(("egmont", FEW), "13", "2", "4L", scores=(31, 25)), "threshold:6"),
    (small(("egmont", FEW), "134", "2", "23L", scores=(2, 10)), "meanfield"),
    (small(("amigo", FEW), "24", "1", "3L", scores=(39, 30)), "meanfield:out=2,even=1,lose=9"),
    (small(("amigo", {**FEW, "llama_safe_alone": False}), "1L", "2", "24", scores=(1, 0)),
     "meanfield:out=3"),
    (small(AMIGO, "12", "3", "45", scores=(3, 0)), "copy"),
)  # fmt: skip
LARGER = {
    "dice/amigo": small(AMIGO, "25L", "134L", "256", scores=(12, 17)),
    "dice/egmont": small(EGMONT, "125L", "136L", "134", scores=(31, 28)),
}


@cache
def tables(target: int):
    """Any chances will do; those of the two players differ."""
    return table_of(target, 3), table_of(target, 4)


def setting(position: Small):
    """Give rules, where the round is, and what counts."""
    rules, read = position.read()
    other = read.opponents[0].cards
    tokens = tokens_of(rules, read.scores[0]), tokens_of(rules, read.scores[1])
    states = pair_states(read.hand, other, read.row)
    of = Setting(states, *pair_space(rules, states, read.row), read.scores, tokens)
    first, second = tables(rules.target)
    payoff = win_payoff(rules, tokens, read.scores, first, (0.0, 0.0), second, apart=True)
    return rules, of, payoff


@cache
def responded(position: Small, policy: str) -> PairSolution:
    rules, of, payoff = setting(position)
    return respond(rules, of, by_policy(rules, GAME.policy(policy), 1, of), payoff)


@cache
def solved(position: Small) -> PairSolution:
    rules, read = position.read()
    _, of, payoff = setting(position)
    other = read.opponents[0].cards
    return solve_pair(rules, read.hand, other, read.row, of.tokens, 1, None, payoff)


def chances(solution: PairSolution) -> tuple[float, float]:
    """Of player 0, if it starts and if the other does."""
    first, second = (float(solution.passed[starter][solution.root, 0]) for starter in (0, 1))
    return 0.5 + first, 0.5 - second


def by_fractions(position: Small, policy: str) -> tuple[Fraction, Fraction]:
    rules, _ = position.read()
    player = Player(rules, GAME.policy(policy), 2)
    both = tables(rules.target)

    def worth(number):
        def of(own, other):
            if max(own, other) >= rules.target:
                return share(own, [other])
            return Fraction(float(both[number].values[own, other]))

        return of

    @cache
    def decide(hand, other, row, score, others, shown):
        # One who has quit has only a final score.
        opponent = Opponent(None, True, others) if other is None else Opponent(cards_of(other))
        scores = score, 0 if other is None else others
        read = Position(cards_of(hand), mask_of(row), (opponent,), scores=scores)
        if shown:
            read = replace(read, rolled=tuple(map(NAMES.index, shown)))
        return player.decides(Situation(0, read), 0)

    reference = Response(position.rules, (worth(0), worth(1)), decide)
    (other,), scores = position.others, position.held
    situation = position.hand, other, position.row, *scores
    return reference.deciding(*situation), reference.waiting(*situation)


def cards_of(text: str) -> tuple[int, ...]:
    return tuple(map(text.count, NAMES))


def mask_of(text: str) -> int:
    return sum(1 << NAMES.index(card) for card in text)


@pytest.mark.one_in(7)
@pytest.mark.parametrize(("position", "policy"), AGAINST, ids=str)
def test_it_is_what_plain_recursion_finds(position, policy):
    expected = by_fractions(position, policy)
    assert chances(responded(position, policy)) == pytest.approx(
        tuple(map(float, expected)), abs=1e-9
    )


@pytest.mark.long
@pytest.mark.parametrize("position", LARGER.values(), ids=str)
def test_against_best_play_it_wins_what_best_play_wins(position):
    rules, of, payoff = setting(position)
    equilibrium = solved(position)
    found = respond(rules, of, as_solved(rules, equilibrium, 1), payoff)
    assert chances(found) == pytest.approx(chances(equilibrium), abs=1e-12)
    assert np.abs(found.passed - equilibrium.passed).max() < 1e-12


def test_random_play_has_no_fixed_decisions():
    rules, of, _ = setting(LARGER["dice/amigo"])
    with pytest.raises(ReadError, match="decides at random"):
        by_policy(rules, GAME.policy("random"), 1, of)


@pytest.mark.long
@pytest.mark.parametrize("starter", [0, 1])
def test_rounds_through_a_response_end_as_it_says_and_mistakes_cost_what_they_change(starter):
    position = LARGER["dice/amigo"]
    rules, read = position.read()
    found, fixed = responded(position, "meanfield"), GAME.policy("meanfield")
    hands = read.hand, read.opponents[0].cards
    first, second = tables(rules.target)
    for player in (None, GAME.policy("threshold:5")):
        played = walk(
            rules, walked(rules, found), hands, read.row, read.scores, starter, (player, fixed), 1,
            ROUNDS,
        )  # fmt: skip
        mine, other, last = played.finals.T
        again = 1 - chance_to_win(rules, other, mine, second)
        ends = np.where(last == 0, chance_to_win(rules, mine, other, first), again)
        lost = played.costs[:, 0].sum(axis=1)
        assert (lost.max() > 0) == (player is not None)
        error = (ends + lost).std() / ROUNDS**0.5
        assert abs((ends + lost).mean() - chances(found)[starter]) < 4 * error
