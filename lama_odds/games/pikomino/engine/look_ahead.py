"""What a turn leads to, one turn ahead of `learned`: the next player's turn is solved too.

The next player plays as `learned` does. With three and more players the chances behind this turn
are shares of everybody's, so chances add up to 1 (see `learned.shared_value`).
"""

from __future__ import annotations

import numpy as np

from lama_odds.games.interface.tally_layout import EQUITY, count
from lama_odds.games.pikomino.engine.adjusted import luck_share, play_solved, set_values
from lama_odds.games.pikomino.engine.kernels import scratch_of
from lama_odds.games.pikomino.engine.learned import (
    board_value,
    put_back,
    set_learned_payoffs,
    shared_value,
)
from lama_odds.games.pikomino.engine.round_loop import EVENT_SIZE, HOW, MAX_TURNS, begin_game
from lama_odds.games.pikomino.engine.turn_solver import (
    NOTHING,
    keep_values,
    solve_turn,
    turn_results,
)
from lama_odds.games.pikomino.rules.board import (
    BOARD_SIZE,
    CENTRE,
    MAX_SEATS,
    NO_TILE,
    centre_tile,
    go_bust,
    owner_of,
    pop,
    share_of_win,
    steal_tile,
    take_tile,
)
from lama_odds.games.pikomino.rules.ruleset import FACES, WORM_KEPT
from lama_odds.jit import compiled, inlined
from lama_odds.luck.stream import DICE, lane_start, stream_of


@compiled
def chance_ahead(rules, play, board, seats, seat, mover, scratch, mass, results):
    """Return the chance of a seat to win once the turn of another, the next, has been played."""
    if board[CENTRE] == 0:
        return share_of_win(board, play.worms, seats, seat)
    turn, worms, learned = play.turn, play.worms, play.learned
    size = scratch.stop.size
    start = turn.mask.size - 1
    bust = set_learned_payoffs(board, rules, worms, seats, mover, learned, scratch)
    scratch.needed[:] = True
    solve_turn(turn, scratch.stop, bust, scratch.worth, scratch.rolling, True, scratch.needed)
    if seats == 2:
        return 1.0 - scratch.worth[start]
    turn_results(turn, scratch.stop, scratch.worth, scratch.rolling, start, mass, results)
    after = mover + 1 if mover + 1 < seats else 0
    chance = 0.0
    for total in range(size + 1):
        if results[total] == 0.0:
            continue
        centre = board[CENTRE]
        tile = NO_TILE
        owner = -1
        if total == size:
            tile, _ = go_bust(board, rules, mover)
        elif scratch.steals[total]:
            owner = owner_of(board, rules, total, mover)
            steal_tile(board, mover, owner)
        else:
            take_tile(board, mover, centre_tile(board, rules, total))
        chance += results[total] * shared_value(
            rules, worms, learned, board, seats, seat, after, scratch.on, scratch.sums
        )
        if total == size:
            put_back(board, mover, centre, tile)
        elif owner >= 0:
            steal_tile(board, owner, mover)
        else:
            pop(board, mover)
            board[CENTRE] = centre
    return chance


@inlined
def set_payoffs_ahead(
    rules, play, board, seats, seat, stop, steals, takes, robs, scratch, mass, results
):  # fmt: skip
    """Set the payoffs of a turn, see `policy_kernels.set_payoffs`; return that of a bust.

    takes, robs: float64[totals], to fill: what taking a tile of the centre and stealing one is
    worth, where that is possible. scratch, mass, results: for the turns of the next player.
    """
    mover = seat + 1 if seat + 1 < seats else 0
    last = NO_TILE
    value = 0.0
    for total in range(stop.size):
        stop[total] = -np.inf
        steals[total] = False
        tile = centre_tile(board, rules, total)
        centre = board[CENTRE]
        if tile != NO_TILE:
            if tile != last:
                take_tile(board, seat, tile)
                value = chance_ahead(
                    rules, play, board, seats, seat, mover, scratch, mass, results
                )  # fmt: skip
                pop(board, seat)
                board[CENTRE] = centre
                last = tile
            stop[total] = value
            takes[total] = value
        owner = owner_of(board, rules, total, seat)
        if owner >= 0:
            steal_tile(board, seat, owner)
            robs[total] = chance_ahead(
                rules, play, board, seats, seat, mover, scratch, mass, results
            )  # fmt: skip
            steal_tile(board, owner, seat)
            if robs[total] > stop[total]:
                stop[total] = robs[total]
                steals[total] = True
    centre = board[CENTRE]
    back, _ = go_bust(board, rules, seat)
    bust = chance_ahead(rules, play, board, seats, seat, mover, scratch, mass, results)
    put_back(board, seat, centre, back)
    return bust


