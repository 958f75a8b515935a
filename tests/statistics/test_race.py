"""Paired differences and stopping: right values, and false verdicts no more often than stated."""

from __future__ import annotations

import numpy as np
import pytest

from lama_odds.statistics.paired import Moments
from lama_odds.statistics.race import FIRST_CHECK, is_clear, next_check


def moments_of(values: np.ndarray, unit: float = 1.0) -> Moments:
    """Moments of int64[n, k] payoffs."""
    sums = np.column_stack([values.sum(axis=0), values.T @ values])
    return Moments(sums, len(values), unit)


@pytest.mark.parametrize("seed", range(3))
def test_difference_is_that_of_the_pairs(seed: int) -> None:
    rng = np.random.default_rng(seed)
    shared = rng.integers(0, 30, (5_000, 1))
    values = shared + rng.integers(0, 5, (5_000, 3))
    found = moments_of(values, unit=0.5).difference(0, 2)
    pairs = (values[:, 0] - values[:, 2]) / 2
    assert found.value == pytest.approx(pairs.mean())
    assert found.stderr == pytest.approx(pairs.std(ddof=1) / np.sqrt(5_000))


def test_sharing_luck_makes_differences_sharper() -> None:
    rng = np.random.default_rng(0)
    shared = rng.integers(0, 30, (5_000, 1))
    values = shared + rng.integers(0, 5, (5_000, 2))
    moments = moments_of(values)
    alone = np.hypot(moments.mean(0).stderr, moments.mean(1).stderr)
    assert moments.difference(0, 1).stderr < alone / 4


def test_best_is_lowest_or_highest() -> None:
    values = np.array([[3, 1, 2]] * 2_000)
    assert moments_of(values).best(lowest=True) == 1
    assert moments_of(values).best(lowest=False) == 0


def test_checkpoints_are_fixed_and_grow() -> None:
    checks = [next_check(0)]
    while checks[-1] < 10_000_000:
        checks.append(next_check(checks[-1]))
    assert checks[0] == FIRST_CHECK
    assert all(check % FIRST_CHECK == 0 for check in checks)
    ratios = np.divide(checks[8:], checks[7:-1])
    assert (ratios > 1.1).all()
    assert (ratios < 1.3).all()


def race(rng: np.random.Generator, gap: float) -> int | None:
    """Play two actions until one is clear; returns the winner, or None after the last check."""
    n, parts = 0, []
    while n < 100_000:
        more = next_check(n) - n
        noise = rng.normal(size=(more, 2)) * 1_000
        parts.append(np.round(noise + np.array([0.0, gap * 1_000])).astype(np.int64))
        n += more
        moments = moments_of(np.concatenate(parts), unit=0.001)
        if is_clear(moments, lowest=True):
            return moments.best(lowest=True)
    return None


def test_equal_actions_are_rarely_called_different() -> None:
    rng = np.random.default_rng(5)
    wrong = sum(race(rng, 0.0) is not None for _ in range(60))
    assert wrong <= 8  # 5 % of 60 are 3; more than 8 has a chance of 0.3 %


def test_different_actions_are_told_apart() -> None:
    rng = np.random.default_rng(6)
    assert [race(rng, 0.1) for _ in range(10)] == [0] * 10


def test_a_difference_that_nobody_minds_settles_it() -> None:
    rng = np.random.default_rng(7)
    values = np.round(rng.normal(size=(200_000, 2)) * 100).astype(np.int64)
    moments = moments_of(values, unit=0.01)
    assert not is_clear(moments, lowest=True)
    assert is_clear(moments, lowest=True, zone=0.1)
