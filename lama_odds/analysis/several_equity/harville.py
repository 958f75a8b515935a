"""Harville's chances with fitted strengths: what a match equity table of several has to beat.

Harville (1973) gives each competitor the chance strength / sum of strengths. Here a strength
depends on the score and on the turn after the starter. Poker tournaments use the same with stacks
as strengths (the independent chip model).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy import optimize

STEPS = 1_000  # at most
PENALTY = 1e-7  # on squared logarithms: only their differences matter


def harville(
    starts: np.ndarray, won: np.ndarray, target: int
) -> Callable[[np.ndarray], np.ndarray]:
    """Fit strengths to shares of the win; return what gives the chances at other scores.

    starts: int64[rows, players]; seat 0 starts. won: float64[rows, players].
    """
    players = starts.shape[1]
    size = players * target
    turns = target * np.arange(players)

    def shares(logs: np.ndarray, scores: np.ndarray) -> np.ndarray:
        each = logs[scores + turns]
        strong = np.exp(each - each.max(axis=1, keepdims=True))
        return np.asarray(strong / strong.sum(axis=1, keepdims=True))

    def loss(logs: np.ndarray) -> tuple[float, np.ndarray]:
        found = shares(logs, starts)
        likely = (won * np.log(np.maximum(found, 1e-300))).sum(axis=1).mean()
        slopes = (found - won) / len(found)
        slope = np.bincount((starts + turns).ravel(), slopes.ravel(), size)
        return PENALTY * float(logs @ logs) - likely, slope + 2 * PENALTY * logs

    fitted = optimize.minimize(
        loss, np.zeros(size), jac=True, method="L-BFGS-B", options={"maxiter": STEPS}
    )
    return lambda scores: shares(fitted.x, scores)
