"""Least squares across variants that share their games: against numpy, block by block."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from lama_odds.statistics.contrasts import Contrast, coefficient
from lama_odds.statistics.equivalence import mean_of_blocks


def sums_of(samples: np.ndarray) -> np.ndarray:
    """What a tally keeps of samples int64[variants, blocks]."""
    return np.concatenate([samples.sum(axis=1, keepdims=True), samples @ samples.T], axis=1)


def test_the_slope_of_two_is_their_difference() -> None:
    assert coefficient([[5, 6], [1, 1]], 0) == Contrast((-1, 1), 1)
    assert coefficient([[30, 40], [1, 1]], 0) == Contrast((-1, 1), 10)
    assert coefficient([[0, 1, 2], [1, 1, 1]], 0) == Contrast((-1, 0, 1), 2)


@pytest.mark.parametrize("seed", range(5))
def test_coefficients_are_those_of_numpy(seed: int) -> None:
    luck = np.random.default_rng(seed)
    x = luck.integers(0, 9, 12)
    columns = [x.tolist(), [1] * 12, (luck.integers(0, 2, 12)).tolist(), (x * x).tolist()]
    design = np.array(columns, dtype=float).T
    y = luck.normal(size=12)
    if np.linalg.matrix_rank(design) < 4:
        pytest.skip("these columns depend on each other")
    expected = np.linalg.lstsq(design, y, rcond=None)[0]
    for at in range(4):
        found = coefficient(columns, at)
        assert found is not None
        value = sum(w * v for w, v in zip(found.weights, y, strict=True)) / found.divisor
        assert value == pytest.approx(expected[at], abs=1e-9)
        assert found.size == pytest.approx(np.abs(np.linalg.pinv(design)[at]).sum())


def test_a_column_that_the_others_determine_has_none() -> None:
    assert coefficient([[1, 2, 3], [1, 1, 1], [2, 4, 6]], 0) is None
    assert coefficient([[5, 5], [1, 1]], 0) is None
    assert coefficient([[Fraction(1, 2), 1], [1, 1]], 0) == Contrast((-2, 2), 1)


def test_errors_are_those_of_the_slopes_of_blocks() -> None:
    luck = np.random.default_rng(1)
    common = luck.integers(0, 50, 400)
    samples = np.array([common + 3 * at + luck.integers(0, 4, 400) for at in range(4)])
    slope = coefficient([[1, 2, 4, 7], [1] * 4], 0)
    assert slope is not None
    total, squares = slope.moments(sums_of(samples))
    each = np.array(slope.weights) @ samples
    assert (total, squares) == (each.sum(), (each * each).sum())
    found = mean_of_blocks(total, squares, 400, 400, 1 / slope.divisor)
    slopes = np.polyfit([1, 2, 4, 7], samples, 1)[0]
    assert found.value == pytest.approx(slopes.mean())
    assert found.stderr == pytest.approx(slopes.std(ddof=1) / 20)
    # What all variants have in common is in none of the slopes.
    apart = samples - common
    assert found.stderr == pytest.approx(np.polyfit([1, 2, 4, 7], apart, 1)[0].std(ddof=1) / 20)


def test_intervals_of_slopes_hold_the_truth_about_as_often_as_they_say() -> None:
    luck = np.random.default_rng(2)
    slope = coefficient([[0, 1, 2], [1] * 3], 0)
    assert slope is not None
    met = 0
    for _ in range(400):
        common = luck.poisson(20, 120)
        samples = np.array([common + luck.poisson(5 + 2 * at, 120) for at in range(3)])
        total, squares = slope.moments(sums_of(samples))
        found = mean_of_blocks(total, squares, 120, 120, 1 / slope.divisor)
        met += found.low <= 2 <= found.high
    assert 0.92 * 400 <= met <= 0.98 * 400
