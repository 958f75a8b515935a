"""The compiled loop of a game of Pikomino."""

from __future__ import annotations

import numpy as np

from lama_odds.games.pikomino.engine.policy_kernels import (
    CARD,
    EARLY_WORM,
    FAMILY,
    FIRST_TILE,
    RANDOM,
    dearest_face,
    early_worm,
    faces_to_keep,
    kept_by_card,
    set_turn_payoffs,
    solves_turns,
    stops_by_card,
)
from lama_odds.games.pikomino.engine.turn_solver import mark_needed, solve_turn
from lama_odds.games.pikomino.rules.board import (
    BOARD_SIZE,
    CENTRE,
    LOW,
    NO_TILE,
    TILES,
    centre_tile,
    go_bust,
    owner_of,
    steal_tile,
    take_tile,
)
from lama_odds.games.pikomino.rules.ruleset import FACES, WORM
from lama_odds.games.shared.families import UNKNOWN_FAMILY
from lama_odds.jit import for_all, inlined
from lama_odds.luck.stream import COINS, below, lane_start, mix
from lama_odds.luck.stream import DICE as DICE_LANE

MAX_TURNS = 5_000

# The result of a turn, int64[EVENT_SIZE].
STOPPED = 0
STOLE = 1
BUSTED = 2
HOW = 0
TILE = 1  # taken or stolen; put back
FLIPPED = 2
TOTAL = 3
EVENT_SIZE = 4


def roll_counts() -> np.ndarray:
    """Return int64[1555]: counts of n up to 4 dice by their number in base 6, from OFFSETS[n]
    on.
    """
    rolls = []
    for n in range(5):
        for number in range(FACES**n):
            counts = 0
            for _ in range(n):
                counts += 1 << 4 * (number % FACES)
                number //= FACES
            rolls.append(counts)
    return np.array(rolls, dtype=np.int64)


OFFSETS = (0, 1, 7, 43, 259)
POWERS = tuple(FACES**n for n in range(9))


