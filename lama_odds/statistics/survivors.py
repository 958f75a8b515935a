"""Racing: which of many candidates may still be the best, from paired samples.

Candidates are compared on the same samples; one is dropped once the leader is ahead of it beyond
the error of the paired difference (Maron & Moore, "Hoeffding races", NIPS 1993; here with the
bounds of t, as the first looks see few blocks of games). The rate of dropping the best one
wrongly in a whole race is at most ALPHA: looks and candidates share it evenly (Bonferroni).
"""

from __future__ import annotations

import numpy as np

ALPHA = 0.05


def survivors(
    samples: np.ndarray, alive: np.ndarray, looks: int, higher: bool, zone: float
) -> np.ndarray:
    """Candidates that stay after a look.

    samples: float64[candidates, n], paired over n; alive: int64, those to look at. looks: of the
    whole race. zone: differences up to it do not matter, so that of candidates that are this
    close for certain only the leader stays.
    """
    from scipy.stats import t

    n = samples.shape[1]
    means = samples[alive].mean(axis=1)
    lead = int(alive[np.argmax(means) if higher else np.argmin(means)])
    bound = float(t.isf(ALPHA / (looks * max(1, len(samples) - 1)), n - 1))
    kept = []
    for candidate in alive:
        if candidate == lead:
            kept.append(candidate)
            continue
        behind = (samples[lead] - samples[candidate]) * (1 if higher else -1)
        error = bound * behind.std(ddof=1) / np.sqrt(n)
        gap = behind.mean()
        close = abs(gap) + error < zone
        if gap - error <= 0 and not close:
            kept.append(candidate)
    return np.array(kept, dtype=np.int64)
