"""Convert arrays to the bytes of an ``.npy`` file and back, without pickles or archives."""

from __future__ import annotations

import io
import math

import numpy as np


def bytes_of(array: np.ndarray) -> bytes:
    """Return what ``np.save`` writes; raise ValueError for an array of objects."""
    file = io.BytesIO()
    np.save(file, array, allow_pickle=False)
    return file.getvalue()


def array_of(content: bytes) -> np.ndarray:
    """Return the array of a whole ``.npy`` file; raise ValueError, with the reason, otherwise.

    The size in the header is checked against the bytes that follow.
    """
    file = io.BytesIO(content)
    try:
        version = np.lib.format.read_magic(file)
        if version not in ((1, 0), (2, 0)):
            raise ValueError(f"found version {version}, expected 1.0 or 2.0")
        read = np.lib.format.read_array_header_1_0
        if version == (2, 0):
            read = np.lib.format.read_array_header_2_0
        shape, by_columns, dtype = read(file)
    except Exception as error:  # whatever error a damaged header causes in its parser
        raise ValueError(f"it holds no array ({_first_line(error)})") from None
    if dtype.hasobject or not dtype.itemsize:
        raise ValueError("it holds objects, expected numbers")
    if min(shape, default=0) < 0 or any(isinstance(size, bool) for size in shape):
        raise ValueError("its header does not give the shape of an array")
    there = len(content) - file.tell()
    if math.prod(shape) * dtype.itemsize != there:
        raise ValueError(f"its header and the {there:,} bytes after it do not fit together")
    flat = np.frombuffer(content, dtype=dtype, offset=file.tell())
    return flat.reshape(shape, order="F" if by_columns else "C").copy(order="K")


def _first_line(error: BaseException) -> str:
    lines = str(error).splitlines()
    return lines[0][:100] if lines else type(error).__name__
