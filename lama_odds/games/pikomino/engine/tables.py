"""What the kernels of Pikomino read besides rules and policies, by name.

numba takes named tuples as arguments, also one within another.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from lama_odds.games.interface.tally_layout import RolloutLayout
from lama_odds.games.pikomino.rules.turn_tables import TurnTables


class Learned(NamedTuple):
    """What `learned` knows; both empty if nobody plays it.

    weights: float32[numbers of players, FEATURES, HIDDEN]. out: float32[numbers of players,
    HIDDEN + 1]. See `learned.read_off`.
    """

    weights: np.ndarray
    out: np.ndarray


class PlayTables(NamedTuple):
    """Tables for games.

    turn: states of a turn. worms: int64, by tile. rolls: see `round_loop.roll_dice`.
    learned: what a policy of this name knows.
    cards: int64, the blocks of `card`, see `card_rules`; None if nobody plays it.
    log: int64 of any size, see `round_loop.log_roll`; of size 0 for none.
    """

    turn: TurnTables
    worms: np.ndarray
    rolls: np.ndarray
    learned: Learned
    cards: np.ndarray | None
    log: np.ndarray


class Scratch(NamedTuple):
    """Arrays that the turns of a game overwrite.

    stop, steals: by total, the payoff of stopping and whether it steals.
    worth, rolling, needed: by state, its value, the value of rolling there, and whether it is
    needed.
    on, sums: see `learned.switch_on` and `learned.read_off`. values: see `adjusted.set_values`.
    seen: what a card sees, see `card_rules`.
    """

    stop: np.ndarray
    worth: np.ndarray
    rolling: np.ndarray
    steals: np.ndarray
    needed: np.ndarray
    on: np.ndarray
    sums: np.ndarray
    values: np.ndarray
    seen: np.ndarray


class StandingTables(NamedTuple):
    """Tables for standings. bands: int64[MAX_TILES + 1], the band of each number of tiles."""

    play: PlayTables
    bands: np.ndarray


class RolloutTables(NamedTuple):
    """Tables for a position that is played out.

    root: int64[BOARD_SIZE]. actions: int64[k, 2].
    """

    play: PlayTables
    root: np.ndarray
    actions: np.ndarray
    layout: RolloutLayout


class ThinkingTables(NamedTuple):
    """Tables for games in which a seat looks a turn further ahead, see `thinking`."""

    play: PlayTables
    seat: int
