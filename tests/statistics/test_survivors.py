"""Racing: the best candidate stays, the others go."""

import numpy as np
import pytest

from lama_odds.statistics.survivors import ALPHA, survivors


def race(rng, means, looks, blocks, higher, zone=0.0):
    """Candidates left after a race with normal samples that share half of their noise."""
    samples = np.zeros((len(means), 0))
    alive = np.arange(len(means))
    for look in range(looks):
        more = (blocks << look) - samples.shape[1]
        noise = rng.normal(size=more) + rng.normal(size=(len(means), more))
        samples = np.concatenate([samples, np.array(means)[:, None] + noise], axis=1)
        alive = survivors(samples, alive, looks, higher, zone)
    return set(alive.tolist())


@pytest.mark.parametrize("higher", [True, False])
def test_the_best_is_dropped_at_most_as_often_as_stated(higher):
    rng = np.random.default_rng(5)
    means = [0.0, 0.1, 0.1, -0.1, 0.0]
    best = {1, 2} if higher else {3}
    runs = 600
    wrong = sum(not race(rng, means, 4, 16, higher) & best for _ in range(runs))
    assert wrong / runs < ALPHA


def test_clearly_worse_ones_go():
    rng = np.random.default_rng(6)
    assert race(rng, [0.0, 1.0, 0.2], 4, 64, True) == {1}
    assert race(rng, [0.0, 1.0, 0.2], 4, 64, False) <= {0, 2}


def test_equal_ones_stay_unless_the_difference_does_not_matter():
    rng = np.random.default_rng(9)
    samples = rng.normal(size=(1, 400)) + 0.01 * rng.normal(size=(3, 400))
    assert len(survivors(samples, np.arange(3), 1, True, 0.0)) == 3
    assert len(survivors(samples, np.arange(3), 1, True, 0.05)) == 1
