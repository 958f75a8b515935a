"""Steps of learning (Kingma & Ba, "Adam: a method for stochastic optimization", 2015)."""

from __future__ import annotations

import numpy as np

from lama_odds.jit import compiled

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
