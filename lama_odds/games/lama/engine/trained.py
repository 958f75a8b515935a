"""Decisions of `equilibrium` and `learned`: what they see, and what they make of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from lama_odds.games.lama.engine.policy_kernels import (
    HAND,
    MAX_SEATS,
    PARAMETER,
    PENALTY,
    SCORE,
    SCRATCH,
    SHOWN,
)
from lama_odds.games.lama.rules import transition
from lama_odds.games.lama.rules.transition import (
    DRAW,
    LOW_FOUR,
    ONES,
    PLACES,
    PLAIN,
    QUIT,
    count_cards,
    dearest,
    penalty_of,
    places_of,
    same_as_top,
)
from lama_odds.jit import for_all, given_or, inlined, small

# Decisions of `equilibrium`: a table of moves by what a player of two sees, in classes.
#
# A situation is the class of both scores, the top card, how many cards the other holds, and the own
# hand. Hands of more than MOST_CARDS count as if they had fewer cards of the most frequent values.
# The table comes from self-play (see `training`).

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
    rank = 0
    for place in range(PLACES):
        rank += ranks[place, upto >> 8 * place & 31]
    return rank


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


# What players have shown of their hands by drawing and playing: a number for each of them.
#
# It has a byte for each place of a card: how many cards the player has received since it seemed to
# hold none that belongs there. A player who draws seems to hold no card like the top and none of
# the next place: from then on only later cards count there. A card that is played is one fewer that
# may be there. So 0 stands for a place that the player does not seem to fill. A hand may have fewer
# cards than a byte says.
#
# Only `learned` looks at it. Where nobody plays it, nothing is noted after the deal.

BYTE = 0xFF


@given_or("learned", False)
@inlined
def looked_at(_tables):
    """Return whether anybody looks at what is shown."""
    return True


@small
def shown_of(cards):
    """Return what a player has shown who received these cards and did nothing: they are any."""
    return ONES * cards


@small
def shown_after_draw(shown, top):
    """Return what a player has shown after drawing a card with this place on top."""
    after = top + 1 if top < PLACES - 1 else 0
    return (shown & ~(BYTE << 8 * top | BYTE << 8 * after)) + ONES


@small
def shown_after_play(shown, place):
    """Return what a player has shown after playing a card of a place."""
    return shown - ((1 << 8 * place) if shown >> 8 * place & BYTE else 0)


# What `learned` sees of a situation: rows of weights, which its first layer adds up.
#
# All places are counted from the top card on: the same value first, then the next one. Rows of
# cards also depend on which value is on top. What is told apart:
#
# - in pairs of places, how many cards the player holds there, and how many it has not seen,
# - of each other player who is in: how many cards it holds, and how many of each place it may hold
#   by what it has `shown`; that another has quit,
# - the number of own cards with the smallest number of the others and how many of them are in,
# - how many cards are left in the pile, and whether more than one of the others is in,
# - the values that the player holds,
# - the score of every player, the lead over the best of the others, their highest score, and the
#   own
#   score with what the hand costs.
#
# Rows are added in groups. The row NOTHING fills up the last group, and has weights like any other.

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
HAS_QUIT = len(SIZES_FROM) + 1  # stands for a player who has quit
PAIRS = (PLACES + 1) // 2
OTHERS = MAX_SEATS - 1
OF_HELD, OF_SHOWN, OF_LAST = (HAS_QUIT + 1) * NEAR**2, FAR**3, FAR**2
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
        code = min(first, MOST_OWN - 1) * MOST_OWN + min(second, MOST_OWN - 1)
        rows[at] = OWN + here * MOST_OWN**2 + code
        first, second = left & BYTE, left >> 8 & BYTE
        code = min(first, MOST_LEFT - 1) * MOST_LEFT + min(second, MOST_LEFT - 1)
        rows[at + 1] = UNSEEN + here * MOST_LEFT**2 + code
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
        rows[at] = HELD_BY + number * OF_HELD + HAS_QUIT * NEAR**2
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


# Decisions of `learned`: a small neural network, taught by games that were played out.
#
# Its first layer adds up a row of weights for each thing that a player sees (see `rows`). A
# second layer leads to four results, one for each move of `equilibrium.chosen`: how good it is
# compared with the others. `learned` takes the best one that is possible.

FIRST, SECOND = 32, 16  # numbers of the two layers
MOST_NETWORKS = 8  # of policies at a table
NONE = np.float32(0)

# Where the layers are on the table, behind the rows: places of float32, two in that of an int64.
LAYER_AT = 2 * (SCRATCH + MOST_ROWS)
NEXT_AT = LAYER_AT + FIRST
RESULTS_AT = NEXT_AT + SECOND
SCRATCH_END = (RESULTS_AT + MOVES) // 2


class Learned(NamedTuple):
    """What `learned` knows.

    rows: float32[ROWS, FIRST]. second: float32[FIRST, SECOND]. results: float32[MOVES, SECOND].
    constants: float32[SECOND + MOVES], what is added to the second layer, and to the results.
    Networks of several policies lie side by side, see `side_by_side`.
    """

    rows: np.ndarray
    second: np.ndarray
    results: np.ndarray
    constants: np.ndarray


def side_by_side(networks: Sequence[Learned]) -> Learned:
    """Return up to MOST_NETWORKS as one: a policy's parameter is the number of its own, from 0."""
    return Learned(*(np.concatenate(parts) for parts in zip(*networks, strict=True)))


