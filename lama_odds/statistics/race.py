"""Decide when to stop comparing actions: at fixed checkpoints, keeping the error rate.

The intervals are valid at all checkpoints (see `anytime`) and the comparisons share the error rate.
So the verdict is wrong at most as often as stated.
"""

from __future__ import annotations

from lama_odds.statistics.anytime import ALPHA
from lama_odds.statistics.paired import Moments

FIRST_CHECK = 4_096
EARLY_CHECK = 1_024  # games after which an answer may stop if it is clear


def next_check(n: int, first: int = FIRST_CHECK) -> int:
    """Return the checkpoint after n games, in steps of a quarter, from `first` (a power of 2)."""
    if n < first:
        return first
    step = first
    while step * 8 <= n:
        step *= 2
    return n - n % step + step


def is_clear(moments: Moments, lowest: bool, zone: float = 0.0) -> bool:
    """Return whether the best action is clear: every other one is worse by more than its error.

    zone: the largest difference that does not matter. An action that is certainly within it of the
    best one counts as settled too.
    """
    best = moments.best(lowest)
    rivals = [a for a in range(len(moments.sums)) if a != best]
    alpha = ALPHA / max(1, len(rivals))
    for rival in rivals:
        lost = moments.difference(rival, best, alpha)
        low, high = (lost.low, lost.high) if lowest else (-lost.high, -lost.low)
        if not (low > 0 or high < zone):
            return False
    return True
