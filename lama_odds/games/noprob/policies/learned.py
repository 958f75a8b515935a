"""What `learned` knows, as shipped in data/learned."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from lama_odds.core.data import data_bytes, data_json
from lama_odds.games.noprob.engine.learned import STAGES, Learned, line_kinds
from lama_odds.games.noprob.rules.ruleset import NoprobRules
from lama_odds.games.noprob.rules.scoring import CODES
from lama_odds.jit.arrays import array_of

MANIFEST = "learned/noprob.json"
NOTHING = Learned(
    np.zeros((0, CODES)), np.zeros((0, CODES)), np.zeros((2, 0)), np.zeros((0, 2)), 0.0
)


class Weights(NamedTuple):
    """What is fitted, by kinds of lines (see `line_kinds`); as in `Learned` otherwise.

    own, theirs: float64[STAGES, kinds].
    """

    own: np.ndarray
    theirs: np.ndarray
    share: np.ndarray
    chance: np.ndarray


def learned(rules: NoprobRules) -> Learned:
    """Return what a policy knows that plays under a rule set: fitted to the game as it is sold."""
    return _as_sold()._replace(mean=rules.mean_card)


def expanded(weights: Weights, mean: float) -> Learned:
    """Return weights by lines."""
    kinds = line_kinds()
    own, theirs = (np.ascontiguousarray(part[:, kinds]) for part in weights[:2])
    return Learned(own, theirs, weights.share, weights.chance, mean)


def joined(weights: Weights) -> np.ndarray:
    """Return float32[STAGES, …], as it is shipped."""
    return np.concatenate(
        [weights.own, weights.theirs, weights.share.T, weights.chance], axis=1
    ).astype(np.float32)


def split(rows: np.ndarray) -> Weights:
    """Return the parts of what is shipped."""
    own, theirs = np.split(rows[:, :-4].astype(np.float64), 2, axis=1)
    share = np.ascontiguousarray(rows[:, -4:-2].T.astype(np.float64))
    return Weights(own, theirs, share, np.ascontiguousarray(rows[:, -2:].astype(np.float64)))


@cache
def _as_sold() -> Learned:
    found = data_json(MANIFEST)
    rows = array_of(data_bytes(f"learned/{found['file']}", found["sha256"]))
    assert len(rows) == STAGES
    return expanded(split(rows), np.nan)
