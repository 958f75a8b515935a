"""What the kernels of the card games read besides rules and policies, by name.

numba takes named tuples as arguments, also one within another.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from lama_odds.games.interface.match_equity import Equities
from lama_odds.games.interface.tally_layout import RolloutLayout
from lama_odds.games.lama.engine.trained import Equilibrium, Learned


class PlayTables(NamedTuple):
    """Tables for rounds and games.

    playable: int64, by top, the cards that can be played on it.
    penalties: the cost of holding a set of values.
    order: int64, the kinds in the order in which policies check them.
    values: float32[groups, …], see `meanfield`.
    ranks: see `policy_kernels.hand_index`.
    equilibrium: see `equilibrium.Equilibrium`.
    learned: see `learned.Learned`; None if nobody plays it.
    cards: see `rule_cards.blocks_of`; None if nobody plays by a card.
    log: int64 of any size, see `round_loop.log_move`; of size 0 for none.
    """

    playable: np.ndarray
    penalties: np.ndarray
    order: np.ndarray
    values: np.ndarray
    ranks: np.ndarray
    equilibrium: Equilibrium
    learned: Learned | None
    cards: np.ndarray | None
    log: np.ndarray


class QuitterTables(NamedTuple):
    """Hands of players who have quit, see `hidden_hands.Quitters`, or of all others, see `beliefs`.

    seats: theirs.
    first: int64[nodes + 1], where the entries of each node begin.
    following, hands, upto: for each entry, the node that follows, the hand drawn, and the cumulated
    chances within its node.

    A draw begins at the last node, whose entries have no hand. Each further node gives the hand of
    one seat, the last seat first.
    """

    seats: np.ndarray
    first: np.ndarray
    following: np.ndarray
    hands: np.ndarray
    upto: np.ndarray


class TrailTables(NamedTuple):
    """What one other player did in a round, see `beliefs.follow`.

    tables: int64[turns, TABLE_SIZE], before each action, this player as seat 0, no hand known.
    moves, others: int64[turns], the actions, and the others who were still in.
    bounds: int64[turns, kinds], the most cards of each kind that the hand can have after it.
    ways: float64[turns, kinds, 16], by the cards of a kind in a hand after it, the ways to deal
    them from the unseen cards.
    kinds: int64[kinds], ascending: the kinds of which there are any.
    """

    tables: np.ndarray
    moves: np.ndarray
    others: np.ndarray
    bounds: np.ndarray
    ways: np.ndarray
    kinds: np.ndarray


class HeldTables(NamedTuple):
    """Hands that several players may hold, see `beliefs.deal_together`.

    first: int64[players + 1], where the hands of each begin. hands, upto: for each hand, the
    cumulated chances among those of its player, as if nobody else held cards.
    kinds: int64[kinds]. fits: float64[kinds, 16, 16], by the cards of a kind that others hold and
    that a hand has, the ways to deal both, relative to dealing them separately.
    """

    first: np.ndarray
    hands: np.ndarray
    upto: np.ndarray
    kinds: np.ndarray
    fits: np.ndarray


NOT_HELD = HeldTables(
    first=np.zeros(1, np.int64),
    hands=np.zeros(0, np.int64),
    upto=np.zeros(0),
    kinds=np.zeros(0, np.int64),
    fits=np.zeros((0, 1, 1)),
)


class RolloutTables(NamedTuple):
    """Tables for a position that is played out.

    root: int64[TABLE_SIZE], the table at the position: seat 0 decides, hidden hands are empty, the
    pack has all unseen cards.
    actions: int64[k], moves. counts: int64[seats], cards of each.
    others: the number of other seats still in.
    starter: who started the round, −1 if not known.
    quitters, held: hands of others, see `redraw.deal_hidden`.
    equities: a match equity table that values the end of the round, if there is one.
    starts: see `from_scores.draw_scores`.
    """

    play: PlayTables
    root: np.ndarray
    actions: np.ndarray
    counts: np.ndarray
    others: int
    starter: int
    quitters: QuitterTables
    held: HeldTables
    layout: RolloutLayout
    equities: Equities
    starts: np.ndarray


class StudyTables(NamedTuple):
    """Tables for situations that are continued with other hands.

    kinds: int64, of the deck, the llama first. following: int64[places], place of the next value.
    sets: int64, hands; sizes: int64[sizes, 4], see `hands.play_sets`. tops: first row of tops.
    """

    play: PlayTables
    kinds: np.ndarray
    following: np.ndarray
    sets: np.ndarray
    sizes: np.ndarray
    tops: int
