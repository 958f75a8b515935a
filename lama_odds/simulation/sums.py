"""Adding tallies up: integers of 64 bits, and an error rather than a wrong sum."""

from __future__ import annotations

import numpy as np

from lama_odds.core.errors import LimitError


def add(tally: np.ndarray, part: np.ndarray) -> None:
    """Add an int64 tally to another, in place; LimitError if a sum has no room in 64 bits."""
    before = tally.copy()
    tally += part
    # Too large: both of one sign, and the sum of the other.
    if (((before ^ tally) & (part ^ tally)) < 0).any():
        raise LimitError("so many games cannot be summed up in 64 bits: give fewer games")
