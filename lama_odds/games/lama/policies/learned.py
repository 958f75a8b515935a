"""What `learned` knows, as shipped in data/lama: weights for each number of players."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from lama_odds.core.errors import ReadError
from lama_odds.core.language import say
from lama_odds.core.reading import data_bytes, data_json
from lama_odds.games.lama.engine.trained import FIRST, MOVES, ROWS, SECOND, Learned
from lama_odds.jit.arrays import array_of

MANIFEST = "lama/learned.json"
PLAYERS = range(3, 7)
SHAPES = ((ROWS, FIRST), (FIRST, SECOND), (MOVES, SECOND), (SECOND + MOVES,))  # as in `Learned`


def suits(rules_id: str, players: int) -> bool:
    """Return whether `learned` can play a rule set with this number of players."""
    return players in PLAYERS and rules_id in data_json(MANIFEST)["rules"]


def learned(rules_id: str, players: int) -> Learned:
    """Return the weights for a rule set and number of players.

    Raises ReadError if there are none.
    """
    manifest: dict[str, Any] = data_json(MANIFEST)
    if players not in PLAYERS:
        raise ReadError(
            say(
                "{policy} is a policy for three to six players, found {players}",
                policy="learned",
                players=players,
            )
        )
    if rules_id not in manifest["rules"]:
        raise ReadError(
            say(
                "{policy} is trained for {rules}; found {found}",
                policy="learned",
                rules=", ".join(manifest["rules"]),
                found=rules_id,
            )
        )
    table = manifest["tables"][str(players)]
    return _read(table["file"], table["sha256"])


@cache
def _read(name: str, digest: str) -> Learned:
    return split(array_of(data_bytes(f"lama/{name}", digest)))


def joined(net: Learned) -> np.ndarray:
    """Return the weights as they are shipped: float16, one after the other."""
    return np.concatenate([part.ravel() for part in net]).astype(np.float16)


def split(weights: np.ndarray) -> Learned:
    """Return the weights, float32, from what `joined` returns."""
    parts, at = [], 0
    for shape in SHAPES:
        size = int(np.prod(shape))
        parts.append(weights[at : at + size].astype(np.float32).reshape(shape))
        at += size
    return Learned(*parts)
