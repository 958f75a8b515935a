"""What stands for Python's arguments in machine code: their kinds, and numbers and addresses."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

SCALARS = {
    bool: "b",
    int: "i",
    float: "f",
    np.bool_: "b",
    np.int64: "i",
    np.float64: "f",
}
LEAST, MOST = -(2**63), 2**63 - 1
NUMBERS = "biuf"  # kinds of numpy's types whose name says everything


class UnusualError(Exception):
    """An argument that only numba can hand over."""


class Passed(NamedTuple):
    """What stands for one argument.

    kind: what machine code is made for, as text. values: see `_array`; a number stands for itself,
    and a tuple for its parts.
    """

    kind: str
    values: tuple[Any, ...]


NOTHING = Passed("n", (None,))  # None is an address, of nothing


class Arguments:
    """Hands over the arguments of one function; the same tables as before are not read again."""

    def __init__(self) -> None:
        self._tables: dict[int, tuple[tuple[Any, ...], Passed]] = {}  # by place

    def __call__(self, arguments: tuple[Any, ...]) -> tuple[str, list[Any]]:
        """Return the kinds of all arguments, as one text, and all their values.

        Raises UnusualError if only numba can hand them over.
        """
        kinds: list[str] = []
        values: list[Any] = []
        for at, argument in enumerate(arguments):
            if isinstance(argument, tuple):
                known = self._tables.get(at)
                if known is None or known[0] is not argument:
                    known = argument, passed(argument)
                    self._tables[at] = known  # its arrays live as long as it does
                part = known[1]
            else:
                part = passed(argument)
            kinds.append(part.kind)
            values += part.values
        return ",".join(kinds), values


def passed(value: Any) -> Passed:
    """Return what stands for an argument.

    Raises UnusualError if it is neither a number, nor an array as `numpy.zeros` makes them, nor
    None, nor a tuple of these.
    """
    kind = type(value)
    if value is None:
        return NOTHING
    if kind is np.ndarray:
        return _array(value)
    if kind in SCALARS and (kind is not int or LEAST <= value <= MOST):
        return Passed(SCALARS[kind], (value,))
    if isinstance(value, tuple):
        parts = [passed(part) for part in value]
        inside = ",".join(part.kind for part in parts)
        return Passed(f"{kind.__name__}({inside})", tuple(v for part in parts for v in part.values))
    raise UnusualError


def _array(array: np.ndarray) -> Passed:
    """Return what stands for an array.

    Its owner comes first, twice: nobody, as it lives longer than the call. Then its number of
    elements, their size in bytes, its address, its shape and its strides.
    """
    type_ = array.dtype
    if not array.flags.carray or type_.kind not in NUMBERS:
        raise UnusualError
    address = array.__array_interface__["data"][0]
    values = (None, None, array.size, type_.itemsize, address, *array.shape, *array.strides)
    return Passed(f"{type_.str}{array.ndim}", values)
