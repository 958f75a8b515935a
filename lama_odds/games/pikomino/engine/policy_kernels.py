"""Decisions of the policies in a turn, as compiled functions.

A policy is a family code with parameters. TURN plays the exact turn (see `turn_solver.solve_turn`)
for payoffs made of worms. LEAD does so for the value of its lead at the end of the turn. LEARNED
does so for its chance to win the board after the turn (see `learned`). CARD has a module of its
own, `card_rules`. Random choices come from the seat's coins, two words for each roll: which face to
keep, and what to do then.
"""

from __future__ import annotations

import numpy as np

from lama_odds.games.pikomino.engine.learned import set_learned_payoffs
from lama_odds.games.pikomino.rules.board import (
    CENTRE,
    LOW,
    NO_TILE,
    TILES,
    bust_tiles,
    centre_tile,
    owner_of,
    top_of,
    worms_of,
)
from lama_odds.games.pikomino.rules.ruleset import FACES, WORM
from lama_odds.games.shared.families import UNKNOWN_FAMILY
from lama_odds.games.shared.rule_cards import MOST_LINES, limit_of
from lama_odds.jit import compiled, for_all, given_or, inlined
from lama_odds.jit.elementary import exp

RANDOM = 0
FIRST_TILE = 1
TURN = 2
LEAD = 3
LEARNED = 4
EARLY_WORM = 5
CARD = 6

# Columns of a policy row: family, then in thousandths the weight of the victim's loss (TURN) or the
# steepness (LEAD), or for CARD see `card_rules`.
FAMILY = 0
STEAL = 1
STEEPNESS = 1
POLICY_COLUMNS = 2
UNIT = 1000.0


@inlined
def solves_turns(family):
    """Return whether a family solves its turns, see `set_turn_payoffs`."""
    return family in (TURN, LEAD, LEARNED)


@inlined
def set_payoffs(board, rules, worms, policies, seat, stop, steals):
    """Set the payoffs of a turn for a seat: stop[total], and steals[total], whether to steal there.

    Returns the payoff of a bust.
    """
    steal = policies[seat, STEAL] / UNIT
    for total in range(stop.size):
        stop[total] = -np.inf
        steals[total] = False
        if total < rules[LOW]:
            continue
        tile = centre_tile(board, rules, total)
        if tile != NO_TILE:
            stop[total] = worms[tile]
        if owner_of(board, rules, total, seat) >= 0:
            tile = total - rules[LOW]
            value = worms[tile] * (1.0 + steal)
            if value > stop[total]:
                stop[total] = value
                steals[total] = True
    top = top_of(board, seat)
    return -1.0 * worms[top] if top != NO_TILE else 0.0


@inlined
def lead_value(lead, worms_left, steepness):
    """Return the chance to win with this lead over the best other and this many worms in the
    centre.

    It is a logistic curve; its width grows with the square root of the worms left.
    """
    if worms_left == 0:
        return 0.5 if lead == 0 else 1.0 * (lead > 0)
    return 1.0 / (1.0 + exp(-steepness * lead / np.sqrt(worms_left)))


@inlined
def best_other(board, worms, seats, seat, robbed, loss):
    """Return the most worms of another seat, after seat `robbed` has lost some."""
    best = 0
    for other in range(seats):
        if other != seat:
            held = worms_of(board, worms, other)
            best = max(best, held - loss if other == robbed else held)
    return best


@inlined
def set_lead_payoffs(board, rules, worms, policies, seat, stop, steals):
    """Set the payoffs of a turn for LEAD, like `set_payoffs`."""
    steepness = policies[seat, STEEPNESS] / UNIT
    seats = policies.shape[0]
    mine = worms_of(board, worms, seat)
    rival = best_other(board, worms, seats, seat, -1, 0)
    left = 0
    for tile in range(rules[TILES]):
        left += worms[tile] * (board[CENTRE] >> tile & 1)
    for total in range(stop.size):
        stop[total] = -np.inf
        steals[total] = False
        tile = centre_tile(board, rules, total)
        if tile != NO_TILE:
            lead = mine + worms[tile] - rival
            stop[total] = lead_value(lead, left - worms[tile], steepness)
        owner = owner_of(board, rules, total, seat)
        if owner >= 0:
            gain = worms[total - rules[LOW]]
            lead = mine + gain - best_other(board, worms, seats, seat, owner, gain)
            value = lead_value(lead, left, steepness)
            if value > stop[total]:
                stop[total] = value
                steals[total] = True
    back, flipped = bust_tiles(board, rules, seat)
    lost = worms[back] if back != NO_TILE else 0
    gone = worms[flipped] if flipped != NO_TILE else 0
    return lead_value(mine - lost - rival, left + lost - gone, steepness)


@inlined
def set_turn_payoffs(board, rules, worms, learned, policies, seat, scratch):
    """Set the payoffs of a turn for a family that solves it, see `set_payoffs`."""
    stop, steals = scratch.stop, scratch.steals
    family = policies[seat, FAMILY]
    if family == LEARNED:
        seats = policies.shape[0]
        return set_learned_payoffs(board, rules, worms, seats, seat, learned, scratch)
    if family == LEAD:
        return set_lead_payoffs(board, rules, worms, policies, seat, stop, steals)
    if family != TURN:
        raise ValueError(UNKNOWN_FAMILY)
    return set_payoffs(board, rules, worms, policies, seat, stop, steals)


@inlined
def dearest_face(values, kept, counts):
    """Return the face of FIRST_TILE: the largest count times value, the worm first, then the
    higher.
    """
    best = 0
    for face in range(FACES):
        # There are no branches, because branch prediction would fail.
        worth = (counts >> 4 * face & 15) * values[face] * (1 - (kept >> face & 1))
        best = max(best, (worth << 3 | face) * (worth > 0))
    return (best & 7) if best else -1


@inlined
def early_worm(values, kept, counts):
    """Return the face of EARLY_WORM: the worm once another is kept, otherwise as FIRST_TILE."""
    shown = counts >> 4 * WORM & 15 and not kept >> WORM & 1
    return WORM if kept and shown else dearest_face(values, kept, counts)


@inlined
def faces_to_keep(kept, counts):
    """Return the mask of the faces that a roll shows and that have not been kept yet."""
    mask = 0
    for face in range(FACES):
        if counts >> 4 * face & 15 and not kept >> face & 1:
            mask |= 1 << face
    return mask


@compiled
def payoffs(board, rules, worms, policies, stop, steals):
    """Call `set_payoffs` for seat 0, from Python."""
    return set_payoffs(board, rules, worms, policies, 0, stop, steals)


# Decisions of cards of rules: what their player sees, when it stops, and which face it keeps.
#
# Everything that a card speaks of lies open on the table, and a person can count it at a glance.

BLOCK = 1  # column of a policy row: which block is that of the card

# What a card sees, in the order of `policies.LANGUAGE`.
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
    ones = 0
    while mask:
        mask &= mask - 1
        ones += 1
    return ones


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
    discount = OFF if habits & NET else 0
    most = np.int64(-1) << 40
    chosen = -1
    for face in range(FACES):
        n = counts >> 4 * face & 15
        if n == 0 or kept >> face & 1:
            continue
        worth = n * (values[face] - discount)
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
