"""Correct p-values for several tests at once: Holm (1979, Scand. J. Statistics 6, 65-70)."""

from __future__ import annotations

from collections.abc import Sequence


def holm(p_values: Sequence[float]) -> list[float]:
    """Return the corrected p-values, in the order given.

    Reject whatever has a corrected value of at most alpha. The chance of any false rejection is
    then at most alpha, whatever the dependence between the tests.

    Of m values, the smallest is multiplied by m, the next by m − 1, and so on. None becomes smaller
    than one before it, and none exceeds 1.
    """
    corrected = [0.0] * len(p_values)
    so_far = 0.0
    in_order = sorted(range(len(p_values)), key=p_values.__getitem__)
    for before, at in enumerate(in_order):
        so_far = max(so_far, (len(p_values) - before) * float(p_values[at]))
        corrected[at] = min(1.0, so_far)
    return corrected
