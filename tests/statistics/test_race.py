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


def test_an_action_differs_from_itself_by_nothing() -> None:
    moments = moments_of(np.random.default_rng(0).integers(0, 30, (5_000, 2)))
    itself = moments.difference(1, 1)
    assert (itself.value, itself.stderr, itself.low, itself.high) == (0, 0, 0, 0)
    assert moments.difference(0, 1).low < moments.difference(0, 1).high


def looked_up(values: np.ndarray, parts: bool) -> Moments:
    """Moments of one action's chances in millionths, int64[n]."""
    sums = np.array([[values.sum(), values @ values]])
    return Moments(sums, len(values), 1e-6, share=True, span=1e6, parts=parts)


def test_chances_looked_up_have_the_interval_of_a_mean() -> None:
    values = np.random.default_rng(0).integers(550_000, 650_000, 100_000)
    found, whole = (looked_up(values, parts).mean(0) for parts in (True, False))
    assert (found.value, found.stderr) == (whole.value, whole.stderr)
    assert found.low < found.value < found.high
    assert (found.high - found.low) < (whole.high - whole.low) / 5
    # Cut where a chance ends; what was certain so far is not known to be.
    sure = looked_up(np.full(5_000, 1_000_000), True).mean(0)
    assert sure.value == sure.high == 1
    assert 0.99 < sure.low < 1
    none = looked_up(np.zeros(5_000, dtype=np.int64), True).mean(0)
    assert none.value == none.low == 0
    assert 0 < none.high < 0.01


@pytest.mark.parametrize("decided", [0.002, 0.1, 0.7])
def test_they_hold_the_truth_at_every_look(decided: float) -> None:
    """Chances about 0.9, and rounds that end the game, one in five of them won."""
    rng = np.random.default_rng(11)
    truth = decided * 0.2 + (1 - decided) * 0.9
    held, runs = 0, 200
    for _ in range(runs):
        ends = rng.random(32_768) < decided
        won = 1_000_000 * (rng.random(32_768) < 0.2)
        values = np.where(ends, won, rng.integers(850_000, 950_001, 32_768)).astype(np.int64)
        looks = [looked_up(values[:n], True).mean(0) for n in (1_000, 4_096, 8_192, 32_768)]
        held += all(look.low <= truth <= look.high for look in looks)
    assert held >= 0.95 * runs


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


@pytest.mark.long
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
