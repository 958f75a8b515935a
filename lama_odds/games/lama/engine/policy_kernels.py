"""Decisions of the policies, as compiled functions on what one seat can see.

A policy is a family code with a parameter, or with a block of a values table. It sees the cards of
its seat, the top card, the number of cards of the others, the cards played, the pile and the drama
pot, but never another hand. Its own randomness comes from its coins, one word for each decision.
"""

from __future__ import annotations

import numpy as np

from lama_odds.games.lama.rules.transition import (
    BLACK,
    DRAMA,
    DRAW,
    EVERY_PLACE,
    LLAMA_PLACE,
    LOW_FOUR,
    ONES,
    OUT_TOKEN,
    PINK,
    PLACES,
    PLAIN,
    QUIT,
    count_cards,
    count_of,
    dearest,
    gathered,
    is_plus,
    out_token,
    pays,
    penalty_of,
    place_of,
    places_of,
    quitting_cost,
    same_as_top,
)
from lama_odds.games.shared import seating
from lama_odds.games.shared.card_values import LLAMA_LAST, lowest_token, returned_token
from lama_odds.jit import for_all, inlined
from lama_odds.luck.stream import below, mix

# What lies on the table of a round, in one array: ``table``, int64[TABLE_SIZE].
#
# It has a row of eight columns for each property of a seat: the entry of a seat is table[ROW +
# seat]. So a round needs few arguments and no other memory.

MAX_SEATS = seating.MAX_SEATS
COLUMNS = seating.COLUMNS

HAND = seating.HAND
PENALTY = seating.PENALTY
SCORE = seating.SCORE
NEXT = seating.NEXT
BEFORE = seating.BEFORE
DRAWS_AT = 5 * COLUMNS  # where its lane of draws is read next (a uint64, as bits)
COINS_AT = 6 * COLUMNS  # the same for its coins
FAMILY = 7 * COLUMNS
PARAMETER = 8 * COLUMNS
BLOCK = 9 * COLUMNS
PLACE = 10 * COLUMNS  # what is on the table: see below
# What a player has shown of its hand by what it did, see `shown`.
SHOWN = 12 * COLUMNS
# What a policy writes down while it decides. Copies of a table end before it.
SCRATCH = 13 * COLUMNS
SCRATCH_SIZE = 9 * COLUMNS
TABLE_SIZE = SCRATCH + SCRATCH_SIZE

# What is on the table: table[PLACE + …].
TOP = 0  # place of the card on top
LEFT = 1  # cards that nobody is known to hold and that have not been played
PILE = 2  # those of them that can be drawn
POT = 3  # sum of the tokens on the drama pot
POT_TOKENS = 4  # their number
RUNNING = 5  # whether the drama runs
PLAYED = 6  # cards played or turned over, packed like a hand
PLAIN_PACK = 8  # the plain cards among LEFT (see `transition.take_card`)
SPECIAL_PACK = 9  # the special cards among LEFT


RANDOM = 0
THRESHOLD = 1
MATCHING = 2
BY_VALUES = 3
EQUILIBRIUM = 4  # see `equilibrium`
LEARNED = 5  # see `learned`
CARD = 6  # see `card_rules`

# A values table is float32[blocks, 2, contexts, places, hands], see `meanfield`: what a hand will
# cost after the turn, and what it costs at a decision.
PASSED_ON = 0
DECIDING = 1
HANDS = 3**PLACES
MOST_OTHERS = 3
MOST_FEWEST = 6
CONTEXTS = MOST_OTHERS * MOST_FEWEST


@inlined
def context_of(others, fewest):
    """Return the number of a context: others still in (at least 1), fewest cards one of them
    holds.
    """
    return (min(others, MOST_OTHERS) - 1) * MOST_FEWEST + min(fewest, MOST_FEWEST) - 1


@inlined
@for_all
def threshold_move(rules, penalties, parameter, family, hand, cards, top, can_draw):
    """Return the decision of THRESHOLD and MATCHING; cards: those of the hand that can be played.

    Most decisions play a card. What a hand costs is then not needed, and computing it takes longer
    than a branch that is sometimes predicted wrongly.
    """
    if cards:
        same = same_as_top(cards, top) if family == MATCHING else 0
        return dearest(same if same else cards)
    if can_draw and penalty_of(rules, penalties, hand) > parameter:
        return DRAW
    return QUIT


@inlined
@for_all
def count_options(order, cards, can_draw):
    """Return the number of legal actions: each kind that can be played, drawing, quitting."""
    options = 1 + can_draw
    for at in range(order.size):
        options += count_of(cards, order[at]) > 0
    return options


@inlined
def random_move(order, cards, can_draw, coin):
    """Return a uniform choice among playable cards, drawing and quitting.

    order: the kinds as they are written, see `ruleset.NAMES`.
    """
    choice = below(mix(coin), count_options(order, cards, can_draw))
    for at in range(order.size):
        if count_of(cards, order[at]) > 0:
            if choice == 0:
                return order[at]
            choice -= 1
    return DRAW if can_draw and choice == 0 else QUIT


