"""Small networks: their upper layers, and steps of learning.

A network is a named tuple: rows, float32[rows, first], of which a situation adds up some; second,
float32[first, second]; results, float32[results, second]; and constants, those of the second layer,
then those of the results.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from lama_odds.jit import compiled, inlined

# Steps of learning (Kingma & Ba, "Adam: a method for stochastic optimization", 2015).

OF_MEAN, OF_SQUARE = np.float32(0.9), np.float32(0.999)
REST_OF_MEAN, REST_OF_SQUARE = np.float32(0.1), np.float32(0.001)


@compiled
def step(weights, slopes, means, squares, rate, number, size):
    """Move weights by Adam, and empty the slopes; all are flat.

    number: of the step, from 1. size: the number of decisions that the slopes are summed over.
    """
    of_mean, of_square = 1 - 0.9**number, 1 - 0.999**number
    for at in range(weights.size):
        slope = slopes[at] / size
        means[at] = OF_MEAN * means[at] + REST_OF_MEAN * slope
        squares[at] = OF_SQUARE * squares[at] + REST_OF_SQUARE * slope * slope
        move = (means[at] / of_mean) / (np.sqrt(squares[at] / of_square) + 1e-8)
        weights[at] -= np.float32(rate * move)
        slopes[at] = 0


# The two upper layers of a small network, from its first layer to its results, and back.


@inlined
def go_up(net, sizes, first, second, results):
    """Fill in the second layer and the results from the first layer.

    sizes: the number of the first layer's numbers, the second's, and the results. The caller
    writes them out, and so the compiler knows them.
    net: a named tuple with second, float32[first, second], results, float32[results, second], and
    constants, those of the second layer, then those of the results.
    """
    lower, size, most = sizes
    for y in range(size):
        second[y] = net.constants[y]
    for x in range(lower):
        seen = first[x]
        if seen > 0:
            for y in range(size):
                second[y] += seen * net.second[x, y]
    for result in range(most):
        total = net.constants[size + result]
        for y in range(size):
            total += max(second[y], np.float32(0)) * net.results[result, y]
        results[result] = total


@inlined
def go_down(net, slopes, sizes, first, second, pulls, back):
    """Add to `slopes` how weights of the upper layers change the results, times `pulls`.

    back: filled with how the first layer changes them. `second` is used up.
    """
    lower, size, most = sizes
    for result in range(most):
        slopes.constants[size + result] += pulls[result]
    for y in range(size):
        pull = np.float32(0)
        if second[y] > 0:
            for result in range(most):
                slopes.results[result, y] += pulls[result] * second[y]
                pull += pulls[result] * net.results[result, y]
            slopes.constants[y] += pull
        second[y] = pull
    for x in range(lower):
        seen = first[x]
        pull = np.float32(0)
        if seen > 0:
            for y in range(size):
                slopes.second[x, y] += seen * second[y]
                pull += net.second[x, y] * second[y]
        back[x] = pull


@inlined
def add_rows(net, lower, rows, number, first):
    """Fill in the first layer of a situation; number: of its rows. lower: see `go_up`."""
    for x in range(lower):
        first[x] = 0
    for i in range(number):
        at = rows[i]
        for x in range(lower):
            first[x] += net.rows[at, x]


# Teach a network what decisions were worth. The error is squared.

BATCH = 2048
SLOWEST = 2e-5  # steps, slower and slower
TESTED = 20  # one of this many decisions is left out, to see how well the rest foretells it
# Sums of `stats`: squared errors, squared differences, what the choices gain that it makes.
ERRORS, SPREAD, GAIN, STATS = 0, 1, 2, 3


class Report(NamedTuple):
    """How well a network foretells decisions that it has not learned from.

    explained: share of what differs between choices; most of that is chance. gain: what the choices
    gain that it makes, in tenths of a chance to win, see `teach`.
    """

    explained: float
    gain: float


def begun(random: np.random.Generator, shapes: Sequence[tuple[int, ...]]) -> list[np.ndarray]:
    """Return small random weights; the constants are 0."""
    sizes = 0.05, (2 / shapes[1][0]) ** 0.5, 0.1
    weights = [np.zeros(shape, np.float32) for shape in shapes]
    for part, size in zip(weights, sizes, strict=False):
        part[:] = random.standard_normal(part.shape) * size
    return weights


def taught(
    net: Any,
    seen: Any,
    teach: Callable[..., None],
    epochs: int,
    fastest: float,
    random: np.random.Generator,
    tell: Callable[[Report], None],
) -> Any:
    """Return the weights after decisions have taught a network `epochs` times.

    seen: decisions, with their numbers. teach(net, slopes, seen, chosen, learns, stats): adds up
    what chosen ones teach, and `stats`. tell: hears after each time how well those foretell what
    they have not learned from.
    """
    kind = type(net)
    net = kind(*(part.copy() for part in net))
    slopes, means, squares = (kind(*(np.zeros_like(part) for part in net)) for _ in range(3))
    tested = np.arange(len(seen.numbers)) % TESTED == 0
    teaching, rest = np.flatnonzero(~tested), np.flatnonzero(tested)
    batches = max(1, len(teaching) // BATCH)
    number = 0
    for _ in range(epochs):
        order = random.permutation(teaching)
        stats = np.zeros((2, STATS))
        for batch in range(batches):
            done = number / (epochs * batches)
            number += 1
            teach(net, slopes, seen, order[batch * BATCH : (batch + 1) * BATCH], True, stats[0])
            rate = SLOWEST + (fastest - SLOWEST) * (1 + np.cos(np.pi * done)) / 2
            for parts in zip(net, slopes, means, squares, strict=True):
                step(*(part.ravel() for part in parts), rate, number, BATCH)
        teach(net, slopes, seen, rest, False, stats[1])
        errors, spread, gain = stats[1].tolist()
        tell(Report(1 - errors / spread, gain / len(rest)))
    return net
