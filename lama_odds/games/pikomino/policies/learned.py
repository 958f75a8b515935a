"""What `learned` knows, as shipped in data/pikomino."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from lama_odds.core.data import data_bytes, data_json
from lama_odds.games.pikomino.engine.learned import FEATURES, HIDDEN
from lama_odds.games.pikomino.engine.tables import Learned
from lama_odds.jit.arrays import array_of

AS_SOLD = "pikomino/egmont"
PLAYERS = range(2, 8)
MANIFEST = "pikomino/learned.json"
TABLE = "pikomino/learned.npy"
ERRORS = "pikomino/learned_errors.json"
NOTHING = Learned(
    np.zeros((0, FEATURES, HIDDEN), np.float32), np.zeros((0, HIDDEN + 1), np.float32)
)


def suits(rules_id: str) -> bool:
    """Return whether `learned` plays well under a rule set: it was measured on no other one."""
    return rules_id == AS_SOLD


def joined(weights: np.ndarray, out: np.ndarray) -> np.ndarray:
    """Return float16[players, FEATURES · HIDDEN + HIDDEN + 1], as it is shipped."""
    return np.concatenate([weights.reshape(len(weights), -1), out], axis=1).astype(np.float16)


def split(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the weights and the output layer of what is shipped."""
    found = rows.astype(np.float32)
    weights, out = found[:, : FEATURES * HIDDEN], found[:, FEATURES * HIDDEN :]
    shape = len(rows), FEATURES, HIDDEN
    return np.ascontiguousarray(weights).reshape(shape), np.ascontiguousarray(out)


@cache
def learned() -> Learned:
    """Return what `learned` knows: it was fitted to the game as it is sold."""
    found = data_json(MANIFEST)
    return Learned(*split(array_of(data_bytes(TABLE, found["sha256"]))))


def errors_of(players: int) -> dict[str, Any] | None:
    """Return the measured errors of chances one turn ahead, see `look_ahead.Errors`."""
    found: dict[str, dict[str, Any]] = data_json(ERRORS)["errors"]
    return found.get(str(players))
