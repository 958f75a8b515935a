"""Classes of scores of two players: pairs at which the results of a round are worth alike.

What a round is worth by its penalties is taken from a match equity table. A zero-sum game stays
the same if its payoffs are shifted or scaled. So two pairs of scores are alike if their payoffs
are, apart from shift and scale (k-means; pairs that occur often and decide much count more).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from lama_odds.analysis.score_rounds import left_by_two
from lama_odds.core.policies import Policy
from lama_odds.games.lama.game import GAME
from lama_odds.games.lama.rules.ruleset import LamaRules

STEPS = 200  # of k-means at most


class ScoreClass(NamedTuple):
    """Pairs of scores, the higher one first, and how often a round begins with each.

    sides: 2, or 1 if both scores are equal in all pairs. often: share of rounds that begin here.
    """

    pairs: np.ndarray
    visits: np.ndarray
    sides: int
    often: float


def seen_in_games(
    rules: LamaRules, policy: Policy, rounds: int, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return how often rounds of a game begin with each two scores, and results at the first.

    The first score is the starter's. The results are int64[…, …], by both penalties. rounds: from
    each two scores, played by this policy in both seats.
    """
    target = rules.target
    size = target * target
    follows = np.zeros((size, size))
    results = np.zeros((0, 0), dtype=np.int64)
    for mine in range(target):
        at = mine * target * rounds
        left = left_by_two(GAME, rules, [policy] * 2, mine, rounds, seed, at)
        if mine == 0:
            results = left[0].sum(axis=2)
        for other in range(target):
            going_on = left[other, :target, :target] / rounds
            row = follows[mine * target + other]
            row += going_on[:, :, 0].reshape(-1)
            row += going_on[:, :, 1].T.reshape(-1)
    first = np.zeros(size)
    first[0] = 1.0
    visits = np.linalg.solve(np.eye(size) - follows.T, first)
    return visits.reshape(target, target), results


def worth_of(equities: np.ndarray, highest: int) -> np.ndarray:
    """Return float64[highest, highest]: the chance to win of the next starter, if any.

    equities: float64[target, target].
    """
    target = len(equities)
    mine, other = np.indices((highest, highest))
    worth = np.where(mine < other, 1.0, np.where(mine == other, 0.5, 0.0))
    worth[:target, :target] = equities
    return worth


def payoffs_at(
    rules: LamaRules, worth: np.ndarray, penalties: np.ndarray, mine: int, other: int
) -> np.ndarray:
    """Return float64[results]: what each result is worth to a player with the first score.

    penalties: int64[results, 2], 0 if that player has gone out.
    """
    after = [
        score - rules.token(score) * (column == 0) + column
        for score, column in zip((mine, other), penalties.T, strict=True)
    ]
    found: np.ndarray = (worth[after[0], after[1]] + 1.0 - worth[after[1], after[0]]) / 2
    return found


def clustered(points: np.ndarray, weights: np.ndarray, count: int) -> np.ndarray:
    """Return int64[n], the cluster of each point (k-means, begun with points far apart)."""
    nearest = np.full(len(points), np.inf)
    centres = [points[int(np.argmax(weights))]]
    for _ in range(count - 1):
        nearest = np.minimum(nearest, ((points - centres[-1]) ** 2).sum(axis=1))
        centres.append(points[int(np.argmax(nearest * weights))])
    middle = np.array(centres)
    found = np.zeros(len(points), dtype=np.int64)
    for step in range(STEPS):
        away = ((points[:, None] - middle[None]) ** 2).sum(axis=2)
        before, found = found, np.argmin(away, axis=1)
        if step and np.array_equal(before, found):
            break
        for number in range(count):
            inside = found == number
            if inside.any():
                middle[number] = np.average(points[inside], axis=0, weights=weights[inside])
    return found


def score_classes(
    rules: LamaRules, worth: np.ndarray, visits: np.ndarray, results: np.ndarray,
    unequal: int, equal: int,
) -> list[ScoreClass]:  # fmt: skip
    """Return classes of all pairs of scores, those of unequal scores first.

    visits, results: see `seen_in_games`. unequal, equal: the number of classes.
    """
    results = results + results.T
    penalties = np.argwhere(results)
    often = np.sqrt(results[tuple(penalties.T)] / results.sum())
    found = []
    for count, sides in ((unequal, 2), (equal, 1)):
        pairs = np.array(
            [
                (mine, other)
                for mine in range(rules.target)
                for other in range(mine + 1)
                if (mine == other) == (sides == 1)
            ]
        )
        seen = np.array([visits[a, b] + visits[b, a] for a, b in pairs]) + 1e-6
        payoffs = np.array([payoffs_at(rules, worth, penalties, a, b) for a, b in pairs])
        payoffs -= (payoffs @ often**2)[:, None]
        spread = np.sqrt(payoffs**2 @ often**2)
        points = payoffs / np.maximum(spread, 1e-9)[:, None] * often
        inside = clustered(points, seen * spread, count)
        for number in range(count):
            here = inside == number
            if here.any():  # equal scores were counted twice
                share = float(seen[here].sum() / visits.sum()) * sides / 2
                found.append(ScoreClass(pairs[here], seen[here], sides, share))
    return found
