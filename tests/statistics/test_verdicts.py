"""Differs, same, undecided: fixed examples, and p values against scipy and statsmodels."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.weightstats import DescrStatsW

from lama_odds.core.estimate import Estimate, exact
from lama_odds.statistics.equivalence import (
    DIFFERS,
    SAME,
    UNDECIDED,
    Difference,
    Judged,
    allowing_for_unmet,
    games_missing,
    judge,
    mean_of_blocks,
    p_of_difference,
    p_of_equivalence,
    rests_on_few,
    skewness_of,
    widening,
    without_skewness,
)
from lama_odds.statistics.intervals import holm


def difference(samples: np.ndarray, delta: float) -> Difference:
    """Integer samples, one game each."""
    n = len(samples)
    found = mean_of_blocks(int(samples.sum()), int((samples**2).sum()), n, n)
    return Difference(found, n, delta)


def made(value: float, stderr: float, delta: float, samples: int = 1_000) -> Difference:
    half = 1.96 * stderr
    return Difference(
        Estimate(value, stderr, value - half, value + half, samples, "simulation"), samples, delta
    )


def test_means_of_blocks_are_those_of_scipy() -> None:
    rng = np.random.default_rng(1)
    games = rng.integers(-4, 9, (50, 8))
    blocks = games.sum(axis=1)
    found = mean_of_blocks(int(blocks.sum()), int((blocks**2).sum()), 50, 400, 0.25)
    means = 0.25 * blocks / 8
    interval = stats.ttest_1samp(means, 0).confidence_interval(0.95)
    assert found.value == pytest.approx(0.25 * games.mean(), abs=1e-12)
    assert found.stderr == pytest.approx(stats.sem(means), rel=1e-12)
    assert (found.low, found.high) == pytest.approx((interval.low, interval.high), rel=1e-9)
    assert found.n == 400


def test_p_values_are_those_of_scipy_and_statsmodels() -> None:
    rng = np.random.default_rng(2)
    for n, shift, delta in ((12, 0, 1.0), (200, 1, 0.5), (200, 0, 2.0), (30, -1, 3.0)):
        samples = rng.integers(-6, 7, n) + shift
        tested = difference(samples, delta)
        assert p_of_difference(tested) == pytest.approx(
            stats.ttest_1samp(samples, 0).pvalue, rel=1e-9
        )
        two_sided = DescrStatsW(samples).ttost_mean(-delta, delta)[0]
        assert p_of_equivalence(tested) == pytest.approx(two_sided, rel=1e-9)


def test_what_is_exact_is_certain() -> None:
    nothing = Difference(exact(0.0), 100, 0.1)
    assert (p_of_difference(nothing), p_of_equivalence(nothing)) == (1, 0)
    # Even if δ is 0, as it is for a part of a baseline that is 0.
    assert judge([Difference(exact(0.0), 100, 0.0)])[0].verdict == SAME
    assert judge([Difference(exact(0.05), 100, 0.1)])[0].verdict == SAME
    assert judge([Difference(exact(-0.1), 100, 0.1)])[0].verdict == DIFFERS


def test_what_has_not_varied_yet_may() -> None:
    """Of a mean: were 1 game in 50 to change by 3, a hundred would often show none of them."""
    assert judge([made(-0.1, 0.0, 0.1)])[0].verdict == DIFFERS
    # If the most that a game can change is not known, nothing can be said, and no games help.
    assert judge([made(0.0, 0.0, 0.06, 100)]) == [Judged(UNDECIDED, 1.0, 1.0, None)]
    unmet = replace(made(0.0, 0.0, 0.06, 100), largest=6.0)
    assert p_of_equivalence(unmet) == pytest.approx(0.99**100)
    (judged,) = judge([unmet])
    assert judged.verdict == UNDECIDED
    assert judged.more == math.ceil(math.log(0.05) / math.log(0.99)) - 100
    enough = replace(made(0.0, 0.0, 0.06, 100 + judged.more), largest=6.0)
    assert judge([enough])[0].verdict == SAME
    # Of 1 in every game the others must be further off; where none could be, it is certain.
    one = replace(made(0.05, 0.0, 0.06, 100), largest=6.0)
    assert p_of_equivalence(one) == pytest.approx((1 - 0.01 / 5.95) ** 100)
    assert p_of_equivalence(replace(one, largest=0.06)) == 0
    # Games count that might have shown it, not the blocks that they are counted in.
    blocks = replace(unmet, estimate=replace(unmet.estimate, n=400))
    assert p_of_equivalence(blocks) == pytest.approx(0.99**400)
    # Without a δ nothing is negligible.
    assert p_of_equivalence(replace(unmet, delta=0.0)) == 1
    assert judge([replace(unmet, delta=0.0)])[0].more is None


def test_intervals_allow_for_what_was_not_met() -> None:
    nothing = mean_of_blocks(0, 0, 100, 800, differing=0)
    assert (nothing.low, nothing.high) == (0, 0)
    found = allowing_for_unmet(nothing, 6.0)
    assert found.high == -found.low == pytest.approx(6 * 3.8415 / (800 + 3.8415), rel=1e-4)
    assert (found.value, found.stderr, found.n) == (0, 0, 800)
    varied = mean_of_blocks(1, 1, 100, 800, differing=1)
    assert allowing_for_unmet(varied, 6.0) == varied
    assert allowing_for_unmet(exact(0.0), 6.0) == exact(0.0)


@pytest.mark.parametrize(
    ("value", "stderr", "delta", "verdict"),
    [
        (5.0, 0.1, 1.0, DIFFERS),
        (-5.0, 0.1, 1.0, DIFFERS),
        (0.01, 0.1, 1.0, SAME),
        (0.5, 0.1, 1.0, SAME),  # certainly not 0 either
        (1.0, 0.1, 1.0, DIFFERS),
        (0.1, 0.1, 0.1, UNDECIDED),
        (0.1, 0.1, 0.0, UNDECIDED),
    ],
)
def test_verdicts(value: float, stderr: float, delta: float, verdict: str) -> None:
    (judged,) = judge([made(value, stderr, delta)])
    assert judged.verdict == verdict
    assert (judged.more is None) == (verdict != UNDECIDED)


def test_at_the_level_itself_it_is_decided() -> None:
    """A p-value of alpha happens with a chance of alpha, so it still counts."""

    class At:
        def __init__(self, p: float, p_same: float) -> None:
            self.p, self.p_same = p, p_same

        def missing(self, alpha: float) -> int | None:
            return int(1 / alpha)

    found = [judge([At(*values)], alpha=0.05)[0].verdict for values in ((1, 0.05), (0.05, 1))]
    assert found == [SAME, DIFFERS]
    assert judge([At(0.06, 0.06)], alpha=0.05)[0].more == 20
    # Of two, each has half the error rate.
    assert [each.more for each in judge([At(0.06, 0.06)] * 2, alpha=0.05)] == [40, 40]


def test_verdicts_are_holm_corrected() -> None:
    # Alone each of these differs; p = 0.0404 and 0.0287.
    first, second = made(2.05, 1, 0.1, 10**6), made(2.19, 1, 0.1, 10**6)
    assert [judge([d])[0].verdict for d in (first, second)] == [DIFFERS, DIFFERS]
    both = judge([first, second])
    assert [j.verdict for j in both] == [UNDECIDED, UNDECIDED]
    assert both[1].p == pytest.approx(2 * p_of_difference(second))
    # A smaller one lets the larger pass: the step-down of Holm.
    third = made(2.4, 1, 0.1, 10**6)
    assert [j.verdict for j in judge([first, third])] == [DIFFERS, DIFFERS]
    assert judge([]) == []


def test_games_said_to_be_missing_are_those_of_the_tests() -> None:
    """With many samples t is normal: textbook sample sizes, rounded up by a hundredth at most."""
    z, spare, both = 1.959964, 0.841621, 1.281552
    wanted = 100_000 * ((z + spare) ** 2 - 1)
    more = games_missing(made(0.1, 0.1, 0.0, 100_000), 0.05)
    assert wanted <= more <= 1.02 * wanted
    # Nearer to 0 than to δ, equivalence takes fewer; it must keep from both of ±δ.
    wanted = 100_000 * (((1.644854 + both) * 0.1 / 0.19) ** 2 - 1)
    more = games_missing(made(0.01, 0.1, 0.2, 100_000), 0.05)
    assert wanted <= more <= 1.02 * wanted
    assert games_missing(made(0.0, 0.1, 0.0), 0.05) is None


def test_no_games_are_said_to_be_missing_on_few_samples_that_differ() -> None:
    assert judge([rare(np.ones(9, dtype=int), 1_000, 1e-4)])[0].more is None
    (judged,) = judge([rare(np.ones(10, dtype=int), 1_000, 1e-4)])
    # More than 50 are needed, and so many come with a chance of 80 %.
    assert judged.more >= 1_000 * (56 / 10 - 1)


def rare(events: np.ndarray, n: int, delta: float) -> Difference:
    """Samples of one game each, all but these events 0."""
    found = mean_of_blocks(int(events.sum()), int((events**2).sum()), n, n, 1.0, len(events))
    return Difference(found, n, delta, len(events))


def test_rare_differences_are_covered() -> None:
    """Events of one size in few of 1,000 games: a t interval alone covers 63 to 90 % of them."""
    for chance in (0.003, 0.005, 0.008):
        covered = plain = 0.0
        for events in range(40):
            likely = stats.binom.pmf(events, 1_000, chance)
            found = mean_of_blocks(events, events, 1_000, 1_000, 1.0, events)
            usual = mean_of_blocks(events, events, 1_000, 1_000)
            covered += likely * (events == 0 or found.low <= chance <= found.high)
            plain += likely * (usual.low <= chance <= usual.high)
        assert covered > 0.95
        assert plain < 0.91
    assert [widening(k, 100) for k in (None, 0, 100)] == [1, 1, 1]
    assert widening(1, 10**9) == pytest.approx(math.sqrt(1 + 2 * 1.959964**2))


def test_on_few_samples_nothing_differs_but_it_may_be_the_same() -> None:
    few, more = rare(np.ones(50, dtype=int), 10_000, 1e-4), rare(np.ones(51, int), 10_000, 1e-4)
    assert [judge([d])[0].verdict for d in (few, more)] == [UNDECIDED, DIFFERS]
    assert judge([few])[0].more is not None
    assert judge([rare(np.ones(5, dtype=int), 10_000, 0.005)])[0].verdict == SAME
    # Where half of them differ, they are not rare.
    assert [rests_on_few(k, 20) for k in (None, 0, 1, 9, 10)] == [False, False, True, True, False]


def test_skewness_is_that_of_scipy() -> None:
    values = np.random.default_rng(4).geometric(0.3, 500)
    sums = (int(values.sum()), int((values**2).sum()), int((values**3).sum()))
    assert skewness_of(*sums, 500) == pytest.approx(stats.skew(values))
    assert skewness_of(-sums[0], sums[1], -sums[2], 500) == pytest.approx(-stats.skew(values))
    assert skewness_of(15, 45, 135, 5) == 0.0


def test_the_transform_is_halls_and_keeps_the_order() -> None:
    u, g = 0.17, 1.2
    halls = 10 * (u + g * u**2 / 3 + g**2 * u**3 / 27 + g / 600)
    assert without_skewness(1.7, g, 100) == pytest.approx(halls)
    errors = np.linspace(-40, 40, 401)
    for skewness in (-8.0, -1.0, 0.0, 2.0, 20.0):
        found = [without_skewness(error, skewness, 100) for error in errors]
        assert (np.diff(found) > 0).all()
    assert without_skewness(1.7, 0.0, 100) == pytest.approx(1.7)


@pytest.mark.parametrize("tests", [1, 3, 40])
def test_corrected_values_are_those_of_statsmodels(
    tests: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # statsmodels collects garbage for every correction, which takes most of the time.
    monkeypatch.setattr("gc.collect", lambda: 0)
    rng = np.random.default_rng(tests)
    for _ in range(20):
        p = rng.random(tests) ** rng.integers(1, 9)
        p[rng.random(tests) < 0.3] = p[0]  # equal ones too
        rejected, corrected, *_ = multipletests(p, 0.05, "holm")
        assert holm(p.tolist()) == corrected.tolist()
        assert [found <= 0.05 for found in holm(p.tolist())] == rejected.tolist()
    assert holm([]) == []


def test_a_skewed_difference_of_delta_is_rarely_called_the_same() -> None:
    """Far out in the tail, where many measures are judged; without the skewness twice as often."""
    values, chances = np.array([-1, 0, 2, 8]), np.array([0.1, 0.8, 0.07, 0.03])
    samples, level, wrong = 60, 0.01, [0, 0]
    for counts in np.random.default_rng(5).multinomial(samples * 8, chances, 4_000):
        drawn = np.repeat(values, counts)
        blocks = np.random.default_rng(int(counts[2])).permutation(drawn).reshape(samples, 8)
        sums = blocks.sum(axis=1)
        total, squares, cubes = (int((sums**k).sum()) for k in (1, 2, 3))
        found = mean_of_blocks(total, squares, samples, samples * 8)
        for at, skewness in enumerate((0.0, skewness_of(total, squares, cubes, samples))):
            tested = Difference(found, samples, float(values @ chances), None, None, skewness)
            wrong[at] += tested.p_same <= level
    assert wrong[0] > 4_000 * 1.5 * level
    assert wrong[1] < 4_000 * level + 3 * math.sqrt(4_000 * level)
