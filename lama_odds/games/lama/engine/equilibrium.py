"""Decisions of `equilibrium`: a table of moves by what a player of two sees, in classes.

A situation is the class of both scores, the top card, how many cards the other holds, and the own
hand. Hands of more than MOST_CARDS count as if they had fewer cards of the most frequent values.
The table comes from self-play (see `training`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from lama_odds.games.lama.rules.transition import (
    DRAW,
    LOW_FOUR,
    ONES,
    PLACES,
    PLAIN,
    QUIT,
    count_cards,
    dearest,
    same_as_top,
)
from lama_odds.jit import for_all, inlined

MOST_CARDS = 8  # of a hand that is told apart from others; all values fit in
MOST_OTHER = 8  # cards of the other player, this many or more
HANDS = 6435  # of up to MOST_CARDS cards of PLACES values

# What a move is: a card like the top, one of the next value, a card drawn, or quitting.
SAME, ABOVE, DRAWN, LEFT = range(4)
MOVES = 4

BY_SCORES = -1


class Equilibrium(NamedTuple):
    """What `equilibrium` reads.

    moves: uint8[classes, PLACES, MOST_OTHER, HANDS], by the top, the other's cards (from 1) and
    `hand_rank`.
    classes: uint8[target, target], by the own and the other's score.
    ranks: int64[PLACES, 32], see `hand_rank`.
    """

    moves: np.ndarray
    classes: np.ndarray
    ranks: np.ndarray


NO_EQUILIBRIUM = Equilibrium(
    np.zeros((1, 1, 1, 1), np.uint8), np.zeros((1, 1), np.uint8), np.zeros((1, 1), np.int64)
)


@inlined
def fewer_cards(hand):
    """Return a hand without cards beyond MOST_CARDS: those of the most frequent values go first."""
    cards = count_cards(hand)
    while cards > MOST_CARDS:
        most = PLAIN
        for place in range(1, PLACES):
            if hand >> 8 * place + PLAIN & 15 > hand >> most & 15:
                most = 8 * place + PLAIN
        hand -= 1 << most
        cards -= 1
    return hand


@inlined
def hand_rank(hand, ranks):
    """Return the number of a hand of at most MOST_CARDS plain cards, those of fewer cards first.

    It is the combinatorial number of the cards up to each place. ranks: binomial coefficients.
    """
    upto = (hand >> PLAIN & LOW_FOUR) * ONES
    found = 0
    for place in range(PLACES):
        found += ranks[place, upto >> 8 * place & 31]
    return found


@inlined
@for_all
def chosen(slot, cards, top, can_draw):
    """Return the move of a slot; without one in the table, a card if possible.

    cards: those of the hand that can be played.
    """
    same = same_as_top(cards, top)
    above = cards ^ same
    if slot == DRAWN and can_draw:
        return DRAW
    if slot == LEFT or cards == 0:
        return QUIT
    if same and (slot == SAME or not above):
        return dearest(same)
    if above and (slot == ABOVE or not same):
        return dearest(above)
    return dearest(cards)


@inlined
@for_all
def equilibrium_move(tables, fixed, hand, cards, top, can_draw, others_cards, mine, other):
    """Return the decision of `equilibrium`; mine, other: scores.

    fixed: the class if it does not depend on scores, otherwise BY_SCORES.
    """
    last = tables.classes.shape[0] - 1
    class_ = fixed
    if fixed == BY_SCORES:
        class_ = np.int64(tables.classes[min(mine, last), min(other, last)])
    rank = hand_rank(fewer_cards(hand), tables.ranks)
    slot = tables.moves[class_, top, min(others_cards, MOST_OTHER) - 1, rank]
    return chosen(slot, cards, top, can_draw)
