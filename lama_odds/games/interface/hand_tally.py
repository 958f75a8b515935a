"""The tally of cards in hand: situations that are continued with other hands."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lama_odds.games.interface.tally_layout import (
    DIFFERENCE_COLUMNS,
)
from lama_odds.jit import inlined


def hands_size(hands: int) -> int:
    """Return how much of a tally `hands` hands take that are played in the same situations."""
    return 1 + hands * (hands + 1)


@inlined
def count_difference(tally, row, difference):
    """Count a situation in a row of differences, from the start of a tally."""
    at = DIFFERENCE_COLUMNS * row
    tally[at] += 1
    tally[at + 1] += difference
    tally[at + 2] += difference * difference


@inlined
def count_hands(tally, at, points, count):
    """Count a situation played with several hands, in the part of a tally that begins at `at`."""
    tally[at] += 1
    for i in range(count):
        at += 1
        tally[at] += points[i]
        for j in range(count):
            at += 1
            tally[at] += points[i] * points[j]


@dataclass(frozen=True)
class HandTally:
    """A reader of the tally of situations that are continued with other hands."""

    tally: np.ndarray

    def row(self, at: int) -> np.ndarray:
        """Return row `at` of differences: situations, sum and sum of squares."""
        return self.tally[DIFFERENCE_COLUMNS * at : DIFFERENCE_COLUMNS * (at + 1)]

    def situations(self, at: int) -> int:
        """Return the number of situations played with the hands whose part begins at `at`."""
        return int(self.tally[at])

    def sums(self, at: int, hands: int) -> np.ndarray:
        """Return int64[hands, hands + 1]: sums of points, and of products by pairs of hands."""
        return self.tally[at + 1 : at + hands_size(hands)].reshape(hands, hands + 1)