@inlined
def find_results(net, network, table, number, seen):
    """Fill in the layers and the results of a situation.

    network: its number, see `side_by_side`. number: of the situation's rows, which are written on
    the table. seen: the table as float32.
    """
    network &= MOST_NETWORKS - 1  # the mask saves tests for negative indices
    row = network * ROWS
    lower = network * FIRST
    upper = network * MOVES
    constant = network * (SECOND + MOVES)
    for x in range(FIRST):
        seen[LAYER_AT + x] = NONE
    for at in range(SCRATCH, SCRATCH + number, GROUP):
        a, b, c, d = row + table[at], row + table[at + 1], row + table[at + 2], row + table[at + 3]
        for x in range(FIRST):
            seen[LAYER_AT + x] += (
                net.rows[a, x] + net.rows[b, x] + net.rows[c, x] + net.rows[d, x]
            )  # fmt: skip
    for y in range(SECOND):
        seen[NEXT_AT + y] = net.constants[constant + y]
    for x in range(0, FIRST, 8):  # written out: the inner loop works on many numbers at once
        a, b = max(seen[LAYER_AT + x], NONE), max(seen[LAYER_AT + x + 1], NONE)
        c, d = max(seen[LAYER_AT + x + 2], NONE), max(seen[LAYER_AT + x + 3], NONE)
        e, f = max(seen[LAYER_AT + x + 4], NONE), max(seen[LAYER_AT + x + 5], NONE)
        g, h = max(seen[LAYER_AT + x + 6], NONE), max(seen[LAYER_AT + x + 7], NONE)
        for y in range(SECOND):
            seen[NEXT_AT + y] = seen[NEXT_AT + y] + (
                a * net.second[lower + x, y] + b * net.second[lower + x + 1, y]
                + c * net.second[lower + x + 2, y] + d * net.second[lower + x + 3, y]
            ) + (
                e * net.second[lower + x + 4, y] + f * net.second[lower + x + 5, y]
                + g * net.second[lower + x + 6, y] + h * net.second[lower + x + 7, y]
            )  # fmt: skip
    for move in range(MOVES):
        total = net.constants[constant + SECOND + move]
        for y in range(SECOND):
            total += max(seen[NEXT_AT + y], NONE) * net.results[upper + move, y]
        seen[RESULTS_AT + move] = total


@inlined
def possible_moves(cards, top, can_draw):
    """Return which moves are possible, a bit each; cards: those that can be played."""
    same = same_as_top(cards, top)
    moves = 1 << LEFT | np.int64(can_draw) << DRAWN
    return moves | np.int64(same != 0) << SAME | np.int64((cards ^ same) != 0) << ABOVE


@given_or("learned", QUIT)
@inlined
def learned_move(
    tables, rules, penalties, table, seats, seat, hand, cards, top, can_draw, others, played
):  # fmt: skip
    """Return the decision of `learned`; of equal moves quitting, then the first.

    cards: those of the hand that can be played. others: those still in, at least one.
    """
    if cards == 0 and not can_draw:
        return QUIT
    number = write_rows(rules, penalties, table, seats, seat, hand, top, others, played, table)
    seen = table.view(np.float32)
    find_results(tables.learned, table[PARAMETER + seat], table, number, seen)
    possible = possible_moves(cards, top, can_draw)
    best = LEFT
    most = seen[RESULTS_AT + LEFT]
    for move in range(MOVES - 1):
        if possible >> move & 1 and seen[RESULTS_AT + move] > most:
            most = seen[RESULTS_AT + move]
            best = move
    return chosen(best, cards, top, can_draw)
