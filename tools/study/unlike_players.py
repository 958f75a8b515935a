"""Match equity tables of two players of Lama Dice who play different policies.

With two unlike players it matters who starts. So there are two tables, which solve one system
together; see `analysis.equity` for that of a single policy.
"""

from __future__ import annotations

import numpy as np

from lama_odds.analysis.equity import left_by_two
from lama_odds.core.policies import Policy
from lama_odds.games.dice.game import GAME
from lama_odds.games.dice.rules.ruleset import DiceRules, chance_to_win
from lama_odds.games.interface.match_equity import MatchEquity
from tools.study.responses import Tables


def tables_between(
    rules: DiceRules, policies: tuple[Policy, Policy], rounds: int, seed: int, threads: int | None
) -> Tables:
    """Return the chances of each policy where it starts a round, by its own and the other's score.

    rounds: played from each pair of scores by each starter. Their errors are not computed.
    """
    target = rules.target
    size = target * target
    system, won = np.zeros((2 * size, 2 * size)), np.zeros(2 * size)
    for starter in (0, 1):
        seated = policies[:: 1 - 2 * starter]
        for score in range(target):
            first = (starter * target + score) * target * rounds
            left = left_by_two(GAME, rules, seated, score, rounds, seed, first, threads)
            shares = left / rounds
            for other in range(target):
                at = starter * size + score * target + other
                same, turned = system[at].reshape(2, size)[:: 1 - 2 * starter]
                won[at] = _add_step(rules, same, turned, shares[other])
    values = np.linalg.solve(np.eye(2 * size) - system, won).reshape(2, target, target)
    found = [
        MatchEquity(policy.name, table, np.zeros_like(table), rounds, seed)
        for policy, table in zip(policies, values, strict=True)
    ]
    return found[0], found[1]


def _add_step(rules: DiceRules, same: np.ndarray, turned: np.ndarray, left: np.ndarray) -> float:
    """Put what a round leaves into a row of the system; return what it adds for certain.

    same, turned: parts of the row for the table of the starter, and of the other. left: shares
    by both scores after the round, and by the starter of the next one.
    """
    target = rules.target
    scores = np.indices(left.shape[:2])
    over = scores.max(axis=0) >= target
    same += left[:target, :target, 0].ravel()
    turned -= left[:target, :target, 1].T.ravel()
    ended = left.sum(axis=2) * chance_to_win(rules, scores[0], scores[1], None)
    return float(ended[over].sum() + left[:target, :target, 1].sum())
