"""Turns of `learned` with their luck: what the end of a turn is worth, minus what was expected.

A result minus the luck of all turns is right on average, and varies far less than the result.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from lama_odds.games.interface.tally_layout import EQUITY, count_payoffs, event_of
from lama_odds.games.pikomino.engine.kernels import (
    DO_BUST,
    DO_KEEP,
    DO_ROLL,
    DO_STEAL,
    DO_STOP,
    I_BUST,
    OBJECTIVES,
    WINS,
    WORMS,
    scratch_of,
)
from lama_odds.games.pikomino.engine.learned import (
    Scratch,
    board_value,
    set_learned_payoffs,
)
from lama_odds.games.pikomino.engine.policy_kernels import LEARNED
from lama_odds.games.pikomino.engine.round_loop import (
    BUSTED,
    EVENT_SIZE,
    HOW,
    MAX_TURNS,
    STOLE,
    STOPPED,
    choose_face,
    roll_dice,
)
from lama_odds.games.pikomino.engine.turn_solver import (
    LANES,
    NOTHING,
    LaneScratch,
    lane_scratch,
    solve_turn,
    solve_turns,
)
from lama_odds.games.pikomino.rules.board import (
    BOARD_SIZE,
    CENTRE,
    MAX_SEATS,
    centre_tile,
    go_bust,
    owner_of,
    share_of_win,
    steal_tile,
    take_tile,
    worms_of,
)
from lama_odds.games.pikomino.rules.ruleset import WORM_KEPT
from lama_odds.jit import allocating, compiled, for_all, inlined
from lama_odds.luck.stream import DICE, lane_start, mix, stream_of

LEAST_REST = 1e-6


@inlined
def set_values(rules, play, board, seats, mover, scratch, values):
    """Fill in the chance of each seat to win a board: values[seat]."""
    for who in range(seats):
        values[who] = board_value(
            rules, play.worms, play.learned, board, seats, who, mover, scratch.on, scratch.sums
        )


@inlined
def luck_share(values, seats, mover, who):
    """Return how much of a turn's luck a seat has: 1 if it plays the turn.

    The others lose it, each by its share of what they have together. values: of the board before.
    """
    if who == mover:
        return 1.0
    rest = LEAST_REST
    for other in range(seats):
        if other != mover:
            rest += values[other]
    return -(values[who] + LEAST_REST / (seats - 1)) / rest


@inlined
def play_solved(rules, play, board, seat, state, decides, dice, gamma, scratch, event):
    """Play a turn that is solved from one of its states; return the total, or −1 for a bust.

    decides: whether the seat still has to decide in that state to stop or to roll; otherwise it
    rolls. dice: where the seat's dice begin. event: how the turn ended, see `round_loop`.
    """
    tables = play.turn
    kept = tables.mask[state]
    total = tables.total[state]
    left = tables.left[state]
    while True:
        face = 0
        if not decides:
            counts = roll_dice(play.rolls, mix(dice), left)
            dice += gamma
            face = choose_face(tables, LEARNED, scratch.worth, kept, total, left, counts, dice)
            if face >= 0:
                n = counts >> 4 * face & 15
                kept |= 1 << face
                total += n * tables.values[face]
                left -= n
        decides = False
        value = scratch.stop[total] if face >= 0 and kept & WORM_KEPT else NOTHING
        if value > NOTHING and value >= scratch.rolling[tables.number[kept, total, left]]:
            event[HOW] = STOPPED
            if scratch.steals[total]:
                event[HOW] = STOLE
                steal_tile(board, seat, owner_of(board, rules, total, seat))
            else:
                take_tile(board, seat, centre_tile(board, rules, total))
            return total
        if face < 0 or left == 0:
            event[HOW] = BUSTED
            go_bust(board, rules, seat)
            return -1


@compiled
def learned_payoffs(rules, play, board, seats, stop, steals):
    """Call `set_learned_payoffs` for seat 0, from Python."""
    scratch = scratch_of(play.turn)
    bust = set_learned_payoffs(board, rules, play.worms, seats, 0, play.learned, scratch)
    stop[:] = scratch.stop
    steals[:] = scratch.steals
    return bust


@compiled
@for_all
def adjusted_turn(
    rules, play, board, seats, seat, state, decides, dice, gamma, scratch, event
):  # fmt: skip
    """Play a turn of `learned` from one of its states, and return its luck; see `play_solved`."""
    tables = play.turn
    start = tables.mask.size - 1
    bust = set_learned_payoffs(board, rules, play.worms, seats, seat, play.learned, scratch)
    scratch.needed[:] = True
    solve_turn(
        tables, scratch.stop, bust, scratch.worth, scratch.rolling, state == start, scratch.needed
    )
    expected = scratch.worth[state] if decides else scratch.rolling[state]
    total = play_solved(rules, play, board, seat, state, decides, dice, gamma, scratch, event)
    return (bust if total < 0 else scratch.stop[total]) - expected


# Games of `learned` with their luck, LANES at once: the same as those above play one by one.
#
# Most of the time goes into solving turns. `turn_solver` solves them on many boards together. So
# each lane has a game that is played out after one root action. When it ends, the lane takes the
# next one. The turn of the root action is the same in all games, and is solved once.


class Lanes(NamedTuple):
    """What the lanes hold, one below or beside the other.

    board: int64[LANES, BOARD_SIZE]. turns: int64[LANES, MAX_SEATS], played by each seat. game,
    action: of each lane; action −1: no game is left for it. seat: who plays next. played: turns
    after the root action. luck, share: of seat 0, and what part of the next turn's it has.
    stop, worth, rolling, steals: as in `Scratch`, with a column for each lane; bust beside.
    scratch: of `solve_turns`.
    """

    board: np.ndarray
    turns: np.ndarray
    game: np.ndarray
    action: np.ndarray
    seat: np.ndarray
    played: np.ndarray
    luck: np.ndarray
    share: np.ndarray
    stop: np.ndarray
    steals: np.ndarray
    bust: np.ndarray
    worth: np.ndarray
    rolling: np.ndarray
    scratch: LaneScratch


@allocating
def new_lanes(turn):
    """Return lanes without games."""
    totals, states = turn.number.shape[1], turn.mask.size
    return Lanes(
        np.zeros((LANES, BOARD_SIZE), np.int64), np.zeros((LANES, MAX_SEATS), np.int64),
        np.zeros(LANES, np.int64), np.full(LANES, -1), np.zeros(LANES, np.int64),
        np.zeros(LANES, np.int64), np.zeros(LANES), np.zeros(LANES),
        np.full((totals, LANES), -np.inf), np.zeros((totals, LANES), np.bool_), np.zeros(LANES),
        np.zeros((states + 1, LANES)), np.zeros((states, LANES)), lane_scratch(turn),
    )  # fmt: skip


@allocating
def column_of(lanes, lane, scratch):
    """Return the turn of a lane as `Scratch`; the rest of scratch is used by all."""
    return Scratch(
        lanes.stop[:, lane], lanes.worth[:, lane], lanes.rolling[:, lane], lanes.steals[:, lane],
        scratch.needed, scratch.on, scratch.sums, scratch.values, scratch.seen,
    )  # fmt: skip


@allocating
def row_of(roots, a, scratch):
    """Return the turn of a root action as `Scratch`."""
    return Scratch(
        roots.stop[a], roots.worth[a], roots.rolling[a], roots.steals[a],
        scratch.needed, scratch.on, scratch.sums, scratch.values, scratch.seen,
    )  # fmt: skip


@allocating
def solved_roots(rules, tables, seats, scratch, busts):
    """Return the turn of each root action that needs one, as `Scratch` with a row for each.

    busts: float64[actions], to fill: what a bust is worth.
    """
    play, k = tables.play, tables.actions.shape[0]
    board = tables.root.copy()
    roots = Scratch(
        np.zeros((k, scratch.stop.size)), np.zeros((k, scratch.worth.size)),
        np.zeros((k, scratch.worth.size)), np.zeros((k, scratch.stop.size), np.bool_),
        scratch.needed, scratch.on, scratch.sums, scratch.values, scratch.seen,
    )  # fmt: skip
    for a in range(k):
        code, state = tables.actions[a, 0], tables.actions[a, 1]
        if code != DO_KEEP and code != DO_ROLL:
            continue
        turn = row_of(roots, a, scratch)
        busts[a] = set_learned_payoffs(board, rules, play.worms, seats, 0, play.learned, turn)
        scratch.needed[:] = True
        prune = state == play.turn.mask.size - 1
        solve_turn(
            play.turn, turn.stop, busts[a], turn.worth, turn.rolling, prune, scratch.needed
        )  # fmt: skip
    return roots


@inlined
def begin(rules, tables, lanes, lane, roots, busts, key, gamma, scratch, event):
    """Begin the game of a lane: carry out its root action; return whether seat 0 went bust."""
    play, a, board = tables.play, lanes.action[lane], lanes.board[lane]
    code, what = tables.actions[a, 0], tables.actions[a, 1]
    for at in range(BOARD_SIZE):
        board[at] = tables.root[at]
    for seat in range(MAX_SEATS):
        lanes.turns[lane, seat] = seat == 0
    lanes.seat[lane] = 1
    lanes.played[lane] = 0
    lanes.luck[lane] = 0.0
    event[HOW] = STOPPED
    if code == DO_STOP:
        take_tile(board, 0, what)
    elif code == DO_STEAL:
        steal_tile(board, 0, what)
    elif code == DO_BUST:
        event[HOW] = BUSTED
        go_bust(board, rules, 0)
    else:
        turn = row_of(roots, a, scratch)
        decides = code == DO_KEEP
        dice = lane_start(key, gamma, lanes.game[lane], 0, DICE)
        total = play_solved(rules, play, board, 0, what, decides, dice, gamma, turn, event)
        expected = turn.worth[what] if decides else turn.rolling[what]
        lanes.luck[lane] = (busts[a] if total < 0 else turn.stop[total]) - expected
    return event[HOW] == BUSTED


@inlined
def prepare(rules, play, lanes, lane, seats, scratch):
    """Set what the turn of a lane's next player is worth, and the luck that seat 0 has in it."""
    board, seat, turn = lanes.board[lane], lanes.seat[lane], column_of(lanes, lane, scratch)
    if seats == 2:  # what the one gains the other loses
        lanes.share[lane] = -1.0 if seat else 1.0
    else:
        set_values(rules, play, board, seats, seat, scratch, scratch.values)
        lanes.share[lane] = luck_share(scratch.values, seats, seat, 0)
    lanes.bust[lane] = set_learned_payoffs(
        board, rules, play.worms, seats, seat, play.learned, turn
    )  # fmt: skip


