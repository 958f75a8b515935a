"""Tables that are solved: kept as long as the page is open."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

_KEPT: dict[object, np.ndarray] = {}


def kept(
    module: str,
    inputs: Sequence[np.ndarray],
    solve: Callable[[], np.ndarray],
    like: object = None,
) -> np.ndarray:
    """Return the table that `solve` makes from `inputs`; made once."""
    del like
    key = (module, tuple(tuple(array.ravel().tolist()) for array in inputs))
    if key not in _KEPT:
        _KEPT[key] = solve()
    return _KEPT[key]
