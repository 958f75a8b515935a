"""Determinizations: hidden cards are drawn at random, consistent with what one player knows.

The unseen cards are dealt to the others, in the right numbers, all deals equally likely. A deal
counts only if everybody who has quit holds a hand with which that seat's policy would quit. Such a
policy is shown a random card of the whole deck as top card, because the real one is unknown. The
number of others in, and the fewest cards among them, are those of the position. `hidden_hands`
finds these hands once for a position. Here they are drawn, and the other players get the rest.
"""

from __future__ import annotations

import numpy as np

from lama_odds.core.policy_numbers import MASK
from lama_odds.games.lama.engine.beliefs import propose_again
from lama_odds.games.lama.engine.card_rules import card_move
from lama_odds.games.lama.engine.dealing import deal_hand
from lama_odds.games.lama.engine.equilibrium import equilibrium_move
from lama_odds.games.lama.engine.learned.network import learned_move
from lama_odds.games.lama.engine.policy_kernels import (
    CARD,
    EQUILIBRIUM,
    LEARNED,
    MATCHING,
    RANDOM,
    THRESHOLD,
    VALUES,
    best_move,
    context_of,
    count_options,
    threshold_move,
)
from lama_odds.games.lama.engine.round_loop import all_leeway
from lama_odds.games.lama.engine.table_rows import (
    BLOCK,
    FAMILY,
    HAND,
    PARAMETER,
    PENALTY,
    PLACE,
    PLAIN_PACK,
    PLAYED,
    SCORE,
    SPECIAL_PACK,
)
from lama_odds.games.lama.engine.table_rows import LEFT as UNSEEN
from lama_odds.games.lama.rules import transition
from lama_odds.games.lama.rules.transition import (
    LOW_FOUR,
    ONES,
    PLACES,
    QUIT,
    penalty_of,
    quitting_cost,
)
from lama_odds.games.shared.families import UNKNOWN_FAMILY
from lama_odds.jit import compiled, inlined
from lama_odds.luck.stream import mix

_11 = np.uint64(11)
_UNIT = 2.0**-53


@inlined
def quit_chance(rules, tables, table, seats, seat, hand, top, others, fewest):
    """Return the chance that the policy of a seat quits with this hand on this top."""
    cards = hand & tables.playable[top & 7]
    family = table[FAMILY + seat]
    if family == RANDOM:
        return 1.0 / count_options(tables.order, cards, 1)
    if family == VALUES:
        move = best_move(
            rules, tables.penalties, tables.values, tables.ranks, table[BLOCK + seat],
            table[PARAMETER + seat] & MASK,
            all_leeway(rules, tables.penalties, table, seats, seat, hand),
            hand, cards, top, True,
            context_of(others, fewest), rules[transition.CARDS] - table[PLACE + PLAYED] - hand,
            table[SCORE + seat], 0, False,
        )  # fmt: skip
        return 1.0 if move == QUIT else 0.0
    if family == EQUILIBRIUM:
        move = equilibrium_move(
            tables.equilibrium, table[BLOCK + seat], hand, cards, top, True, fewest,
            table[SCORE + seat], table[SCORE + 1 - seat],
        )  # fmt: skip
        return 1.0 if move == QUIT else 0.0
    if family == LEARNED:
        move = learned_move(
            tables, rules, tables.penalties, table, seats, seat, hand, cards, top, True, others,
            table[PLACE + PLAYED],
        )  # fmt: skip
        return 1.0 if move == QUIT else 0.0
    if family == CARD:
        move = card_move(
            tables, rules, table, seats, seat, hand, cards, top, True, others, fewest,
            table[PLACE + PLAYED],
        )  # fmt: skip
        return 1.0 if move == QUIT else 0.0
    if family not in (THRESHOLD, MATCHING):
        raise ValueError(UNKNOWN_FAMILY)
    parameter = table[PARAMETER + seat]
    move = threshold_move(rules, tables.penalties, parameter, family, hand, cards, top, True)
    return 1.0 if move == QUIT else 0.0


@compiled
def weigh_hands(rules, tables, table, seats, seat, others, fewest, hands, chances, costs):
    """Fill in, for several hands, the chance that a seat quits with each, and its cost.

    table: the position's table, with the policy of the seat. others, fewest: players still in, the
    one to decide included, and the fewest cards one holds. The top is any card of the deck.
    """
    for at in range(hands.size):
        chance = 0.0
        for top in range(PLACES):
            of_place = rules[transition.CARDS] >> 8 * top & 0xFF
            there = (of_place & 15) + (of_place >> 4)
            if there:
                chance += there * quit_chance(
                    rules, tables, table, seats, seat, hands[at], top, others, fewest
                )
        chances[at] = chance / rules[transition.DECK]
        costs[at] = penalty_of(rules, tables.penalties, hands[at])


@inlined
def choose(first, upto, node, word):
    """Return the entry of a node that a random word selects; upto: summed chances in the node."""
    lucky = np.float64(np.int64(word >> _11)) * _UNIT
    low = first[node]
    high = first[node + 1] - 1
    while low < high:
        middle = (low + high) // 2
        if lucky < upto[middle]:
            high = middle
        else:
            low = middle + 1
    return low


@inlined
def take_hand(plain, special, hand):
    """Return the two words of a pack after a hand was taken out of it (see
    `transition.pack_up`).
    """
    plains = (hand >> 4 & LOW_FOUR) * ONES & 0xFFFFFFFFFFFFFF
    specials = (hand & LOW_FOUR) * ONES & 0xFFFFFFFFFFFFFF
    every = (plains >> 48) * ONES
    return plain - np.uint64(plains), special - np.uint64(every + specials)


@inlined
def deal_hidden(rules, tables, table, counts, seats, quitters, held, start, gamma):
    """Deal hands to the others, first to those who have quit: their hands are more restricted.

    table: the position's table; its pack has the unseen cards. counts: cards of each seat.
    quitters: see `QuitterTables`; it may have the hands of all others, see `beliefs`. held: if
    these are a sample of deals, hands that are proposed again. start: first word of the deal lane.
    """
    who, first, following = quitters.seats, quitters.first, quitters.following
    hands, upto = quitters.hands, quitters.upto
    plain = np.uint64(table[PLACE + PLAIN_PACK])
    special = np.uint64(table[PLACE + SPECIAL_PACK])
    left = table[PLACE + UNSEEN]
    if who.size:
        node = following[choose(first, upto, first.size - 2, mix(start))]
        start += gamma
        for at in range(who.size - 1, -1, -1):
            entry = choose(first, upto, node, mix(start))
            start += gamma
            node = following[entry]
            table[HAND + who[at]] = hands[entry]
        if held.hands.size:
            start = propose_again(held, table, HAND + 1, seats - 1, start, gamma)
        for at in range(who.size):
            hand = table[HAND + who[at]]
            plain, special = take_hand(plain, special, hand)
            left -= counts[who[at]]
            if table[PENALTY + who[at]] >= 0:
                table[PENALTY + who[at]] = quitting_cost(rules, tables.penalties, hand)
    specials = rules[transition.SPECIALS] != 0
    for seat in range(1, seats):
        if table[PENALTY + seat] < 0 and who.size < seats - 1:
            hand, plain, special, start = deal_hand(
                plain, special, np.uint64(left), counts[seat], specials, start, gamma
            )
            left -= counts[seat]
            table[HAND + seat] = hand
    table[PLACE + PLAIN_PACK] = np.int64(plain)
    table[PLACE + SPECIAL_PACK] = np.int64(special)
    table[PLACE + UNSEEN] = left
