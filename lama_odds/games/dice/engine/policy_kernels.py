"""Decisions of the policies, as compiled functions on packed cards.

A policy is a family code with a parameter, or with a block of a table. It sees the cards of its
seat, the row and the number of others still in; `copy` and `card` see the others' cards and all
scores on the table too. Its own randomness comes from its coins, one word for each decision that
needs one.
"""

from __future__ import annotations

import numpy as np

from lama_odds.games.dice.engine.card_rules import (
    rolls_by_card,
    taken_by_card,
)
from lama_odds.games.dice.engine.copied import cost_left, rolling
from lama_odds.games.dice.rules.transition import (
    KINDS,
    discard_option,
    discard_options,
    kinds_of,
    lowest_kind,
)
from lama_odds.games.shared.families import UNKNOWN_FAMILY
from lama_odds.jit import inlined
from lama_odds.luck.stream import below, mix

RANDOM = 0
THRESHOLD = 1
VALUES = 2
COPY = 3
CARD = 4

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


def hand_ranks() -> np.ndarray:
    """Return int16[2**14] for `hand_index`: by the kinds held and the kinds held more than once."""
    ranks = np.zeros(1 << 2 * KINDS, dtype=np.int16)
    for key in range(1 << 2 * KINDS):
        held, twice = key & (ROWS - 1), key >> KINDS
        counts = [(held >> k & 1) * (1 + (twice >> k & 1)) for k in range(KINDS)]
        ranks[key] = sum(count * 3**k for k, count in enumerate(counts))
    return ranks


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
        raise ValueError(UNKNOWN_FAMILY)
    cost = np.float32(penalty) - leeway
    here = row * HANDS + hand_index(hand, tables.ranks)
    return cost > tables.values[block + others, ROLLING, here]


@inlined
def cost_after(family, block, hand, row, others, tables, table, seat):
    """Return what a hand and row cost a policy after its move, in a unit of its own."""
    if family == COPY:
        return cost_left(tables, hand, row, others == 0, table, seat)
    if family != VALUES:
        raise ValueError(UNKNOWN_FAMILY)
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
    if family != VALUES and family != COPY:
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
    if family != VALUES and family != COPY:
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