@inlined
def play_prepared(rules, play, lanes, lane, seats, key, gamma, scratch, event):
    """Play the turn of a lane's next player, which is solved."""
    seat, turn = lanes.seat[lane], column_of(lanes, lane, scratch)
    start = play.turn.mask.size - 1
    dice = lane_start(key, gamma, lanes.game[lane], lanes.turns[lane, seat], DICE + seat)
    total = play_solved(
        rules, play, lanes.board[lane], seat, start, False, dice, gamma, turn, event
    )  # fmt: skip
    luck = (lanes.bust[lane] if total < 0 else turn.stop[total]) - turn.rolling[start]
    lanes.luck[lane] += lanes.share[lane] * luck
    lanes.turns[lane, seat] += 1
    lanes.played[lane] += 1
    lanes.seat[lane] = seat + 1 if seat + 1 < seats else 0


@compiled
def roll_out_learned(rules, policies, tables, seed, first, games, tally):
    """Play a game out after each root action, with the same dice; all seats play `learned`.

    As `kernels.roll_out`, but a win is adjusted for luck, and counts EQUITY.
    """
    play, layout = tables.play, tables.layout
    seats, k = policies.shape[0], tables.actions.shape[0]
    event = np.zeros(EVENT_SIZE, np.int64)
    payoffs = np.zeros((games, OBJECTIVES, k), np.int64)
    scratch, lanes, busts = scratch_of(play.turn), new_lanes(play.turn), np.zeros(k)
    roots = solved_roots(rules, tables, seats, scratch, busts)
    key, gamma = stream_of(seed)
    begun = 0
    active = LANES
    while active:
        active = 0
        for lane in range(LANES):
            a, board = lanes.action[lane], lanes.board[lane]
            while a >= 0 or begun < games * k:
                if a >= 0:
                    if board[CENTRE] and lanes.played[lane] < MAX_TURNS:
                        break
                    share = share_of_win(board, play.worms, seats, 0) - lanes.luck[lane]
                    at = lanes.game[lane] - first
                    payoffs[at, WINS, a] = np.int64(np.rint(EQUITY * share))
                    payoffs[at, WORMS, a] = worms_of(board, play.worms, 0)
                    tally[layout.unended] += board[CENTRE] != 0
                a = -1
                if begun < games * k:
                    a = begun % k
                    lanes.game[lane] = first + begun // k
                    begun += 1
                lanes.action[lane] = a
                if a >= 0:
                    tally[event_of(layout, a, I_BUST)] += begin(
                        rules, tables, lanes, lane, roots, busts, key, gamma, scratch, event
                    )  # fmt: skip
            if a >= 0:
                active += 1
                prepare(rules, play, lanes, lane, seats, scratch)
        if active:
            solve_turns(
                play.turn, lanes.stop, lanes.bust, lanes.worth, lanes.rolling, lanes.scratch
            )  # fmt: skip
        for lane in range(LANES):
            if lanes.action[lane] >= 0:
                play_prepared(rules, play, lanes, lane, seats, key, gamma, scratch, event)
    for at in range(games):
        count_payoffs(tally, payoffs[at])
