"""The moves of `equilibrium` and what they were trained for, as shipped in data/equilibrium."""

from __future__ import annotations

from functools import cache
from math import comb
from typing import Any

import numpy as np

from lama_odds.core.errors import ReadError
from lama_odds.core.language import say
from lama_odds.core.reading import data_bytes, data_json
from lama_odds.games.lama.engine.trained import (
    HANDS,
    MOST_CARDS,
    MOST_OTHER,
    MOVES,
    Equilibrium,
)
from lama_odds.games.lama.rules.transition import PLACES
from lama_odds.jit.arrays import array_of

MANIFEST = "equilibrium/lama.json"
PER_BYTE = 4  # moves
SHAPE = (PLACES, MOST_OTHER, HANDS)  # of the situations of a class
POINTS_CLASS = 0  # the class for the points of a round; those of scores follow


def suits(rules_id: str, players: int) -> bool:
    """Return whether `equilibrium` can play a rule set with this number of players."""
    return players == 2 and rules_id in data_json(MANIFEST)["rules"]


def equilibrium_of(rules_id: str, players: int) -> Equilibrium:
    """Return the moves for a rule set.

    Raises ReadError unless two players play a rule set for which moves were trained.
    """
    entries: dict[str, Any] = data_json(MANIFEST)["rules"]
    if players != 2:
        raise ReadError(
            say(
                "{policy} is a policy for two players, found {players}",
                policy="equilibrium",
                players=players,
            )
        )
    if rules_id not in entries:
        raise ReadError(
            say(
                "{policy} is trained for {rules}; found {found}",
                policy="equilibrium",
                rules=", ".join(sorted(entries)),
                found=rules_id,
            )
        )
    entry = entries[rules_id]
    return _read(entry["file"], entry["sha256"], entry["target"])


@cache
def _read(name: str, digest: str, target: int) -> Equilibrium:
    content = array_of(data_bytes(f"equilibrium/{name}", digest))
    classes = content[: target**2].reshape(target, target)
    return Equilibrium(unpacked(content[target**2 :]), classes, rank_table())


def joined(moves: np.ndarray, classes: np.ndarray) -> np.ndarray:
    """Return uint8[…], as it is shipped: the class of each two scores, then four moves a byte."""
    flat = moves.reshape(-1, PER_BYTE)
    packed = sum(flat[:, at] << 2 * at for at in range(PER_BYTE))
    return np.concatenate([classes.ravel(), packed]).astype(np.uint8)


def unpacked(packed: np.ndarray) -> np.ndarray:
    """Return uint8[classes, PLACES, MOST_OTHER, HANDS] of bytes with four moves each."""
    moves = np.stack([packed >> 2 * at & MOVES - 1 for at in range(PER_BYTE)], axis=1)
    return np.ascontiguousarray(moves.reshape(-1, *SHAPE))


@cache
def rank_table() -> np.ndarray:
    """Return int64[PLACES, 32] for `equilibrium.hand_rank`."""
    ranks = np.zeros((PLACES, 32), dtype=np.int64)
    for place in range(PLACES):
        for cards in range(MOST_CARDS + 1):
            ranks[place, cards] = comb(cards + place, place + 1)
    return ranks
