"""Estimate a share of values that come in groups, such as decisions in games.

The error is that of a ratio of two means over groups, so values of a group need not be independent.
The interval is Wilson's, with the effective number of values (Korn & Graubard 1998, Survey
Methodology 24, 193-201).

The error is wider if few groups have values that count, as in `equivalence`. With very few such
groups, their values come in clumps of the observed size, and twice that size is allowed for. With
none, clumps of a tenth of a group are allowed for.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from lama_odds.core.estimate import Estimate
from lama_odds.statistics.equivalence import freedom, half_in_errors, widening
from lama_odds.statistics.intervals import ratio_of, wilson

FEW = 10  # groups: with fewer, the spread between groups is not known
# With few groups, clumps may be CLUMPS times as large as those observed. If none was observed, one
# value or TENTH of a group, whichever is more, takes their place.
CLUMPS = 2
TENTH = 0.1


@dataclass(frozen=True)
class GroupedShare:
    """A share with its equivalence margin δ; `judge` decides whether it is 0, below δ or above.

    estimate: the share; n is the number of values.
    found: values that count, in `met` groups.
    worth: effective number of independent values.
    """

    estimate: Estimate
    found: int
    met: int
    worth: float
    delta: float

    @property
    def p(self) -> float:
        """The p-value of a share of 0: a single value refutes it."""
        return 0.0 if self.found else 1.0

    @property
    def p_same(self) -> float:
        """The p-value of a share of δ or more: a score test, or the chance to miss all values."""
        if not 0 < self.delta < 1:
            return float(self.delta < 1)
        if not self.found:
            return float((1 - self.delta) ** self.worth)
        error = math.sqrt(self.delta * (1 - self.delta) / self.worth)
        return NormalDist().cdf((self.estimate.value - self.delta) / error)

    def missing(self, alpha: float) -> int | None:
        """Return None: the number of games alone does not decide how many decisions there are."""
        return None


def grouped_share(found: np.ndarray, counts: np.ndarray, delta: float) -> GroupedShare:
    """Return the share of values that count, from the counts of each group.

    found, counts: int64[groups], values that count and all values. delta: the equivalence margin.
    Raises ValueError if there are no values.
    """
    if not counts.sum():
        raise ValueError("no decisions: nothing to estimate")
    sums = [int(np.sum(x)) for x in (found, found**2, found * counts, counts, counts**2)]
    share = ratio_of(*sums)
    met = int(np.count_nonzero(found))
    # Groups of unequal size are worth fewer equal ones, by the formula of Kish (1965).
    groups = sums[3] ** 2 / sums[4]
    p, n = share.value, sums[3]
    z = half_in_errors(freedom(None, len(counts)))
    if met >= FEW and share.stderr > 0:
        error = share.stderr * widening(met, len(counts))
        worth = max(groups, p * (1 - p) / error**2)
        z = half_in_errors(freedom(met, len(counts)))
    elif met:
        worth = max(groups, n * sums[0] / (CLUMPS * sums[1]))
    else:
        worth = max(groups, n / max(CLUMPS, TENTH * n / groups))
    low, high = wilson(p, worth, z)
    interval = share.with_interval(min(p, low), max(p, high))
    return GroupedShare(interval, sums[0], met, worth, delta)
