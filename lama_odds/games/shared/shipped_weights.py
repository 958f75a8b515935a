"""Weights of policies that games have taught, as shipped: a file for each number of players."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from lama_odds.core.errors import ReadError
from lama_odds.core.language import say
from lama_odds.core.reading import data_json

PLAYERS = range(3, 7)
LEARNED = "learned"  # the policy, in every game that has one


def suits(manifest: str, rules_id: str, players: int) -> bool:
    """Return whether there are weights for a rule set and number of players."""
    return players in PLAYERS and rules_id in data_json(manifest)["rules"]


def file_of(manifest: str, rules_id: str, players: int) -> tuple[str, str]:
    """Return the file with the weights for a rule set and number of players, and its SHA-256.

    manifest: in the shipped data, like the file. Raises ReadError if there are none.
    """
    known: dict[str, Any] = data_json(manifest)
    if players not in PLAYERS:
        raise ReadError(
            say(
                "{policy} is a policy for three to six players, found {players}",
                policy=LEARNED,
                players=players,
            )
        )
    if rules_id not in known["rules"]:
        raise ReadError(
            say(
                "{policy} is trained for {rules}; found {found}",
                policy=LEARNED,
                rules=", ".join(known["rules"]),
                found=rules_id,
            )
        )
    table = known["tables"][str(players)]
    return manifest.rpartition("/")[0] + "/" + table["file"], table["sha256"]


def joined(parts: Iterable[np.ndarray]) -> np.ndarray:
    """Return weights as they are shipped: float16, one array after the other."""
    return np.concatenate([part.ravel() for part in parts]).astype(np.float16)


def split(weights: np.ndarray, shapes: Sequence[tuple[int, ...]]) -> list[np.ndarray]:
    """Return the arrays of these shapes, float32, from what `joined` returns."""
    parts, at = [], 0
    for shape in shapes:
        size = int(np.prod(shape))
        parts.append(weights[at : at + size].astype(np.float32).reshape(shape))
        at += size
    return parts
