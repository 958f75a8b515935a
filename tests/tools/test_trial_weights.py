"""Steps that learn from trials: slopes by differences, and weights that are found again."""

from __future__ import annotations

import numpy as np
import pytest

from lama_odds.games.noprob.engine.foretelling import STAGES, line_kinds
from lama_odds.games.noprob.engine.trials import (
    CODES,
    COLUMNS,
    NUMBERS,
    OTHER_CODES,
    OTHER_STAGE,
    STAGE,
)
from lama_odds.games.noprob.policies.learned import Weights
from tools.fit.learned_trials import LAST_RATE, RATE, rate_at
from tools.fit.trial_weights import LEVEL, Memory, Trials, learn, slopes_of

KINDS = line_kinds()
KNOWN = np.flatnonzero(((np.arange(4096)[:, None] >> (0, 4, 8) & 15) < 15).all(axis=1))


def some_weights(random, size=0.3):
    lines = (STAGES, KINDS.max() + 1)
    parts = [random.normal(scale=size, size=shape) for shape in (lines, lines, (2, STAGES))]
    chance = np.stack([np.full(STAGES, 0.5), random.normal(scale=size, size=STAGES)], axis=1)
    return Weights(*(part.astype(np.float32) for part in (*parts, chance)))


def some_trials(random, size, stages=(33, 34)):
    views = np.zeros((size, 2, COLUMNS), np.int16)
    views[:, :, STAGE] = random.choice(stages, size=(size, 2))
    views[:, :, OTHER_STAGE] = random.choice((-1, *stages), size=(size, 2))
    for first in (CODES, OTHER_CODES):
        views[:, :, first : first + 6] = random.choice(KNOWN, size=(size, 2, 6))
    numbers = random.normal(size=(size, 2, NUMBERS)).astype(np.float32)
    won = random.choice((0.0, 0.5, 1.0), size=(size, 2)).astype(np.float32)
    return Trials(views, numbers, won)


def plain_chances(weights, trials):
    """The chances to win after both ways, written once more with arrays."""
    own, theirs = (KINDS[trials.views[:, :, at : at + 6]] for at in (CODES, OTHER_CODES))
    stage, other = trials.views[:, :, STAGE], trials.views[:, :, OTHER_STAGE]
    unknown, of_other, rest = np.moveaxis(trials.numbers, 2, 0)
    lead = rest - weights.share[0][stage] * unknown - weights.own[stage[..., None], own].sum(2)
    more = weights.share[1][other] * of_other + weights.theirs[other[..., None], theirs].sum(2)
    lead = lead + np.where(other >= 0, more, 0)
    slope, height = np.moveaxis(weights.chance[stage], 2, 0)
    return 1 / (1 + np.exp(-slope * lead - height))


def plain_loss(weights, trials):
    chances, won = plain_chances(weights, trials), trials.won.astype(float)
    off = (chances - won)[:, 0] - (chances - won)[:, 1]
    level = -(won * np.log(chances) + (1 - won) * np.log(1 - chances)).sum()
    return (off**2).sum() / 2 + LEVEL * level


def test_slopes_are_differences_of_the_loss():
    random = np.random.default_rng(2)
    weights, trials = some_weights(random), some_trials(random, 300)
    slopes = Weights(*(np.zeros_like(part) for part in weights))
    squares = slopes_of(weights, slopes, KINDS, trials, np.arange(300), LEVEL)
    off = plain_chances(weights, trials) - trials.won
    assert squares == pytest.approx(((off[:, 0] - off[:, 1]) ** 2).sum(), rel=1e-4)
    for number, part in enumerate(slopes):
        for at in np.argsort(-np.abs(part), axis=None)[:4]:
            ends = []
            for move in (1e-4, -1e-4):
                moved = [p.astype(float) for p in weights]
                moved[number].flat[at] += move
                ends.append(plain_loss(Weights(*moved), trials))
            assert part.flat[at] == pytest.approx((ends[0] - ends[1]) / 2e-4, rel=2e-3)


def test_weights_learn_which_way_wins_more():
    random = np.random.default_rng(3)
    truth, trials = some_weights(random), some_trials(random, 60_000, (33,))
    chances = plain_chances(truth, trials)
    trials = trials._replace(won=(random.random(chances.shape) < chances).astype(np.float32))
    found = Weights(*(np.zeros_like(part) for part in truth))
    found.chance[:, 0] = 0.5
    before = plain_loss(truth, trials)
    memory, number = Memory.empty(found), 0
    start = plain_loss(found, trials)
    for _ in range(6):
        number, error = learn(found, memory, trials, 1.0, number, random)
    assert number == 6 * (60_000 // 4_096)
    assert plain_loss(found, trials) < before + 0.2 * (start - before)
    gained = plain_chances(found, trials) - plain_chances(found, trials)[:, ::-1]
    true = chances - chances[:, ::-1]
    assert np.corrcoef(gained.ravel(), true.ravel())[0, 1] > 0.9
    assert error == pytest.approx(
        np.mean((gained - trials.won + trials.won[:, ::-1]) ** 2), rel=0.1
    )


def test_steps_become_smaller():
    rates = [rate_at(done, 10) for done in range(10)]
    assert rates[0] == pytest.approx(RATE + LAST_RATE)
    assert rates == sorted(rates, reverse=True)
    assert LAST_RATE < rates[-1] < 0.2 * RATE
