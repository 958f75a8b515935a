"""Match equity tables of three to six players: a network of the scores, see `score_chances`.

`analysis.several_equity` fits them. Those that are shipped are in data/several_equity, of tuned
policies, and in data/fitted_several, of trained ones. `tools/publish several-equity` and
`fitted-several` write them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from lama_odds.core.data import data_bytes, data_json
from lama_odds.games.interface.score_chances import (
    POWERS,
    STEPS,
    Equities,
    Several,
    chances_at,
)
from lama_odds.games.interface.tally_layout import EQUITY
from lama_odds.jit.arrays import array_of

TUNED, TRAINED = FOLDERS = ("several_equity", "fitted_several")
PLAYERS = range(3, 7)


@dataclass(frozen=True)
class SeveralEquity:
    """A match equity table of more than two players of one policy.

    own, common, weights: int32, see `score_chances.Several`. whole: how much of a weighted sum is a
    logarithm by 1.
    stderr: how far a chance at random scores is off, as a standard deviation. after: the same of
    the mean chance after a round from there. apart: the same of the difference between two such
    means, at scores that are near each other.
    rounds: the number it was fitted to. seed: of these rounds.
    """

    policy: str
    own: np.ndarray
    common: np.ndarray
    weights: np.ndarray
    whole: int
    stderr: float
    after: float
    apart: float
    rounds: int
    seed: int

    @property
    def players(self) -> int:
        """The number of players."""
        return int(self.own.shape[0])

    @property
    def target(self) -> int:
        """The score that ends a game."""
        return int(self.own.shape[1])

    @property
    def said(self) -> str:
        """The table and its error, in words."""
        return (
            f"the match equity table of {self.players} players of {self.policy} (standard error of "
            f"a mean chance {100 * self.after:.2g} %, in the intervals)"
        )

    @property
    def counted(self) -> Equities:
        """The table for kernels."""
        several = Several(self.own, self.common, self.weights, self.whole // STEPS, POWERS)
        return Equities(np.zeros((0, 0), dtype=np.int64), several)

    def chances(self, scores: Sequence[int]) -> np.ndarray:
        """Return float64[players]: everybody's chance to win; the first one starts."""
        found: np.ndarray = chances_of(self, np.array([scores], dtype=np.int64))[0]
        return found


def chances_of(
    table: SeveralEquity, scores: np.ndarray, starters: np.ndarray | None = None
) -> np.ndarray:
    """Return float64[rows, players], chances by the scores of all seats.

    starters: of the next round; None: seat 0.
    """
    if starters is None:
        starters = np.zeros(len(scores), dtype=np.int64)
    return chances_in(table.counted, scores, starters)


def chances_in(counted: Equities, scores: np.ndarray, starters: np.ndarray) -> np.ndarray:
    """Return float64[rows, players], chances in the table of a kernel, of any number of players."""
    found = np.zeros_like(scores)
    chances_at(counted, scores, starters, found)
    return np.asarray(found / EQUITY)


def shipped_several(rules_id: str, policies: Sequence[str]) -> SeveralEquity | None:
    """Return the shipped table of players of these policies; None if there is none.

    Raises LamaOddsError if the installed table differs from its manifest.
    """
    for folder in FOLDERS:
        entry = manifest(folder)["tables"].get(rules_id, {}).get(str(len(policies)))
        if entry is not None and set(policies) == {entry["policy"]}:
            return read_several(folder, entry)
    return None


def manifest(folder: str) -> Any:
    """Return what is known of the shipped tables of one of the FOLDERS."""
    return data_json(f"{folder}/manifest.json")


def read_several(folder: str, entry: dict[str, Any]) -> SeveralEquity:
    """Return the table of an entry of the manifest of a folder."""
    flat = array_of(data_bytes(f"{folder}/{entry['file']}", entry["sha256"])).astype(np.int32)
    units = entry["units"]
    shape = (2, entry["players"], entry["target"], units)
    own, common = flat[:-units].reshape(shape)
    return SeveralEquity(
        entry["policy"],
        own,
        common,
        flat[-units:],
        entry["whole"],
        entry["stderr"],
        entry["after"],
        entry["apart"],
        entry["rounds"],
        entry["seed"],
    )


def packed(table: SeveralEquity) -> np.ndarray:
    """Return int16[…]: the own rows, the common ones and the weights, as they are shipped."""
    parts = (table.own, table.common, table.weights)
    return np.concatenate([part.reshape(-1) for part in parts]).astype(np.int16)
