"""Best responses are what plain recursion finds, and win no less than best play."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from lama_odds.core.errors import ReadError
from lama_odds.games.dice.game import GAME
from lama_odds.games.dice.records.policy_query import Player
from lama_odds.games.dice.rules.position import Opponent, Position
from lama_odds.games.dice.rules.winning import chance_to_win
from lama_odds.games.dice.solvers.pair_walk import walk, walked
from lama_odds.games.dice.solvers.payoffs import win_payoff
from lama_odds.games.dice.solvers.response.best_response import respond
from lama_odds.games.dice.solvers.response.fixed_play import Setting, as_solved, by_policy
from lama_odds.games.dice.solvers.tokens import tokens_of
from lama_odds.games.dice.solvers.two_players import (
    PairSolution,
    pair_space,
    pair_states,
    solve_pair,
)
from lama_odds.games.interface.records import Situation
from tests.games.dice.small_positions import Small
from tests.games.dice.test_exact_against_fractions import AMIGO, EGMONT, small
from tests.games.dice.test_last_player_wins import table_of
from tests.reference.dice_last import share
from tests.reference.dice_response import Response

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
)  # fmt: skip
FITTED = (
    small(AMIGO, "12", "3", "45", scores=(3, 0)),
    small(AMIGO, "25", "L", "35", scores=(0, 9)),
)
LARGER = {
    "dice/amigo": small(AMIGO, "25L", "134L", "256", scores=(12, 17)),
    "dice/egmont": small(EGMONT, "125L", "136L", "134", scores=(31, 28)),
}
POLICIES = ("meanfield:out=1,even=3,ahead=3,behind=2,win=5,lose=20", "meanfield", "threshold:5")


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


@pytest.mark.long
@pytest.mark.parametrize(("position", "policy"), AGAINST, ids=str)
def test_it_is_what_plain_recursion_finds(position, policy):
    expected = by_fractions(position, policy)
    assert chances(responded(position, policy)) == pytest.approx(
        tuple(map(float, expected)), abs=1e-9
    )


@pytest.mark.long
@pytest.mark.parametrize("position", FITTED, ids=str)
def test_against_copy_too(position):
    assert chances(responded(position, "copy")) == pytest.approx(
        tuple(map(float, by_fractions(position, "copy"))), abs=1e-9
    )


@pytest.mark.long
@pytest.mark.parametrize("position", LARGER.values(), ids=str)
def test_against_best_play_it_wins_what_best_play_wins(position):
    rules, of, payoff = setting(position)
    equilibrium = solved(position)
    found = respond(rules, of, as_solved(rules, equilibrium, 1), payoff)
    assert chances(found) == pytest.approx(chances(equilibrium), abs=1e-12)
    assert np.abs(found.passed - equilibrium.passed).max() < 1e-12


@pytest.mark.long
@pytest.mark.parametrize(
    ("rules_id", "policy"),
    [*(("dice/amigo", policy) for policy in (*POLICIES, "copy")), ("dice/egmont", "copy")],
)
def test_no_policy_is_beaten_by_less_than_best_play(rules_id, policy):
    position = LARGER[rules_id]
    # In every situation, whoever decides.
    found, equilibrium = responded(position, policy).passed, solved(position).passed
    assert (found[1] <= equilibrium[1] + 1e-9).all()
    assert (found[0] >= equilibrium[0] - 1e-9).all()
    assert np.abs(found - equilibrium).max() > 1e-4


@pytest.mark.parametrize("starter", [0, 1])
@pytest.mark.parametrize("policy", POLICIES)
def test_games_end_as_the_response_says(policy, starter):
    position = LARGER["dice/amigo"]
    rules, read = position.read()
    found = responded(position, policy)
    hands = read.hand, read.opponents[0].cards
    rounds = 10_000
    fixed = GAME.policy(policy)
    for player in (None, GAME.policy("meanfield")):
        played = walk(
            rules, walked(rules, found), hands, read.row, read.scores, starter, (player, fixed), 1,
            rounds,
        )  # fmt: skip
        ends = judged(rules, played.finals)
        lost = played.costs[:, 0].sum(axis=1)
        assert (lost.max() > 0) == (player is not None)
        # What mistakes cost against this policy is what they change.
        error = (ends + lost).std() / rounds**0.5
        assert abs((ends + lost).mean() - chances(found)[starter]) < 4 * error


def judged(rules, finals: np.ndarray) -> np.ndarray:
    """Chances to win of player 0 by what rounds left."""
    mine, other, last = finals.T
    first, second = tables(rules.target)
    again = chance_to_win(rules, mine, other, first)
    return np.where(last == 0, again, 1 - chance_to_win(rules, other, mine, second))


@pytest.mark.long
def test_what_a_policy_does_depends_on_what_it_sees():
    """A policy that sees no scores does the same in all layers; others do not."""
    position = LARGER["dice/amigo"]
    rules, of, _ = setting(position)
    plain, seeing = (by_policy(rules, GAME.policy(p), 1, of).rolls for p in ("threshold:5", "copy"))
    assert (plain == plain[:, :1]).all()
    assert not (seeing == seeing[:, :1]).all()


def test_random_play_has_no_fixed_decisions():
    rules, of, _ = setting(LARGER["dice/amigo"])
    with pytest.raises(ReadError, match="decides at random"):
        by_policy(rules, GAME.policy("random"), 1, of)
