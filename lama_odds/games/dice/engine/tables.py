"""What the kernels of Lama Dice read besides rules and policies: rows and tables by name.

numba takes named tuples as arguments, also one within another.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from lama_odds.games.interface.match_equity import Equities
from lama_odds.games.interface.tally_layout import RolloutLayout
from lama_odds.games.shared import seating

# What lies on the table of a round, in one array: ``table``, int64[TABLE_SIZE].
#
# It has a row of eight columns for each property of a seat: the entry of a seat is table[ROW +
# seat]. So a round needs few arguments and no other memory.

MAX_SEATS = seating.MAX_SEATS
COLUMNS = seating.COLUMNS

HAND = seating.HAND
PENALTY = seating.PENALTY
SCORE = seating.SCORE
NEXT = seating.NEXT
BEFORE = seating.BEFORE
AHEAD = 5 * COLUMNS  # the roll that this seat makes next, packed
DICE_AT = 6 * COLUMNS  # where its dice lane is read next (a uint64, as bits)
COINS_AT = 7 * COLUMNS  # the same for its coins
FAMILY = 8 * COLUMNS
PARAMETER = 9 * COLUMNS
BLOCK = 10 * COLUMNS
# Kinds and points of the hand, noted by `round_loop.hold` while a round is played.
KINDS_HELD = 11 * COLUMNS
COST = 12 * COLUMNS
# What a policy writes down while it decides.
SCRATCH = 13 * COLUMNS
SCRATCH_SIZE = 9 * COLUMNS
TABLE_SIZE = SCRATCH + SCRATCH_SIZE


class PlayTables(NamedTuple):
    """Tables for rounds and games.

    rolls: int64, all rolls of the dice, packed.
    points: int64, the cost of holding a set of kinds.
    values: float32[blocks, …], see `meanfield`.
    ranks: see `policy_kernels.hand_index`.
    copied: float32, the networks of `copy`, see `copied.laid_out`; None if nobody plays it.
    cards: int64, the blocks of `card`, see `card_rules`; None if nobody plays it.
    learned: float32, the networks of `learned`, see `trained.laid_out`; of size 0 if nobody plays
    it.
    log: int64 of any size, see `round_loop.log_turn`; of size 0 for none.
    """

    rolls: np.ndarray
    points: np.ndarray
    values: np.ndarray
    ranks: np.ndarray
    copied: np.ndarray | None
    cards: np.ndarray | None
    learned: np.ndarray
    log: np.ndarray


class RolloutTables(NamedTuple):
    """Tables for a position that is played out.

    root: int64[TABLE_SIZE], the table at the position; seat 0 decides.
    actions: int64[k, 2], code and cards (or kind) of each root action.
    others: the number of other seats still in. row: the row.
    equities: a match equity table that values the end of the round, if there is one.
    starts: see `from_scores.draw_scores`.
    """

    play: PlayTables
    root: np.ndarray
    actions: np.ndarray
    others: int
    row: int
    layout: RolloutLayout
    equities: Equities
    starts: np.ndarray
