"""What the kernels of the card games read besides rules and policies, by name.

numba takes tuples with named fields as arguments, also one within another.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from lama_odds.games.interface.tally_layout import RolloutLayout


class PlayTables(NamedTuple):
    """What rounds and games are played with.

    playable: int64, by top, the cards that can be played on it. penalties: what holding a set of
    values costs. order: int64, the kinds as policies go through them. values: float32[groups, …],
    see `meanfield`. ranks: see `policy_kernels.hand_index`. log: int64 of any size, see
    `round_loop.log_move`; of size 0 for none.
    """

    playable: np.ndarray
    penalties: np.ndarray
    order: np.ndarray
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


class QuitterTables(NamedTuple):
    """Hands of those who have quit, see `hidden_hands.Quitters`.

    seats: theirs. first: int64[nodes + 1], where the entries of each node begin; following, hands,
    upto: of each entry the node that follows, the hand drawn, and the chances up to it within its
    node. The last node is where a draw begins (its entries have no hand), then each gives the hand
    of one seat, the last first.
    """

    seats: np.ndarray
    first: np.ndarray
    following: np.ndarray
    hands: np.ndarray
    upto: np.ndarray


class RolloutTables(NamedTuple):
    """Of a position that is played out.

    root: int64[TABLE_SIZE], the table at the position, seat 0 to decide, hidden hands empty, the
    pack all that is unseen. actions: int64[k], moves. counts: int64[seats], cards of each. others:
    seats still in besides. play_out: whether to play the game out. starter: who started the round,
    −1 if nobody knows. equities: a match equity table that values what the round leaves (see
    `equity_after`), or an empty one.
    """

    play: PlayTables
    root: np.ndarray
    actions: np.ndarray
    counts: np.ndarray
    others: int
    play_out: int
    starter: int
    quitters: QuitterTables
    layout: RolloutLayout
    equities: np.ndarray


class StudyTables(NamedTuple):
    """Of situations that are played on with other hands.

    kinds: int64, of the deck, the llama first. following: int64[places], place of the next value.
    sets: int64, hands; sizes: int64[sizes, 4], see `hands.play_sets`. tops: first row of tops.
    """

    play: PlayTables
    kinds: np.ndarray
    following: np.ndarray
    sets: np.ndarray
    sizes: np.ndarray
    tops: int
