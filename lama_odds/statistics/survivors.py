"""Racing: which of many candidates may still be the best, from paired samples.

Candidates are compared on the same samples; one is dropped once the leader is ahead of it beyond
the error of the paired difference (Maron & Moore, "Hoeffding races", NIPS 1993; here with the
bounds of t, as the first looks see few blocks of games), or once the two are alike within what
does not matter. The rate of dropping the best one wrongly in a whole race is at most ALPHA: looks
and candidates share it evenly (Bonferroni). That holds for samples that no earlier race has used:
the winner of one has had luck with its samples, and would bring it along.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

ALPHA = 0.05
STAYED, ALIKE, BEHIND = "stayed", "alike", "behind"


@dataclass(frozen=True)
class Look:
    """What a look leaves. stay: int64, candidates that play on, the leader among them.

    behind: those that the leader is ahead of. alike: those that are as good as it is, within what
    does not matter. Both leave.
    """

    lead: int
    stay: np.ndarray
    behind: tuple[int, ...]
    alike: tuple[int, ...]


def survivors(
    samples: np.ndarray, alive: np.ndarray, looks: int, higher: bool, zone: float
) -> Look:
    """Candidates that stay after a look, and why the others do not.

    samples: float64[candidates, n], paired over n; alive: int64, those to look at. looks: of the
    whole race. zone: differences up to it do not matter, so that of candidates that are this
    close for certain only the leader stays.
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
    """STAYED, ALIKE or BEHIND of each candidate after a race.

    alike: whom each was like when it left; who was like one that fell behind later is behind too.
    """
    found = []
    for candidate in range(candidates):
        at = candidate
        while at in alike:
            at = alike[at]
        left = ALIKE if candidate in alike else STAYED
        found.append(BEHIND if at in behind else left)
    return found