@compiled
def payoffs_ahead(rules, play, board, seats, seat, stop, steals, takes, robs):
    """Call `set_payoffs_ahead` from Python."""
    scratch = scratch_of(play.turn)
    mass = np.zeros(play.turn.mask.size)
    results = np.zeros(stop.size + 1)
    return set_payoffs_ahead(
        rules, play, board, seats, seat, stop, steals, takes, robs, scratch, mass, results
    )  # fmt: skip


@compiled
def set_paid(rules, play, board, seats, seat, plan, judge, paid):
    """Set what the results of a plan are worth: paid[total]; return what a bust is worth.

    plan: the scratch of a policy that has set its payoffs, which say where it steals. judge: the
    scratch of `learned`.
    """
    after = seat + 1 if seat + 1 < seats else 0
    worms, learned = play.worms, play.learned
    centre = board[CENTRE]
    for total in range(paid.size):
        paid[total] = NOTHING
        if plan.stop[total] == NOTHING:
            continue
        tile = centre_tile(board, rules, total)
        owner = owner_of(board, rules, total, seat)
        if plan.steals[total]:
            steal_tile(board, seat, owner)
        else:
            take_tile(board, seat, tile)
        paid[total] = board_value(
            rules, worms, learned, board, seats, seat, after, judge.on, judge.sums
        )
        if plan.steals[total]:
            steal_tile(board, owner, seat)
        else:
            pop(board, seat)
            board[CENTRE] = centre
    back, _ = go_bust(board, rules, seat)
    bust = board_value(rules, worms, learned, board, seats, seat, after, judge.on, judge.sums)
    put_back(board, seat, centre, back)
    return bust


@compiled
def follow(tables, plan, paid, bust, worth, chosen, options):
    """Return what a solved turn is worth if its results are paid otherwise.

    plan: the scratch of the solved turn. worth: float64[states], to fill.
    """
    for state in range(tables.mask.size):
        stops = plan.stop[tables.total[state]] if tables.mask[state] & WORM_KEPT else NOTHING
        left = tables.left[state]
        if stops > NOTHING and stops >= plan.rolling[state]:
            worth[state] = paid[tables.total[state]]
            continue
        if left == 0:
            worth[state] = bust
            continue
        alive = keep_values(tables, state, plan.worth, chosen)
        keep_values(tables, state, worth, options)
        for at in range(FACES):
            chosen[at, 0] = NOTHING
        rolling = 0.0
        for roll in range(tables.first[alive, left], tables.first[alive, left + 1]):
            counts = tables.rolls[roll]
            value = bust
            best = NOTHING
            at = 0
            while counts:
                n = counts & 15
                if chosen[at, n] > best:
                    best = chosen[at, n]
                    value = options[at, n]
                counts >>= 4
                at += 1
            rolling += tables.chance[roll] * value
        worth[state] = rolling
    return worth[tables.mask.size - 1]


# Games of `learned` in which one seat looks a turn further ahead, and what that gains it.
#
# This seat plans each turn by the chances after the turn of the next player (see `look_ahead`), as
# `advise` does. All others play `learned`. The same game, with the same dice, is also played with
# `learned` in all seats. Both results are luck-adjusted (see `adjusted`).

# Rows of the tally. Results and promises count EQUITY.
THOUGHT, USUAL, PROMISED, TURNS, OTHERWISE, NO_END = range(6)
ROWS = 6


