"""Intervals that survive looking again and again keep their error rate; fixed ones do not."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lama_odds.statistics.anytime import (
    ALPHA,
    FEWEST,
    anytime_mean,
    anytime_share,
    at_fixed,
    half_width,
)
from lama_odds.statistics.intervals import Z, share_of

LOOKS = np.unique(np.geomspace(FEWEST, 100_000, 60).astype(int))


def paths(seed: int, count: int) -> np.ndarray:
    """Means of `count` samples of standard normal values at each look."""
    rng = np.random.default_rng(seed)
    steps = np.diff(LOOKS, prepend=0)
    sums = np.cumsum(rng.normal(size=(count, len(LOOKS))) * np.sqrt(steps), axis=1)
    return sums / LOOKS


def test_looking_often_keeps_the_error_rate() -> None:
    means = paths(1, 20_000)
    width = np.array([half_width(1.0, int(n)) for n in LOOKS])
    wrong = (np.abs(means) > width).any(axis=1).mean()
    assert wrong < 0.05 + 3 * math.sqrt(0.05 * 0.95 / 20_000)
    # The same looks with fixed-sample intervals are wrong several times as often as stated.
    assert (np.abs(means) > Z / np.sqrt(LOOKS)).any(axis=1).mean() > 0.2


def test_width_beside_a_fixed_interval() -> None:
    for n in (20_000, 200_000, 1_000_000):
        assert 1.3 < half_width(1.0, n) / (Z / math.sqrt(n)) < 2.2


def test_nothing_is_said_from_few_games() -> None:
    assert half_width(1.0, FEWEST - 1) == math.inf
    assert math.isinf(anytime_mean(0, 10, 10).high)


def test_mean_is_the_mean() -> None:
    estimate = anytime_mean(3_000, 12_000, 2_000, unit=2.0)
    assert estimate.value == 3.0
    assert estimate.low < 3.0 < estimate.high
    assert estimate.stderr == pytest.approx(
        2 * math.sqrt((12_000 - 2_000 * 1.5**2) / 1_999 / 2_000)
    )


@pytest.mark.parametrize("p", [0.002, 0.1, 0.5])
def test_share_covers_at_all_looks(p: float) -> None:
    rng = np.random.default_rng(3)
    looks = [10, 30, 100, 300, 1_000, 3_000, 10_000]
    wrong = 0
    for _ in range(400):
        counts = np.cumsum(rng.binomial(np.diff(looks, prepend=0), p))
        found = [anytime_share(int(k), n) for k, n in zip(counts, looks, strict=True)]
        wrong += any(not interval.low <= p <= interval.high for interval in found)
    assert wrong / 400 < 0.05


@pytest.mark.parametrize(("count", "n"), [(0, 50), (50, 50), (1, 1_000), (420, 1_000), (0.5, 10)])
def test_share_interval_is_wider_than_wilsons_and_holds_the_value(count: float, n: int) -> None:
    wide, narrow = anytime_share(count, n), share_of(count, n)
    assert wide.low <= narrow.low <= wide.value <= narrow.high <= wide.high
    assert 0.0 <= wide.low <= wide.high <= 1.0


def test_what_has_not_come_yet_is_allowed_for() -> None:
    """A mean of what was 0 so far: an event of the whole span may be missed 3 times in n."""
    for n in (4_096, 100_000, 1 << 20):
        found = anytime_mean(0, 0, n, 0.5, span=20.0)
        assert found.stderr == 0
        assert 3 * 10 / n < found.high == -found.low < 10 * 10 / n
    # Where values vary it hardly matters.
    wide, narrow = (anytime_mean(0, 50 * 4_096, 4_096, span=span) for span in (30.0, 0.0))
    assert 1 < wide.high / narrow.high < 1.01


def test_a_rare_event_is_covered_at_every_look() -> None:
    rng = np.random.default_rng(7)
    held = 0
    for _ in range(400):
        count, before, inside = 0, 0, True
        for n in (4_096, 8_192, 16_384, 32_768, 65_536, 131_072):
            count += int(rng.binomial(n - before, 1e-4))
            before = n
            found = anytime_mean(count, count, n)
            inside = inside and found.low <= 1e-4 <= found.high
        held += inside
    assert held >= 0.95 * 400


@pytest.mark.parametrize("n", [1_000, 4_096, 1 << 20])
def test_a_number_of_games_fixed_beforehand_has_a_narrower_interval(n: int) -> None:
    squares = 4 * n
    found = at_fixed(anytime_mean(0, squares, n))
    # Normal, its variance allowing for what has not come yet.
    assert found.high == -found.low == pytest.approx(Z * 2 / math.sqrt(n), rel=0.002)
    shared = at_fixed(anytime_mean(0, squares, n, alpha=ALPHA / 4), looks=3, alpha=ALPHA / 4)
    assert shared.high / found.high == pytest.approx(2.8653 / Z, rel=1e-3)
    assert shared.high < anytime_mean(0, squares, n).high
