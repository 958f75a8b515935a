"""What a board is worth to a seat, by a small network.

The network reads the seat's chance to win off a board between two turns. It has one hidden layer.
Its features are switches, of which some thirty are on: so the first layer is a sum of some rows.
There is a network for each number of players. A game that is over is won, shared or lost.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from lama_odds.games.interface.tally_layout import RolloutLayout
from lama_odds.games.pikomino.rules.board import (
    CENTRE,
    HEIGHT,
    MAX_SEATS,
    MAX_TILES,
    NO_TILE,
    STACK,
    TILES,
    best_tile,
    centre_tile,
    go_bust,
    owner_of,
    pop,
    push,
    share_of_win,
    steal_tile,
    take_tile,
    top_of,
    worms_of,
)
from lama_odds.games.pikomino.rules.ruleset import TurnTables
from lama_odds.jit import inlined
from lama_odds.jit.elementary import exp

# What the kernels of Pikomino read besides rules and policies, by name.
#
# numba takes named tuples as arguments, also one within another.


class Learned(NamedTuple):
    """What `learned` knows; both empty if nobody plays it.

    weights: float32[numbers of players, FEATURES, HIDDEN]. out: float32[numbers of players,
    HIDDEN + 1]. See `learned.read_off`.
    """

    weights: np.ndarray
    out: np.ndarray


class PlayTables(NamedTuple):
    """Tables for games.

    turn: states of a turn. worms: int64, by tile. rolls: see `round_loop.roll_dice`.
    learned: what a policy of this name knows.
    cards: int64, the blocks of `card`, see `card_rules`; None if nobody plays it.
    log: int64 of any size, see `round_loop.log_roll`; of size 0 for none.
    """

    turn: TurnTables
    worms: np.ndarray
    rolls: np.ndarray
    learned: Learned
    cards: np.ndarray | None
    log: np.ndarray


class Scratch(NamedTuple):
    """Arrays that the turns of a game overwrite.

    stop, steals: by total, the payoff of stopping and whether it steals.
    worth, rolling, needed: by state, its value, the value of rolling there, and whether it is
    needed.
    on, sums: see `learned.switch_on` and `learned.read_off`. values: see `adjusted.set_values`.
    seen: what a card sees, see `card_rules`.
    """

    stop: np.ndarray
    worth: np.ndarray
    rolling: np.ndarray
    steals: np.ndarray
    needed: np.ndarray
    on: np.ndarray
    sums: np.ndarray
    values: np.ndarray
    seen: np.ndarray


class StandingTables(NamedTuple):
    """Tables for standings. bands: int64[MAX_TILES + 1], the band of each number of tiles."""

    play: PlayTables
    bands: np.ndarray


class RolloutTables(NamedTuple):
    """Tables for a position that is played out.

    root: int64[BOARD_SIZE]. actions: int64[k, 2].
    """

    play: PlayTables
    root: np.ndarray
    actions: np.ndarray
    layout: RolloutLayout


class ThinkingTables(NamedTuple):
    """Tables for games in which a seat looks a turn further ahead, see `thinking`."""

    play: PlayTables
    seat: int


PLACES = 16  # tiles of the game as sold; those of other rules count as the nearest of them
TOPS = PLACES + 1  # a tile, or none
FAR = 20  # worms ahead or behind: this many or more
LEADS = 2 * FAR + 1
MOST_LEFT = 40  # worms in the centre
NEAR = 8
CROSSED = 2 * NEAR + 1
LEFT_GROUPS = 7
FEW = 9  # tiles in the centre: fewer are told apart
LEAST_OF_GROUP = (0, 1, 3, 5, 9, 13, 21)  # worms in the centre

# Where each group of features begins.
OPEN = 0  # each tile of the centre
MINE = OPEN + PLACES  # my top tile
BELOW = MINE + TOPS  # the tile under it
EXPOSED = BELOW + TOPS  # each top tile of another
RIVALS = EXPOSED + PLACES  # top tile of the rival: the other with most worms
RIVALS_BELOW = RIVALS + TOPS
LEAD = RIVALS_BELOW + TOPS  # worms ahead of the rival
SECOND = LEAD + LEADS  # worms ahead of the second best other
LEFT = SECOND + LEADS  # worms in the centre
COUNT = LEFT + MOST_LEFT + 1  # tiles in the centre
BREAKS = COUNT + PLACES + 1  # whether my best tile beats the rival's
WAIT = BREAKS + 2  # turns of others until mine
RIVAL_WAIT = WAIT + MAX_SEATS
CROSS = RIVAL_WAIT + MAX_SEATS  # worms ahead, by worms in the centre
ENDING = CROSS + CROSSED * LEFT_GROUPS  # worms ahead, by tiles in the centre
LOWEST = ENDING + CROSSED * FEW  # tile of the centre
HIGHEST = LOWEST + PLACES
FEATURES = HIGHEST + PLACES
MOST_ON = MAX_TILES + MAX_SEATS + 14  # features that can be on together

HIDDEN = 48


@inlined
def place_of_tile(rules, tile):
    """Return the tile of the game as sold that a tile counts as."""
    if rules[TILES] == PLACES:  # most often; a division takes long
        return tile
    return min(tile * PLACES // rules[TILES], PLACES - 1)


@inlined
def below_top(board, seat):
    """Return the tile under the top of a stack, or NO_TILE."""
    height = board[HEIGHT + seat]
    return board[STACK + seat * MAX_TILES + height - 2] if height > 1 else NO_TILE


@inlined
def tile_feature(rules, tile):
    """Return the switch of a tile or none within its group."""
    return 0 if tile == NO_TILE else 1 + place_of_tile(rules, tile)


@inlined
def turns_until(seat, mover, seats):
    """Return how many turns come before that of a seat."""
    return seat - mover if seat >= mover else seat - mover + seats


@inlined
def switch_on(rules, worms, board, seats, seat, mover, on):
    """Write the features of a board, as a seat sees it with another about to roll; return how
    many.

    on: int64[MOST_ON], to fill.
    """
    count = 0
    left = 0
    tiles = 0
    lowest = PLACES - 1
    top = 0
    for tile in range(rules[TILES]):
        if board[CENTRE] >> tile & 1:
            top = place_of_tile(rules, tile)
            lowest = min(lowest, top)
            on[count] = OPEN + top
            count += 1
            tiles += 1
            left += worms[tile]
    on[count] = LOWEST + lowest
    on[count + 1] = HIGHEST + top
    count += 2
    rival = -1
    most = -1
    highest = -1
    second = -1
    for step in range(seats):
        other = mover + step if mover + step < seats else mover + step - seats
        if other == seat:
            continue
        held = worms_of(board, worms, other)
        best = best_tile(board, other)
        if held > most or (held == most and best > highest):
            second = most
            most = held
            highest = best
            rival = other
        elif held > second:
            second = held
        top = top_of(board, other)
        if top != NO_TILE:
            on[count] = EXPOSED + place_of_tile(rules, top)
            count += 1
    mine = worms_of(board, worms, seat)
    lead = mine - most
    on[count] = MINE + tile_feature(rules, top_of(board, seat))
    on[count + 1] = BELOW + tile_feature(rules, below_top(board, seat))
    on[count + 2] = RIVALS + tile_feature(rules, top_of(board, rival))
    on[count + 3] = RIVALS_BELOW + tile_feature(rules, below_top(board, rival))
    on[count + 4] = LEAD + FAR + min(max(lead, -FAR), FAR)
    on[count + 5] = LEFT + min(left, MOST_LEFT)
    on[count + 6] = COUNT + min(tiles, PLACES)
    on[count + 7] = BREAKS + (best_tile(board, seat) > highest)
    on[count + 8] = WAIT + turns_until(seat, mover, seats)
    on[count + 9] = RIVAL_WAIT + turns_until(rival, mover, seats)
    group = 0
    for at in range(1, LEFT_GROUPS):
        group += left >= LEAST_OF_GROUP[at]
    on[count + 10] = CROSS + group * CROSSED + NEAR + min(max(lead, -NEAR), NEAR)
    on[count + 11] = ENDING + min(tiles, FEW - 1) * CROSSED + NEAR + min(max(lead, -NEAR), NEAR)
    count += 12
    if seats > 2:
        on[count] = SECOND + FAR + min(max(mine - second, -FAR), FAR)
        count += 1
    return count


@inlined
def read_off(weights, out, on, count, sums):
    """Return the chance that a network gives.

    weights: float32[FEATURES, HIDDEN]. out: float32[HIDDEN + 1], last its height. sums:
    float32[HIDDEN], to fill: the hidden layer before it is cut off below 0.
    """
    for unit in range(HIDDEN):
        sums[unit] = np.float32(0.0)
    rest = count & 3
    for at in range(rest):
        row = on[at]
        for unit in range(HIDDEN):
            sums[unit] += weights[row, unit]
    # Four rows at a time take half as long. Rows are added in order, so bits are the same.
    for at in range(rest, count, 4):
        one, two, three, four = on[at], on[at + 1], on[at + 2], on[at + 3]
        for unit in range(HIDDEN):
            total = sums[unit] + weights[one, unit] + weights[two, unit]
            sums[unit] = total + weights[three, unit] + weights[four, unit]
    odds = out[HIDDEN]
    for unit in range(HIDDEN):
        odds += max(sums[unit], np.float32(0.0)) * out[unit]
    return 1.0 / (1.0 + exp(-np.float64(odds)))


@inlined
def board_value(rules, worms, learned, board, seats, seat, mover, on, sums):
    """Return a seat's chance to win a board, with another about to roll."""
    if board[CENTRE] == 0:
        return share_of_win(board, worms, seats, seat)
    # Of two, only the other is read off, who has just played.
    reader = 1 - mover if seats == 2 else seat
    count = switch_on(rules, worms, board, seats, reader, mover, on)
    net = seats - 2
    chance = read_off(learned.weights[net], learned.out[net], on, count, sums)
    return chance if reader == seat else 1.0 - chance


