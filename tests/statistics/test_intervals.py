"""Intervals against numpy, scipy and statsmodels: at one look or at many, and in groups."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import special, stats
from statsmodels.stats.proportion import proportion_confint

from lama_odds.statistics.equivalence import (
    DIFFERS,
    SAME,
    UNDECIDED,
    grouped_share,
    judge,
    mean_of_blocks,
)
from lama_odds.statistics.intervals import (
    ALPHA,
    FEWEST,
    Z,
    anytime_mean,
    anytime_share,
    at_fixed,
    half_width,
    mean_of,
    mean_of_counts,
    share_of,
    variance_of,
    wilson,
)
from lama_odds.statistics.ranking import Contrast, coefficient


def test_mean_and_error_are_those_of_numpy() -> None:
    values = np.random.default_rng(0).integers(-50, 50, 1_000)
    found = mean_of(int(values.sum()), int((values**2).sum()), 1_000, unit=0.5)
    assert found.value == pytest.approx(values.mean() / 2, abs=1e-12)
    assert found.stderr == pytest.approx(values.std(ddof=1) / 2 / np.sqrt(1_000), rel=1e-12)
    ends = stats.norm.interval(0.95, found.value, found.stderr)
    assert (found.low, found.high) == pytest.approx(ends, rel=1e-12)
    assert (found.n, found.method) == (1_000, "simulation")
    # Values 10**9 and 10**9 + 1, half each: what they have in common does not cancel digits.
    n = 10**9
    squares = n // 2 * ((10**9) ** 2 + (10**9 + 1) ** 2)
    assert variance_of(n * 10**9 + n // 2, squares, n) == pytest.approx(0.25, rel=1e-6)


def test_wilson_of_any_effective_number_is_that_of_statsmodels() -> None:
    for p in (0.0, 1e-6, 0.013, 0.5, 0.9, 1.0):
        for n in (1.0, 7.3, 812.46, 1e7):
            for alpha in (0.3, 0.05, 1e-8):
                low, high = wilson(p, n, float(stats.norm.isf(alpha / 2)))
                theirs = proportion_confint(p * n, n, alpha, method="wilson")
                assert (low, high) == pytest.approx(theirs, rel=1e-12, abs=1e-15)
                assert low <= p <= high
    found = share_of(3, 10)
    assert (found.value, (found.low, found.high)) == (0.3, wilson(0.3, 10, Z))


def test_nothing_can_be_estimated_from_nothing() -> None:
    with pytest.raises(ValueError, match="no games"):
        mean_of(0, 0, 0)
    with pytest.raises(ValueError, match="no games"):
        share_of(0, 0)
    with pytest.raises(ValueError, match="no decisions"):
        grouped_share(np.zeros(3, dtype=int), np.zeros(3, dtype=int), 0.01)


def test_means_of_counts_are_as_sure_as_the_games_that_make_them_are_many() -> None:
    for count in (3, 10, 100):  # of 1,000: about Wilson's
        share, found = share_of(count, 1_000), mean_of_counts(count, count, 1_000)
        assert (found.value, found.stderr) == (count / 1_000, mean_of(count, count, 1_000).stderr)
        assert found.high == pytest.approx(share.high, rel=0.1)
        assert found.high - found.low > 0.999 * (share.high - share.low)
    values = np.random.default_rng(1).integers(0, 20, 1_000)
    sums = int(values.sum()), int((values**2).sum())
    found, normal = mean_of_counts(*sums, 1_000), mean_of(*sums, 1_000)
    assert 1 <= (found.high - found.low) / (normal.high - normal.low) < 1.002


@pytest.mark.parametrize(("n", "met"), [(1, 7), (1_000, 7), (1, 0), (5, -3)])
def test_a_mean_that_did_not_vary_is_not_certain(n: int, met: int) -> None:
    found = mean_of_counts(n * met, n * met * met, n, 0.5, least=-10.0, most=40.0)
    unmet = share_of(0, n).high  # of games, as far as is known, each as far off as can be
    assert found.value == met / 2
    assert found.low == pytest.approx((met - unmet * (met + 10)) / 2)
    assert found.high == pytest.approx((met + unmet * (40 - met)) / 2)
    assert found.high - found.low == pytest.approx(2 * Z * found.stderr)
    beyond = mean_of_counts(90, 8_100, 1, least=0.0, most=40.0)
    assert beyond.low < 90 < beyond.high


def test_nothing_is_said_from_few_games() -> None:
    assert half_width(1.0, FEWEST - 1) == math.inf
    assert math.isinf(anytime_mean(0, 10, 10).high)


@pytest.mark.parametrize("alpha", [0.05, 0.001])
@pytest.mark.parametrize(("count", "n"), [(1, 10), (0.5, 10), (420, 1_000), (99_000, 100_000)])
def test_share_ends_where_the_mixture_is_so_much_likelier(
    count: float, n: int, alpha: float
) -> None:
    """Ville's inequality: how likely the counts are on average over chances, against at an end."""
    found = anytime_share(count, n, alpha)
    mixed = special.betaln(count + 0.5, n - count + 0.5) - special.betaln(0.5, 0.5)
    assert found.low < found.value == count / n < found.high
    for end in (found.low, found.high):
        ratio = mixed - count * math.log(end) - (n - count) * math.log1p(-end)
        assert ratio == pytest.approx(math.log(1 / alpha), rel=1e-6)


