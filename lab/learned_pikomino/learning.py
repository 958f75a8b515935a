"""Games that teach `learned`, and the steps in which its networks learn from them.

A game begins with some turns of other policies, so that unusual boards occur. From there on all
seats play `learned`. Each turn is solved, so its luck is known: what its end is worth, minus what
the turn was worth. What a seat got in the end is adjusted for the luck of all turns after a board.
So the values that teach are right on average, and vary little.
"""

from __future__ import annotations

import numpy as np

from lama_odds.games.pikomino.engine.adjusted import adjusted_turn, luck_share, set_values
from lama_odds.games.pikomino.engine.kernels import scratch_of
from lama_odds.games.pikomino.engine.learned import HIDDEN, MOST_ON, switch_on
from lama_odds.games.pikomino.engine.round_loop import EVENT_SIZE, begin_game, play_turn
from lama_odds.games.pikomino.rules.board import BOARD_SIZE, CENTRE, MAX_SEATS, share_of_win
from lama_odds.jit import compiled, inlined
from lama_odds.luck.stream import DEAL, DICE, below, lane_start, mix, stream_of

MOST_TURNS = 400  # of a game that teaches; longer ones are left out
MOST_BEFORE = 30  # turns of other policies
ALWAYS = 2  # one game of this number begins with them
ROW = MOST_ON + 1  # features of a board, first how many


@inlined
def next_seat(seat, seats):
    """Return the seat after another."""
    return seat + 1 if seat + 1 < seats else 0


@inlined
def write_down(rules, worms, board, seats, seat, per, scratch, rows, filled):
    """Write the features of a board down, for the seats that are taught; return how many rows."""
    who = seat
    for _ in range(per):
        who = next_seat(who, seats)
        on = switch_on(rules, worms, board, seats, who, seat, scratch.on)
        rows[filled, 0] = on
        for at in range(on):
            rows[filled, 1 + at] = scratch.on[at]
        filled += 1
    return filled


@inlined
def teach(seats, per, count, first, lasting, values, lucks, first_row, targets):
    """Set the values that teach, of the boards of a game.

    The error of a turn is what it changed in a seat's chance, minus its luck. A value that teaches
    is the chance plus the errors of all turns from there on, each next one counted less by
    `lasting`. At 1 this is the result of the game adjusted for luck.
    values: chances by turn and seat, of the boards before the turns; last what each got. lucks: by
    turn. first: the seat of the first turn.
    """
    for who in range(seats):
        errors = 0.0
        for at in range(count - 1, -1, -1):
            mover = (first + at) % seats
            luck = lucks[at] * luck_share(values[at], seats, mover, who)
            errors = values[at + 1, who] - luck - values[at, who] + lasting * errors
            step = (who - mover - 1) % seats
            if step < per:
                targets[first_row + at * per + step] = values[at, who] + errors


@compiled
def collect(
    rules, play, others, seats, plays, lasting, seed, first, games, rows, targets
):  # fmt: skip
    """Play games that teach, and write down boards with what they were worth.

    others: int64[k, POLICY_COLUMNS], policies of the first turns. plays: whether `learned` plays
    and values turns; otherwise policy 0 of the others plays, and only results teach. lasting: see
    `teach`.
    rows: int16[n, ROW]; targets: float32[n]. Returns how many rows were filled.
    """
    tables = play.turn
    start = tables.mask.size - 1
    scratch = scratch_of(tables)
    board = np.zeros(BOARD_SIZE, np.int64)
    event = np.zeros(EVENT_SIZE, np.int64)
    turns = np.zeros(MAX_SEATS, np.int64)
    policies = np.zeros((seats, others.shape[1]), np.int64)
    # Two seats win together what there is: it is enough to teach one.
    per = 1 if seats == 2 else seats
    values = np.zeros((MOST_TURNS + 1, seats))
    lucks = np.zeros(MOST_TURNS)
    key, gamma = stream_of(seed)
    filled = 0
    for game in range(first, first + games):
        begin_game(rules, board)
        turns[:] = 0
        seat = 0
        coins = lane_start(key, gamma, game, 0, DEAL)
        before = 0
        if plays and below(mix(coins), ALWAYS) == 0:
            before = below(mix(coins + gamma), MOST_BEFORE + 1)
        coins += gamma + gamma
        for _ in range(before):
            policies[seat] = others[below(mix(coins), others.shape[0])]
            coins += gamma
            if board[CENTRE]:
                play_turn(
                    rules, play, policies, board, seat, key, gamma, game, turns[seat], start, False,
                    scratch, event,
                )  # fmt: skip
                turns[seat] += 1
                seat = next_seat(seat, seats)
        policies[:] = others[0]
        count = 0
        begins, first_seat = filled, seat
        while board[CENTRE] and count < MOST_TURNS and filled + per <= rows.shape[0]:
            filled = write_down(rules, play.worms, board, seats, seat, per, scratch, rows, filled)
            if plays:
                set_values(rules, play, board, seats, seat, scratch, values[count])
                dice = lane_start(key, gamma, game, turns[seat], DICE + seat)
                lucks[count] = adjusted_turn(
                    rules, play, board, seats, seat, start, False, dice, gamma, scratch, event
                )
            else:
                lucks[count] = 0.0
                values[count, :] = 0.0
                play_turn(
                    rules, play, policies, board, seat, key, gamma, game, turns[seat], start, False,
                    scratch, event,
                )  # fmt: skip
            turns[seat] += 1
            count += 1
            seat = next_seat(seat, seats)
        if board[CENTRE]:
            filled = begins
        else:
            for who in range(seats):
                values[count, who] = share_of_win(board, play.worms, seats, who)
            teach(
                seats, per, count, first_seat, lasting if plays else 1.0, values, lucks, begins,
                targets,
            )  # fmt: skip
    return filled


@compiled
def learn(rows, targets, order, weights, out, rate):
    """Follow the gradient, board by board.

    The loss is the cross entropy of the chance read off and the value that teaches. Returns the
    mean square of their difference.
    """
    sums = np.zeros(HIDDEN, np.float32)
    back = np.zeros(HIDDEN, np.float32)
    loss = 0.0
    n = order.size
    for number in range(n):
        row = order[number]
        on = rows[row, 0]
        for unit in range(HIDDEN):
            sums[unit] = np.float32(0.0)
        for at in range(1, on + 1):
            feature = rows[row, at]
            for unit in range(HIDDEN):
                sums[unit] += weights[feature, unit]
        odds = out[HIDDEN]
        for unit in range(HIDDEN):
            odds += max(sums[unit], np.float32(0.0)) * out[unit]
        chance = 1.0 / (1.0 + np.exp(-np.float64(odds)))
        error = targets[row] - chance
        loss += error * error
        step = np.float32(rate * error)
        for unit in range(HIDDEN):
            back[unit] = np.float32(0.0)
            if sums[unit] > np.float32(0.0):
                back[unit] = step * out[unit]
                out[unit] += step * sums[unit]
        out[HIDDEN] += step
        for at in range(1, on + 1):
            feature = rows[row, at]
            for unit in range(HIDDEN):
                weights[feature, unit] += back[unit]
    return loss / max(n, 1)