@compiled
def think_games(rules, policies, tables, seed, first, games, tally):
    """Play games twice: with the seat that looks ahead, and with `learned` in its place.

    tables: see `tables.ThinkingTables`. THOUGHT, USUAL: its luck-adjusted results. PROMISED: how
    much more its plans are worth than those of `learned`, a turn further ahead. OTHERWISE: turns
    that `learned` would have ended in another way with the same dice.
    """
    play, thinker = tables.play, tables.seat
    turn, worms, learned = play.turn, play.worms, play.learned
    start = turn.mask.size - 1
    seats = policies.shape[0]
    usual, plan, later = scratch_of(turn), scratch_of(turn), scratch_of(turn)
    usual.needed[:] = True
    plan.needed[:] = True
    size = plan.stop.size
    takes, robs, paid = np.zeros(size), np.zeros(size), np.zeros(size)
    worth, mass, results = np.zeros(start + 1), np.zeros(start + 1), np.zeros(size + 1)
    chosen, options = np.zeros((FACES, 9)), np.zeros((FACES, 9))
    board, other = np.zeros(BOARD_SIZE, np.int64), np.zeros(BOARD_SIZE, np.int64)
    event = np.zeros(EVENT_SIZE, np.int64)
    turns = np.zeros(MAX_SEATS, np.int64)
    key, gamma = stream_of(seed)
    for number in range(2 * games):
        game = first + number // 2
        thinks = number % 2 == 1
        begin_game(rules, board)
        turns[:] = 0
        seat = 0
        luck = promised = 0.0
        decided = departed = 0
        for _ in range(MAX_TURNS):
            if board[CENTRE] == 0:
                break
            set_values(rules, play, board, seats, seat, usual, usual.values)
            share = luck_share(usual.values, seats, seat, thinker)
            lost = set_learned_payoffs(board, rules, worms, seats, seat, learned, usual)
            solve_turn(turn, usual.stop, lost, usual.worth, usual.rolling, True, usual.needed)
            dice = lane_start(key, gamma, game, turns[seat], DICE + seat)
            if thinks and seat == thinker:
                bust = set_payoffs_ahead(
                    rules, play, board, seats, seat, plan.stop, plan.steals, takes, robs, later,
                    mass, results,
                )  # fmt: skip
                solve_turn(turn, plan.stop, bust, plan.worth, plan.rolling, True, plan.needed)
                for total in range(size):
                    paid[total] = robs[total] if usual.steals[total] else takes[total]
                    if usual.stop[total] == NOTHING:
                        paid[total] = NOTHING
                promised += plan.worth[start]
                promised -= follow(turn, usual, paid, bust, worth, chosen, options)
                lost = set_paid(rules, play, board, seats, seat, plan, usual, paid)
                expected = follow(turn, plan, paid, lost, worth, chosen, options)
                other[:] = board
                before = play_solved(
                    rules, play, other, seat, start, False, dice, gamma, usual, event
                )  # fmt: skip
                how = event[HOW]
                total = play_solved(
                    rules, play, board, seat, start, False, dice, gamma, plan, event
                )  # fmt: skip
                decided += 1
                departed += total != before or how != event[HOW]
                reached = lost if total < 0 else paid[total]
            else:
                expected = usual.worth[start]
                total = play_solved(
                    rules, play, board, seat, start, False, dice, gamma, usual, event
                )  # fmt: skip
                reached = lost if total < 0 else usual.stop[total]
            luck += share * (reached - expected)
            turns[seat] += 1
            seat = seat + 1 if seat + 1 < seats else 0
        result = share_of_win(board, worms, seats, thinker) - luck
        count(tally, THOUGHT if thinks else USUAL, np.int64(np.rint(EQUITY * result)))
        count(tally, NO_END, np.int64(board[CENTRE] != 0))
        if thinks:
            count(tally, PROMISED, np.int64(np.rint(EQUITY * promised)))
            count(tally, TURNS, np.int64(decided))
            count(tally, OTHERWISE, np.int64(departed))