def test_shares_at_an_end_are_open_to_the_other_side_only() -> None:
    none, all_ = anytime_share(0, 50), anytime_share(50, 50)
    assert none.low == 0 < share_of(0, 50).high < none.high < 1
    assert (all_.low, all_.high) == pytest.approx((1 - none.high, 1))


def test_what_has_not_come_yet_is_allowed_for() -> None:
    """A mean of what was 0 so far: an event of the whole span may be missed 3 times in n."""
    for n in (4_096, 1 << 20):
        found = anytime_mean(0, 0, n, 0.5, span=20.0)
        assert found.stderr == 0
        assert 3 * 10 / n < found.high == -found.low < 10 * 10 / n
        # As if two had come, which the mean does not count.
        two = anytime_mean(0, 2 * 20**2, n, 0.5, span=0.0)
        assert found.high == pytest.approx(two.high, rel=1e-3)
    # Where values vary it hardly matters.
    wide, narrow = (anytime_mean(0, 50 * 4_096, 4_096, 2.0, span=span) for span in (30.0, 0.0))
    assert 1 < wide.high / narrow.high < 1.01
    assert wide.stderr == pytest.approx(2 * math.sqrt(50 / 4_095))


@pytest.mark.parametrize("n", [1_000, 1 << 20])
def test_a_number_of_games_fixed_beforehand_has_a_narrower_interval(n: int) -> None:
    squares = 4 * n
    found = at_fixed(anytime_mean(0, squares, n))
    # Normal, its variance allowing for what has not come yet.
    assert found.high == -found.low == pytest.approx(Z * 2 / math.sqrt(n), rel=0.002)
    shared = at_fixed(anytime_mean(0, squares, n, alpha=ALPHA / 4), looks=3, alpha=ALPHA / 4)
    assert shared.high / found.high == pytest.approx(2.8653 / Z, rel=1e-3)
    assert shared.high < anytime_mean(0, squares, n).high


def test_values_of_a_group_are_worth_one_if_they_are_alike_and_themselves_if_not() -> None:
    rng = np.random.default_rng(1)
    alone = rng.binomial(1, 0.3, 400)
    one_each = grouped_share(alone, np.ones(400, dtype=int), 0.01)
    ten_alike = grouped_share(10 * alone, np.full(400, 10), 0.01)
    assert one_each.estimate.value == ten_alike.estimate.value == alone.mean()
    assert (one_each.estimate.n, ten_alike.estimate.n) == (400, 4_000)
    assert ten_alike.estimate.stderr == pytest.approx(one_each.estimate.stderr)
    assert ten_alike.worth == pytest.approx(one_each.worth)
    # About Wilson's interval of 400, a little wider for the groups that have none.
    usual = share_of(int(alone.sum()), 400)
    width = one_each.estimate.high - one_each.estimate.low
    assert 1 < width / (usual.high - usual.low) < 1.05
    share = grouped_share(rng.binomial(20, 0.3, 400), np.full(400, 20), 0.01)
    assert 6_000 < share.worth < 10_500
    assert share.estimate.low < 0.3 < share.estimate.high


