"""Intervals against numpy, scipy and enumeration: at one look or at many, and in groups."""

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


@pytest.mark.parametrize("alpha", [0.05, 0.001])
@pytest.mark.parametrize(("count", "n"), [(1, 10), (30, 1_000), (420, 1_000), (99_000, 100_000)])
def test_share_ends_where_the_mixture_is_so_much_likelier(count: int, n: int, alpha: float) -> None:
    """Ville's inequality: how likely the counts are on average over chances, against at an end."""
    found = anytime_share(count, n, alpha)
    mixed = special.betaln(count + 0.5, n - count + 0.5) - special.betaln(0.5, 0.5)
    for end in (found.low, found.high):
        ratio = mixed - count * math.log(end) - (n - count) * math.log1p(-end)
        assert ratio == pytest.approx(math.log(1 / alpha), rel=1e-6)


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


def test_values_of_a_group_that_are_alike_are_worth_one() -> None:
    rng = np.random.default_rng(1)
    alone = rng.binomial(1, 0.3, 400)
    one_each = grouped_share(alone, np.ones(400, dtype=int), 0.01)
    ten_alike = grouped_share(10 * alone, np.full(400, 10), 0.01)
    assert one_each.estimate.value == ten_alike.estimate.value == alone.mean()
    assert one_each.estimate.n == 400
    assert ten_alike.estimate.n == 4_000
    assert ten_alike.estimate.stderr == pytest.approx(one_each.estimate.stderr)
    assert ten_alike.worth == pytest.approx(one_each.worth)
    # About Wilson's interval of 400, a little wider for the groups that have none.
    wilson = share_of(int(alone.sum()), 400)
    width = one_each.estimate.high - one_each.estimate.low
    assert 1 < width / (wilson.high - wilson.low) < 1.05


def test_values_of_a_group_that_are_not_alike_are_worth_themselves() -> None:
    rng = np.random.default_rng(2)
    found = rng.binomial(20, 0.3, 400)
    share = grouped_share(found, np.full(400, 20), 0.01)
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


@pytest.mark.long
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
    verdicts = [judge([each])[0].verdict for each in (few, nothing, one)]
    assert verdicts == [UNDECIDED, SAME, SAME]
    found[:200] = 3
    assert judge([grouped_share(found, counts, 0.005)])[0].verdict == DIFFERS


def test_nothing_asked() -> None:
    with pytest.raises(ValueError, match="no decisions"):
        grouped_share(np.zeros(3, dtype=int), np.zeros(3, dtype=int), 0.01)


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
