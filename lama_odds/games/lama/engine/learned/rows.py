"""What `learned` sees of a situation: rows of weights, which its first layer adds up.

All places are counted from the top card on: the same value first, then the next one. Rows of cards
also depend on which value is on top. What is told apart:

- in pairs of places, how many cards the player holds there, and how many it has not seen,
- of each other player who is in: how many cards it holds, and how many of each place it may hold
  by what it has `shown`; that another has quit,
- the number of own cards with the smallest number of the others and how many of them are in,
- how many cards are left in the pile, and whether more than one of the others is in,
- the values that the player holds,
- the score of every player, the lead over the best of the others, their highest score, and the own
  score with what the hand costs.

Rows are added in groups. The row NOTHING fills up the last group, and has weights like any other.
"""

from __future__ import annotations

import numpy as np

from lama_odds.games.lama.engine.learned.shown import BYTE
from lama_odds.games.lama.engine.table_rows import HAND, MAX_SEATS, PENALTY, SCORE, SCRATCH, SHOWN
from lama_odds.games.lama.rules import transition
from lama_odds.games.lama.rules.transition import (
    LOW_FOUR,
    PLACES,
    PLAIN,
    count_cards,
    penalty_of,
    places_of,
)
from lama_odds.jit import inlined

SCORES = 64  # scores that are told apart
FARTHEST = 40  # of a lead
MOST_OWN, MOST_LEFT = 6, 9  # numbers of cards of a place: own ones, unseen ones
MOST_HELD = 20  # numbers of own cards
MOST_PILE = 48  # numbers of cards that are left
# Where classes of numbers begin: of another player's cards, and of those that it may have in each
# of the two places that can be played. The last is for any other place.
SIZES_FROM = (1, 2, 3, 4, 5, 6, 7, 8, 10, 13, 17)
NEAR_FROM = (1, 2, 3, 5, 8)
FAR_FROM = (1, 2, 4, 8)
NEAR, FAR = len(NEAR_FROM) + 1, len(FAR_FROM) + 1
QUIT = len(SIZES_FROM) + 1  # stands for a player who has quit
PAIRS = (PLACES + 1) // 2
OTHERS = MAX_SEATS - 1
OF_HELD, OF_SHOWN, OF_LAST = (QUIT + 1) * NEAR**2, FAR**3, FAR**2
MOST_FEWEST, MOST_IN = 6, OTHERS

# Where the rows of each kind begin.
OWN = 0
UNSEEN = OWN + PLACES * PAIRS * MOST_OWN**2
HELD_BY = UNSEEN + PLACES * PAIRS * MOST_LEFT**2
SHOWN_BY = HELD_BY + OTHERS * OF_HELD
LAST_BY = SHOWN_BY + OTHERS * OF_SHOWN
NEAR_OUT = LAST_BY + OTHERS * OF_LAST
VALUES_HELD = NEAR_OUT + MOST_HELD * MOST_FEWEST * MOST_IN
SCORE_OF = VALUES_HELD + (1 << PLACES)
LEAD = SCORE_OF + MAX_SEATS * SCORES
AFTER_QUITTING = LEAD + 2 * FARTHEST + 1
HIGHEST = AFTER_QUITTING + SCORES
PILE_LEFT = HIGHEST + SCORES
NOTHING = PILE_LEFT + 2 * MOST_PILE
ROWS = NOTHING + 1
GROUP = 4
MOST_ROWS = 40  # of a situation


def _levels(bounds):
    """Return, for each number of cards up to the last bound, how many bounds it has reached."""
    return np.searchsorted(bounds, np.arange(bounds[-1] + 1), side="right")


OF_SIZE, OF_NEAR, OF_FAR = _levels(SIZES_FROM), _levels(NEAR_FROM), _levels(FAR_FROM)


@inlined
def from_top(counts, top):
    """Return bytes by place in the order of turns from the top on."""
    return (counts >> 8 * top | counts << 8 * (PLACES - top)) & 0xFFFFFFFFFFFFFF


@inlined
def level_of(levels, shown, step, cards):
    """Return how many cards of a place, counted from the top, a hand of this size may have.

    levels: by which numbers are told apart.
    """
    return levels[min(shown >> 8 * step & BYTE, cards, levels.size - 1)]


