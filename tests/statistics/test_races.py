"""Best actions, survivors of races, ranks: right values, and what is separated."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import norm, t

from lama_odds.core.estimate import Estimate
from lama_odds.statistics.intervals import Moments, anytime_mean
from lama_odds.statistics.race import (
    ALIKE,
    BEHIND,
    FIRST_CHECK,
    STAYED,
    is_clear,
    next_check,
    states,
    survivors,
)
from lama_odds.statistics.ranking import (
    Blocks,
    critical_value,
    games_for,
    games_to_separate,
    is_separated,
    level,
    ranks,
    simultaneous_mean,
    simultaneous_share,
)
from tests.calibration.playing import moments_of


def test_difference_is_that_of_the_pairs() -> None:
    rng = np.random.default_rng(0)
    values = rng.integers(0, 30, (5_000, 1)) + rng.integers(0, 5, (5_000, 3))
    moments = moments_of(values, unit=0.5)
    found = moments.difference(0, 2)
    pairs = (values[:, 0] - values[:, 2]) / 2
    assert found.value == pytest.approx(pairs.mean())
    assert found.stderr == pytest.approx(pairs.std(ddof=1) / np.sqrt(5_000))
    itself = moments.difference(1, 1)
    assert (itself.value, itself.stderr, itself.low, itself.high) == (0, 0, 0, 0)


def looked_up(values: np.ndarray, parts: bool) -> Moments:
    """Moments of one action's chances in millionths, int64[n]."""
    sums = np.array([[values.sum(), values @ values]])
    return Moments(sums, len(values), 1e-6, share=True, span=1e6, parts=parts)


def test_chances_looked_up_have_the_interval_of_a_mean() -> None:
    values = np.random.default_rng(0).integers(550_000, 650_000, 100_000)
    found, whole = (looked_up(values, parts).mean(0) for parts in (True, False))
    assert (found.value, found.stderr) == (whole.value, whole.stderr)
    total, squares = int(values.sum()), int(values @ values)
    usual = anytime_mean(total, squares, len(values), 1e-6, span=1e6)
    assert (found.low, found.high) == (usual.low, usual.high)
    assert (found.high - found.low) < (whole.high - whole.low) / 5
    # Cut where a chance ends; what was certain so far is not known to be.
    sure = looked_up(np.full(5_000, 1_000_000), True).mean(0)
    assert sure.value == sure.high == 1
    assert 0.99 < sure.low < 1
    none = looked_up(np.zeros(5_000, dtype=np.int64), True).mean(0)
    assert none.value == none.low == 0
    assert 0 < none.high < 0.01


def test_checkpoints_are_fixed_and_grow() -> None:
    checks = [next_check(0)]
    while checks[-1] < 10_000_000:
        checks.append(next_check(checks[-1]))
    assert checks[0] == FIRST_CHECK
    assert next_check(FIRST_CHECK + 1) == 2 * FIRST_CHECK
    assert all(check % FIRST_CHECK == 0 for check in checks)
    ratios = np.divide(checks[8:], checks[7:-1])
    assert (ratios > 1.1).all()
    assert (ratios < 1.3).all()


@pytest.mark.parametrize("lowest", [True, False])
def test_a_difference_that_nobody_minds_settles_it(lowest: bool) -> None:
    rng = np.random.default_rng(7)
    values = np.round(rng.normal(size=(200_000, 2)) * 100).astype(np.int64)
    moments = moments_of(values, unit=0.01)
    assert not is_clear(moments, lowest)
    assert not is_clear(moments, lowest, zone=0.005)
    assert is_clear(moments, lowest, zone=0.1)


def test_an_action_that_was_dropped_is_compared_on_the_games_that_it_played() -> None:
    values = np.random.default_rng(5).integers(0, 9, (4_000, 3))
    values[:, 2] += 1
    first, both = moments_of(values[:1_500]), moments_of(values)
    found = replace(both, dropped={2: first})
    assert found.mean(2) == first.mean(2)
    assert found.difference(2, 0) == first.difference(2, 0)
    assert found.difference(1, 0) == both.difference(1, 0)
    apart = found.totals[2] / 4_000 - found.mean(0).value
    assert apart == pytest.approx(first.difference(2, 0).value)
    worst = replace(both, dropped={0: first, 1: first})
    assert worst.best(lowest=True) == 2
    assert is_clear(worst, lowest=True)


def test_who_leaves_is_behind_or_alike() -> None:
    rng = np.random.default_rng(10)
    luck = rng.normal(size=400)
    samples = np.stack([luck, luck - 1, luck, luck + 0.01, luck + rng.normal(size=400) / 5])
    look = survivors(samples, np.arange(5), 1, True, 0.05)
    assert look.lead in (3, 4)
    assert 1 in look.behind
    look = survivors(samples, np.array([0, 1, 2, 3]), 1, True, 0.05)
    assert (look.lead, look.stay.tolist(), look.behind, look.alike) == (3, [3], (1,), (0, 2))
    look = survivors(samples, np.array([0, 1, 2, 3]), 1, False, 0.05)
    assert (look.lead, look.behind, look.alike) == (1, (0, 2, 3), ())


