"""The cards of a pile, sorted: cumulated counts of each kind, a byte each, in two words.

Byte k counts the cards of the kinds 0 to k; bytes after the last kind are 0. Comparing a number
with all bytes at once gives its card, and subtracting the result takes that card out. LLVM has
instructions for sixteen bytes at a time; Python has no words for them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from lama_odds.jit import inlined

BYTES = 16
HALF = 8  # bytes of a word

_BYTE = ir.IntType(8)
_WORD = ir.IntType(64)
_INDEX = ir.IntType(32)
_BYTES = ir.VectorType(_BYTE, BYTES)
_WORDS = ir.VectorType(_WORD, 2)
_ONES = np.uint64(0x0101010101010101)
_OTHER_ONES = np.uint64(0x0000010101010101)  # of the kinds 8 to 13


def pack_up(counts: Sequence[int]) -> np.ndarray:
    """Return int64[2]: the words of a pile with these counts, at most 255 cards in all."""
    words = [0, 0]
    for kind, total in enumerate(accumulate(counts)):
        words[kind // HALF] |= total << 8 * (kind % HALF)
    return np.array(words, dtype=np.uint64).view(np.int64)


@intrinsic  # type: ignore[untyped-decorator]
def count_above(typing: Any, first: Any, second: Any, x: Any) -> Any:  # noqa: ARG001 (numba's)
    """Return (number of bytes above the lowest byte of x, both words with one less in each of
    those).
    """

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        words = _WORDS(ir.Undefined)
        for at in range(2):
            words = builder.insert_element(words, arguments[at], _INDEX(at))
        sums = builder.bitcast(words, _BYTES)
        lowest = builder.trunc(arguments[2], _BYTE)
        card = builder.insert_element(_BYTES(ir.Undefined), lowest, _INDEX(0))
        everywhere = ir.Constant(ir.VectorType(_INDEX, BYTES), [0] * BYTES)
        card = builder.shuffle_vector(card, card, everywhere)
        above = builder.icmp_unsigned(">", sums, card)
        number = builder.ctpop(builder.bitcast(above, ir.IntType(BYTES)))
        less = builder.add(sums, builder.sext(above, _BYTES))
        words = builder.bitcast(less, _WORDS)
        found = [builder.zext(number, _WORD)]
        found += [builder.extract_element(words, _INDEX(at)) for at in range(2)]
        return context.make_tuple(builder, signature.return_type, found)

    return types.UniTuple(types.int64, 3)(types.int64, types.int64, types.int64), code


@inlined
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
