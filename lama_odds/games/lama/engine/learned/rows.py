"""What `learned` sees of a situation: rows of weights, which its first layer adds up.

All places are counted from the top card on: the same value first, then the next one. Rows of cards
also depend on which value is on top. What is told apart:

- in pairs of places, how many cards the player holds there, and how many it has not seen,
- of each other player who is in: how many cards it holds, and of each place whether it may hold
  any by what it has `shown`; that another has quit,
- the number of own cards with the smallest number of the others and how many of them are in,
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
MOST_OWN, MOST_LEFT = 4, 6  # numbers of cards of a place: own ones, unseen ones
MOST_HELD = 12  # numbers of cards; of another player the last stands for one who has quit
MAY_HOLD = 4  # numbers of cards of a place that another player may hold
AGES = 3  # whether it may hold none, one or two cards of another place, or more
OTHER_PLACES = PLACES - 2  # beside the top's and the next one
PAIRS = (PLACES + 1) // 2
OTHERS = MAX_SEATS - 1
OF_HELD, OF_SHOWN = MOST_HELD * MAY_HOLD**2, AGES**OTHER_PLACES
MOST_FEWEST, MOST_IN = 6, OTHERS

# Where the rows of each kind begin.
OWN = 0
UNSEEN = OWN + PLACES * PAIRS * MOST_OWN**2
HELD_BY = UNSEEN + PLACES * PAIRS * MOST_LEFT**2
SHOWN_BY = HELD_BY + OTHERS * OF_HELD
NEAR_OUT = SHOWN_BY + OTHERS * OF_SHOWN
VALUES_HELD = NEAR_OUT + MOST_HELD * MOST_FEWEST * MOST_IN
SCORE_OF = VALUES_HELD + (1 << PLACES)
LEAD = SCORE_OF + MAX_SEATS * SCORES
AFTER_QUITTING = LEAD + 2 * FARTHEST + 1
HIGHEST = AFTER_QUITTING + SCORES
NOTHING = HIGHEST + SCORES
ROWS = NOTHING + 1
GROUP = 4
MOST_ROWS = 32  # of a situation


@inlined
def from_top(counts, top):
    """Return bytes by place in the order of turns from the top on."""
    return (counts >> 8 * top | counts << 8 * (PLACES - top)) & 0xFFFFFFFFFFFFFF


@inlined
def may_hold(shown, step, cards):
    """Return how many cards of a place, counted from the top, a hand of this size may have."""
    return min(shown >> 8 * step & BYTE, cards)


@inlined
def age_of(shown, step, cards):
    """Return which of AGES a place is in."""
    found = may_hold(shown, step, cards)
    return (found > 0) + np.int64(found > 2)


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
        rows[at] = HELD_BY + number * OF_HELD + (MOST_HELD - 1) * MAY_HOLD**2
        return at + 1
    cards = count_cards(table[HAND + other])
    shown = from_top(table[SHOWN + other], top)
    first = min(may_hold(shown, 0, cards), MAY_HOLD - 1)
    second = min(may_hold(shown, 1, cards), MAY_HOLD - 1)
    held = min(cards, MOST_HELD - 2)
    rows[at] = HELD_BY + number * OF_HELD + held * MAY_HOLD**2 + first * MAY_HOLD + second
    ages = np.int64(0)
    for step in range(2, PLACES):
        ages = AGES * ages + age_of(shown, step, cards)
    rows[at + 1] = SHOWN_BY + number * OF_SHOWN + ages
    return at + 2


@inlined
def write_rows(rules, penalties, table, seats, seat, hand, top, others, played, rows):
    """Write the rows of a seat's situation from place SCRATCH on; return their number.

    hand: packed, of the seat. others: those still in. played: packed cards. rows: int64.
    """
    at = write_hand(rows, SCRATCH, hand, rules[transition.CARDS] - played - hand, top)
    lowest = np.int64(999)
    highest = np.int64(0)
    fewest = np.int64(MOST_FEWEST)
    for number in range(seats - 1):
        other = seat + 1 + number
        if other >= seats:
            other -= seats
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
    at += 6
    while (at - SCRATCH) % GROUP:
        rows[at] = NOTHING
        at += 1
    return at - SCRATCH
