"""Teach the networks of `copy`: gradients by hand, steps by `adam`.

Each decision teaches three things. The first two are what its situation costs, and how much better
it is to roll than to quit. The third is which discard or take to choose: the network compares what
they leave. In the first half of the steps the values count most. Later it is what wrong decisions
cost.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from lab.copy.solved_decisions import OPTIONS, Decisions
from lab.nets import go_down, go_up, step
from lama_odds.games.dice.engine.policy_kernels import (
    COPY_ROWS,
    COST,
    ENDS,
    FIRST,
    GAIN,
    OTHERS,
    OWN,
    PARTS,
    RESULTS,
    SECOND,
    TOGETHER,
    Net,
    Worths,
    laid_out,
    slope_of,
    write_ends,
    write_rows,
)
from lama_odds.games.dice.policies import MIDDLE, Weights
from lama_odds.jit import compiled, inlined

BATCH = 256
FASTEST, SLOWEST = 2e-3, 1e-5  # steps, slower and slower
WARM = 200  # first steps, faster and faster
SOFT = 0.3  # points by which options are told apart
LARGE = 12.0  # points; larger gains count like this
CLIPPED = 3.0  # points; larger errors pull like this
# Sums of `stats`: decisions, wrong ones, what they cost, squared errors of costs; rolls with a
# choice, what wrong choices cost.
SEEN, WRONG, LOST, SQUARED, CHOICES, LOST_CHOICES, STATS = 0, 1, 2, 3, 4, 5, 6


@inlined
def forward(weights, outlook, worths, points, situation, rows, ends, first, second, results):
    """Fill in a network's layers and results for a situation; return what ending now costs.

    situation: packed cards of the player who decides and of the other, the row, both scores.
    """
    hand, theirs, row, mine, other = situation
    write_rows(hand, theirs, row, rows, 0)
    now = write_ends(worths, TOGETHER, points, hand, theirs, row, mine, other, ends, 0)
    for x in range(FIRST):
        first[x] = weights.own[mine, x] + weights.other[other, x]
    for part in range(PARTS):
        at = rows[part]
        for x in range(FIRST):
            first[x] += weights.cards[at, x]
    for number in range(outlook.shape[2]):
        seen = outlook[mine, other, number]
        for x in range(FIRST):
            first[x] += seen * weights.outlook[number, x]
    for number in range(ENDS):
        seen = ends[number]
        for x in range(FIRST):
            first[x] += seen * weights.ends[number, x]
    go_up(weights, (FIRST, SECOND, RESULTS), first, second, results)
    return now


@inlined
def backward(weights, slopes, outlook, situation, rows, ends, first, second, pulls, back):
    """Add to `slopes` how the weights change the results, times `pulls`; `second` is used up."""
    mine, other = situation[3], situation[4]
    go_down(weights, slopes, (FIRST, SECOND, RESULTS), first, second, pulls, back)
    for x in range(FIRST):
        slopes.own[mine, x] += back[x]
        slopes.other[other, x] += back[x]
    for part in range(PARTS):
        at = rows[part]
        for x in range(FIRST):
            slopes.cards[at, x] += back[x]
    for number in range(outlook.shape[2]):
        seen = outlook[mine, other, number]
        for x in range(FIRST):
            slopes.outlook[number, x] += seen * back[x]
    for number in range(ENDS):
        seen = ends[number]
        for x in range(FIRST):
            slopes.ends[number, x] += seen * back[x]


@inlined
def clipped(error, most):
    """Return an error, or the largest that counts."""
    return np.float32(max(min(error, most), -most))


@compiled
def teach(
    weights, slopes, outlook, worths, points, seen, often, alone, chosen, learns, late, stats
):  # fmt: skip
    """Add up what decisions teach, and how well they are decided.

    chosen: int64, the numbers of the decisions. learns: whether slopes are wanted. late: whether
    the cost of wrong decisions counts more than values.
    """
    rows = np.zeros((OPTIONS + 1, PARTS), np.int64)
    ends = np.zeros((OPTIONS + 1, ENDS), np.float32)
    first = np.zeros((OPTIONS + 1, FIRST), np.float32)
    second = np.zeros((OPTIONS + 1, SECOND), np.float32)
    results, pulls = np.zeros(RESULTS, np.float32), np.zeros(RESULTS, np.float32)
    back = np.zeros(FIRST, np.float32)
    costs = np.zeros((3, OPTIONS), np.float32)
    sign = np.float32(1 if alone else -1)
    for n in chosen:
        hand, theirs, row = seen.hands[n], seen.others[n], seen.rows[n]
        mine, other = seen.scores[n, 0], seen.scores[n, 1]
        slope = slope_of(worths, TOGETHER, mine, other)
        weight = np.float32(often[n]) * slope / np.float32(MIDDLE)
        situation = (hand, theirs, row, mine, other)
        now = forward(
            weights, outlook, worths, points, situation, rows[0], ends[0], first[0], second[0],
            results,
        )  # fmt: skip
        gain = seen.quitting[n] - seen.rolling[n]
        error = results[COST] - (min(seen.quitting[n], seen.rolling[n]) - now) / slope
        wrong = (results[GAIN] > 0) != (gain > 0)
        stats[SEEN] += often[n]
        stats[WRONG] += often[n] * wrong
        stats[LOST] += often[n] * abs(gain) * wrong
        stats[SQUARED] += often[n] * error * error
        if learns:
            pulls[COST] = weight * np.float32(0.3) * clipped(error, CLIPPED)
            pulls[GAIN] = weight * pull_of_gain(results[GAIN], gain / slope, late)
            backward(
                weights, slopes, outlook, situation, rows[0], ends[0], first[0], second[0], pulls,
                back,
            )  # fmt: skip
        count = 0
        least = np.inf
        best = 0
        while count < OPTIONS and seen.left[n, count] < np.inf:
            left, after = seen.left_hands[n, count], seen.left_rows[n, count]
            least = min(least, seen.left[n, count])
            at = count + 1
            situation = (left, theirs, after, mine, other)
            if not alone:
                situation = (theirs, left, after, other, mine)
            now = forward(
                weights, outlook, worths, points, situation, rows[at], ends[at], first[at],
                second[at], results,
            )  # fmt: skip
            unit = slope_of(worths, TOGETHER, situation[3], situation[4])
            costs[0, count] = sign * (now / unit + results[COST])
            costs[1, count] = results[COST] - (sign * seen.left[n, count] - now) / unit
            if costs[0, count] < costs[0, best]:
                best = count
            count += 1
        if count < 2:
            continue
        stats[CHOICES] += often[n]
        stats[LOST_CHOICES] += often[n] * (seen.left[n, best] - least)
        if not learns:
            continue
        soft = np.float32(SOFT if late else 0.5)
        regrets(costs, seen.left[n], least, slope, best, count, soft)
        for option in range(count):
            left, after = seen.left_hands[n, option], seen.left_rows[n, option]
            situation = (left, theirs, after, mine, other)
            if not alone:
                situation = (theirs, left, after, other, mine)
            pull = sign * costs[2, option]
            pull += np.float32(0.15) * clipped(costs[1, option], CLIPPED)
            pulls[COST], pulls[GAIN] = weight * pull, np.float32(0)
            at = option + 1
            backward(
                weights, slopes, outlook, situation, rows[at], ends[at], first[at], second[at],
                pulls, back,
            )  # fmt: skip


@inlined
def pull_of_gain(gain, wanted, late):
    """Return how an error of the gain pulls: the value first, later the cost of the decision."""
    error = clipped(gain - clipped(wanted, LARGE), CLIPPED)
    pull = error / (1 + abs(wanted) / 2) * (0.1 if late else 0.5)
    if late:
        side = 1.0 if wanted > 0 else -1.0
        chance = 1 / (1 + np.exp(min(side * gain / SOFT, 50.0)))
        pull -= 2 * side * min(abs(wanted), 20.0) * chance * (1 - chance) / SOFT
    return np.float32(pull)


@inlined
def regrets(costs, left, least, slope, best, count, soft):
    """Write to costs[2] how the cost of a soft choice between options changes with each cost."""
    total = np.float32(0)
    mean = np.float32(0)
    for option in range(count):
        costs[2, option] = np.exp(-(costs[0, option] - costs[0, best]) / soft)
        total += costs[2, option]
    for option in range(count):
        regret = np.float32(min((left[option] - least) / slope, 20.0))
        mean += costs[2, option] / total * regret
    for option in range(count):
        regret = np.float32(min((left[option] - least) / slope, 20.0))
        costs[2, option] *= (mean - regret) / total / soft


def begun(like: Sequence[tuple[int, ...]], random: np.random.Generator) -> Weights:
    """Return small random weights. like: their shapes."""

    def drawn(shape: tuple[int, ...], size: float) -> np.ndarray:
        return (random.standard_normal(shape) * size).astype(np.float32)

    sizes = (0.15, 0.15, 0.15, 0.1, 0.1, (2 / FIRST) ** 0.5, (1 / SECOND) ** 0.5, 0.0)
    return Weights(*(drawn(shape, size) for shape, size in zip(like, sizes, strict=True)))


def no_net() -> Net:
    """Return an empty network."""
    shapes = (
        (COPY_ROWS, FIRST),
        (OWN, OTHERS, FIRST),
        (ENDS, FIRST),
        (FIRST, SECOND),
        (RESULTS, SECOND),
    )
    return Net(*(np.zeros(shape) for shape in (*shapes, SECOND + RESULTS)))


Told = Callable[[int, np.ndarray, np.ndarray], None]


def taught(
    like: Sequence[tuple[int, ...]],
    outlook: np.ndarray,
    worths: Worths,
    points: np.ndarray,
    seen: Decisions,
    learned: np.ndarray,
    alone: bool,
    epochs: int,
    seed: int,
    told: Told,
) -> Weights:
    """Return the weights of a network that decisions teach.

    learned: bool, which decisions teach; the others show how well it does. told: hears after each
    time how many times they have taught, and both sums of `stats`.
    """
    random = np.random.default_rng(seed)
    weights = begun(like, random)
    slopes, means, squares = (Weights(*(np.zeros_like(part) for part in weights)) for _ in range(3))
    often = np.minimum(seen.often, 64) ** 0.5
    often = often / often.mean()
    # Where the network would be is empty: it is what is to be found.
    stakes = laid_out(no_net(), worths)
    facts = outlook.astype(np.float32), stakes, points, seen, often, alone
    teaching, rest = np.flatnonzero(learned), np.flatnonzero(~learned)
    batches = len(teaching) // BATCH
    number = 0
    for epoch in range(epochs):
        order = random.permutation(teaching)
        stats = np.zeros((2, STATS))
        for batch in range(batches):
            done = number / (epochs * batches)
            number += 1
            chosen = order[batch * BATCH : (batch + 1) * BATCH]
            teach(weights, slopes, *facts, chosen, True, done >= 0.5, stats[0])
            rate = SLOWEST + FASTEST * (1 + np.cos(np.pi * done)) / 2 * min(1.0, number / WARM)
            for parts in zip(weights, slopes, means, squares, strict=True):
                step(*(part.ravel() for part in parts), rate, number, BATCH)
        teach(weights, slopes, *facts, rest, False, True, stats[1])
        told(epoch + 1, stats[0], stats[1])
    return weights
