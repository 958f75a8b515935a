"""A smooth surface over the scores of two players, from noisy observations at some of them.

Gaussian process regression (Rasmussen & Williams, "Gaussian Processes for Machine Learning", 2006,
algorithm 2.1). What is added to a known table is smooth over the scores, but may jump where the
most valuable token of a player changes. So one part of the covariance is smooth everywhere, and
one only within the same tens of both scores. An observation may come with a control: something
whose mean is 0 and that varies with it. The noise grows with the scores, since a round decides more
late in a game. Sizes, lengths and noise maximise the marginal likelihood (equation 2.30).

A surface has a symmetry. AHEAD is what one player has at two scores and the other lacks: it changes
its sign if the scores change places. STARTING is what both have: it stays the same. So an
observation tells as much of the scores the other way round.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.optimize import minimize

AHEAD, STARTING = -1, 1  # symmetries
TENS = 10
# Standard deviations and lengths in scores at which the search starts, and their bounds. The last
# one is how many times larger the noise is at the highest scores than at 0.
START = (0.02, 20.0, 0.01, 6.0, 0.005, 3.0)
BOUNDS = (
    (0.001, 0.06), (10.0, 60.0), (0.0003, 0.03), (3.0, 40.0), (0.001, 0.05), (1.0, 20.0),
)  # fmt: skip
DEVIATIONS = (True, False, True, False, True, False)  # which parameters are standard deviations
CONTROLLED = 1.0  # standard deviation of how many times a control counts, before anything is seen
JITTER = 1e-10  # of the variance, for the numerics


@dataclass(frozen=True)
class Surface:
    """A surface over all scores.

    values, errors: float64[target, target], means and standard errors, by the own and the other's
    score.
    parameters: float64[6], standard deviation and length of the smooth part and of the part within
    tens, the standard deviation of an observation at scores of 0, and its growth.
    residuals: float64[n], observations minus what all other observations predict, in standard
    errors of that difference (equation 5.12).
    controlled: how many times a control is subtracted.
    """

    values: np.ndarray
    errors: np.ndarray
    parameters: np.ndarray
    residuals: np.ndarray
    controlled: float


def alike(one: np.ndarray, other: np.ndarray, parameters: np.ndarray) -> np.ndarray:
    """Return how a surface without symmetry varies together at scores, int64[..., 2] both."""
    smooth, length, jumping, short = parameters[:4]
    squared = ((one - other) ** 2).sum(axis=-1)
    same = (one // TENS == other // TENS).sum(axis=-1)
    within = np.exp(-squared / (2 * short**2)) * np.where(same == 2, 1.0, np.where(same, 0.5, 0.0))
    return np.asarray(smooth**2 * np.exp(-squared / (2 * length**2)) + jumping**2 * within)


def covariance(
    one: np.ndarray, other: np.ndarray, parameters: np.ndarray, symmetry: int
) -> np.ndarray:
    """Return the covariance of a surface at scores, int64[..., 2] both, with this symmetry."""
    turned = alike(one, other[..., ::-1], parameters)
    return np.asarray(alike(one, other, parameters) + symmetry * turned)


@dataclass(frozen=True)
class Seen:
    """Observations: float64[n] of the surface at int64[n, 2] scores, with float64[n] controls.

    target: the score that ends a game. symmetry: AHEAD or STARTING.
    """

    scores: np.ndarray
    values: np.ndarray
    controls: np.ndarray
    target: int
    symmetry: int

    def noise(self, parameters: np.ndarray) -> np.ndarray:
        """Return float64[n], the standard deviation of each observation."""
        late = self.scores.sum(axis=1) / (2 * self.target)
        return np.asarray(parameters[4] * parameters[5] ** late)

    def factor(self, parameters: np.ndarray) -> tuple[np.ndarray, bool]:
        """Return the Cholesky factor of the covariance of the observations."""
        matrix = covariance(self.scores[:, None], self.scores, parameters, self.symmetry)
        matrix += CONTROLLED**2 * np.outer(self.controls, self.controls)
        matrix[np.diag_indices(len(matrix))] += self.noise(parameters) ** 2 + JITTER
        factor: tuple[np.ndarray, bool] = cho_factor(matrix, lower=True)
        return factor


def likeliest(seen: Seen, start: np.ndarray | None = None, unit: float = 1.0) -> np.ndarray:
    """Return the parameters with the highest marginal likelihood.

    unit: of the deviations in START and BOUNDS; small for a surface that is known to be flat.
    """
    units = np.where(DEVIATIONS, unit, 1.0)

    def cost(logs: np.ndarray) -> float:
        factor = seen.factor(np.exp(logs))
        fit = seen.values @ cho_solve(factor, seen.values)
        return float(0.5 * fit + np.log(np.diag(factor[0])).sum())

    begin = np.log(units * START if start is None else start)
    bounds = np.log(units[:, None] * BOUNDS)
    found = minimize(cost, begin, method="L-BFGS-B", bounds=bounds)
    return np.asarray(np.exp(found.x))


def fitted(seen: Seen, parameters: np.ndarray) -> Surface:
    """Return the surface that observations make likely."""
    factor = seen.factor(parameters)
    every = np.stack(np.meshgrid(*[range(seen.target)] * 2, indexing="ij"), axis=-1)
    every = every.reshape(-1, 2)
    cross = covariance(every[:, None], seen.scores, parameters, seen.symmetry)
    weights = cho_solve(factor, seen.values)
    own = covariance(every, every, parameters, seen.symmetry)
    variances = own - np.einsum("ij,ji->i", cross, cho_solve(factor, cross.T))
    inverse = np.diag(cho_solve(factor, np.eye(len(weights))))
    shape = (seen.target, seen.target)
    return Surface(
        (cross @ weights).reshape(shape),
        np.sqrt(np.maximum(variances, 0)).reshape(shape),
        parameters,
        weights / np.sqrt(inverse),
        float(CONTROLLED**2 * seen.controls @ weights),
    )
