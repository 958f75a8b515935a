"""Decisions of cards of rules: what their player sees, what it plays, and when it quits.

A person at the table sees all of it at a glance: the own cards, how many the others hold, the pile
and the scores.
"""

from __future__ import annotations

import numpy as np

from lama_odds.games.lama.engine.policy_kernels import BLOCK, HAND, PARAMETER, SCORE, SCRATCH
from lama_odds.games.lama.rules.transition import (
    CARDS,
    DRAW,
    LLAMA_PLACE,
    PLACES,
    PLAIN,
    QUIT,
    count_cards,
    dearest,
    penalty_of,
    place_of,
    places_of,
    same_as_top,
)
from lama_odds.games.shared.rule_cards import limit_of
from lama_odds.jit import given_or, inlined

# What a card sees, in the order of `policies.catalogue.LANGUAGE`; written in the table's scratch.
FEWEST = 0  # cards of another player still in; MOST_CARDS if nobody else is in
OTHERS = 1  # other players still in
OWN = 2  # own cards
VALUES = 3  # different values among them
LEFT = 4  # cards in the draw pile
MINE = 5  # own score
AHEAD = 6  # points that it is below the lowest score of another
BEHIND = 7  # points that it is above that
TOTAL = 8  # own score with the points of the own cards
SECOND = 9  # own cards of the value two above the top
DOUBLES = 10  # own cards beyond one of each value
MOST_CARDS = 15
MOST_PILE = 60
MOST_SCORE = 99

# Habits, by their bits in the parameter.
SAME = 1 << 0
HOLD = 1 << 1
ALONE = 1 << 2
PLUS_FIRST = 1 << 3
# For HOLD: with as many cards, and nobody at as few, the next number may go first.
FROM_CARDS = 5
ABOVE_FEWEST = 3


@inlined
def copies_of(cards, place):
    """Return how many cards of a place there are."""
    return (cards >> 8 * place & 15) + (cards >> 8 * place + PLAIN & 15)


@inlined
def see(rules, tables, table, seats, seat, hand, top, others, fewest, played):
    """Write what a seat sees at its decision; played: the cards played or turned over."""
    penalties = tables.penalties
    own = count_cards(hand)
    pile = count_cards(rules[CARDS] - played) - own
    lowest = np.int64(MOST_SCORE)
    for other in range(seats):
        if other != seat:
            pile -= count_cards(table[HAND + other])
            lowest = min(lowest, table[SCORE + other])
    places = places_of(hand)
    held = 0
    while places:
        places &= places - 1
        held += 1
    mine = min(table[SCORE + seat], MOST_SCORE)
    table[SCRATCH + FEWEST] = min(fewest, MOST_CARDS)
    table[SCRATCH + OTHERS] = others
    table[SCRATCH + OWN] = min(own, MOST_CARDS)
    table[SCRATCH + VALUES] = held
    table[SCRATCH + LEFT] = min(max(pile, 0), MOST_PILE)
    table[SCRATCH + MINE] = mine
    table[SCRATCH + AHEAD] = max(lowest - mine, 0)
    table[SCRATCH + BEHIND] = max(mine - lowest, 0)
    above = place_after(tables.playable, place_after(tables.playable, top))
    table[SCRATCH + SECOND] = copies_of(hand, above)
    table[SCRATCH + DOUBLES] = min(own - held, MOST_CARDS)
    table[SCRATCH + TOTAL] = min(mine + penalty_of(rules, penalties, hand), MOST_SCORE)


@inlined
def place_after(playable, top):
    """Return the place of the value that fits the top, after its own; the top's if none fits."""
    for place in range(PLACES):
        if place != top and playable[top] & np.int64(0xF) << 8 * place + PLAIN:
            return place
    return top


@inlined
def copies_before(playable, hand, top):
    """Return how many cards of the value before the top a hand has: the top fits those."""
    mark = np.int64(0xF) << 8 * top + PLAIN
    for place in range(PLACES):
        if place != top and playable[place] & mark:
            return copies_of(hand, place)
    return np.int64(0)


@inlined
def played_first(playable, habits, hand, cards, top, fewest):
    """Return the card that goes first among those of the hand that can be played."""
    same = same_as_top(cards, top)
    rest = cards ^ same
    if habits & (SAME | HOLD) == 0 or same == 0:
        return dearest(cards)
    if habits & HOLD and rest and count_cards(hand) >= FROM_CARDS and fewest > ABOVE_FEWEST:
        following = copies_of(hand, place_of(dearest(rest)))
        if copies_of(same, top) == 1 and copies_before(playable, hand, top) < following:
            return dearest(rest)
    return dearest(same)


@inlined
def is_plain_number(rules, kind):
    """Return whether a card is a number without a plus."""
    return kind & PLAIN != 0 and place_of(kind) != rules[LLAMA_PLACE]


@given_or("cards", QUIT)
@inlined
def card_move(
    tables, rules, table, seats, seat, hand, cards, top, can_draw, others, fewest, played
):  # fmt: skip
    """Return the decision of the card of a seat; cards: those of the hand that can be played."""
    if cards:
        habits = table[PARAMETER + seat]
        move = played_first(tables.playable, habits, hand, cards, top, fewest)
        if habits & PLUS_FIRST and is_plain_number(rules, move):
            plus = move - PLAIN
            return plus if cards >> plus & 15 else move
        return move
    if not can_draw:
        return QUIT
    see(rules, tables, table, seats, seat, hand, top, others, fewest, played)
    limit = limit_of(tables.cards, table[BLOCK + seat], table, SCRATCH)
    return DRAW if penalty_of(rules, tables.penalties, hand) > limit else QUIT