@inlined
def roll_dice(counts, word, n):
    """Return a roll of n dice from a random word, as counts of four bits for each face."""
    number = below(word, POWERS[n])
    if n > 4:
        return counts[OFFSETS[n - 4] + number // 1296] + counts[OFFSETS[4] + number % 1296]
    return counts[OFFSETS[n] + number]


@inlined
def nth_bit(mask, n):
    """Return the n-th bit set of a mask, from 0."""
    for _ in range(n):
        mask &= mask - 1
    bit = 0
    while not mask >> bit & 1:
        bit += 1
    return bit


@inlined
def begin_game(rules, board):
    """Put all tiles in the centre."""
    for i in range(BOARD_SIZE):
        board[i] = 0
    board[CENTRE] = (1 << rules[TILES]) - 1


@inlined
def log_roll(log, counts, kept):
    """Add a roll to a log: log[0] counts the entries; counts of the dice, then the face kept + 1.

    The end of a turn is an entry too, with the highest bit of 61 set: see `log_end`.
    """
    log[0] += 1
    if log[0] < log.size:
        log[log[0]] = counts | (kept + 1) << 24


@inlined
def log_end(log, seat, event):
    """Add the end of a turn to a log: seat, how, tile + 1, tile turned over + 1."""
    log[0] += 1
    if log[0] < log.size:
        log[log[0]] = (
            1 << 60 | seat | event[HOW] << 4 | (event[TILE] + 1) << 8 | (event[FLIPPED] + 1) << 16
        )


@inlined
def choose_face(tables, family, worth, kept, total, left, counts, coins):
    """Return the face that a policy keeps, −1 if none can be kept; worth: of the states."""
    if family == FIRST_TILE:
        return dearest_face(tables.values, kept, counts)
    if family == EARLY_WORM:
        return early_worm(tables.values, kept, counts)
    options = faces_to_keep(kept, counts)
    if options == 0:
        return -1
    if family == RANDOM:
        choices = 0
        for face in range(FACES):
            choices += options >> face & 1
        return nth_bit(options, below(mix(coins), choices))
    if not solves_turns(family):
        raise ValueError(UNKNOWN_FAMILY)
    best = -np.inf
    chosen = -1
    for face in range(FACES):
        if options >> face & 1:
            n = counts >> 4 * face & 15
            after = tables.number[kept | 1 << face, total + n * tables.values[face], left - n]
            if worth[after] > best:
                best = worth[after]
                chosen = face
    return chosen


@inlined
def prepare_turn(rules, play, policies, board, seat, scratch):
    """Solve the turn for the payoffs of a policy that plays it exactly, from the marked states."""
    tables, needed = play.turn, scratch.needed
    bust = set_turn_payoffs(board, rules, play.worms, play.learned, policies, seat, scratch)
    mark_needed(tables, needed)
    solve_turn(tables, scratch.stop, bust, scratch.worth, scratch.rolling, True, needed)


@inlined
def mark_kept(tables, needed, kept, total, left, counts):
    """Mark the states after keeping any face of a roll."""
    needed[:] = False
    options = faces_to_keep(kept, counts)
    for face in range(FACES):
        if options >> face & 1:
            n = counts >> 4 * face & 15
            after = tables.number[kept | 1 << face, total + n * tables.values[face], left - n]
            needed[after] = True


@inlined
@for_all
def play_turn(
    rules, play, policies, board, seat, key, gamma, game, number, state, decides, scratch, event
):
    """Play a turn of a seat from one of its states.

    play: see `PlayTables`.
    policies: int64[seats, POLICY_COLUMNS].
    number: of the turn among those of the seat.
    state: of its tables; the last one is the start of a turn.
    decides: whether the seat still has to decide in that state to stop or to roll; otherwise it
    rolls.
    """
    tables, log = play.turn, play.log
    stop, worth, rolling = scratch.stop, scratch.worth, scratch.rolling
    steals, needed = scratch.steals, scratch.needed
    family = policies[seat, FAMILY]
    dice = lane_start(key, gamma, game, number, DICE_LANE + seat)
    coins = lane_start(key, gamma, game, number, COINS + seat)
    solves = solves_turns(family)
    if not solves and family not in (RANDOM, FIRST_TILE, EARLY_WORM, CARD):
        raise ValueError(UNKNOWN_FAMILY)
    if solves and decides:
        needed[:] = False
        needed[state] = True
        prepare_turn(rules, play, policies, board, seat, scratch)
    solved = decides
    kept = tables.mask[state]
    total = tables.total[state]
    left = tables.left[state]
    event[FLIPPED] = NO_TILE
    while True:
        if not decides:
            counts = roll_dice(play.rolls, mix(dice), left)
            dice += gamma
            if solves and not solved:
                # Only what can follow from this roll.
                mark_kept(tables, needed, kept, total, left, counts)
                prepare_turn(rules, play, policies, board, seat, scratch)
                solved = True
            if family == CARD:
                face = kept_by_card(
                    play, rules, board, policies, seat, kept, total, left, counts, scratch.seen
                )
            else:
                face = choose_face(tables, family, worth, kept, total, left, counts, coins)
            coins += gamma
            if log.size:
                log_roll(log, counts, face)
            if face < 0:
                break
            n = counts >> 4 * face & 15
            kept |= 1 << face
            total += n * tables.values[face]
            left -= n
        decides = False
        tile = NO_TILE
        owner = -1
        if kept >> WORM & 1:
            tile = centre_tile(board, rules, total)
            owner = owner_of(board, rules, total, seat)
        stops = tile != NO_TILE or owner >= 0
        steal = owner >= 0
        if solves:
            at = tables.number[kept, total, left]
            steal = steals[total]
            stops = stops and stop[total] >= rolling[at]
        elif family == CARD:
            stops = stops_by_card(
                play, rules, board, policies, seat, kept, total, left, scratch.seen
            )
        elif family == RANDOM and (stops or left):
            choices = (left > 0) + (tile != NO_TILE) + (owner >= 0)
            choice = below(mix(coins), choices) + (left == 0)
            stops = choice > 0
            steal = choice == 2 or tile == NO_TILE
        coins += gamma
        if stops:
            event[TOTAL] = total
            event[TILE] = tile
            event[HOW] = STOPPED
            if steal:
                event[HOW] = STOLE
                event[TILE] = total - rules[LOW]
                steal_tile(board, seat, owner)
            else:
                take_tile(board, seat, tile)
            return
        if left == 0:
            break
    event[HOW] = BUSTED
    event[TILE], event[FLIPPED] = go_bust(board, rules, seat)
