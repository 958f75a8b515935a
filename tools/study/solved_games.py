"""Games of Lama Dice for two in which every round is solved: what the mistakes of a policy cost.

One player follows the policy, the other plays as solved. The cost of each mistake is known exactly,
given the table of best play. The round is played many times, and what the mistakes cost on average
counts. One of these rounds leads to the next, so that scores come up as often as in such games.
What the policy loses in a game is by how much it wins less often than half of the games.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from lab.best_play.pair_walk import LAST, PLACES, walk
from lab.best_play.pairs import won_round
from lama_odds.core.policies import Policy
from lama_odds.games.dice.jobs import deal_of
from lama_odds.games.dice.rules.ruleset import DiceRules
from lama_odds.games.dice.rules.transition import FULL_ROW
from lama_odds.games.interface.match_equity import best_play

WALKS = 4_000  # times that each round is played
# Bound of what cutting tokens may change. Costs are differences of values that it changes alike.
TOLERATED = 0.04
SEEDS = 1_000  # rounds of a game have seeds of their own


class Lost(NamedTuple):
    """What a policy loses in a game: float64[PLACES], chances to win (see `Walks.costs`)."""

    costs: np.ndarray
    rounds: int


def lost_in_game(
    rules: DiceRules, policy: Policy, seed: int, number: int, threads: int, walks: int = WALKS
) -> Lost:
    """Return what a policy loses in a game; it is first to play in every other game."""
    table = best_play(rules.id)
    assert table is not None, "the table of best play is shipped"
    seat = number % 2
    policies = (policy, None) if seat == 0 else (None, policy)
    costs = np.zeros(PLACES)
    scores = 0, 0
    starter = 0
    rounds = 0
    while max(scores) < rules.target:
        first, second = deal_of(rules, 2, seed, number // 2, rounds)
        hands = first, second
        solved = won_round(rules, hands, FULL_ROW, scores, table, threads, TOLERATED)
        luck = (seed + number) * SEEDS + rounds
        played = walk(
            rules, solved.through, hands, FULL_ROW, scores, starter, policies, luck, walks
        )
        costs += played.costs[:, seat].mean(axis=0)
        scores = int(played.finals[0, 0]), int(played.finals[0, 1])
        starter = int(played.finals[0, LAST])
        rounds += 1
    return Lost(costs, rounds)
