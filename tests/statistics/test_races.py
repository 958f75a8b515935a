"""Best actions, survivors of races, ranks: right values, and what is separated."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import norm, t

from lama_odds.core.estimate import Estimate
from lama_odds.statistics.intervals import Moments, half_width
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


def test_different_actions_are_told_apart() -> None:
    rng = np.random.default_rng(6)
    assert [race(rng, 0.1) for _ in range(10)] == [0] * 10


def test_a_difference_that_nobody_minds_settles_it() -> None:
    rng = np.random.default_rng(7)
    values = np.round(rng.normal(size=(200_000, 2)) * 100).astype(np.int64)
    moments = moments_of(values, unit=0.01)
    assert not is_clear(moments, lowest=True)
    assert is_clear(moments, lowest=True, zone=0.1)


def tuned(rng, means, looks, blocks, higher, zone=0.0):
    """Candidates left after a race with normal samples that share half of their noise."""
    samples = np.zeros((len(means), 0))
    alive = np.arange(len(means))
    for look in range(looks):
        more = (blocks << look) - samples.shape[1]
        noise = rng.normal(size=more) + rng.normal(size=(len(means), more))
        samples = np.concatenate([samples, np.array(means)[:, None] + noise], axis=1)
        alive = survivors(samples, alive, looks, higher, zone).stay
    return set(alive.tolist())


def test_clearly_worse_ones_go():
    rng = np.random.default_rng(6)
    assert tuned(rng, [0.0, 1.0, 0.2], 4, 64, True) == {1}
    assert tuned(rng, [0.0, 1.0, 0.2], 4, 64, False) <= {0, 2}


def test_equal_ones_stay_unless_the_difference_does_not_matter():
    rng = np.random.default_rng(9)
    samples = rng.normal(size=(1, 400)) + 0.01 * rng.normal(size=(3, 400))
    assert len(survivors(samples, np.arange(3), 1, True, 0.0).stay) == 3
    assert len(survivors(samples, np.arange(3), 1, True, 0.05).stay) == 1


def test_who_leaves_is_behind_or_alike():
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


def test_who_is_like_one_that_falls_behind_is_behind():
    assert states(4, {1}, {}) == [STAYED, BEHIND, STAYED, STAYED]
    assert states(4, {1}, {0: 3, 2: 1}) == [ALIKE, BEHIND, BEHIND, STAYED]
    assert states(4, {3}, {0: 1, 1: 2}) == [ALIKE, ALIKE, STAYED, BEHIND]
    assert states(4, {2}, {0: 1, 1: 2}) == [BEHIND, BEHIND, BEHIND, STAYED]


def blocks_of(values: np.ndarray, size: int = 1) -> Blocks:
    """Blocks of int64[games, quantities]."""
    sums = values.reshape(-1, size, values.shape[1]).sum(axis=1)
    return Blocks(np.column_stack([sums.sum(axis=0), sums.T @ sums]), len(values), len(sums))


def winners(rng: np.random.Generator, games: int, chances: list[float], tables: int) -> np.ndarray:
    """Games won of so many tables by each of k, one winner a table, luck shared by the tables."""
    liked = rng.random((games, 1)) < 0.3  # on these deals all tables are won by the same
    drawn = rng.choice(len(chances), (games, tables), p=chances)
    drawn = np.where(liked, drawn[:, :1], drawn)
    return np.stack([(drawn == i).sum(axis=1) for i in range(len(chances))], axis=1)


def test_levels_make_up_the_whole() -> None:
    for comparisons in (1, 8, 56):
        assert (1 - level(comparisons)) ** comparisons == pytest.approx(0.95, rel=1e-12)
    assert critical_value(1) == pytest.approx(1.959964, abs=1e-6)
    assert critical_value(28) == pytest.approx(norm.isf((1 - 0.95 ** (1 / 28)) / 2))
    assert critical_value(3, 10) == pytest.approx(t.isf((1 - 0.95 ** (1 / 3)) / 2, 9))


@pytest.mark.parametrize("size", [1, 8])
def test_means_and_differences_are_those_of_the_samples(size: int) -> None:
    rng = np.random.default_rng(1)
    values = rng.integers(0, 9, (4_000, 1)) + rng.integers(0, 3, (4_000, 3))
    blocks = blocks_of(values, size)
    means = values.reshape(-1, size, 3).mean(axis=1) / 5
    for i in range(3):
        found = blocks.mean(i, 0.2)
        assert found.value == pytest.approx(means[:, i].mean())
        assert found.stderr == pytest.approx(means[:, i].std(ddof=1) / math.sqrt(len(means)))
    pairs = means[:, 0] - means[:, 2]
    found = blocks.difference(0, 2, 0.2)
    assert found.value == pytest.approx(pairs.mean())
    assert found.stderr == pytest.approx(pairs.std(ddof=1) / math.sqrt(len(means)))
    assert found.stderr < blocks.mean(0, 0.2).stderr / 2  # what they share is gone


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
    def wilson(p: float, n: float, z: float) -> tuple[float, float]:
        centre, half = p + z * z / (2 * n), z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        return (centre - half) / (1 + z * z / n), (centre + half) / (1 + z * z / n)

    z = critical_value(4, 1_000)
    usual = simultaneous_share(Estimate(0.3, 0.002, n=1_000), 4, 1_000)
    assert (usual.low, usual.high) == pytest.approx(wilson(0.3, 0.3 * 0.7 / 0.002**2, z))
    # From few wins the error is not known: here it looks too small.
    for p in (0.002, 0.998):
        rare = simultaneous_share(Estimate(p, 0.0001, n=1_000), 4, 1_000)
        assert (rare.low, rare.high) == pytest.approx(wilson(p, 1_000, z))


def separated_pairs(blocks: Blocks, k: int, unit: float) -> list[tuple[int, int]]:
    """Pairs found different."""
    pairs = [(i, j) for i in range(k) for j in range(i)]
    return [
        (i, j)
        for i, j in pairs
        if is_separated(
            simultaneous_mean(blocks.difference(i, j, unit), len(pairs), blocks.samples)
        )
    ]


def test_different_ones_are_separated() -> None:
    rng = np.random.default_rng(4)
    blocks = blocks_of(winners(rng, 4_000, [0.4, 0.35, 0.25], 4))
    assert len(separated_pairs(blocks, 3, 1 / 4)) == 3


def test_games_that_separate_do_so_four_times_of_five() -> None:
    rng = np.random.default_rng(5)
    chances = [0.36, 0.33, 0.31]
    unit, k = 1 / 4, 3
    pilot = blocks_of(winners(rng, 200_000, chances, 4)).difference(0, 1, unit)
    games = games_to_separate(pilot, 3)
    assert games is not None
    runs = 300
    found = sum(
        (1, 0) in separated_pairs(blocks_of(winners(rng, games, chances, 4)), k, unit)
        for _ in range(runs)
    )
    assert 0.72 < found / runs < 0.87
    assert games_to_separate(Estimate(0.0, 0.01, n=100), 3) is None
    assert games_to_separate(Estimate(0.01, 0.0, n=100), 3) == math.ceil(
        critical_value(3) ** 2 / 0.01
    )


def test_games_for_a_half_width_give_it() -> None:
    rng = np.random.default_rng(6)
    chances, k = [0.5, 0.3, 0.2], 3
    pilot = blocks_of(winners(rng, 20_000, chances, 4))
    worst = max(pilot.mean(i, 1 / 4).stderr for i in range(k))
    games = games_for(0.01, worst, 20_000, k)
    blocks = blocks_of(winners(rng, games, chances, 4))
    shares = [simultaneous_share(blocks.mean(i, 1 / 4), k, games) for i in range(k)]
    assert max(s.high - s.low for s in shares) / 2 == pytest.approx(0.01, rel=0.05)
    # What is rare has an interval at least as narrow as asked for.
    games = games_for(0.01, 0.0, 20_000, k)
    for p in (0.0, 1e-4, 9.9 / games):
        error = math.sqrt(p * (1 - p) / games)
        share = simultaneous_share(Estimate(p, error, n=games), k, games)
        assert (share.high - share.low) / 2 <= 0.0101


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


def test_intervals_are_narrowest_where_they_are_tuned() -> None:
    for tuned in (10_000, 200_000):
        wide = [half_width(1.0, n, 0.05, tuned) * math.sqrt(n) for n in (2_000, tuned, 10**7)]
        assert min(wide) == wide[1] < 3.1
