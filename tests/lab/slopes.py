"""A check of what teaches a network."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from lab.nets import ERRORS, STATS

STEP = 2e-3


def check_slopes(net: Any, seen: Any, teach: Callable[..., None]) -> None:
    """The error changes with each weight as its slope says."""
    chosen = np.arange(40)
    slopes = type(net)(*(np.zeros_like(part) for part in net))
    teach(net, slopes, seen, chosen, True, np.zeros(STATS))

    def error() -> float:
        stats = np.zeros(STATS)
        teach(net, slopes, seen, chosen, False, stats)
        return float(stats[ERRORS]) / 2

    for part, slope in zip(net, slopes, strict=True):
        for at in np.argsort(-np.abs(slope.ravel()))[:4]:
            before = part.flat[at]
            part.flat[at] = before + STEP
            above = error()
            part.flat[at] = before - STEP
            below = error()
            part.flat[at] = before
            assert (above - below) / (2 * STEP) == pytest.approx(slope.flat[at], rel=0.05, abs=0.05)
