"""A surface over scores is found again from noisy observations, within its own errors."""

from __future__ import annotations

import numpy as np
import pytest

from tools.fit.score_surface import (
    AHEAD,
    BOUNDS,
    START,
    STARTING,
    Seen,
    covariance,
    fitted,
    likeliest,
)

TARGET = 20
NOISE, GROWTH, CONTROLLED = 0.006, 3.0, 0.5


def drawn(seed: int, observations: int, symmetry: int = STARTING) -> tuple[np.ndarray, Seen]:
    """A smooth surface with a step at ten, and noisy observations of it with controls."""
    mine, other = np.indices((TARGET, TARGET))
    true = 0.03 * np.sin(mine / 8) * np.cos(other / 11) + 0.01 * (mine >= 10)
    true = true + symmetry * true.T
    random = np.random.default_rng(seed)
    scores = random.integers(0, TARGET, (observations, 2))
    noise = NOISE * GROWTH ** (scores.sum(axis=1) / (2 * TARGET))
    controls = 2 * random.normal(0, noise)
    values = true[scores[:, 0], scores[:, 1]] + CONTROLLED * controls
    return true, Seen(scores, values + random.normal(0, noise), controls, TARGET, symmetry)


@pytest.fixture(scope="module", params=[AHEAD, STARTING])
def found(request):
    true, seen = drawn(1, 160, request.param)
    return true, seen, fitted(seen, likeliest(seen))


@pytest.mark.long
def test_the_surface_is_found_within_its_errors(found):
    true, _, surface = found
    known = surface.errors > 0  # nobody is ahead at the same score
    off = (surface.values - true)[known] / surface.errors[known]
    assert 0.5 < off.std() < 1.5
    assert np.abs(surface.values - true).max() < 2 * NOISE
    assert surface.errors.max() < 2 * NOISE


def test_the_noise_and_its_growth_are_found(found):
    surface = found[2]
    assert surface.parameters[4] == pytest.approx(NOISE, rel=0.2)
    assert surface.parameters[5] == pytest.approx(GROWTH, rel=0.3)
    assert surface.residuals.std() == pytest.approx(1, abs=0.1)
    for value, (low, high) in zip(surface.parameters, BOUNDS, strict=True):
        assert low - 1e-9 <= value <= high + 1e-9


@pytest.mark.long
def test_a_control_counts_as_much_as_it_explains(found):
    _, seen, surface = found
    assert surface.controlled == pytest.approx(CONTROLLED, abs=0.1)
    plain = Seen(seen.scores, seen.values, 0 * seen.controls, TARGET, seen.symmetry)
    assert fitted(plain, likeliest(plain)).errors.mean() > 1.2 * surface.errors.mean()


def test_residuals_are_those_of_leaving_one_out(found):
    _, seen, surface = found
    parameters = surface.parameters
    for left_out in (0, 7):
        rest = np.arange(len(seen.values)) != left_out
        part = Seen(
            seen.scores[rest], seen.values[rest], seen.controls[rest], TARGET, seen.symmetry
        )
        without = fitted(part, parameters)
        at = tuple(seen.scores[left_out])
        explained = without.controlled * seen.controls[left_out]
        error = np.hypot(without.errors[at], seen.noise(parameters)[left_out])
        expected = (seen.values[left_out] - explained - without.values[at]) / error
        assert surface.residuals[left_out] == pytest.approx(expected, rel=0.01, abs=0.002)


def test_more_observations_give_smaller_errors():
    few, many = (drawn(2, number)[1] for number in (50, 400))
    parameters = np.array(START)
    errors = [fitted(seen, parameters).errors.mean() for seen in (few, many)]
    assert errors[1] < 0.6 * errors[0]


def test_scores_the_other_way_round_are_the_same_or_the_opposite(found):
    _, seen, surface = found
    assert np.array_equal(surface.values, seen.symmetry * surface.values.T)
    assert surface.errors == pytest.approx(surface.errors.T, rel=1e-6)
    assert not surface.errors.diagonal().any() or seen.symmetry == STARTING


@pytest.mark.parametrize("symmetry", [AHEAD, STARTING])
def test_covariance_has_the_symmetry(symmetry):
    scores = np.array([[1, 0], [5, 0], [9, 0], [0, 19], [19, 5]])
    matrix = covariance(scores[:, None], scores, np.array(START), symmetry)
    assert np.array_equal(matrix, matrix.T)
    assert (np.linalg.eigvalsh(matrix) > 0).all()
    turned = covariance(scores[:, None], scores[:, ::-1], np.array(START), symmetry)
    assert np.array_equal(turned, symmetry * matrix)


def test_covariance_falls_with_distance():
    scores = np.array([[0, 0], [5, 0], [9, 0], [19, 0], [19, 5]])
    assert (np.diff(covariance(scores[0], scores, np.array(START), STARTING)) < 0).all()
