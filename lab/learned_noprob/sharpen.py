"""The second half of learning No Prob-Lama: trials sharpen the weights of `learned`.

In each lesson rounds are played with the weights so far. Single turns in them are played in two
ways (see `trials`), and steps down the slope follow.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit

from lab.learned_noprob.trials import (
    PLAYED,
    RATES,
    Memory,
    Trials,
    learn,
    played_odds,
    rows_of,
    seatings,
    tables_with,
    try_rounds,
)
from lama_odds.games.noprob.engine.planner import line_kinds
from lama_odds.games.noprob.policies import Weights, joined, split
from lama_odds.games.noprob.rules.ruleset import CELLS, NoprobRules
from tools.publishing.target import Making

EPOCHS = 2  # times that each lesson is gone through
LAST_RATE = 0.02  # how far steps go in the last lesson
TURNS_APART = 6  # times the seats: a trial every this many turns, about four in each round
ROOM = 2_000  # trials beyond those wanted: more than a round can have
ENDLESS = 1 << 40  # rounds
FARTHEST = 20.0  # shift of the logarithm of odds
LITTLE = 10.0  # keeps shifts small that few turns tell of


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


def tried(rules: NoprobRules, plays: np.ndarray, known: Weights, seed: int, size: int) -> Trials:
    """Return about `size` trials at a table; plays: in which seats the weights play."""
    seats = len(plays)
    room = Trials.room(size + ROOM)
    count, _ = try_rounds(
        rules.columns, rows_of(plays), tables_with(rules, seats, split(joined(known))), seed,
        ENDLESS, plays, TURNS_APART * seats, *room, np.empty(len(room.won), np.int8),
    )  # fmt: skip
    return room.first(count)


def lesson(rules: NoprobRules, seats: int, known: Weights, seed: int, size: int) -> Trials:
    """Return trials at all tables, about `size`."""
    parts = [
        tried(rules, plays, known, seed + number, int(size * share))
        for number, (plays, share) in enumerate(seatings(seats))
    ]
    return Trials(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def shifts_among_itself(
    rules: NoprobRules, seats: int, known: Weights, seed: int, size: int
) -> list[float]:
    """Return what to add to the logarithm of the odds among players who all have these weights.

    Half of the lessons had a weaker player at the table. So the weights foretell too much among
    themselves. With what is added, the mean chance is what was won, for each number of own cards
    face down after a turn. It is found from about `size` turns.
    """
    trials = tried(rules, np.ones(seats, dtype=np.bool_), known, seed, size)
    odds = np.zeros(len(trials.won))
    played_odds(begun(known).weights, line_kinds(), trials, seats, odds)
    down, won = trials.views[:, PLAYED, 0] // 10, trials.won[:, PLAYED]

    def excess(shift: float, here: np.ndarray) -> float:
        return float((expit(odds[here] + shift) - won[here]).sum() + LITTLE * shift)

    among = (brentq(excess, -FARTHEST, FARTHEST, args=(down == n,)) for n in range(CELLS + 1))
    return [round(shift, 3) for shift in among]


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
