"""Several actions with common random numbers: means, paired differences, and the best action.

The input is exact integers: for k actions, the sums of their payoffs and the sums of products over
the same games, int64[k, k + 1]. Column 0 has the sums.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lama_odds.core.estimate import Estimate
from lama_odds.statistics.anytime import ALPHA, anytime_mean, anytime_share


@dataclass(frozen=True)
class Moments:
    """Sums and products of the payoffs of k actions over n games.

    unit: what one count is worth.
    span: the largest distance between payoffs, and between differences within a game, in counts.
    parts: whether payoffs between 0 and 1 are chances that were looked up, not whole wins.
    """

    sums: np.ndarray
    n: int
    unit: float = 1.0
    share: bool = False
    span: float = 1.0
    parts: bool = False

    def mean(self, action: int) -> Estimate:
        """Return the mean payoff of an action, with an anytime-valid interval.

        A share (payoffs between 0 and 1) has the interval for shares. Chances that were looked up
        vary far less than whole wins, for which that interval is made. They have the interval of a
        mean, cut at 0 and 1. The choice depends on how payoffs are made, never on the results.
        """
        total = int(self.sums[action, 0])
        squares = int(self.sums[action, action + 1])
        mean = anytime_mean(total, squares, self.n, self.unit, span=self.span)
        if not self.share:
            return mean
        # A certain win is 1, whatever rounding makes of its many parts.
        value = min(mean.value, 1.0)
        if self.parts:
            low, high = max(0.0, mean.low), min(1.0, mean.high)
        else:
            wide = anytime_share(total * self.unit, self.n)
            low, high = wide.low, wide.high
        return Estimate.from_interval(value, mean.stderr, low, high, self.n)

    def difference(self, first: int, second: int, alpha: float = ALPHA) -> Estimate:
        """Return the mean of (payoff of first − payoff of second), game by game.

        Exactly 0 for one action.
        """
        if first == second:
            return Estimate.from_half(0.0, 0.0, 0.0, self.n)
        total = int(self.sums[first, 0]) - int(self.sums[second, 0])
        squares = (
            int(self.sums[first, first + 1])
            + int(self.sums[second, second + 1])
            - 2 * int(self.sums[first, second + 1])
        )
        return anytime_mean(total, squares, self.n, self.unit, alpha, self.span)

    def best(self, lowest: bool) -> int:
        """Return the action with the best mean; the first one of equals."""
        sums = self.sums[:, 0]
        return int(np.argmin(sums) if lowest else np.argmax(sums))
