"""What the policies decide, as compiled functions on what one seat can see.

A policy is a family code with a parameter, or with a block of a values table.
It sees the cards of its seat, the top card, how many cards the others hold, which
cards have been played, the pile and the drama pot; never another hand. Its own
randomness comes from its coins, one word for each decision.
"""

from __future__ import annotations

import numpy as np

from lama_odds.games.lama.turn import (
    DRAW,
    PLAIN,
    QUIT,
    count_of,
    dearest,
    penalty_of,
    same_as_top,
)
from lama_odds.kernels import inlined
from lama_odds.luck.stream import below, mix

RANDOM = 0
THRESHOLD = 1
MATCHING = 2
VALUES = 3


@inlined
def threshold_move(rules, penalties, parameter, family, hand, cards, top, can_draw):
    """The decision of THRESHOLD and MATCHING; cards: those of the hand that can be played.

    Without branches: which of them is taken could not be foretold.
    """
    same = same_as_top(cards, top)
    matching = np.int64(family == MATCHING) & np.int64(same != 0)
    cards ^= (cards ^ same) & -matching
    plays = np.int64(cards != 0)
    draws = np.int64(penalty_of(rules, penalties, hand) > parameter) & np.int64(can_draw)
    move = QUIT + draws
    return move ^ ((move ^ dearest(cards | 1)) & -plays)


@inlined
def random_move(order, cards, can_draw, coin):
    """A uniform choice of the distinct cards that can be played, to draw and to quit.

    order: the kinds as they are written, see `ruleset.NAMES`.
    """
    options = 1 + can_draw
    for at in range(order.size):
        options += count_of(cards, order[at]) > 0
    choice = below(mix(coin), options)
    for at in range(order.size):
        if count_of(cards, order[at]) > 0:
            if choice == 0:
                return order[at]
            choice -= 1
    return DRAW if can_draw and choice == 0 else QUIT


@inlined
def last_move(cards, top, llama_place):
    """What is best when all others have quit: whatever can be played, in the right order.

    Cards like the top first, then the next value, the pink llama only when
    nothing else goes: each card gone costs less, and no order plays more cards.
    """
    if cards == 0:
        return QUIT
    same = same_as_top(cards, top)
    pink = cards & 0xF << 8 * llama_place
    rest = cards & ~pink
    if same & ~pink:
        return dearest(same & ~pink)
    return dearest(rest) if rest else dearest(pink)


__all__ = ["MATCHING", "PLAIN", "RANDOM", "THRESHOLD", "VALUES"]