def test_values_that_few_groups_have_are_worth_less() -> None:
    """As for differences that few games show: the error of 10 in 400 is half as large again."""
    found = np.zeros(400, dtype=int)
    found[::40] = 1
    share = grouped_share(found, np.full(400, 10), 0.01)
    p = share.estimate.value
    assert p == 10 / 4_000
    wider = 1 + 2 * Z**2 * (1 / 10 - 1 / 400)
    assert share.worth == pytest.approx(p * (1 - p) / share.estimate.stderr**2 / wider)


def test_a_single_value_refutes_0_but_may_be_less_than_delta() -> None:
    counts, found = np.full(30, 30), np.zeros(30, dtype=int)
    few = grouped_share(found, counts, 0.005)
    assert (few.p, few.worth, few.p_same) == (1.0, 300, pytest.approx(0.995**300))
    assert few.estimate.low == 0
    assert few.estimate.high == pytest.approx(share_of(0, 300).high, rel=0.1)
    counts, found = np.full(300, 30), np.zeros(300, dtype=int)
    nothing = grouped_share(found, counts, 0.005)
    found[7] = 1
    one = grouped_share(found, counts, 0.005)
    assert one.p == 0.0
    assert one.estimate.high < 0.005
    found[:200] = 3
    many = grouped_share(found, counts, 0.005)
    verdicts = [judge([each])[0].verdict for each in (few, nothing, one, many)]
    assert verdicts == [UNDECIDED, SAME, SAME, DIFFERS]


@pytest.mark.parametrize("seed", range(2))
def test_coefficients_are_those_of_numpy(seed: int) -> None:
    luck = np.random.default_rng(seed)
    x = luck.integers(0, 9, 12)
    columns = [x.tolist(), [1] * 12, (luck.integers(0, 2, 12)).tolist(), (x * x).tolist()]
    design = np.array(columns, dtype=float).T
    y = luck.normal(size=12)
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
    sums = np.column_stack((samples.sum(axis=1), samples @ samples.T))
    found = mean_of_blocks(*slope.moments(sums), 400, 400, 1 / slope.divisor)
    # What all variants have in common is in none of the slopes.
    for each in (samples, samples - common):
        slopes = np.polyfit([1, 2, 4, 7], each, 1)[0]
        assert found.value == pytest.approx(slopes.mean())
        assert found.stderr == pytest.approx(slopes.std(ddof=1) / 20)


def test_a_share_found_in_ten_groups_has_the_freedom_of_ten() -> None:
    found, counts = np.zeros(100, dtype=int), np.full(100, 50)
    found[:10] = 5
    share = grouped_share(found, counts, 0.01)
    assert share.met == 10
    # Student's t with 9 degrees of freedom is 2.26, with 99 it is 1.98.
    low, high = wilson(0.01, share.worth, float(stats.t.ppf(0.975, 9)))
    assert (share.estimate.low, share.estimate.high) == pytest.approx((low, high), rel=1e-6)


def test_a_rare_event_is_covered_at_every_look() -> None:
    rng = np.random.default_rng(7)
    looks = [4_096 << power for power in range(6)]
    steps = np.diff(looks, prepend=0)
    held = 0
    for counts in rng.binomial(steps, 1e-4, (400, 6)).cumsum(axis=1).tolist():
        seen = [anytime_mean(count, count, n) for count, n in zip(counts, looks, strict=True)]
        held += all(found.low <= 1e-4 <= found.high for found in seen)
    assert held >= 0.95 * 400
