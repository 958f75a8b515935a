"""Add tallies up: integers of 64 bits, and an error instead of a wrong sum."""

from __future__ import annotations

import numpy as np

from lama_odds.core.errors import LimitError


def add(tally: np.ndarray, part: np.ndarray) -> None:
    """Add an int64 tally to another, in place; raise LimitError if a sum exceeds 64 bits."""
    before = tally.copy()
    tally += part
    # Too large: both have one sign, and the sum has the other.
    if (((before ^ tally) & (part ^ tally)) < 0).any():
        raise LimitError("the sums of this many games exceed 64 bits: give fewer games")
