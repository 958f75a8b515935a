"""Fixed-sample estimates against numpy, statsmodels and enumerated coverage."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from lama_odds.statistics.intervals import Z, mean_of, mean_of_counts, share_of, variance_of, wilson


@pytest.mark.parametrize("seed", range(5))
def test_mean_and_error_are_those_of_numpy(seed: int) -> None:
    values = np.random.default_rng(seed).integers(-50, 50, 1_000)
    estimate = mean_of(int(values.sum()), int((values**2).sum()), 1_000, unit=0.5)
    assert estimate.value == pytest.approx(values.mean() / 2, abs=1e-12)
    assert estimate.stderr == pytest.approx(values.std(ddof=1) / 2 / np.sqrt(1_000), rel=1e-12)
    low, high = stats.norm.interval(0.95, estimate.value, estimate.stderr)
    assert (estimate.low, estimate.high) == pytest.approx((low, high))
    assert (estimate.n, estimate.method) == (1_000, "simulation")


def test_variance_does_not_cancel() -> None:
    # Values 10**9 and 10**9 + 1, half each, many of them: the variance is 1/4.
    n = 10**9
    total = n * 10**9 + n // 2
    squares = n // 2 * (10**9) ** 2 + n // 2 * (10**9 + 1) ** 2
    assert variance_of(total, squares, n) == pytest.approx(0.25, rel=1e-6)


@pytest.mark.parametrize(("count", "n"), [(0, 10), (1, 10), (5, 10), (10, 10), (3, 1_000), (1, 1)])
def test_share_is_wilsons(count: int, n: int) -> None:
    estimate = share_of(count, n)
    low, high = proportion_confint(count, n, method="wilson")
    assert (estimate.low, estimate.high) == pytest.approx((low, high), abs=1e-12)
    assert estimate.value == count / n


def test_wilson_of_any_effective_number_is_that_of_statsmodels() -> None:
    for p in (0.0, 1e-6, 0.013, 0.5, 0.9, 1.0):
        for n in (1.0, 7.3, 812.46, 1e7):
            for alpha in (0.3, 0.05, 1e-3, 1e-8):
                low, high = wilson(p, n, float(stats.norm.isf(alpha / 2)))
                theirs = proportion_confint(p * n, n, alpha, method="wilson")
                assert (low, high) == pytest.approx(theirs, rel=1e-12, abs=1e-15)
                assert low <= p <= high


@pytest.mark.parametrize("p", [0.02, 0.3, 0.5])
def test_wilson_covers_as_enumerated(p: float) -> None:
    n = 60
    intervals = [share_of(k, n) for k in range(n + 1)]
    covered = sum(
        stats.binom.pmf(k, n, p)
        for k, found in enumerate(intervals)
        if found.low <= p <= found.high
    )
    theirs = [proportion_confint(k, n, method="wilson") for k in range(n + 1)]
    reference = sum(
        stats.binom.pmf(k, n, p) for k, (low, high) in enumerate(theirs) if low <= p <= high
    )
    assert covered == pytest.approx(reference)
    assert covered > 0.92


def test_z_is_the_normal_quantile() -> None:
    assert pytest.approx(stats.norm.ppf(0.975), rel=1e-12) == Z


def test_nothing_can_be_estimated_from_no_games() -> None:
    with pytest.raises(ValueError, match="no games"):
        mean_of(0, 0, 0)
    with pytest.raises(ValueError, match="no games"):
        share_of(0, 0)


def test_means_of_counts_that_few_games_make_are_about_wilsons() -> None:
    for count in (3, 10, 100):
        wilson, found = share_of(count, 1_000), mean_of_counts(count, count, 1_000)
        assert (found.value, found.stderr) == (count / 1_000, mean_of(count, count, 1_000).stderr)
        assert found.high == pytest.approx(wilson.high, rel=0.1)
        assert found.high - found.low > 0.999 * (wilson.high - wilson.low)
    assert mean_of_counts(0, 0, 1_000, 0.5).high == share_of(0, 1_000).high / 2
    assert mean_of_counts(0, 0, 1_000).low == 0.0


def test_means_of_counts_that_most_games_make_are_normal() -> None:
    values = np.random.default_rng(1).integers(0, 20, 1_000)
    sums = int(values.sum()), int((values**2).sum())
    found, normal = mean_of_counts(*sums, 1_000), mean_of(*sums, 1_000)
    assert 1 <= (found.high - found.low) / (normal.high - normal.low) < 1.002


@pytest.mark.parametrize(("n", "met"), [(1, 7), (2, 7), (1_000, 7), (1, 0), (5, -3)])
def test_a_mean_that_did_not_vary_is_not_certain(n: int, met: int) -> None:
    found = mean_of_counts(n * met, n * met * met, n, 0.5, least=-10.0, most=40.0)
    unmet = share_of(0, n).high  # of games, as far as is known, each as far off as can be
    assert found.value == met / 2
    assert found.low == pytest.approx((met - unmet * (met + 10)) / 2)
    assert found.high == pytest.approx((met + unmet * (40 - met)) / 2)
    assert found.high - found.low == pytest.approx(2 * Z * found.stderr)


def test_a_mean_beyond_its_bounds_is_not_certain_either() -> None:
    found = mean_of_counts(90, 8_100, 1, least=0.0, most=40.0)
    assert found.low < 90 < found.high
