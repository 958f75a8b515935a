"""Weights of `learned` that learn from trials: which of two ways of a turn wins more.

The chance to win after a turn is a logistic curve of the foretold lead. What decides is how the
chances of two ways differ, so the squared error of this difference is what steps of Adam make
small. A part of the log loss of each chance keeps them near the truth.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from lama_odds.games.noprob.engine.foretelling import line_kinds
from lama_odds.games.noprob.engine.trials import (
    CODES,
    COLUMNS,
    NUMBERS,
    OTHER_CODES,
    OTHER_STAGE,
    OTHER_UNKNOWN,
    OWN_UNKNOWN,
    REST,
    STAGE,
)
from lama_odds.games.noprob.policies.learned import Weights
from lama_odds.jit import compiled
from tools.fit.adam import step

BATCH = 4_096
LEVEL = np.float32(0.1)  # what the log loss of a chance counts beside the squared error
# How far a step goes at most, of a rate of 1: for each part of `Weights`.
RATES = (0.03, 0.03, 0.003, 0.003)
LEAST_SLOPE = np.float32(0.01)  # of the logistic curve


class Trials(NamedTuple):
    """What was seen, and what was won, see `trials.try_rounds`."""

    views: np.ndarray
    numbers: np.ndarray
    won: np.ndarray

    @classmethod
    def room(cls, size: int) -> Trials:
        """Return room for a number of them."""
        return cls(
            np.empty((size, 2, COLUMNS), np.int16),
            np.empty((size, 2, NUMBERS), np.float32),
            np.empty((size, 2), np.float32),
        )

    def first(self, size: int) -> Trials:
        """Return the first of them."""
        return Trials(*(part[:size] for part in self))


class Memory(NamedTuple):
    """What Adam remembers of each part of `Weights`: the mean of slopes and that of squares."""

    means: Weights
    squares: Weights

    @classmethod
    def empty(cls, weights: Weights) -> Memory:
        """Return that before the first step."""
        return cls(*(Weights(*(np.zeros_like(part) for part in weights)) for _ in cls._fields))


@compiled
def lead_of(
    weights: Weights, kinds: np.ndarray, view: np.ndarray, numbers: np.ndarray
) -> np.float32:
    """Return the foretold lead of a view."""
    stage, other = view[STAGE], view[OTHER_STAGE]
    lead: np.float32 = numbers[REST] - weights.share[0, stage] * numbers[OWN_UNKNOWN]
    for line in range(6):
        lead -= weights.own[stage, kinds[view[CODES + line]]]
    if other >= 0:
        lead += weights.share[1, other] * numbers[OTHER_UNKNOWN]
        for line in range(6):
            lead += weights.theirs[other, kinds[view[OTHER_CODES + line]]]
    return lead


@compiled
def add_slopes(
    weights: Weights, slopes: Weights, kinds: np.ndarray, view: np.ndarray, numbers: np.ndarray,
    lead: np.float32, pull: np.float32,
) -> None:  # fmt: skip
    """Add what a view adds to the slopes. pull: the slope by the logarithm of the odds."""
    stage, other = view[STAGE], view[OTHER_STAGE]
    slopes.chance[stage, 0] += pull * lead
    slopes.chance[stage, 1] += pull
    pull *= weights.chance[stage, 0]
    slopes.share[0, stage] -= pull * numbers[OWN_UNKNOWN]
    for line in range(6):
        slopes.own[stage, kinds[view[CODES + line]]] -= pull
    if other >= 0:
        slopes.share[1, other] += pull * numbers[OTHER_UNKNOWN]
        for line in range(6):
            slopes.theirs[other, kinds[view[OTHER_CODES + line]]] += pull


@compiled
def slopes_of(
    weights: Weights, slopes: Weights, kinds: np.ndarray, trials: Trials, chosen: np.ndarray,
    level: np.float32,
) -> float:  # fmt: skip
    """Add to the slopes of the loss of the chosen trials; return their squared error.

    level: see LEVEL. weights, slopes: of float32.
    """
    one = np.float32(1)
    lead, chance, error = np.zeros((3, 2), np.float32)
    squares = 0.0
    for row in chosen:
        for way in range(2):
            view = trials.views[row, way]
            lead[way] = lead_of(weights, kinds, view, trials.numbers[row, way])
            slope, height = weights.chance[view[STAGE]]
            chance[way] = one / (one + np.exp(-slope * lead[way] - height))
            error[way] = chance[way] - trials.won[row, way]
        off = error[0] - error[1]
        squares += off * off
        for way in range(2):
            pull = off * chance[way] * (one - chance[way])
            pull = level * error[way] + (pull if way == 0 else -pull)
            add_slopes(
                weights, slopes, kinds, trials.views[row, way], trials.numbers[row, way],
                lead[way], pull,
            )  # fmt: skip
    return squares


def learn(
    weights: Weights, memory: Memory, trials: Trials, rate: float, number: int,
    random: np.random.Generator,
) -> tuple[int, float]:  # fmt: skip
    """Go through trials once, in random order; weights and memory change.

    rate: how far steps go, see RATES. number: of the steps of Adam before. Returns the number of
    those after it, and the mean squared error as it was before each step.
    """
    kinds = line_kinds()
    slopes = Weights(*(np.zeros_like(part) for part in weights))
    order = random.permutation(len(trials.won))
    loss = 0.0
    batches = max(len(order) // BATCH, 1)
    for chosen in np.array_split(order, batches):
        loss += slopes_of(weights, slopes, kinds, trials, chosen, LEVEL)
        number += 1
        for *parts, of_rate in zip(weights, slopes, *memory, RATES, strict=True):
            flat = (part.reshape(-1) for part in parts)
            step(*flat, rate * of_rate, number, len(chosen))
        np.maximum(weights.chance[:, 0], LEAST_SLOPE, out=weights.chance[:, 0])
    return number, loss / max(len(order), 1)
