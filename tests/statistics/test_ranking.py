"""Simultaneous intervals and ranks: right values, and false separations no oftener than stated."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import binom, norm, t

from lama_odds.core.estimate import Estimate
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


@pytest.mark.long
@pytest.mark.parametrize(
    "chances",
    [[0.3, 0.25, 0.2, 0.15, 0.1], [0.4985, 0.5, 0.001, 0.0003, 0.0002]],
    ids=["usual", "rare"],
)
def test_all_shares_are_covered_at_once(chances: list[float]) -> None:
    rng = np.random.default_rng(2)
    tables, k, runs = 6, len(chances), 400
    missed = 0
    for _ in range(runs):
        blocks = blocks_of(winners(rng, 600, chances, tables))
        shares = [simultaneous_share(blocks.mean(i, 1 / tables), k, 600) for i in range(k)]
        missed += any(not s.low <= p <= s.high for s, p in zip(shares, chances, strict=True))
        assert all(0 <= s.low <= s.value <= s.high <= 1 for s in shares)
    # 20 in 400 are allowed; that many more has a chance of one in a thousand.
    assert missed <= binom.isf(0.001, runs, 0.05)


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


@pytest.mark.parametrize(("games", "size"), [(100, 1), (1_600, 8)])
def test_equals_are_rarely_separated(games: int, size: int) -> None:
    rng = np.random.default_rng(3)
    runs, k = 400, 6
    wrong = sum(
        bool(separated_pairs(blocks_of(winners(rng, games, [1 / k] * k, 4), size), k, 1 / 4))
        for _ in range(runs)
    )
    assert wrong <= binom.isf(0.001, runs, 0.05)
    assert wrong > 0  # and no more carefully than has been said


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
