"""A share of values that come in groups: decisions of games, of which some differ.

The error is that of a ratio of two means over groups, so values of a group need not be
independent; the interval is Wilson's, on as many values as the share is worth (Korn & Graubard
1998, Survey Methodology 24, 193-201), the error being wider where few groups have any that count,
as in `equivalence`. As long as very few have, these come in clumps of the size met, and clumps
twice as large are allowed for; as long as none has, clumps of a tenth of a group.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from lama_odds.core.estimate import Estimate
from lama_odds.statistics.equivalence import freedom, half_in_errors, widening
from lama_odds.statistics.intervals import ratio_of

FEW = 10  # groups: on so few, the spread between groups is not known
CLUMPS = 2  # so much larger than those met may clumps be, then; and so large if none was met,
TENTH = 0.1  # or this part of a group, if that is more


@dataclass(frozen=True)
class GroupedShare:
    """A share with its δ: it is 0, or at least δ, or between.

    estimate: n is the number of values. found: values that count, in `met` groups. worth:
    independent values that the share is worth.
    """

    estimate: Estimate
    found: int
    met: int
    worth: float
    delta: float

    @property
    def p(self) -> float:
        """Of a share of 0: a single value refutes it."""
        return 0.0 if self.found else 1.0

    @property
    def p_same(self) -> float:
        """Of a share of δ or more, by the score test; if there is none, the chance to miss all."""
        if not 0 < self.delta < 1:
            return float(self.delta < 1)
        if not self.found:
            return float((1 - self.delta) ** self.worth)
        error = math.sqrt(self.delta * (1 - self.delta) / self.worth)
        return NormalDist().cdf((self.estimate.value - self.delta) / error)

    def missing(self, alpha: float) -> int | None:
        """None: how many decisions are asked about does not hang on the games alone."""
        return None


def grouped_share(found: np.ndarray, counts: np.ndarray, delta: float) -> GroupedShare:
    """The share of values that count. found, counts: int64[groups], of each group.

    ValueError if there are no values.
    """
    if not counts.sum():
        raise ValueError("no decisions: nothing to estimate")
    sums = [int(np.sum(x)) for x in (found, found**2, found * counts, counts, counts**2)]
    share = ratio_of(*sums)
    met = int(np.count_nonzero(found))
    # Groups of unlike size are worth as many equal ones as Kish (1965) says.
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
    low, high = _wilson(p, worth, z)
    return GroupedShare(share.with_interval(low, high), sums[0], met, worth, delta)


def _wilson(p: float, worth: float, z: float) -> tuple[float, float]:
    """Wilson's interval of a share of so many values, which need not be a whole number."""
    from statsmodels.stats.proportion import proportion_confint

    alpha = 2 * NormalDist().cdf(-z)
    low, high = proportion_confint(p * worth, worth, alpha, method="wilson")
    return min(p, float(low)), max(p, float(high))
