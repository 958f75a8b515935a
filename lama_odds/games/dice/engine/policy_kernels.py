"""Decisions of the policies, `copy` included, as compiled functions on packed cards.

A policy is a family code with a parameter, or with a block of a table. It sees the cards of its
seat, the row and the number of others still in. `copy`, `learned` and `card` see the others' cards
and all scores too. Its own randomness comes from its coins, one word for each decision
that needs one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from lama_odds.games.dice.engine.card_rules import (
    rolls_by_card,
    taken_by_card,
)
from lama_odds.games.dice.engine.tables import HAND, PENALTY, SCORE, SCRATCH
from lama_odds.games.dice.engine.trained import cost_of_leaving as cost_to_learned
from lama_odds.games.dice.engine.trained import gain_of_rolling as gain_to_learned
from lama_odds.games.dice.rules.transition import (
    FULL_ROW,
    KINDS,
    count_of,
    discard_option,
    discard_options,
    kinds_of,
    lowest_kind,
)
from lama_odds.games.shared.families import UNKNOWN_FAMILY
from lama_odds.jit import compiled, given_or, inlined
from lama_odds.luck.stream import below, mix

# Decisions of `copy`: a small neural network that was fitted to solved rounds of two players.
#
# The first layer adds rows of weights. One row is for each kind: how many either player holds, and
# whether it is in the row. Others are for the set of kinds held, for numbers of cards, and for both
# scores. It also sees what the round is worth if it ends now in one of five ways. A second layer of
# few numbers leads to two results. They are what a situation costs the player who decides, and how
# much better it is to roll than to quit.
#
# There are two such networks. One is for two players who are both in, the other for a player alone:
# then the other holds no cards, and has a final score.

FIRST, SECOND = 64, 16  # numbers of the two layers
RESULTS = 2
COST, GAIN = 0, 1
# What is told apart: cards of a kind, sets of kinds, numbers of cards.
MOST, SETS, CARDS = 3, FULL_ROW + 1, 14
OF_KIND = 2 * (MOST + 1) ** 2
# Where rows of the first layer begin after those of the kinds: kinds held by either player, in the
# row, held twice, and numbers of cards.
HELD = KINDS * OF_KIND
IN_ROW, TWICE = HELD + 2 * SETS, HELD + 3 * SETS
NUMBERS = TWICE + 2 * SETS
COPY_ROWS = NUMBERS + 2 * CARDS
PARTS = KINDS + 7  # rows that a situation adds
ENDS = 5  # ways in which a round may end now
# Scores of the player who decides, those of the other (final ones of a player who has quit), and
# final scores of both.
OWN, OTHERS, FINALS = 40, 72, 104
SCALE = np.float32(0.1)  # of points, as the first layer reads them
HALF, NONE = np.float32(0.5), np.float32(0)
_ONES = 0x1111111


class Worths(NamedTuple):
    """What scores are worth.

    ends: float32[2, FINALS, FINALS], what the end of a round costs a player with the first final
    score against the second. First if that player ends it, then if the other does.
    slopes: float32[OWN, OTHERS], what a point changes. returns: float32[FINALS], the token that a
    player with a score can return.
    """

    ends: np.ndarray
    slopes: np.ndarray
    returns: np.ndarray


class Net(NamedTuple):
    """A network.

    cards: float32[ROWS, FIRST]. scores: float32[OWN, OTHERS, FIRST]. ends: float32[ENDS, FIRST].
    second: float32[FIRST, SECOND]. results: float32[RESULTS, SECOND]. constants: float32[SECOND +
    RESULTS], what is added to the second layer, and to the results.
    """

    cards: np.ndarray
    scores: np.ndarray
    ends: np.ndarray
    second: np.ndarray
    results: np.ndarray
    constants: np.ndarray


# A call with one array costs much less than one with twenty. So both networks, and what scores are
# worth to them, lie in the rows of one array, in the order of the fields above.
SCORES_AT, ENDS_AT = COPY_ROWS, COPY_ROWS + OWN * OTHERS
SECOND_AT = ENDS_AT + ENDS
EACH = FIRST // SECOND  # rows of the second layer in one of the array
RESULTS_AT = SECOND_AT + SECOND
CONSTANTS_AT = RESULTS_AT + RESULTS
WORTHS_AT = CONSTANTS_AT + 1
IN_A_ROW = 6  # bits: FIRST numbers
SLOPES_AT = WORTHS_AT + -(-2 * FINALS * FINALS // FIRST)
RETURNS_AT = SLOPES_AT + OWN * OTHERS // FIRST
NET_SIZE = RETURNS_AT + -(-FINALS // FIRST)
TOGETHER, ALONE = 0, NET_SIZE  # for two players who are in; for one, the other out

# Where the ways to end and both layers of a situation are on the table, behind its rows: places of
# float32, two in that of an int64.
SEEN_AT = 2 * (SCRATCH + 16)
LAYER_AT = SEEN_AT + 8
NEXT_AT = LAYER_AT + FIRST
SCRATCH_END = (NEXT_AT + SECOND) // 2


def laid_out(net: Net, worths: Worths) -> np.ndarray:
    """Return a network and what scores are worth to it as one array, float32[NET_SIZE, FIRST]."""
    results = np.zeros((RESULTS, FIRST))
    results[:, :SECOND] = net.results
    parts = (*net[:4], results, net.constants, *worths)
    rows = np.concatenate([_in_rows(part) for part in parts])
    assert len(rows) == NET_SIZE
    return rows


def _in_rows(part: np.ndarray) -> np.ndarray:
    """Return the numbers of an array in rows, the last one filled up."""
    flat = part.ravel().astype(np.float32)
    return np.append(flat, np.zeros(-flat.size % FIRST, np.float32)).reshape(-1, FIRST)


@inlined
def number_at(nets, row, number):
    """Return a number of a part that begins in a row."""
    return nets[row + (number >> IN_A_ROW), number & FIRST - 1]


@inlined
def write_rows(hand, theirs, row, rows, at):
    """Write the rows of the first layer that packed cards and the row add, from place `at`."""
    mine, others = kinds_of(hand), kinds_of(theirs)
    number = 0
    numbers = 0
    for kind in range(KINDS):
        held, against = count_of(hand, kind), count_of(theirs, kind)
        number += held
        numbers += against
        both = min(held, MOST) << 3 | min(against, MOST) << 1 | row >> kind & 1
        rows[at + kind] = kind * OF_KIND + both
    rows[at + KINDS] = HELD + mine
    rows[at + KINDS + 1] = HELD + SETS + others
    rows[at + KINDS + 2] = IN_ROW + row
    rows[at + KINDS + 3] = TWICE + kinds_of((hand >> 1 | hand >> 2 | hand >> 3) & _ONES)
    rows[at + KINDS + 4] = (
        TWICE + SETS + kinds_of((theirs >> 1 | theirs >> 2 | theirs >> 3) & _ONES)
    )
    rows[at + KINDS + 5] = NUMBERS + min(number, CARDS - 1)
    rows[at + KINDS + 6] = NUMBERS + CARDS + min(numbers, CARDS - 1)


@inlined
def slope_of(nets, net, mine, other):
    """Return what a point changes at these scores."""
    return number_at(nets, net + SLOPES_AT, mine * OTHERS + other)


@inlined
def write_ends(nets, net, points, hand, theirs, row, mine, other, ends, here):
    """Write what the ways to end now cost beside ending with these cards; return that.

    ends: float32, from place `here`.
    """
    held, against = kinds_of(hand), kinds_of(theirs)
    worth = net + WORTHS_AT
    theirs_end = FINALS * FINALS  # where the worths begin if the other ends the round
    at = (mine + points[held]) * FINALS
    final = other + points[against]
    now = (
        number_at(nets, worth, at + final) + number_at(nets, worth, theirs_end + at + final)
    ) * HALF
    start = mine * FINALS + other
    begun = number_at(nets, worth, start) + number_at(nets, worth, theirs_end + start)
    unit = SCALE / slope_of(nets, net, mine, other)
    out = np.int64(number_at(nets, net + RETURNS_AT, mine))
    others_out = np.int64(number_at(nets, net + RETURNS_AT, other))
    blown = (mine + points[held | row]) * FINALS + final
    ends[here] = (now - begun * HALF) * unit
    ends[here + 1] = (number_at(nets, worth, blown) - now) * unit
    blown = theirs_end + at + other + points[against | row]
    ends[here + 2] = (number_at(nets, worth, blown) - now) * unit
    ends[here + 3] = (number_at(nets, worth, (mine - out) * FINALS + final) - now) * unit
    ends[here + 4] = (number_at(nets, worth, theirs_end + at + other - others_out) - now) * unit
    return now


@inlined
def first_layer(nets, net, table, seen, mine, other):
    """Add up the first layer of a situation that is written on the table; seen: as float32."""
    at = SCRATCH
    a, b, c = row_at(net, table, at), row_at(net, table, at + 1), row_at(net, table, at + 2)
    d, e, f = row_at(net, table, at + 3), row_at(net, table, at + 4), row_at(net, table, at + 5)
    g, h, i = row_at(net, table, at + 6), row_at(net, table, at + 7), row_at(net, table, at + 8)
    j, k, m = row_at(net, table, at + 9), row_at(net, table, at + 10), row_at(net, table, at + 11)
    n, o = row_at(net, table, at + 12), row_at(net, table, at + 13)
    score = net + SCORES_AT + mine * OTHERS + other
    end = net + ENDS_AT
    # Written out in three loops: so each works on many numbers at once.
    for x in range(FIRST):
        seen[LAYER_AT + x] = nets[score, x] + nets[a, x] + nets[b, x] + nets[c, x] + nets[d, x]
    for x in range(FIRST):
        seen[LAYER_AT + x] += (
            nets[e, x] + nets[f, x] + nets[g, x] + nets[h, x] + nets[i, x] + nets[j, x]
        )
    first, second, third = seen[SEEN_AT], seen[SEEN_AT + 1], seen[SEEN_AT + 2]
    fourth, fifth = seen[SEEN_AT + 3], seen[SEEN_AT + 4]
    for x in range(FIRST):
        seen[LAYER_AT + x] = max(
            seen[LAYER_AT + x] + nets[k, x] + nets[m, x] + nets[n, x] + nets[o, x]
            + (first * nets[end, x] + second * nets[end + 1, x] + third * nets[end + 2, x])
            + (fourth * nets[end + 3, x] + fifth * nets[end + 4, x]),
            NONE,
        )  # fmt: skip


@inlined
def row_at(net, table, at):
    """Return where the weights of a row are that is written on the table."""
    return net + table[at]


@inlined
def second_layer(nets, net, seen, result):
    """Return a result from the first layer; seen: the table as float32."""
    constants = net + CONSTANTS_AT
    for y in range(SECOND):
        seen[NEXT_AT + y] = nets[constants, y]
    for x in range(0, FIRST, 2 * EACH):
        a, b, c, d = (
            seen[LAYER_AT + x],
            seen[LAYER_AT + x + 1],
            seen[LAYER_AT + x + 2],
            seen[LAYER_AT + x + 3],
        )
        e, f, g, h = (
            seen[LAYER_AT + x + 4],
            seen[LAYER_AT + x + 5],
            seen[LAYER_AT + x + 6],
            seen[LAYER_AT + x + 7],
        )
        at = net + SECOND_AT + x // EACH
        for y in range(SECOND):
            seen[NEXT_AT + y] += (
                a * nets[at, y] + b * nets[at, SECOND + y] + c * nets[at, 2 * SECOND + y]
                + d * nets[at, 3 * SECOND + y] + e * nets[at + 1, y] + f * nets[at + 1, SECOND + y]
                + g * nets[at + 1, 2 * SECOND + y] + h * nets[at + 1, 3 * SECOND + y]
            )  # fmt: skip
    total = nets[constants, SECOND + result]
    at = net + RESULTS_AT + result
    for y in range(SECOND):
        total += max(seen[NEXT_AT + y], NONE) * nets[at, y]
    return total


@inlined
def result_of(nets, net, points, hand, theirs, row, mine, other, table, result):
    """Return what ending now costs, and a result of a network in points.

    hand, theirs: packed cards of the player who decides and of the other. mine, other: their
    scores.
    """
    seen = table.view(np.float32)
    write_rows(hand, theirs, row, table, SCRATCH)
    now = write_ends(nets, net, points, hand, theirs, row, mine, other, seen, SEEN_AT)
    first_layer(nets, net, table, seen, mine, other)
    return now, second_layer(nets, net, seen, result)


# The other player of two has seat 1 - seat. Where nobody plays `copy`, there are no networks.


@given_or("copied", NONE)
@inlined
def rolling(tables, hand, row, alone, table, seat):
    """Return how much better it is for a seat to roll than to quit, in points."""
    return gain_of_rolling(tables.copied, tables.points, hand, row, alone, table, seat)


@given_or("copied", NONE)
@inlined
def cost_left(tables, hand, row, alone, table, seat):
    """Return what it costs a seat to leave itself this hand and row, in chances to win."""
    return cost_of_leaving(tables.copied, tables.points, hand, row, alone, table, seat)


@compiled
def gain_of_rolling(nets, points, hand, row, alone, table, seat):
    """Return what `rolling` does: a call with few arrays costs less than one with all tables."""
    against = 1 - seat
    mine, other = table[SCORE + seat], table[SCORE + against]
    theirs = table[HAND + against]
    net = TOGETHER
    if alone:
        other += table[PENALTY + against]
        theirs = 0
        net = ALONE
    return result_of(nets, net, points, hand, theirs, row, mine, other, table, GAIN)[1]


@compiled
def cost_of_leaving(nets, points, hand, row, alone, table, seat):
    """Return what `cost_left` does, for the same reason."""
    against = 1 - seat
    # The other decides next, unless it has quit.
    mine, other = table[SCORE + against], table[SCORE + seat]
    decides, theirs = table[HAND + against], hand
    net = TOGETHER
    sign = np.float32(-1)
    if alone:
        mine, other = other, mine + table[PENALTY + against]
        decides, theirs = hand, 0
        net = ALONE
        sign = np.float32(1)
    now, cost = result_of(nets, net, points, decides, theirs, row, mine, other, table, COST)
    return sign * (now + slope_of(nets, net, mine, other) * cost)


RANDOM = 0
THRESHOLD = 1
VALUES = 2
COPY = 3
CARD = 4
LEARNED = 5

# A values table is float32[blocks, 2, ROWS * HANDS]. There is one block for each number of other
# players still in, and again for each token of ten or more that can be returned. It has the cost of
# rolling and the value of a hand after the turn, both in penalty points (lower is better). All
# hands of a row are adjacent: the row rarely changes in a round, so they stay in the cache.
ROLLING = 0
PASSED_ON = 1
ROWS = 1 << KINDS
HANDS = 3**KINDS


@inlined
def hand_index(hand, ranks):
    """Return the index of a hand in a values table; counts above two are treated as two."""
    twice = hand >> 1 | hand >> 2 | hand >> 3
    return ranks[kinds_of(hand) | kinds_of(twice & 0x1111111) << KINDS]


@inlined
def with_token(values, block, score, black, pink):
    """Return the first block of a policy for a seat with this score.

    values: of all policies without a token, with a black token, and with a pink one if pink tokens
    are in play. Without tokens in play the first part is enough.
    """
    level = (score >= black) + (pink > 0 and score >= pink)
    return block + level * (values.shape[0] // (2 + (pink > 0)))


@inlined
def token_of_block(score, black, pink):
    """Return the token with which the block of `with_token` was computed (0: none)."""
    if pink > 0 and score >= pink:
        return pink
    return black if score >= black else 0


@inlined
def rolls_on(
    family, parameter, block, penalty, leeway, hand, row, others, coin, tables, table, seat
):  # fmt: skip
    """Return whether the policy rolls (True) or quits; others: players still in beside this one.

    leeway: points that quitting counts less, see `round_loop.weighed_by`. tables: see
    `tables.PlayTables`. table, seat: see `table_rows`.
    """
    if family == THRESHOLD:
        return penalty > parameter
    if family == RANDOM:
        return below(mix(coin), 2) == 1
    if family == COPY:
        return rolling(tables, hand, row, others == 0, table, seat) > 0
    if family == CARD:
        return rolls_by_card(tables, penalty, hand, row, others, table, seat)
    if family != VALUES:
        if family != LEARNED:
            raise ValueError(UNKNOWN_FAMILY)
        return gain_to_learned(tables.learned, tables.points, hand, row, others, table, seat) > 0
    cost = np.float32(penalty) - leeway
    here = row * HANDS + hand_index(hand, tables.ranks)
    return cost > tables.values[block + others, ROLLING, here]


@inlined
def cost_after(family, block, hand, row, others, tables, table, seat):
    """Return what a hand and row cost a policy after its move, in a unit of its own."""
    if family == COPY:
        return cost_left(tables, hand, row, others == 0, table, seat)
    if family != VALUES:
        if family != LEARNED:
            raise ValueError(UNKNOWN_FAMILY)
        return cost_to_learned(tables.learned, tables.points, hand, row, others, table, seat)
    here = row * HANDS + hand_index(hand, tables.ranks)
    return tables.values[block + others, PASSED_ON, here]


@inlined
def chosen_discard(family, block, most, hand, row, others, coin, tables, table, seat):
    """Return cards to discard, packed, within `most`, which is all that the roll allows."""
    if family in (THRESHOLD, CARD):
        return most
    options = discard_options(most)
    if family == RANDOM:
        return discard_option(most, 1 + below(mix(coin), options))
    if family not in (VALUES, COPY, LEARNED):
        raise ValueError(UNKNOWN_FAMILY)
    best = most
    if hand == most or options == 1:
        return best
    least = np.float32(np.inf)
    for choice in range(options, 0, -1):
        cards = discard_option(most, choice)
        value = cost_after(family, block, hand - cards, row, others, tables, table, seat)
        if value < least:
            least = value
            best = cards
    return best


@inlined
def chosen_take(family, block, takeable, hand, row, others, coin, tables, table, seat):
    """Return the kind to take, out of the mask of kinds that can be taken."""
    if family == THRESHOLD:
        return lowest_kind(takeable)
    if family == CARD:
        return taken_by_card(tables, takeable, table, seat)
    if family == RANDOM:
        left = takeable
        choices = 0
        while left:
            left &= left - 1
            choices += 1
        for _ in range(below(mix(coin), choices)):
            takeable &= takeable - 1
        return lowest_kind(takeable)
    if family not in (VALUES, COPY, LEARNED):
        raise ValueError(UNKNOWN_FAMILY)
    best = lowest_kind(takeable)
    if takeable == 1 << best:
        return best
    least = np.float32(np.inf)
    first = True
    while takeable:
        kind = lowest_kind(takeable)
        takeable &= takeable - 1
        left = row & ~(1 << kind)
        value = cost_after(family, block, hand + (1 << 4 * kind), left, others, tables, table, seat)
        if first or value < least:
            least = value
            best = kind
            first = False
    return best
