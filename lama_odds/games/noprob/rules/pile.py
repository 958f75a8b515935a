"""The cards of a pile, sorted: cumulated counts of each kind, a byte each, in two words.

Byte k counts the cards of the kinds 0 to k; bytes after the last kind are 0. Comparing a number
with all bytes at once tells which card it is, and subtracting the result takes that card out
(see `byte_counts`).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

import numpy as np

from lama_odds.jit import for_all, inlined
from lama_odds.jit.deferred import Deferred

HALF = 8  # bytes of a word

_ONES = np.uint64(0x0101010101010101)
_OTHER_ONES = np.uint64(0x0000010101010101)  # of the kinds 8 to 13


def pack_up(counts: Sequence[int]) -> np.ndarray:
    """Return int64[2]: the words of a pile with these counts, at most 255 cards in all."""
    words = [0, 0]
    for kind, total in enumerate(accumulate(counts)):
        words[kind // HALF] |= total << 8 * (kind % HALF)
    return np.array(words, dtype=np.uint64).view(np.int64)


def _count_above() -> Any:
    from lama_odds.games.noprob.rules import byte_counts

    return byte_counts.count_above


# count_above(first, second, x), for compiled functions only: how many bytes of a pile's two words
# are above the lowest byte of x. It also returns both words, with one less in each of those bytes.
count_above = Deferred(_count_above)


@inlined
@for_all
def one_more(first, second, kind):
    """Return the words of a pile with one more card."""
    if kind < HALF:
        return first + np.int64(_ONES << np.uint64(8 * kind)), second + np.int64(_OTHER_ONES)
    added = _OTHER_ONES << np.uint64(8 * (kind - HALF)) & np.uint64(0xFFFFFFFFFFFF)
    return first, second + np.int64(added)


@inlined
def up_to(first, second, kind):
    """Return how many cards there are of the kinds 0 to `kind`."""
    word, at = (first, kind) if kind < HALF else (second, kind - HALF)
    return word >> 8 * at & 0xFF


@inlined
def number_of(first, second, kind):
    """Return how many cards of a kind there are."""
    return up_to(first, second, kind) - (up_to(first, second, kind - 1) if kind else 0)
