"""How often do verdicts cry wolf? Repeated races, comparisons and rankings of what is equal."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from lama_odds.core.estimate import Estimate
from lama_odds.statistics.equivalence import (
    DIFFERS,
    SAME,
    Difference,
    judge,
    mean_of_blocks,
    skewness_of,
)
from lama_odds.statistics.intervals import Moments
from lama_odds.statistics.race import is_clear, survivors
from lama_odds.statistics.ranking import Blocks, is_separated, simultaneous_mean
from tools.study.validity_rates import AT_MOST, Rate, Truth


def equal_actions(k: int) -> tuple[np.ndarray, np.ndarray]:
    """Joint payoffs of k actions with one mean, and their chances: 10 with 10 %, else 0.

    Half of the time all depend on the same random event, otherwise each has its own.
    """
    payoffs = 10 * np.array(list(np.ndindex(*([2] * k))), dtype=np.int64)
    ones = (payoffs > 0).sum(axis=1)
    chances = 0.5 * 0.1**ones * 0.9 ** (k - ones)
    chances[0] += 0.45
    chances[-1] += 0.05
    return payoffs, chances


def race_of_equals(k: int, looks: Sequence[int], repeats: int, rng: np.random.Generator) -> Rate:
    """How often a race of k equal actions names a best one at any look.

    Also the verdict of advise: it is "too close to call" as long as no race is clear.
    """
    payoffs, chances = equal_actions(k)
    products = (payoffs[:, :, None] * payoffs[:, None, :]).reshape(len(payoffs), -1)
    columns = np.concatenate([payoffs, products], axis=1)
    sums = np.zeros((repeats, columns.shape[1]), dtype=np.int64)
    clear = np.zeros(repeats, dtype=bool)
    for before, n in zip([0, *looks], looks, strict=False):
        sums += rng.multinomial(n - before, chances, size=repeats) @ columns
        for at in np.flatnonzero(~clear):
            table = np.column_stack([sums[at, :k], sums[at, k:].reshape(k, k)])
            clear[at] = is_clear(Moments(table, n), lowest=True)
    n_text = f"{looks[0]} to {looks[-1]}, {len(looks)} looks"
    case = f"{k} equal actions"
    return Rate("race, advise", "false alarms", case, n_text, int(clear.sum()), repeats, AT_MOST)


def drawn(truth: Truth, samples: int, size: int, sums: Sequence[int]) -> Estimate:
    """The difference that compare makes of these sums over blocks."""
    total, squares, differing, _ = (int(value) for value in sums)
    return mean_of_blocks(total, squares, samples, samples * size, truth.unit, differing)


def difference(
    truth: Truth,
    samples: int,
    size: int,
    sums: Sequence[int],
    delta: float,
    largest: float | None = None,
) -> Difference:
    """The same to be judged, with its δ."""
    total, squares, differing, cubes = (int(value) for value in sums)
    skewness = skewness_of(total, squares, cubes, samples)
    estimate = drawn(truth, samples, size, sums)
    return Difference(estimate, samples, delta, differing, largest, skewness)


def families(
    truths: Sequence[Truth],
    n: int,
    size: int,
    deltas: Sequence[float],
    wrong: str,
    repeats: int,
    rng: np.random.Generator,
    largest: float | None = None,
) -> int:
    """In how many families of independent differences a verdict is given that is wrong.

    largest: what a game is taken to change at most.
    """
    samples = n // size
    draws = [truth.added(size).sums(rng, samples, repeats) for truth in truths]
    alarms = 0
    for at in range(repeats):
        differences = [
            difference(truth, samples, size, sums[at], delta, largest)
            for truth, sums, delta in zip(truths, draws, deltas, strict=True)
        ]
        alarms += any(judged.verdict == wrong for judged in judge(differences))
    return alarms


def false_differs(
    case: str, truth: Truth, family: int, n: int, repeats: int, rng: np.random.Generator
) -> Rate:
    """Families of measures with a mean difference of 0: any ``differs``."""
    assert abs(truth.mean) < 1e-12
    wrong = families([truth] * family, n, 8, [0.01] * family, DIFFERS, repeats, rng)
    return Rate(
        f"compare, {family} measures", "false differs", case, f"{n}", wrong, repeats, AT_MOST
    )


def false_same(
    case: str,
    truth: Truth,
    family: int,
    n: int,
    repeats: int,
    rng: np.random.Generator,
    largest: float | None = None,
) -> Rate:
    """Families of measures that all differ by just δ: any ``same``. largest: see `families`."""
    deltas = [abs(truth.mean)] * family
    wrong = families([truth] * family, n, 8, deltas, SAME, repeats, rng, largest)
    return Rate(f"compare, {family} measures", "false same", case, f"{n}", wrong, repeats, AT_MOST)


def uniform_p(
    truth: Truth,
    n: int,
    size: int,
    repeats: int,
    rng: np.random.Generator,
    rare: bool = False,
) -> Rate:
    """Kolmogorov-Smirnov test of the p values where nothing differs; the rate is its p.

    rare: few blocks differ, so that p values are few and, the error being widened, rather large;
    then the rate is that of p values up to 5 %.
    """
    from scipy.stats import kstest

    samples = n // size
    sums = truth.added(size).sums(rng, samples, repeats)
    p = [difference(truth, samples, size, row, 0.0).p for row in sums]
    known = float(kstest(p, "uniform").pvalue)
    case = f"{truth.name}, {repeats:,} p values"
    if rare:
        small = sum(value <= 0.05 for value in p)
        return Rate("t test of compare", "p up to 5 %", case, f"{n}", small, repeats, AT_MOST)
    return Rate("t test of compare", "p of KS test", case, f"{n}", 0, 0, (0.001, 1.0), known)


def ranks_of(
    chances: Sequence[float], n: int, size: int, repeats: int, rng: np.random.Generator
) -> Rate:
    """Rankings of policies by wins: any pair separated that is equal, or the wrong way round."""
    k, samples = len(chances), n // size
    family = k * (k - 1) // 2
    alarms = 0
    for _ in range(repeats):
        wins = rng.multinomial(size, chances, size=samples)
        table = np.column_stack([wins.sum(axis=0), wins.T @ wins])
        blocks = Blocks(table, n, samples)
        wrong = False
        for i in range(k):
            for j in range(i):
                pair = simultaneous_mean(blocks.difference(i, j, 1.0), family, samples)
                true = chances[i] - chances[j]
                wrong |= is_separated(pair) and pair.value * true <= 0
        alarms += wrong
    case = "win chances " + ", ".join(f"{100 * chance:g} %" for chance in chances)
    return Rate("ranking", "any wrong rank", case, f"{n}", alarms, repeats, AT_MOST)


def best_dropped(
    candidates: int,
    gap: float,
    skewed: bool,
    repeats: int,
    rng: np.random.Generator,
    looks: int = 8,
    first: int = 8,
) -> Rate:
    """Tuning races with a best candidate, ahead of all others by `gap` standard deviations.

    first: samples at the first look, doubled at each. Half of the variance is shared. skewed:
    samples are exponential, not normal.
    """
    dropped = 0
    most = first << (looks - 1)
    for _ in range(repeats):
        if skewed:
            own = rng.exponential(1.0, (candidates, most)) - 1
        else:
            own = rng.standard_normal((candidates, most))
        samples = (own + rng.standard_normal(most)) / np.sqrt(2)
        samples[0] += gap
        alive = np.arange(candidates)
        for look in range(looks):
            alive = survivors(samples[:, : first << look], alive, looks, True, 0.0).stay
            if 0 not in alive:
                dropped += 1
                break
            if len(alive) == 1:
                break
    shape = "skewed" if skewed else "normal"
    ahead = f"ahead by {gap:g} sd" if gap else "equal to all others"
    case = f"{candidates} candidates, {shape}, the best {ahead}"
    n = f"{first} to {most} blocks, {looks} looks"
    return Rate("tuning race", "best dropped", case, n, dropped, repeats, AT_MOST)


def equal_dropped(
    candidates: int,
    races: int,
    begins: Callable[[int], int],
    repeats: int,
    rng: np.random.Generator,
    looks: int = 6,
    first: int = 8,
) -> Rate:
    """Searches of several races among equals: how often a given candidate is dropped in the last.

    The winner of a race competes with new candidates in the next, as in a family with several
    numbers. begins: the first game of a race; a candidate that plays a game again gets the same
    result. Half of the variance is shared.
    """
    most = first << (looks - 1)
    n = f"{first} to {most} blocks, {looks} looks"
    dropped = 0
    for _ in range(repeats):
        luck: dict[int, np.ndarray] = {}  # by first game, of all
        own: dict[int, np.ndarray] = {}  # of the winner of the race before
        for race in range(races):
            begin = begins(race)
            samples = rng.standard_normal((candidates, most))
            if begin in own:
                samples[0] = own[begin]
            common = luck.setdefault(begin, rng.standard_normal(most))
            alive = np.arange(candidates)
            for look in range(looks):
                seen = (samples + common)[:, : first << look]
                alive = survivors(seen, alive, looks, True, 0.0).stay
                if len(alive) == 1:
                    break
            best = int(alive[np.argmax(seen[alive].mean(axis=1))])
            # Of a new winner, games of earlier races count as not played yet.
            own = {**(own if best == 0 else {}), begin: samples[best]}
        dropped += 1 not in alive
    case = f"{candidates} equal candidates, race {races} of {races}"
    return Rate("tuning search", "equal one dropped", case, n, dropped, repeats, AT_MOST)