def test_who_is_like_one_that_falls_behind_is_behind() -> None:
    assert states(4, {1}, {}) == [STAYED, BEHIND, STAYED, STAYED]
    assert states(4, {1}, {0: 3, 2: 1}) == [ALIKE, BEHIND, BEHIND, STAYED]
    assert states(4, {3}, {0: 1, 1: 2}) == [ALIKE, ALIKE, STAYED, BEHIND]
    assert states(4, {2}, {0: 1, 1: 2}) == [BEHIND, BEHIND, BEHIND, STAYED]


def test_levels_make_up_the_whole() -> None:
    for comparisons in (1, 8, 56):
        assert (1 - level(comparisons)) ** comparisons == pytest.approx(0.95, rel=1e-12)
    assert critical_value(28) == pytest.approx(norm.isf((1 - 0.95 ** (1 / 28)) / 2))
    assert critical_value(3, 10) == pytest.approx(t.isf((1 - 0.95 ** (1 / 3)) / 2, 9))


def test_means_and_differences_are_those_of_the_samples() -> None:
    rng = np.random.default_rng(1)
    values = rng.integers(0, 9, (4_000, 1)) + rng.integers(0, 3, (4_000, 3))
    sums = values.reshape(-1, 8, 3).sum(axis=1)
    blocks = Blocks(np.column_stack([sums.sum(axis=0), sums.T @ sums]), 4_000, 500)
    means = sums / 8 / 5
    each = [(blocks.mean(i, 0.2), means[:, i]) for i in range(3)]
    each.append((blocks.difference(0, 2, 0.2), means[:, 0] - means[:, 2]))
    for found, samples in each:
        assert found.value == pytest.approx(samples.mean())
        assert found.stderr == pytest.approx(samples.std(ddof=1) / math.sqrt(500))


def test_what_was_never_seen_is_not_impossible() -> None:
    never = simultaneous_share(Estimate(0.0, 0.0, n=1_000), 5, 1_000)
    assert never.low == 0
    assert never.high == pytest.approx(critical_value(5, 1_000) ** 2 / 1_000)
    always = simultaneous_share(Estimate(0.25, 0.0, n=1_000), 5, 1_000)
    assert 0.2 < always.low < 0.25 < always.high < 0.3
    # A difference of 1 in each of a few games is no proof; in each of many it is.
    assert not is_separated(simultaneous_mean(Estimate(1.0, 0.0, n=5), 3, 5))
    assert is_separated(simultaneous_mean(Estimate(1.0, 0.0, n=50), 3, 50))


def test_shares_are_worth_as_many_games_as_their_error_says() -> None:
    def by_hand(p: float, n: float, z: float) -> tuple[float, float]:
        centre, half = p + z * z / (2 * n), z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        return (centre - half) / (1 + z * z / n), (centre + half) / (1 + z * z / n)

    z = critical_value(4, 1_000)
    usual = simultaneous_share(Estimate(0.3, 0.002, n=1_000), 4, 1_000)
    assert (usual.low, usual.high) == pytest.approx(by_hand(0.3, 0.3 * 0.7 / 0.002**2, z))
    # From few wins the error is not known: here it looks too small.
    for p in (0.002, 0.998):
        rare = simultaneous_share(Estimate(p, 0.0001, n=1_000), 4, 1_000)
        assert (rare.low, rare.high) == pytest.approx(by_hand(p, 1_000, z))


def test_games_to_separate_what_never_varied() -> None:
    assert games_to_separate(Estimate(0.0, 0.01, n=100), 3) is None
    expected = math.ceil(critical_value(3) ** 2 / 0.01)
    assert games_to_separate(Estimate(0.01, 0.0, n=100), 3) == expected


def test_games_for_a_half_width_give_it() -> None:
    error = 0.5 / 20_000**0.5  # of a share of a half
    for p, most in ((0.5, error), (0.0, 0.0), (1e-4, 0.0), (0.003, 0.0)):
        games = games_for(0.01, most, 20_000, 3)
        share = simultaneous_share(Estimate(p, math.sqrt(p * (1 - p) / games), n=games), 3, games)
        half = (share.high - share.low) / 2
        assert half <= 0.0101
        assert half == pytest.approx(0.01, rel=0.02) or p < 0.5


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        ([], [(1, 3), (1, 3), (1, 3)]),
        ([(0, 1), (0, 2), (1, 2)], [(1, 1), (2, 2), (3, 3)]),
        ([(0, 2)], [(1, 2), (1, 3), (2, 3)]),
        ([(2, 0), (2, 1)], [(2, 3), (2, 3), (1, 1)]),
    ],
)
def test_ranks(pairs: list[tuple[int, int]], expected: list[tuple[int, int]]) -> None:
    better = [[(i, j) in pairs for j in range(3)] for i in range(3)]
    assert ranks(better) == expected


def test_candidates_that_have_left_still_share_the_error_rate() -> None:
    n, looks = 100, 4
    two, ten = (t.isf(0.05 / (looks * others), n - 1) for others in (1, 9))
    noise = np.tile([1.0, -1.0], n // 2)
    samples = np.zeros((10, n))
    samples[1] = noise - (two + ten) / 2 * noise.std(ddof=1) / math.sqrt(n)
    assert survivors(samples[:2], np.arange(2), looks, True, 0.0).behind == (1,)
    look = survivors(samples, np.arange(2), looks, True, 0.0)
    assert (look.stay.tolist(), look.behind) == ([0, 1], ())
