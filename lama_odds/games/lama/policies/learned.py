"""What `learned` knows, as shipped in data/lama: weights for each number of players."""

from __future__ import annotations

from functools import cache

from lama_odds.core.reading import data_bytes
from lama_odds.games.lama.engine.trained import FIRST, MOVES, ROWS, SECOND, Learned
from lama_odds.games.shared import shipped_weights
from lama_odds.jit.arrays import array_of

MANIFEST = "lama/learned.json"
SHAPES = ((ROWS, FIRST), (FIRST, SECOND), (MOVES, SECOND), (SECOND + MOVES,))  # as in `Learned`


def learned(rules_id: str, players: int) -> Learned:
    """Return the weights for a rule set and number of players.

    Raises ReadError if there are none.
    """
    return _read(*shipped_weights.file_of(MANIFEST, rules_id, players))


@cache
def _read(path: str, digest: str) -> Learned:
    return Learned(*shipped_weights.split(array_of(data_bytes(path, digest)), SHAPES))
