"""What the kernels of No Prob-Lama read besides rules and policies, by name.

numba takes named tuples as arguments, also one within another.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from lama_odds.games.interface.tally_layout import RolloutLayout
from lama_odds.games.noprob.engine.foretelling import Learned
from lama_odds.games.noprob.rules.scoring import ScoreTables


class PlayTables(NamedTuple):
    """Tables for rounds and games.

    scoring: how a grid is counted. points: of each kind.
    spread: masks, see `grids.spread_masks`.
    worth: float64[chases, codes], see `grids.line_worth`.
    learned: what a LEARNED policy knows; None if none plays.
    low: int64[1], points of a card face down for LOW_CARDS; None if none plays.
    log: int64 of any size, see `round_loop.log_turn`; of size 0 for none.
    """

    scoring: ScoreTables
    points: np.ndarray
    spread: np.ndarray
    worth: np.ndarray
    learned: Learned | None
    low: np.ndarray | None
    log: np.ndarray


class ForkTables(NamedTuple):
    """Tables for forks in first rounds. chances: int64, see `tally_layout.forks_here`."""

    play: PlayTables
    chances: np.ndarray


class RolloutTables(NamedTuple):
    """Tables for a position that is played out.

    root: int64[TABLE_SIZE], see `kernels.deal_unknown`.
    actions: int64[k, 3], root actions. plan: int64[2, KINDS], the use of every card.
    unknown: the number of unknown discards. peeks: the number of cells looked at.
    starter: who started the round, −1 if not known. played: rounds with this one.
    """

    play: PlayTables
    root: np.ndarray
    actions: np.ndarray
    plan: np.ndarray
    unknown: int
    peeks: int
    starter: int
    played: int
    layout: RolloutLayout
