"""Hidden cards redrawn: hands for the others that agree with all that one player knows.

The cards I have not seen are dealt to the others, so many to each, all equally likely. A
player who has quit is given another hand until it is one with which the policy of that seat
would quit, on a card drawn at random from the whole deck (nobody tells which lay on top), with
as many others in, and so few cards among them, as there are now.
"""

from __future__ import annotations

import numpy as np

from lama_odds.core.policy_numbers import MASK
from lama_odds.games.lama import turn
from lama_odds.games.lama.play import (
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
    all_leeway,
    deal_hand,
)
from lama_odds.games.lama.play import LEFT as UNSEEN
from lama_odds.games.lama.policies import (
    RANDOM,
    VALUES,
    best_move,
    context_of,
    random_move,
    threshold_move,
)
from lama_odds.games.lama.turn import QUIT, penalty_of
from lama_odds.kernels import inlined
from lama_odds.luck.stream import below, mix

TRIES = 100  # hands tried for one who has quit; then the last one is taken, and counted


@inlined
def would_quit(rules, tables, table, seats, seat, hand, top, others, fewest, word):
    """Whether the policy of a seat quits with this hand on this top."""
    cards = hand & tables[0][top & 7]
    family = table[FAMILY + seat]
    if family == RANDOM:
        return random_move(tables[2], cards, True, word) == QUIT
    if family == VALUES:
        move = best_move(
            rules, tables[1], tables[3], tables[4], table[BLOCK + seat],
            table[PARAMETER + seat] & MASK,
            all_leeway(rules, tables[1], table, seats, seat, hand),
            hand, cards, top, True,
            context_of(others, fewest), rules[turn.CARDS] - table[PLACE + PLAYED] - hand,
            table[SCORE + seat], 0, False,
        )  # fmt: skip
        return move == QUIT
    parameter = table[PARAMETER + seat]
    move = threshold_move(rules, tables[1], parameter, family, hand, cards, top, True)
    return move == QUIT


@inlined
def deal_hidden(rules, tables, table, counts, seats, others, fewest, start, gamma):
    """Deal hands to the others; returns how many of those who quit got none that fits.

    table: as it stands at the position, its pack the cards I have not seen. counts: cards of
    each seat. others, fewest: players still in, me included, and the fewest cards one holds.
    start: first word of the deal lane.
    """
    specials = rules[turn.SPECIALS] != 0
    plain = np.uint64(table[PLACE + PLAIN_PACK])
    special = np.uint64(table[PLACE + SPECIAL_PACK])
    left = table[PLACE + UNSEEN]
    misfits = 0
    for step in range(2):  # first those who have quit: their hands are the more special
        for seat in range(1, seats):
            if (table[PENALTY + seat] >= 0) != (step == 0):
                continue
            fits = False
            for _ in range(TRIES if step == 0 else 1):
                hand, plain_left, special_left, start = deal_hand(
                    plain, special, np.uint64(left), counts[seat], specials, start, gamma
                )
                if step == 0:
                    card = below(mix(start), rules[turn.DECK])
                    opened, _, _ = turn.take_card(
                        np.uint64(rules[turn.PLAIN_PACK]),
                        np.uint64(rules[turn.SPECIAL_PACK]),
                        np.uint64(card),
                    )
                    top = turn.place_of(turn.dearest(opened))
                    fits = would_quit(
                        rules, tables, table, seats, seat, hand, top, others, fewest, start + gamma
                    )
                    start += gamma + gamma
                if fits:
                    break
            misfits += step == 0 and not fits
            plain = plain_left
            special = special_left
            left -= counts[seat]
            table[HAND + seat] = hand
            if step == 0:
                table[PENALTY + seat] = penalty_of(rules, tables[1], hand)
    table[PLACE + PLAIN_PACK] = np.int64(plain)
    table[PLACE + SPECIAL_PACK] = np.int64(special)
    table[PLACE + UNSEEN] = left
    return misfits
