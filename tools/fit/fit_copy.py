"""Fit the weights of `copy` to decisions of solved rounds of two players of Lama Dice.

Two sums of weights are fitted by least squares with a penalty on large weights. One is how much
better it is to roll than to quit, the other what a situation costs the player to decide. Both are
counted in points: chances to win are divided by what a point changes at these scores. Differences
that decide nothing count less.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.linalg import lsqr

from lama_odds import __version__
from lama_odds.games.dice.engine.copied import (
    BAND,
    DIGITS,
    HALF_THEIRS,
    LEAD,
    MINE,
    MY_CARDS,
    MY_SCORE,
    NOTHING,
    ROW,
    THEIR_CARDS,
    THEIR_SCORE,
    THEIRS,
    fill_digits,
)
from lama_odds.games.dice.game import GAME
from lama_odds.games.dice.policies.copy import MANIFEST, laid_out, weights_of
from lama_odds.games.dice.rules.ruleset import DiceRules
from lama_odds.games.dice.rules.transition import KINDS
from lama_odds.games.interface.match_equity import best_play
from tools.fit.solved_decisions import Decisions, decisions
from tools.publishing.target import EQUITY, POLICIES, Making, Target

RULES = ("dice/amigo",)
ALIKE = {"dice/gigamic": "dice/amigo"}  # play alike (tested): fitted once
PART = 100  # rounds that are kept together
TESTED = 10  # every tenth round is left out, to see how well the rest foretells it
PAIRS = [[one, other, NOTHING] for one, other in combinations(range(KINDS), 2)]
BY_SCORE = [[BAND, kind, NOTHING] for kind in range(KINDS)]
BOTH = [
    [MINE, MY_CARDS, THEIR_CARDS],
    [THEIRS, MY_CARDS, THEIR_CARDS],
    [BAND, MINE, HALF_THEIRS],
    [BAND, MY_CARDS, MINE],
    [BAND, THEIR_CARDS, THEIRS],
    [LEAD, THEIRS, MY_CARDS],
    [THEIR_SCORE, THEIRS, THEIR_CARDS],
]
# What else foretells either of them; others were tried and left out, as they did not help.
FEATURES = {
    "rolling": [
        *PAIRS, *BY_SCORE, *BOTH,
        [MINE, ROW, NOTHING],
        [THEIRS, ROW, NOTHING],
        [MY_SCORE, MINE, THEIR_CARDS],
        [MY_SCORE, THEIR_SCORE, THEIR_CARDS],
    ],
    "deciding": [
        *PAIRS, *BY_SCORE, *BOTH,
        [BAND, MY_CARDS, THEIR_CARDS],
        [LEAD, MINE, THEIR_CARDS],
    ],
}  # fmt: skip
NEAR = 5  # scores on either side from which it is found what a point changes
LEAST_SLOPE = 0.004
LARGE = 15.0  # points; larger differences count like this
CLEAR = 4.0  # points at which a difference counts half as much as one of nothing
PENALTY = 2.0  # on weights
STEPS = 80  # of the solver


def slopes(values: np.ndarray) -> np.ndarray:
    """Return float64[target, target]: what a point changes, by the own and the other's score."""
    at = np.arange(len(values))
    low, high = np.maximum(at - NEAR, 0), np.minimum(at + NEAR, len(values) - 1)
    own = (values[low] - values[high]) / (high - low)[:, None]
    other = (values[:, high] - values[:, low]) / (high - low)
    return np.asarray(np.maximum((own + other) / 2, LEAST_SLOPE))


def digits_for(rules: DiceRules, seen: Decisions) -> np.ndarray:
    """Return int64[n, DIGITS] for decisions."""
    digits = np.empty((len(seen.hands), DIGITS), dtype=np.int64)
    fill_digits(rules.penalties, seen.hands, seen.others, seen.rows, seen.scores, digits)
    return digits


def places(features: list[list[int]], digits: np.ndarray) -> np.ndarray:
    """Return int64[n, features], the weights that count for each row of digits."""
    return np.stack(
        [
            start + (digits[:, i] * size_j + digits[:, j]) * size_k + digits[:, k]
            for i, j, k, start, size_j, size_k in laid_out(features)
        ],
        axis=1,
    )


def fit(places_: np.ndarray, wanted: np.ndarray, weight: np.ndarray, size: int) -> np.ndarray:
    """Return float64[size], the weights whose sums come closest to what is wanted."""
    count, width = places_.shape
    matrix = csr_matrix(
        (np.repeat(weight, width), places_.ravel(), np.arange(0, count * width + 1, width)),
        shape=(count, size),
    )
    return np.asarray(lsqr(matrix, wanted * weight, damp=PENALTY, iter_lim=STEPS)[0])


