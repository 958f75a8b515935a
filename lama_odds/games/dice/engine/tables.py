"""What the kernels of Lama Dice read besides rules and policies, by name.

numba takes tuples with named fields as arguments, also one within another.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from lama_odds.games.interface.tally_layout import RolloutLayout


class PlayTables(NamedTuple):
    """What rounds and games are played with.

    rolls: int64, all rolls of the dice, packed. points: int64, what holding a set of kinds costs.
    values: float32[blocks, …], see `meanfield`. ranks: see `policy_kernels.hand_index`. log: int64
    of any size, see `round_loop.log_turn`; of size 0 for none.
    """

    rolls: np.ndarray
    points: np.ndarray
    values: np.ndarray
    ranks: np.ndarray
    log: np.ndarray


class FromScoresTables(NamedTuple):
    """Of rounds of two from given scores. score: of seat 0."""

    play: PlayTables
    score: int


class ForkRoundTables(NamedTuple):
    """Of decisions in first rounds. chances: int64, by penalty, see `tally_layout.forks_here`."""

    play: PlayTables
    chances: np.ndarray


class ForkGameTables(NamedTuple):
    """Of decisions in games. chances: int64, by cell; band, bands: see `score_bands.score_cell`."""

    play: PlayTables
    chances: np.ndarray
    band: int
    bands: int


class RolloutTables(NamedTuple):
    """Of a position that is played out.

    root: int64[TABLE_SIZE], the table at the position, seat 0 to decide. actions: int64[k, 2],
    code and cards (or kind) of each root action. others: seats still in besides. row: the row.
    play_out: whether to play the game out. equities: a match equity table that values what the
    round leaves (see `equity_after`), or an empty one.
    """

    play: PlayTables
    root: np.ndarray
    actions: np.ndarray
    others: int
    row: int
    play_out: int
    layout: RolloutLayout
    equities: np.ndarray
