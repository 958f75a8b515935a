"""Decide when to stop comparing actions: at fixed checkpoints, keeping the error rate.

The intervals are valid at all checkpoints (see `anytime`) and the comparisons share the error rate.
So the verdict is wrong at most as often as stated.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from lama_odds.statistics.intervals import ALPHA, Moments

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
    best one counts as settled too, and so does one that was dropped as worse than another.
    """
    best = moments.best(lowest)
    rivals = [a for a in range(len(moments.sums)) if a != best]
    alpha = ALPHA / max(1, len(rivals))
    for rival in rivals:
        if rival in moments.dropped:
            continue
        lost = moments.difference(rival, best, alpha)
        low, high = (lost.low, lost.high) if lowest else (-lost.high, -lost.low)
        if not (low > 0 or high < zone):
            return False
    return True


# Racing: find which of many candidates may still be the best, from paired samples.
#
# Candidates are compared on the same samples. One is dropped when the leader is ahead by more than
# the error of the paired difference (Maron & Moore, "Hoeffding races", NIPS 1993). The bounds here
# are those of t, because the first looks see few blocks of games. One of two is also dropped when
# they are equivalent within a difference that does not matter.
#
# The chance of dropping the best one wrongly in a whole race is at most ALPHA. Looks and candidates
# share it evenly (Bonferroni). That is valid for samples that no earlier race has used: the winner
# of a race did well partly by chance on its samples.

STAYED, ALIKE, BEHIND = "stayed", "alike", "behind"


@dataclass(frozen=True)
class Look:
    """The result of a look. stay: int64, candidates that remain, including the leader.

    behind: candidates that the leader beats. alike: candidates that are equivalent to it. Both
    leave.
    """

    lead: int
    stay: np.ndarray
    behind: tuple[int, ...]
    alike: tuple[int, ...]


def survivors(
    samples: np.ndarray, alive: np.ndarray, looks: int, higher: bool, zone: float
) -> Look:
    """Return the candidates that stay after a look, and why the others leave.

    samples: float64[candidates, n], paired over n.
    alive: int64, the candidates to compare.
    looks: number of looks in the whole race.
    higher: whether higher values are better.
    zone: the largest difference that does not matter; of equivalent candidates only the leader
    stays.
    """
    from scipy.stats import t

    n = samples.shape[1]
    means = samples[alive].mean(axis=1)
    lead = int(alive[np.argmax(means) if higher else np.argmin(means)])
    bound = float(t.isf(ALPHA / (looks * max(1, len(samples) - 1)), n - 1))
    stay, behind, alike = [], [], []
    for candidate in alive.tolist():
        ahead = (samples[lead] - samples[candidate]) * (1 if higher else -1)
        error = bound * ahead.std(ddof=1) / np.sqrt(n)
        gap = ahead.mean()
        if candidate == lead:
            stay.append(candidate)
        elif abs(gap) + error < zone:
            alike.append(candidate)
        elif gap - error > 0:
            behind.append(candidate)
        else:
            stay.append(candidate)
    return Look(lead, np.array(stay, dtype=np.int64), tuple(behind), tuple(alike))


def states(candidates: int, behind: set[int], alike: Mapping[int, int]) -> list[str]:
    """Return STAYED, ALIKE or BEHIND for each candidate after a race.

    alike: the candidate to which each was equivalent when it left. If that one fell behind later,
    the other is behind too.
    """
    labels = []
    for candidate in range(candidates):
        at = candidate
        while at in alike:
            at = alike[at]
        left = ALIKE if candidate in alike else STAYED
        labels.append(BEHIND if at in behind else left)
    return labels
