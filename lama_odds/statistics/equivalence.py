"""Is a mean difference certain, is it negligible, or is that open? With Holm's correction.

Difference from 0: a two-sided t test. Negligible: two one-sided t tests at ±δ (Schuirmann 1987,
Journal of Pharmacokinetics and Biopharmaceutics 15, 657-680). Both families of tests are
corrected by Holm (1979, Scandinavian Journal of Statistics 6, 65-70), each keeping its error
rate over all differences that are judged together.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from lama_odds.core.estimate import Estimate
from lama_odds.statistics.intervals import variance_of

ALPHA = 0.05
POWER = 0.8  # with which the games said to be missing would settle it
DIFFERS, SAME, UNDECIDED = "differs", "same", "undecided"


@dataclass(frozen=True)
class Difference:
    """A mean difference with its δ. samples: paired samples that the error comes from."""

    estimate: Estimate
    samples: int
    delta: float


@dataclass(frozen=True)
class Judged:
    """A verdict. p, p_same: corrected, of no difference and of one of δ or more.

    more: about how many more games would settle it; None if it is settled, or if none would.
    """

    verdict: str
    p: float
    p_same: float
    more: int | None = None


def mean_of_blocks(
    total: int, squares: int, samples: int, games: int, unit: float = 1.0
) -> Estimate:
    """Mean of a game from sums over equal blocks of games, with its t interval.

    total, squares: sums (exact integers) of the blocks' sums and of their squares; samples:
    number of blocks; games: in all blocks together; unit: what one counts.
    """
    from scipy.stats import t

    value = unit * total / games
    stderr = abs(unit) * math.sqrt(samples * variance_of(total, squares, samples)) / games
    half = float(t.isf(ALPHA / 2, samples - 1)) * stderr
    return Estimate(value, stderr, value - half, value + half, games, "simulation")


def p_of_difference(difference: Difference) -> float:
    """Two-sided p of the t test for no difference. What never varies: 1 if it is 0, else 0."""
    from scipy.stats import t

    found = difference.estimate
    if found.stderr == 0:
        return float(found.value == 0)
    return float(2 * t.sf(abs(found.value) / found.stderr, difference.samples - 1))


def p_of_equivalence(difference: Difference) -> float:
    """Larger p of the one-sided t tests for a difference of at least δ, and of at most −δ.

    A difference that is 0 in every sample is negligible whatever δ is.
    """
    from scipy.stats import t

    found, delta, freedom = difference.estimate, difference.delta, difference.samples - 1
    if found.stderr == 0:
        return float(found.value != 0 and abs(found.value) >= delta)
    below = t.cdf((found.value - delta) / found.stderr, freedom)
    above = t.sf((found.value + delta) / found.stderr, freedom)
    return float(max(below, above))


def judge(differences: Sequence[Difference], alpha: float = ALPHA) -> list[Judged]:
    """A verdict on each difference, all of them judged together.

    ``same``: within ±δ (then a small difference may be certain too: p tells). ``differs``: from
    0, and not known to be within ±δ. Over all differences the chance of any false ``differs`` is
    at most alpha, and so is that of any false ``same``.
    """
    from statsmodels.stats.multitest import multipletests

    if not differences:
        return []
    p = multipletests([p_of_difference(d) for d in differences], alpha, "holm")[1]
    p_same = multipletests([p_of_equivalence(d) for d in differences], alpha, "holm")[1]
    judged = []
    for difference, differs, same in zip(differences, p.tolist(), p_same.tolist(), strict=True):
        if same <= alpha:
            judged.append(Judged(SAME, differs, same))
        elif differs <= alpha:
            judged.append(Judged(DIFFERS, differs, same))
        else:
            more = games_missing(difference, alpha / len(differences))
            judged.append(Judged(UNDECIDED, differs, same, more))
    return judged


def games_missing(difference: Difference, alpha: float) -> int | None:
    """Games more that would settle a difference at level alpha, were it just as it looks.

    The fewer of those that would show a difference and, if it is less than δ, those that would
    show it to be within ±δ, each with a chance of POWER; at least 1. None if none would.
    """
    from scipy.stats import norm

    found, delta = difference.estimate, difference.delta
    size = abs(found.value)
    spare = float(norm.ppf(POWER))
    needed = []
    if size > 0:
        needed.append(((float(norm.isf(alpha / 2)) + spare) * found.stderr / size) ** 2)
    if size < delta:
        needed.append(((float(norm.isf(alpha)) + spare) * found.stderr / (delta - size)) ** 2)
    if not needed:
        return None
    return max(1, math.ceil(found.n * (min(needed) - 1)))
