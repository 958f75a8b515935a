"""Rounds of two players of Lama Dice in which one plays best against the other, who is fixed.

The player who responds is player 0. What the scores after the round are worth comes from tables of
rounds that either player starts, since the two need not play alike.
"""

from __future__ import annotations

from lab.best_play.pair_walk import walked
from lab.best_play.pairs import MOST, WonRound
from lab.best_play.response import Setting, as_solved, by_policy, respond
from lama_odds.core.policies import Policy
from lama_odds.games.dice.rules.position import Counts
from lama_odds.games.dice.rules.ruleset import DiceRules
from lama_odds.games.dice.solvers.last_player import PairPayoff, Tokens, win_payoff
from lama_odds.games.dice.solvers.last_player_solve import cuts_of
from lama_odds.games.dice.solvers.two_players import (
    PairSolution,
    pair_situations,
    pair_space,
    pair_states,
    solve_pair,
)
from lama_odds.games.interface.match_equity import MatchEquity

# Of a player, starting a round: the one who responds, and the one who is fixed.
Tables = tuple[MatchEquity, MatchEquity]


def tokens_within(
    rules: DiceRules,
    hands: tuple[Counts, Counts],
    row: int,
    scores: tuple[int, int],
    tables: Tables,
    tolerated: float,
) -> tuple[tuple[Tokens, Tokens], PairPayoff]:
    """Return the tokens to follow, and what the end of the round is worth.

    tolerated: bound of what cutting tokens may change.
    """
    cuts = cuts_of(rules, scores, *tables)
    fewest = cuts.fewest(hands, row, pair_situations(*hands, row), MOST, tolerated)
    assert fewest is not None, "everything fits"
    tokens = fewest[0]
    levels = len(tokens[0].values), len(tokens[1].values)
    repeated = cuts.repeated(levels)
    return tokens, win_payoff(rules, tokens, scores, tables[0], repeated, tables[1], apart=True)


def response_to_policy(
    rules: DiceRules,
    policy: Policy,
    hands: tuple[Counts, Counts],
    row: int,
    scores: tuple[int, int],
    tables: Tables,
    tolerated: float,
) -> WonRound:
    """Return the best response of player 0 to a policy, in a round from these cards and scores."""
    tokens, payoff = tokens_within(rules, hands, row, scores, tables, tolerated)
    states = pair_states(*hands, row)
    of = Setting(states, *pair_space(rules, states, row), scores, tokens)
    found = respond(rules, of, by_policy(rules, policy, 1, of), payoff)
    return WonRound(tokens, found, walked(rules, found))


def response_to_solved(
    rules: DiceRules, solution: PairSolution, scores: tuple[int, int], payoff: PairPayoff
) -> WonRound:
    """Return the best response of player 0 to a player who plays as solved.

    payoff: what counts for player 0; the solution may rest on another.
    """
    of = Setting(
        solution.states,
        solution.space,
        (solution.alone[0].space, solution.alone[1].space),
        scores,
        solution.tokens,
    )
    found = respond(rules, of, as_solved(rules, solution, 1), payoff)
    return WonRound(solution.tokens, found, walked(rules, found))


def solved_apart(
    rules: DiceRules,
    hands: tuple[Counts, Counts],
    row: int,
    tokens: tuple[Tokens, Tokens],
    payoff: PairPayoff,
    threads: int,
) -> PairSolution:
    """Return the equilibrium of a payoff that keeps the scores of players who quit apart."""
    return solve_pair(rules, *hands, row, tokens, threads, None, payoff)