@inlined
def score_row(score):
    """Return the row of a score among SCORES."""
    return min(score, SCORES - 1)


@inlined
def write_hand(rows, at, hand, unseen, top):
    """Write the rows of what is held and of what is not seen, from place `at`; return the next."""
    own = from_top(hand >> PLAIN & LOW_FOUR, top)
    left = from_top(unseen >> PLAIN & LOW_FOUR, top)
    for pair in range(PAIRS):
        here = top * PAIRS + pair
        first, second = own & BYTE, own >> 8 & BYTE
        found = min(first, MOST_OWN - 1) * MOST_OWN + min(second, MOST_OWN - 1)
        rows[at] = OWN + here * MOST_OWN**2 + found
        first, second = left & BYTE, left >> 8 & BYTE
        found = min(first, MOST_LEFT - 1) * MOST_LEFT + min(second, MOST_LEFT - 1)
        rows[at + 1] = UNSEEN + here * MOST_LEFT**2 + found
        own >>= 16
        left >>= 16
        at += 2
    return at


@inlined
def write_other(rows, at, table, number, other, top):
    """Write the rows of another player's cards, from place `at`; return the next.

    number: of the player, in turn order from 0.
    """
    if table[PENALTY + other] >= 0:
        rows[at] = HELD_BY + number * OF_HELD + QUIT * NEAR**2
        return at + 1
    cards = count_cards(table[HAND + other])
    shown = from_top(table[SHOWN + other], top)
    held = OF_SIZE[min(cards, OF_SIZE.size - 1)]
    for step in range(2):
        held = NEAR * held + level_of(OF_NEAR, shown, step, cards)
    next_ = last = np.int64(0)
    for step in range(2, 5):
        next_ = FAR * next_ + level_of(OF_FAR, shown, step, cards)
    for step in range(5, PLACES):
        last = FAR * last + level_of(OF_FAR, shown, step, cards)
    rows[at] = HELD_BY + number * OF_HELD + held
    rows[at + 1] = SHOWN_BY + number * OF_SHOWN + next_
    rows[at + 2] = LAST_BY + number * OF_LAST + last
    return at + 3


@inlined
def write_rows(rules, penalties, table, seats, seat, hand, top, others, played, rows):
    """Write the rows of a seat's situation from place SCRATCH on; return their number.

    hand: packed, of the seat. others: those still in. played: packed cards. rows: int64.
    """
    unseen = rules[transition.CARDS] - played - hand
    pile = count_cards(unseen)
    at = write_hand(rows, SCRATCH, hand, unseen, top)
    lowest = np.int64(999)
    highest = np.int64(0)
    fewest = np.int64(MOST_FEWEST)
    for number in range(seats - 1):
        other = seat + 1 + number
        if other >= seats:
            other -= seats
        pile -= count_cards(table[HAND + other])
        score = table[SCORE + other]
        lowest = min(lowest, score)
        highest = max(highest, score)
        rows[at] = SCORE_OF + (number + 1) * SCORES + score_row(score)
        if table[PENALTY + other] < 0:
            fewest = min(fewest, count_cards(table[HAND + other]))
        at = write_other(rows, at + 1, table, number, other, top)
    cards = min(count_cards(hand), MOST_HELD - 1)
    near = (cards * MOST_FEWEST + fewest - 1) * MOST_IN + others - 1
    mine = table[SCORE + seat]
    lead = max(min(lowest - mine, FARTHEST), -FARTHEST)
    rows[at] = NEAR_OUT + near
    rows[at + 1] = VALUES_HELD + places_of(hand)
    rows[at + 2] = SCORE_OF + score_row(mine)
    rows[at + 3] = LEAD + FARTHEST + lead
    rows[at + 4] = AFTER_QUITTING + score_row(mine + penalty_of(rules, penalties, hand))
    rows[at + 5] = HIGHEST + score_row(highest)
    left = max(min(pile, MOST_PILE - 1), 0)
    rows[at + 6] = PILE_LEFT + MOST_PILE * np.int64(others > 1) + left
    at += 7
    while (at - SCRATCH) % GROUP:
        rows[at] = NOTHING
        at += 1
    return at - SCRATCH
