"""The second half of learning No Prob-Lama: trials sharpen the weights of `learned`.

In each lesson rounds are played with the weights so far. Single turns in them are played in two
ways (see `trials`), and steps down the slope follow.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

import numpy as np

from lab.learned_noprob.trials import (
    RATES,
    Memory,
    Trials,
    learn,
    rows_of,
    seatings,
    tables_with,
    try_rounds,
)
from lama_odds.games.noprob.policies import Weights, joined, split
from lama_odds.games.noprob.rules.ruleset import NoprobRules
from tools.publishing.target import Making

EPOCHS = 2  # times that each lesson is gone through
LAST_RATE = 0.02  # how far steps go in the last lesson
TURNS_APART = 6  # times the seats: a trial every this many turns, about four in each round
ROOM = 2_000  # trials beyond those wanted: more than a round can have
ENDLESS = 1 << 40  # rounds


class Learner(NamedTuple):
    """What has been learned: lessons done, steps of Adam, weights (of float32) and its memory."""

    done: int
    steps: int
    weights: Weights
    memory: Memory


def begun(known: Weights) -> Learner:
    """Return the learner before the first lesson."""
    weights = Weights(*(np.ascontiguousarray(part, dtype=np.float32) for part in known))
    return Learner(0, 0, weights, Memory.empty(weights))


def lesson(rules: NoprobRules, seats: int, known: Weights, seed: int, size: int) -> Trials:
    """Return trials at all tables, about `size`."""
    tables = tables_with(rules, seats, split(joined(known)))
    parts = []
    for number, (plays, share) in enumerate(seatings(seats)):
        part = Trials.room(int(size * share) + ROOM)
        who = np.empty(len(part.won), np.int8)
        count, _ = try_rounds(
            rules.columns, rows_of(plays), tables, seed + number, ENDLESS, plays,
            TURNS_APART * seats, *part, who,
        )  # fmt: skip
        parts.append(part.first(count))
    return Trials(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def rate_at(first: float, done: int, lessons: int) -> float:
    """Return how far steps go in a lesson: less and less, along half a cosine."""
    return float(LAST_RATE + first * (1 + np.cos(np.pi * done / lessons)) / 2)


def sharpened(
    making: Making, rules: NoprobRules, seats: int, known: Weights, rate: float, of_net: float
) -> Weights:
    """Return the weights after all lessons; what a stopped run has kept is not done again.

    rate: how far steps go in the first lesson. of_net: the same for the network, see RATES.
    """
    path = making.work / f"trials-{seats}.npz"
    learner = _read(path) if path.exists() else begun(known)
    lessons, seed = making["lessons"], making["seed"]
    for number in range(learner.done, lessons):
        _, steps, weights, memory = learner
        chance = np.random.default_rng([seed, seats, number])
        trials = lesson(rules, seats, weights, int(chance.integers(1 << 60)), making["trials"])
        errors = []
        for _ in range(EPOCHS):
            rates = np.array([*RATES, of_net]) * rate_at(rate, number, lessons)
            steps, error = learn(weights, memory, trials, seats, rates, steps, chance)
            errors.append(error)
        learner = Learner(number + 1, steps, weights, memory)
        making.work.mkdir(parents=True, exist_ok=True)
        _keep(path, learner)
        making.tell(
            f"{seats} players: lesson {number + 1} of {lessons}, {len(trials.won):,} trials, mean "
            f"squared error {errors[0]:.5f}"
        )
    return split(joined(learner.weights))


def _keep(path: Path, learner: Learner) -> None:
    """Write what is learned, whole or not at all."""
    partial = path.with_name(f"partial-{path.name}")
    done, steps, weights, memory = learner
    parts = {
        f"{name} {field}": getattr(part, field)
        for name, part in {"weights": weights, **memory._asdict()}.items()
        for field in Weights._fields
    }
    np.savez(partial, done=np.array(done), steps=np.array(steps), **parts)
    os.replace(partial, path)


def _read(path: Path) -> Learner:
    with np.load(path) as kept:

        def part(name: str) -> Weights:
            return Weights(*(kept[f"{name} {field}"] for field in Weights._fields))

        memory = Memory(*(part(name) for name in Memory._fields))
        return Learner(int(kept["done"]), int(kept["steps"]), part("weights"), memory)
