"""Sixteen bytes compared at a time: LLVM has instructions for that, which Python has no words for.

Imported when a function that needs it is compiled: it loads numba.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

BYTES = 16

_BYTE = ir.IntType(8)
_WORD = ir.IntType(64)
_INDEX = ir.IntType(32)
_BYTES = ir.VectorType(_BYTE, BYTES)
_WORDS = ir.VectorType(_WORD, 2)


@intrinsic  # type: ignore[untyped-decorator]
def count_above(typing: Any, first: Any, second: Any, x: Any) -> Any:  # noqa: ARG001 (numba's)
    """(number of bytes above the lowest byte of x, both words with one less in each of those)."""

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
        fields = [builder.zext(number, _WORD)]
        fields += [builder.extract_element(words, _INDEX(at)) for at in range(2)]
        return context.make_tuple(builder, signature.return_type, fields)

    return types.UniTuple(types.int64, 3)(types.int64, types.int64, types.int64), code
