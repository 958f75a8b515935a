"""Racing: the best candidate stays, the others go."""

import numpy as np
import pytest

from lama_odds.statistics.survivors import ALIKE, ALPHA, BEHIND, STAYED, states, survivors


def race(rng, means, looks, blocks, higher, zone=0.0):
    """Candidates left after a race with normal samples that share half of their noise."""
    samples = np.zeros((len(means), 0))
    alive = np.arange(len(means))
    for look in range(looks):
        more = (blocks << look) - samples.shape[1]
        noise = rng.normal(size=more) + rng.normal(size=(len(means), more))
        samples = np.concatenate([samples, np.array(means)[:, None] + noise], axis=1)
        alive = survivors(samples, alive, looks, higher, zone).stay
    return set(alive.tolist())


@pytest.mark.long
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
