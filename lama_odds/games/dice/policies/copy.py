"""The weights of `copy` and what they were fitted to, as shipped in data/copy."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from lama_odds.core.data import data_bytes, data_json
from lama_odds.core.errors import ReadError
from lama_odds.games.dice.engine.copied import SIZES, Copied, Net
from lama_odds.jit.arrays import array_of

MANIFEST = "copy/dice.json"


def copied_from(rules_id: str) -> dict[str, Any] | None:
    """Return what is known of the weights for a rule set; None if there are none."""
    found: dict[str, Any] | None = data_json(MANIFEST)["rules"].get(rules_id)
    return found


def copied(rules_id: str, players: int) -> Copied:
    """Return the weights for a rule set.

    Raises ReadError unless two players play a rule set for which weights were fitted.
    """
    entry = copied_from(rules_id)
    if players != 2:
        raise ReadError(f"copy is a policy for two players, found {players}")
    if entry is None:
        known = ", ".join(sorted(data_json(MANIFEST)["rules"]))
        raise ReadError(f"copy is fitted to {known}; found {rules_id}")
    return _read(entry["file"], entry["sha256"])


@cache
def _read(name: str, digest: str) -> Copied:
    weights = array_of(data_bytes(f"copy/{name}", digest)).astype(np.float32)
    nets = data_json(MANIFEST)["features"]
    features = {
        net: np.array(laid_out(nets[net]), dtype=np.int64) for net in ("rolling", "deciding")
    }
    split = weights_of(nets["rolling"])
    return Copied(
        Net(features["rolling"], weights[:split]), Net(features["deciding"], weights[split:])
    )


def laid_out(features: list[list[int]]) -> list[list[int]]:
    """Return rows of `copied.Net.features` for features of three digits each."""
    rows, at = [], 0
    for first, second, third in features:
        rows.append([first, second, third, at, SIZES[second], SIZES[third]])
        at += SIZES[first] * SIZES[second] * SIZES[third]
    return rows


def weights_of(features: list[list[int]]) -> int:
    """Return the number of weights of these features."""
    return sum(SIZES[first] * SIZES[second] * SIZES[third] for first, second, third in features)
