"""Steps of learning of small networks, and their upper layers."""

from __future__ import annotations

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