def gathered(making: Making, rules: DiceRules, text: str) -> tuple[Decisions, np.ndarray]:
    """Return decisions of all solved rounds, and the number of the round of each."""
    table = best_play(text)
    assert table is not None, "the table of best play is shipped"
    best = GAME.best_policy(rules, 2, "points")
    folder = making.work / text.replace("/", "-")
    folder.mkdir(parents=True, exist_ok=True)
    threads = making.threads or os.cpu_count() or 1
    parts, numbers = [], []
    for first in range(0, making["rounds"], PART):
        path = folder / f"{first:06}.npz"
        if not path.exists():
            found = [
                (number, decisions(rules, best, table, making["seed"], number, threads))
                for number in range(first, min(first + PART, making["rounds"]))
            ]
            _keep(path, [(number, seen) for number, seen in found if seen is not None])
        with np.load(path) as kept:
            parts.append(Decisions(*(kept[name] for name in Decisions._fields)))
            numbers.append(kept["numbers"])
        making.bar(first + PART, making["rounds"])
    return _joined(parts), np.concatenate(numbers)


def _joined(parts: Sequence[Decisions]) -> Decisions:
    return Decisions(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def _keep(path: Path, found: Sequence[tuple[int, Decisions]]) -> None:
    """Write a part, whole or not at all."""
    partial = path.with_name("partial.npz")
    numbers = np.concatenate([np.full(len(seen.hands), number) for number, seen in found])
    np.savez_compressed(partial, numbers=numbers, **_joined([seen for _, seen in found])._asdict())
    os.replace(partial, path)


def fit_rules(making: Making, text: str) -> tuple[np.ndarray, dict[str, Any]]:
    """Return float16 weights of both nets, and how well they do."""
    rules = GAME.rules(text)
    seen, numbers = gathered(making, rules, text)
    table = best_play(text)
    assert table is not None
    making.tell(f"{text}: {len(numbers):,} decisions of {making['rounds']:,} rounds")
    mine, other = seen.scores.T
    slope = slopes(table.values)[mine, other]
    gain = seen.quitting - seen.rolling
    better = np.clip(gain / slope, -LARGE, LARGE)
    cost = (np.minimum(seen.quitting, seen.rolling) - (0.5 - table.values[mine, other])) / slope
    digits = digits_for(rules, seen)
    learned = numbers % TESTED > 0
    weights, errors = [], {}
    for net, wanted, weight in (
        ("rolling", better, 1 / (1 + np.abs(gain / slope) / CLEAR)),
        ("deciding", cost, np.ones(len(cost))),
    ):
        at, size = places(FEATURES[net], digits), weights_of(FEATURES[net])
        found = fit(at[learned], wanted[learned], weight[learned], size)
        weights.append(found)
        off = found[at].sum(axis=1)
        if net == "rolling":
            wrong = (off > 0) != (gain > 0)
            errors["wrong"] = [float(wrong[part].mean()) for part in (learned, ~learned)]
            errors["cost"] = [
                float((np.abs(gain) * wrong)[part].mean()) for part in (learned, ~learned)
            ]
        else:
            errors["points"] = [
                float(np.sqrt(((off - wanted)[part] ** 2).mean())) for part in (learned, ~learned)
            ]
        making.tell(f"{text}: {net}: {errors}")
    rounded = {name: [float(f"{value:.3g}") for value in pair] for name, pair in errors.items()}
    return np.concatenate(weights).astype(np.float16), {"decisions": len(numbers), **rounded}


def make(making: Making) -> None:
    """Fit and write."""
    entries: dict[str, Any] = {}
    for text in RULES:
        weights, errors = fit_rules(making, text)
        name = text.replace("/", "-") + ".npy"
        digest = making.write_array(f"data/copy/{name}", weights)
        entries[text] = {"file": name, **errors, "sha256": digest}
    entries.update({text: entries[other] for text, other in ALIKE.items()})
    manifest = {
        "what": "weights of `copy`, fitted to decisions of solved rounds. Its errors are those at "
        "decisions that it was fitted to, and at others. wrong: share of wrong decisions to quit "
        "or roll. cost: what they cost on average, in chances to win. points: error of what a "
        "situation costs",
        "command": making.command,
        "version": __version__,
        "rounds": making["rounds"],
        "seed": making["seed"],
        "features": FEATURES,
        "rules": entries,
    }
    making.write(f"data/{MANIFEST}", json.dumps(manifest) + "\n")


TARGET = Target(
    name="copy",
    what="the weights of `copy`, which plays Lama Dice for two nearly as solved",
    make=make,
    writes=("data/copy/",),
    reads=(*POLICIES, *EQUITY, "data/best_play/"),
    options={"rounds": 2_000, "seed": 1},
    quick={"rounds": 20},
    deep=True,
)