@inlined
def last_move(rules, hand, cards, top):
    """Return the best move when all others have quit: play what is possible, in the right order.

    Cards like the top come first, then the next value; the pink llama only if nothing else can be
    played. Each card gone costs less, and no order plays more cards. If only a llama as the last
    card returns a token, one llama is kept while all numbers are held: it can then be the last.
    """
    if cards == 0:
        return QUIT
    llama = rules[LLAMA_PLACE]
    same = same_as_top(cards, top)
    pink = cards & 0xF << 8 * llama
    rest = cards & ~pink
    same &= ~pink
    last_llama = np.int64(1) << 8 * llama + PLAIN
    keeps = rules[OUT_TOKEN] == LLAMA_LAST and same == last_llama and pink == 0
    if keeps and places_of(hand) == EVERY_PLACE:
        same ^= last_llama
        rest ^= last_llama
    if same:
        return dearest(same)
    return dearest(rest) if rest else dearest(pink)


@inlined
def fewest_cards(table, hand_at, next_at, seat):
    """Return the fewest cards that another player still in holds."""
    fewest = 99
    other = table[next_at + seat] & 7
    while other != seat:
        fewest = min(fewest, count_cards(table[hand_at + other]))
        other = table[next_at + other] & 7
    return fewest


@inlined
def hand_index(hand, llama_place, ranks):
    """Return the index of a hand in a values table; counts above two are treated as two."""
    pink = 0xF << 8 * llama_place
    counts = (hand & LOW_FOUR & ~pink) + (hand >> 4 & LOW_FOUR)
    some = (counts + 127 * ONES) >> 7 & ONES
    twice = (counts + 126 * ONES) >> 7 & ONES
    return ranks[gathered(some) | gathered(twice) << PLACES] + (hand & pink != 0) * HANDS


@inlined
@for_all
def best_move(
    rules, penalties, values, ranks, group, extra, leeway, hand, cards, top, can_draw, context,
    unseen, score, pot, running,
):  # fmt: skip
    """Return the decision of VALUES: the least cost of quitting, playing and drawing.

    values: see `meanfield.values_table`; each group has one block for each token that going out can
    return.
    extra: points that going out is worth to this policy besides the token.
    leeway: points that drawing counts more, or (below 0) that quitting does, see
    `round_loop.all_leeway`.
    unseen: cards that this seat has not seen.
    pot: the sum on it; running: whether it must be taken.
    """
    llama = rules[LLAMA_PLACE]
    token = returned_token(score, rules[BLACK], rules[PINK])
    block = min((token >= rules[BLACK]) + (token > rules[BLACK]), values.shape[1] - 1)
    index = hand_index(hand, llama, ranks)
    taken = pot if running else 0
    best = QUIT
    # Playing a card takes no risk: a leading player values drawing more, not quitting less.
    least = np.float32(quitting_cost(rules, penalties, hand) + taken) - min(leeway, np.float32(0))
    while cards:
        kind = dearest(cards)
        cards &= ~(0xF << kind)
        place = place_of(kind)
        after = hand - (1 << kind)
        if after == 0:
            cost = np.float32(-out_token(rules, score, kind) - extra)
        else:
            plane = DECIDING if is_plus(rules, kind) else PASSED_ON
            cost = values[group, block, plane, context, place, hand_index(after, llama, ranks)]
        if rules[DRAMA] > 0:
            if pays(rules, kind):
                cost -= np.float32(lowest_token(score, rules[BLACK], rules[PINK]))
            else:
                cost += np.float32(taken)
        if cost < least:
            least = cost
            best = kind
    if can_draw:
        cost = drawing_cost(values, group, block, context, top, hand, index, llama, unseen)
        if cost + np.float32(taken) + max(leeway, np.float32(0)) < least:
            best = DRAW
    return best


@inlined
def drawing_cost(values, group, block, context, top, hand, index, llama, unseen):
    """Return the mean cost of drawing, over the unseen cards."""
    pinks = unseen >> 8 * llama & 15
    some = unseen - (pinks << 8 * llama)
    counts = (some & LOW_FOUR) + (some >> 4 & LOW_FOUR)
    held = hand - (hand & 0xF << 8 * llama)
    held = (held & LOW_FOUR) + (held >> 4 & LOW_FOUR)
    total = np.float32(0)
    step = 1
    for place in range(PLACES):
        up = index + step if held >> 8 * place & 0xFF < 2 else index
        total += (
            np.float32(counts >> 8 * place & 0xFF)
            * values[group, block, PASSED_ON, context, top, up]
        )
        step *= 3
    if pinks:
        up = index + HANDS if index < HANDS else index
        total += np.float32(pinks) * values[group, block, PASSED_ON, context, top, up]
    return total / np.float32(count_cards(unseen))
