"""Match equity tables: the chance to win a game of two from the scores alone.

What gammon programs do for matches: a round is played out, and what it leaves is looked up
instead of played on. ``values[mine, other]`` is the chance to win of who starts the next round,
ties shared, both playing one policy. Tables are shipped in data/equity for the rule sets of their
manifest, solved by `tools/publish equity-tables` (see `analysis.equity`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from lama_odds.core.data import data_bytes, data_json
from lama_odds.core.policies import Policy
from lama_odds.games.interface.jobs import RolloutJob
from lama_odds.games.interface.tally_layout import EQUITY
from lama_odds.jit.arrays import array_of

MANIFEST = "equity/manifest.json"
PLAYED_ON = np.zeros((0, 0), dtype=np.int64)  # no table: games are played to their end


@dataclass(frozen=True)
class MatchEquity:
    """A table. values, stderr: float64[target, target]; rounds: played from each two scores.

    seed: of these rounds.
    """

    policy: str
    values: np.ndarray
    stderr: np.ndarray
    rounds: int
    seed: int

    @property
    def said(self) -> str:
        """What it is, and how far it is off."""
        return (
            f"the match equity table of {self.policy} (standard error of an entry at most "
            f"{100 * self.stderr.max():.2g} %, not in the intervals)"
        )

    @property
    def counted(self) -> np.ndarray:
        """int64: the chances in units of 1 / EQUITY, as kernels add them up."""
        return np.asarray(np.rint(self.values * EQUITY), dtype=np.int64)


def shipped(rules_id: str, policies: Sequence[Policy]) -> MatchEquity | None:
    """The table for two players of these policies; None if there is none.

    Raises LamaOddsError if the installation's table is not the one of its manifest.
    """
    entry = data_json(MANIFEST)["tables"].get(rules_id)
    if entry is None or len(policies) != 2 or {p.name for p in policies} != {entry["policy"]}:
        return None
    values, stderr = read_table(entry["file"], entry["sha256"])
    return MatchEquity(entry["policy"], values, stderr, entry["rounds"], entry["seed"])


@cache
def read_table(name: str, digest: str) -> tuple[np.ndarray, np.ndarray]:
    """Values and errors of a file of data/equity; LamaOddsError if its hash is another one."""
    values, stderr = array_of(data_bytes(f"equity/{name}", digest))
    return values, stderr


def valued_by(job: RolloutJob, table: MatchEquity) -> RolloutJob:
    """Rollouts that look up what a round leaves instead of playing the game on.

    job: of a game whose kernel takes such a table, as its `equities`.
    """
    units = (*job.units[:-1], 1 / EQUITY)
    return replace(
        job, job=job.job.with_tables(equities=table.counted), units=units, looked_up=True
    )
