"""Decisions of cards of rules: what their player sees, when it stops, and which face it keeps.

Everything that a card speaks of lies open on the table, and a person can count it at a glance.
"""

from __future__ import annotations

import numpy as np

from lama_odds.games.pikomino.engine.policy_kernels import best_other
from lama_odds.games.pikomino.rules.board import (
    CENTRE,
    LOW,
    NO_TILE,
    centre_tile,
    owner_of,
    top_of,
    worms_of,
)
from lama_odds.games.pikomino.rules.turn_tables import FACES, WORM
from lama_odds.games.shared.rule_cards import MOST_LINES, limit_of
from lama_odds.jit import compiled, for_all, given_or, inlined

BLOCK = 1  # column of a policy row: which block is that of the card

# What a card sees, in the order of `policies.card.LANGUAGE`.
DICE_LEFT = 0
SHORT = 1  # dice that are left fewer than faces are kept, else 0
WORMS = 2  # on the tile that stopping brings
STEALS = 3  # the same if it is taken from another player, else 0
OWN = 4  # worms on the own top tile, which a bust costs
TILES_LEFT = 5  # in the centre
AHEAD = 6  # worms more than the best other, after stopping
BEHIND = 7  # worms fewer
SEEN = 8
MOST = 99  # of each

# Beside its lines, the block of a card has a row with its habits, by their bits.
HABITS_ROW = MOST_LINES
NET = 1 << 0
STOP = 1 << 1
WORM_IN_TIME = 1 << 2
OFF = 2  # points that NET takes off each die
IN_TIME = 5  # dice: with no more than these WORM_IN_TIME looks for a worm


@inlined
def ones_of(mask):
    """Return the number of bits set."""
    found = 0
    while mask:
        mask &= mask - 1
        found += 1
    return found


@given_or("cards", False)
@compiled
@for_all
def stops_by_card(play, rules, board, policies, seat, kept, total, left, seen):
    """Return whether a card stops after keeping a face; without dice left it takes what it can.

    seen: to fill.
    """
    if not kept >> WORM & 1:
        return False
    tile = centre_tile(board, rules, total)
    owner = owner_of(board, rules, total, seat)
    if tile == NO_TILE and owner < 0:
        return False
    if left == 0:
        return True
    if owner >= 0:
        tile = total - rules[LOW]
    worms, top = play.worms[tile], top_of(board, seat)
    seats = policies.shape[0]
    ahead = worms_of(board, play.worms, seat) + worms
    ahead -= best_other(board, play.worms, seats, seat, owner, worms)
    seen[DICE_LEFT] = left
    seen[SHORT] = max(ones_of(kept) - left, 0)
    seen[WORMS] = min(worms, MOST)
    seen[STEALS] = min(worms, MOST) if owner >= 0 else 0
    seen[OWN] = min(play.worms[top], MOST) if top != NO_TILE else 0
    seen[TILES_LEFT] = ones_of(board[CENTRE])
    seen[AHEAD] = min(max(ahead, 0), MOST)
    seen[BEHIND] = min(max(-ahead, 0), MOST)
    limit = limit_of(play.cards, policies[seat, BLOCK], seen, 0)
    return 0 <= limit <= total


@given_or("cards", np.int64(0))
@compiled
@for_all
def kept_by_card(play, rules, board, policies, seat, kept, total, left, counts, seen):
    """Return the face that a card keeps of a roll, −1 if it can keep none."""
    values = play.turn.values
    habits = play.cards[policies[seat, BLOCK], HABITS_ROW, 0]
    off = OFF if habits & NET else 0
    most = np.int64(-1) << 40
    chosen = -1
    for face in range(FACES):
        n = counts >> 4 * face & 15
        if n == 0 or kept >> face & 1:
            continue
        worth = n * (values[face] - off)
        if habits & WORM_IN_TIME and face == WORM and left <= IN_TIME:
            worth += 1 << 10
        if habits & STOP:
            after = total + n * values[face]
            mask = kept | 1 << face
            if stops_by_card(play, rules, board, policies, seat, mask, after, left - n, seen):
                worth = (1 << 20) + after
        if (worth << 3 | face) > most:
            most = worth << 3 | face
            chosen = face
    return chosen