@inlined
def shared_value(rules, worms, learned, board, seats, seat, mover, on, sums):
    """Return a seat's chance to win a board, divided by the sum of everybody's.

    Seats are read off one by one, so only these shares add up to 1.
    """
    total = 0.0
    own = 0.0
    for other in range(seats):
        value = board_value(rules, worms, learned, board, seats, other, mover, on, sums)
        total += value
        if other == seat:
            own = value
    return own / total


@inlined
def put_back(board, seat, centre, back):
    """Undo a bust: the tiles of the centre as they were, and the tile that the seat lost."""
    board[CENTRE] = centre
    if back != NO_TILE:
        push(board, seat, back)


@inlined
def set_learned_payoffs(board, rules, worms, seats, seat, learned, scratch):
    """Set the payoffs of a turn: what the board after it is worth, see `set_payoffs`.

    The board is the same at the end.
    """
    stop, steals, on, sums = scratch.stop, scratch.steals, scratch.on, scratch.sums
    mover = seat + 1 if seat + 1 < seats else 0
    last = NO_TILE
    value = 0.0
    for total in range(stop.size):
        stop[total] = -np.inf
        steals[total] = False
        tile = centre_tile(board, rules, total)
        if tile != NO_TILE:
            if tile != last:
                take_tile(board, seat, tile)
                value = board_value(rules, worms, learned, board, seats, seat, mover, on, sums)
                pop(board, seat)
                board[CENTRE] |= 1 << tile
                last = tile
            stop[total] = value
        owner = owner_of(board, rules, total, seat)
        if owner >= 0:
            steal_tile(board, seat, owner)
            stolen = board_value(rules, worms, learned, board, seats, seat, mover, on, sums)
            steal_tile(board, owner, seat)
            if stolen > stop[total]:
                stop[total] = stolen
                steals[total] = True
    centre = board[CENTRE]
    back, _ = go_bust(board, rules, seat)
    bust = board_value(rules, worms, learned, board, seats, seat, mover, on, sums)
    put_back(board, seat, centre, back)
    return bust
