"""The smallest difference that matters in a comparison."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Delta:
    """The smallest difference that matters in a comparison (the equivalence margin).

    value: above 0, in the unit of the measure; with `relative`, as a share of the baseline's value.
    relative: whether the value is such a share.

    >>> import lama_odds as lo
    >>> lo.Delta(0.05, relative=True)
    Delta(value=0.05, relative=True)
    """

    value: float
    relative: bool = False
