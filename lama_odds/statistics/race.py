"""When to stop comparing actions: at fixed checkpoints, keeping the error rate.

The intervals hold at all checkpoints at once (see `anytime`), with the error
rate shared between the comparisons, so the verdict is wrong at most as often as stated.
"""

from __future__ import annotations

from lama_odds.statistics.anytime import ALPHA
from lama_odds.statistics.paired import Moments

FIRST_CHECK = 4_096
EARLY_CHECK = 1_024  # where an answer may stop as soon as it is clear


def next_check(n: int, first: int = FIRST_CHECK) -> int:
    """The checkpoint after n games: steps of about a quarter, from `first` on (a power of 2)."""
    if n < first:
        return first
    step = first
    while step * 8 <= n:
        step *= 2
    return n - n % step + step


def is_clear(moments: Moments, lowest: bool, zone: float = 0.0) -> bool:
    """Whether the best action is known: every other one is worse beyond its error.

    zone: the largest difference that does not matter; an action within it of the best, for
    certain, counts as settled too.
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
