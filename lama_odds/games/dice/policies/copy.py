"""The networks of `copy`, from the weights shipped in data/copy and the table of best play.

What depends on the scores alone is added up here, so that a decision looks it up as one row.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from lama_odds.core.data import data_bytes, data_json
from lama_odds.core.errors import ReadError
from lama_odds.games.dice.engine.copied import (
    ENDS,
    FINALS,
    FIRST,
    OTHERS,
    OWN,
    RESULTS,
    ROWS,
    SECOND,
    Net,
    Worths,
    laid_out,
)
from lama_odds.games.dice.rules.ruleset import DiceRules
from lama_odds.games.dice.rules.winning import EVEN, chance_to_win
from lama_odds.games.interface.match_equity import MatchEquity, best_play
from lama_odds.jit.arrays import array_of

MANIFEST = "copy/dice.json"
# Points from which the worth of scores is seen; -1 stands for a returned token.
STEPS = (-1, 0, 7, 14, 25)
STEPS_ALONE = (-1, 1, 3, 5, 7, 9, 11, 13, 15, 18, 21, 25, 31)
MIDDLE = 0.012  # chance to win that a point changes about the middle of a game
LEAST_SLOPE, LEAST_ALONE = 0.004, 0.002
NEAR = 5  # scores on either side from which it is found what a point changes
FAR = 20  # the same for a player alone


class Weights(NamedTuple):
    """What is fitted of a network; see `copied.Net`.

    own, other: float[score, FIRST], rows of the first layer for either score. outlook:
    float[features, FIRST], see `outlook`.
    """

    cards: np.ndarray
    own: np.ndarray
    other: np.ndarray
    outlook: np.ndarray
    ends: np.ndarray
    second: np.ndarray
    results: np.ndarray
    constants: np.ndarray


def shapes(alone: bool) -> list[tuple[int, ...]]:
    """Return the shapes of the weights, in the order of `Weights`."""
    seen = len(STEPS_ALONE) if alone else len(STEPS) ** 2
    first = [ROWS, OWN, OTHERS, seen + 1, ENDS]
    rest = [(FIRST, SECOND), (RESULTS, SECOND), (SECOND + RESULTS,)]
    return [*((rows, FIRST) for rows in first), *rest]


def worths(rules: DiceRules, table: MatchEquity, alone: bool) -> Worths:
    """Return what scores are worth to players of a rule set; alone: if the other has quit."""
    scores = np.arange(FINALS)
    mine, other = np.meshgrid(scores, scores, indexing="ij")
    i_end = EVEN - chance_to_win(rules, mine, other, table)
    ends = np.stack((i_end, i_end if alone else -i_end.T))
    returns = np.array([rules.token(score) for score in scores.tolist()])
    if alone:
        own = np.arange(OWN)
        after, before = i_end[own + FAR], i_end[own - returns[own]]
        changed = (after - before) / (FAR + returns[own])[:, None]
        slopes = np.maximum(changed[:, :OTHERS], LEAST_ALONE)
    else:
        slopes = np.full((OWN, OTHERS), LEAST_SLOPE)
        slopes[: rules.target, : rules.target] = _slopes(table.values)
    return Worths(*(part.astype(np.float32) for part in (ends, slopes, returns)))


def _slopes(values: np.ndarray) -> np.ndarray:
    """Return float64[target, target]: what a point changes, by the own and the other's score."""
    at = np.arange(len(values))
    low, high = np.maximum(at - NEAR, 0), np.minimum(at + NEAR, len(values) - 1)
    own = (values[low] - values[high]) / (high - low)[:, None]
    other = (values[:, high] - values[:, low]) / (high - low)
    return np.asarray(np.maximum((own + other) / 2, LEAST_SLOPE))


def outlook(found: Worths, alone: bool) -> np.ndarray:
    """Return float64[own, other, features]: what scores are worth some points from here."""
    own, others = found.slopes.shape
    slopes = found.slopes.astype(np.float64)
    returns = found.returns.astype(np.int64)
    a, b = np.arange(own), np.arange(others)
    mean = found.ends.astype(np.float64).mean(axis=0)

    def moved(scores: np.ndarray, step: int) -> np.ndarray:
        return scores - returns[scores] if step < 0 else scores + step

    still = (0,) if alone else STEPS
    seen = [
        mean[np.ix_(moved(a, mine), moved(b, other))] - mean[:own, :others]
        for mine in (STEPS_ALONE if alone else STEPS)
        for other in still
    ]
    size = (slopes - MIDDLE) / (slopes + MIDDLE)
    return np.stack([*(each / slopes * 0.1 for each in seen), size], axis=-1)


def net_of(weights: Weights, found: Worths, alone: bool) -> np.ndarray:
    """Return a network as the compiled functions read it, see `copied.laid_out`."""
    scores = weights.own[:, None].astype(np.float64) + weights.other[None]
    features = outlook(found, alone)
    for number, row in enumerate(weights.outlook.astype(np.float64)):
        scores = scores + features[..., number, None] * row  # in this order: the same bits anywhere
    return laid_out(Net(weights.cards, scores, *weights[4:]), found)


def joined(both: tuple[Weights, Weights]) -> np.ndarray:
    """Return the weights of both networks as they are shipped: float16."""
    return np.concatenate([part.ravel() for net in both for part in net]).astype(np.float16)


def split(weights: np.ndarray) -> tuple[Weights, Weights]:
    """Return the weights of both networks, float32, from what `joined` returns."""
    parts, at = [], 0
    for alone in (False, True):
        for shape in shapes(alone):
            size = int(np.prod(shape))
            parts.append(weights[at : at + size].astype(np.float32).reshape(shape))
            at += size
    count = len(Weights._fields)
    return Weights(*parts[:count]), Weights(*parts[count:])


def networks(rules: DiceRules, both: tuple[Weights, Weights], table: MatchEquity) -> np.ndarray:
    """Return both networks, one after the other."""
    return np.concatenate(
        [
            net_of(weights, worths(rules, table, alone), alone)
            for weights, alone in zip(both, (False, True), strict=True)
        ]
    )


def suits(rules: DiceRules, players: int) -> bool:
    """Whether weights were fitted for a rule set and number of players."""
    return players == 2 and rules.id in data_json(MANIFEST)["rules"]


def copied(rules: DiceRules, players: int) -> np.ndarray:
    """Return the networks for a rule set.

    Raises ReadError unless two players play a rule set for which weights were fitted.
    """
    known = data_json(MANIFEST)["rules"]
    if players != 2:
        raise ReadError(f"copy is a policy for two players, found {players}")
    if rules.id not in known:
        raise ReadError(f"copy is fitted to {', '.join(sorted(known))}; found {rules.id}")
    return _read(rules, known[rules.id]["file"], known[rules.id]["sha256"])


@cache
def _read(rules: DiceRules, name: str, digest: str) -> np.ndarray:
    table = best_play(rules.id)
    assert table is not None, "rule sets of `copy` have a table of best play"
    weights = array_of(data_bytes(f"copy/{name}", digest))
    return networks(rules, split(weights), table)
