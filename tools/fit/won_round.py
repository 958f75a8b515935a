"""Rounds of two players of Lama Dice, solved for the win as exactly as a table deserves.

`advise` solves to answer soon, within what time and memory allow. Tables and fitted policies come
from rounds that are solved further.
"""

from __future__ import annotations

from typing import NamedTuple

from lama_odds.games.dice.rules.position import Counts
from lama_odds.games.dice.rules.ruleset import DiceRules
from lama_odds.games.dice.rules.winning import EVEN
from lama_odds.games.dice.solvers.pair_walk import Walked, walked
from lama_odds.games.dice.solvers.payoffs import win_payoff
from lama_odds.games.dice.solvers.token_cuts import cuts_of
from lama_odds.games.dice.solvers.tokens import Tokens
from lama_odds.games.dice.solvers.two_players import PairSolution, pair_situations, solve_pair
from lama_odds.games.interface.match_equity import MatchEquity

# Tokens are followed so far that no value changes by more (see `token_cuts`); a tenth of what
# `advise` tolerates is not worth its time here.
TOLERATED = 0.01
MOST = 1 << 62  # layers: no limit


class WonRound(NamedTuple):
    """A solved round. tokens: those that are followed. through: the solution, to walk through."""

    tokens: tuple[Tokens, Tokens]
    solution: PairSolution
    through: Walked

    def win(self, starter: int) -> float:
        """Return the chance to win of the player who begins."""
        return EVEN + float(self.solution.passed[starter][self.solution.root, 0])


def won_round(
    rules: DiceRules,
    hands: tuple[Counts, Counts],
    row: int,
    scores: tuple[int, int],
    table: MatchEquity,
    threads: int,
    tolerated: float = TOLERATED,
) -> WonRound:
    """Return the round from these cards, solved for the chance to win with these scores.

    table: what the scores after the round are worth. tolerated: bound of what cutting tokens may
    change.
    """
    cuts = cuts_of(rules, scores, table)
    fewest = cuts.fewest(hands, row, pair_situations(*hands, row), MOST, tolerated)
    assert fewest is not None, "everything fits"
    tokens = fewest[0]
    levels = len(tokens[0].values), len(tokens[1].values)
    payoff = win_payoff(rules, tokens, scores, table, cuts.repeated(levels))
    solution = solve_pair(rules, *hands, row, tokens, threads, None, payoff)
    return WonRound(tokens, solution, walked(rules, solution))
