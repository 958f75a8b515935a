"""What the policies decide in a turn, as compiled functions.

A policy is a family code with parameters. TURN plays the exact turn (see `turn.solve_turn`) for
payoffs made of worms: WEIGHTS says which. Its own randomness comes from its coins, two words for
each roll: which face to keep, and what to do then.
"""

from __future__ import annotations

import numpy as np

from lama_odds.games.pikomino.board import (
    LOW,
    NO_TILE,
    centre_tile,
    owner_of,
    top_of,
)
from lama_odds.games.pikomino.turn import FACES
from lama_odds.kernels import compiled, inlined

RANDOM = 0
FIRST_TILE = 1
TURN = 2

# Columns of a policy row: family, then the weights of TURN, in thousandths.
FAMILY = 0
STEAL = 1  # of the victim's worms lost
BUST = 2  # of the own worms lost
RISK = 3  # of the worms of the new top tile, times its chance to be hit exactly in a free turn
POLICY_COLUMNS = 4
UNIT = 1000.0


@inlined
def set_payoffs(board, rules, worms, hits, policies, seat, stop, steals):
    """Payoffs of a turn for a seat: stop[total], and steals[total], whether to steal there.

    hits: float64[tiles], chance that a turn aimed at a tile ends with exactly its number.
    Returns the payoff of a bust.
    """
    steal = policies[seat, STEAL] / UNIT
    risk = policies[seat, RISK] / UNIT
    for total in range(stop.size):
        stop[total] = -np.inf
        steals[total] = False
        if total < rules[LOW]:
            continue
        tile = centre_tile(board, rules, total)
        if tile != NO_TILE:
            stop[total] = worms[tile] * (1.0 - risk * hits[tile])
        if owner_of(board, rules, total, seat) >= 0:
            tile = total - rules[LOW]
            value = worms[tile] * (1.0 + steal - risk * hits[tile])
            if value > stop[total]:
                stop[total] = value
                steals[total] = True
    top = top_of(board, seat)
    if top == NO_TILE:
        return 0.0
    return -policies[seat, BUST] / UNIT * worms[top] * (1.0 - risk * hits[top])


@inlined
def dearest_face(values, kept, counts):
    """The face of FIRST_TILE: the largest count times value, the worm first, then the higher."""
    best = -1
    most = 0
    for face in range(FACES):
        n = counts >> 4 * face & 15
        worth = n * values[face]
        if n and not kept >> face & 1 and worth >= most:
            most = worth
            best = face
    return best


@inlined
def faces_to_keep(kept, counts):
    """Mask of the faces that a roll shows and that have not been kept yet."""
    found = 0
    for face in range(FACES):
        if counts >> 4 * face & 15 and not kept >> face & 1:
            found |= 1 << face
    return found


@compiled
def payoffs(board, rules, worms, hits, policies, stop, steals):
    """`set_payoffs` for seat 0, to be called from outside."""
    return set_payoffs(board, rules, worms, hits, policies, 0, stop, steals)
