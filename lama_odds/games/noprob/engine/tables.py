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
    cards: int64, the blocks of `card`, see `card_rules`; None if nobody plays it.
    log: int64 of any size, see `round_loop.log_turn`; of size 0 for none.
    """

    scoring: ScoreTables
    points: np.ndarray
    spread: np.ndarray
    worth: np.ndarray
    learned: Learned | None
    low: np.ndarray | None
    cards: np.ndarray | None
    log: np.ndarray


class ForkTables(NamedTuple):
    """Tables for forks in first rounds. chances: int64, see `tally_layout.forks_here`."""

    play: PlayTables
    chances: np.ndarray


class TrailTables(NamedTuple):
    """A player, and a round so far, for `beliefs.follow`.

    seat: the player. looked: mask of the cells it has looked at.
    hands: int64[hands], kinds in those of them that are face down still, a nibble for each cell.
    turns: int64[turns], of everybody, see `round_loop.log_turn`.
    epsilon: the share of choices at random.
    """

    seat: int
    looked: int
    hands: np.ndarray
    turns: np.ndarray
    epsilon: float


class HeldTables(NamedTuple):
    """Deals of what the others have looked at and not turned up, for `beliefs.draw_hands`.

    upto: float64[deals], summed chances; empty if nothing is inferred.
    hands: int64[deals, seats], kinds in the cells, a nibble for each cell.
    packs: int64[deals, 2], all these cards as in a pile, see `pile.pack_up`.
    cells: int64[seats], grids with all ones in the cells.
    looked: int64[seats], masks of all cells that a player has looked at.
    """

    upto: np.ndarray
    hands: np.ndarray
    packs: np.ndarray
    cells: np.ndarray
    looked: np.ndarray


class RolloutTables(NamedTuple):
    """Tables for a position that is played out.

    root: int64[TABLE_SIZE], see `kernels.deal_unknown`.
    actions: int64[k, 3], root actions. plan: int64[2, KINDS], the use of every card.
    unknown: the number of unknown discards. peeks: the number of cells looked at.
    starter: who started the round, −1 if not known. played: rounds with this one.
    held: cards that the others' play tells of.
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
    held: HeldTables
