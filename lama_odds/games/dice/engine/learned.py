"""The policy `learned`, and what it knows: weights for each number of players in data/dice."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from lama_odds.core.errors import ReadError
from lama_odds.core.language import say
from lama_odds.core.policies import Family
from lama_odds.core.reading import data_bytes, data_json
from lama_odds.games.dice.engine.policy_kernels import LEARNED
from lama_odds.games.dice.engine.trained import FIRST, ROWS, SECOND, Net, laid_out
from lama_odds.jit.arrays import array_of

MANIFEST = "dice/learned.json"
PLAYERS = range(3, 7)
SHAPES = ((ROWS, FIRST), (FIRST, SECOND), (1, SECOND), (SECOND + 1,))  # as in `Net`
NOBODY = np.zeros((0, FIRST), np.float32)  # where nobody plays it

TRAINED = Family(
    "learned",
    LEARNED,
    "three to six players: two small neural networks that have played millions of games against "
    "themselves. One says whether to roll, the other which cards to discard or to take. Both see "
    "all cards, the row and all scores. With 13 points or more it rolls, unless all others have "
    "quit",
    brief="learned",
)


def suits(rules_id: str, players: int) -> bool:
    """Return whether `learned` can play a rule set with this number of players."""
    return players in PLAYERS and rules_id in data_json(MANIFEST)["rules"]


def learned(rules_id: str, players: int) -> np.ndarray:
    """Return the networks for a rule set and number of players, see `trained.laid_out`.

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
def _read(name: str, digest: str) -> np.ndarray:
    return laid_out(split(array_of(data_bytes(f"dice/{name}", digest))))


def joined(nets: tuple[Net, Net]) -> np.ndarray:
    """Return the weights of both networks as they are shipped: float16, one after the other."""
    return np.concatenate([part.ravel() for net in nets for part in net]).astype(np.float16)


def split(weights: np.ndarray) -> tuple[Net, Net]:
    """Return the weights of both networks, float32, from what `joined` returns."""
    parts, at = [], 0
    for shape in 2 * SHAPES:
        size = int(np.prod(shape))
        parts.append(weights[at : at + size].astype(np.float32).reshape(shape))
        at += size
    count = len(SHAPES)
    return Net(*parts[:count]), Net(*parts[count:])
