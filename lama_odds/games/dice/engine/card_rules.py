"""Decisions of cards of rules: what their player sees, and how far it goes.

Everything that a card speaks of lies open on the table, and a person can count it at a glance.
"""

from __future__ import annotations

import numpy as np

from lama_odds.games.dice.engine.tables import BLOCK, HAND, PENALTY, SCORE, SCRATCH
from lama_odds.games.dice.rules.transition import (
    KINDS,
    LLAMA,
    count_of,
    kinds_of,
    lowest_kind,
)
from lama_odds.games.shared.rule_cards import MOST_LINES, limit_of
from lama_odds.jit import given_or, inlined

# What a card sees, in the order of `policies.LANGUAGE`; written in the scratch of the table.
FEWEST = 0  # cards of another player still in; MOST_CARDS if nobody else is in
OTHERS = 1  # other players still in
CARDS = 2  # own cards
HELD = 3  # different kinds among them
ROW = 4  # cards in the llama row
MINE = 5  # own score
AHEAD = 6  # points that it is below the lowest of another, with the points of those who have quit
BEHIND = 7  # points that it is above that
TOTAL = 8  # own score with the points of the own cards
LEADS = 9  # points that this is below the lowest such total of another
TRAILS = 10  # points that it is above that
MOST_CARDS = 15
MOST_SCORE = 99

# Beside its lines, the block of a card has a row with its habits, the players and the target.
GAME_ROW = MOST_LINES
HABITS = 0
PLAYERS = 1
TARGET = 2
QUIT_COST = 3
# Habits, by their bits.
LLAMA_FIRST = 1 << 0
LLAMA_BEFORE_4 = 1 << 1
LLAMA_BEFORE_5 = 1 << 2
LLAMA_BEFORE_6 = 1 << 3
SETTLE = 1 << 4


@inlined
def cards_of(hand):
    """Return the number of cards in a hand."""
    total = 0
    for kind in range(KINDS):
        total += count_of(hand, kind)
    return total


@inlined
def kinds_in(mask):
    """Return the number of kinds of a mask."""
    total = 0
    while mask:
        mask &= mask - 1
        total += 1
    return total


@inlined
def see(points, players, table, seat, penalty, hand, row, others):
    """Write what a seat sees on the table; penalty: of its cards."""
    fewest = MOST_CARDS
    best = np.int64(MOST_SCORE)
    lowest = np.int64(MOST_SCORE)
    for other in range(players):
        if other == seat:
            continue
        cost = table[PENALTY + other]
        score = table[SCORE + other]
        if cost < 0:
            fewest = min(fewest, cards_of(table[HAND + other]))
            best = min(best, score)
            cost = points[kinds_of(table[HAND + other])]
        best = min(best, score + cost)
        lowest = min(lowest, score + cost)
    mine = table[SCORE + seat]
    table[SCRATCH + FEWEST] = fewest
    table[SCRATCH + OTHERS] = others
    table[SCRATCH + CARDS] = min(cards_of(hand), MOST_CARDS)
    table[SCRATCH + HELD] = kinds_in(kinds_of(hand))
    table[SCRATCH + ROW] = kinds_in(row)
    table[SCRATCH + MINE] = min(mine, MOST_SCORE)
    table[SCRATCH + AHEAD] = max(best - mine, 0)
    table[SCRATCH + BEHIND] = min(max(mine - best, 0), MOST_SCORE)
    total = min(mine + penalty, MOST_SCORE)
    table[SCRATCH + TOTAL] = total
    table[SCRATCH + LEADS] = max(lowest - total, 0)
    table[SCRATCH + TRAILS] = max(total - lowest, 0)


@inlined
def settles(card, table, seat, penalty):
    """Return 1 if quitting now surely wins the game for the last player, -1 if it loses, else 0.

    card: the row of the block with the players and the target. penalty: of the own cards.
    """
    mine = table[SCORE + seat] + penalty + card[QUIT_COST]
    lowest = np.int64(1) << 40
    highest = mine
    for other in range(card[PLAYERS]):
        if other != seat:
            score = table[SCORE + other] + table[PENALTY + other]
            lowest = min(lowest, score)
            highest = max(highest, score)
    if highest < card[TARGET] or mine == lowest:
        return 0
    return 1 if mine < lowest else -1


@given_or("cards", False)
@inlined
def rolls_by_card(tables, penalty, hand, row, others, table, seat):
    """Return whether the card of a seat rolls; penalty: of its cards."""
    block = table[BLOCK + seat]
    card = tables.cards[block, GAME_ROW]
    if others == 0 and card[HABITS] & SETTLE:
        settled = settles(card, table, seat, penalty)
        if settled != 0:
            return settled < 0
    see(tables.points, card[PLAYERS], table, seat, penalty, hand, row, others)
    return penalty > limit_of(tables.cards, block, table, SCRATCH)


@given_or("cards", np.int64(0))
@inlined
def taken_by_card(tables, takeable, table, seat):
    """Return the kind that the card of a seat takes, out of the mask of kinds that can be taken."""
    habits = tables.cards[table[BLOCK + seat], GAME_ROW, HABITS]
    lowest = lowest_kind(takeable)
    first = LLAMA
    if habits & LLAMA_FIRST:
        first = 0
    elif habits & LLAMA_BEFORE_4:
        first = 3
    elif habits & LLAMA_BEFORE_5:
        first = 4
    elif habits & LLAMA_BEFORE_6:
        first = 5
    if takeable >> LLAMA & 1 and lowest >= first:
        return np.int64(LLAMA)
    return lowest
