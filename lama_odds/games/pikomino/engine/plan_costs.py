"""Games in which every turn is judged by `learned`: what the plan of its policy costs.

The plan of a policy that solves its turns is what it would do after every roll. Its cost is what
the best plan is worth, minus what this one is, before the dice are rolled. So no dice are in it.
"""

from __future__ import annotations

import numpy as np

from lama_odds.games.pikomino.engine.adjusted import luck_share, play_solved, set_values
from lama_odds.games.pikomino.engine.kernels import scratch_of
from lama_odds.games.pikomino.engine.learned import (
    board_value,
    put_back,
    set_learned_payoffs,
    share_of_win,
)
from lama_odds.games.pikomino.engine.policy_kernels import set_turn_payoffs
from lama_odds.games.pikomino.engine.round_loop import EVENT_SIZE, MAX_TURNS, begin_game
from lama_odds.games.pikomino.engine.turn_solver import NOTHING, keep_values, solve_turn
from lama_odds.games.pikomino.rules.board import (
    BOARD_SIZE,
    CENTRE,
    MAX_SEATS,
    centre_tile,
    go_bust,
    owner_of,
    pop,
    steal_tile,
    take_tile,
    top_of,
    worms_of,
)
from lama_odds.games.pikomino.rules.turn_tables import FACES, WORM_KEPT
from lama_odds.jit import compiled, inlined
from lama_odds.luck.stream import DICE, lane_start, stream_of

# Columns of a turn that is judged.
GAME, SEAT, BEST, PLAN, BEST_BUST, PLAN_BUST, LEAD, TOP, TILES_LEFT, END = range(10)
COLUMNS = 10


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


@inlined
def lead_over(board, worms, seats, seat):
    """Return the worms of a seat minus the most that another has."""
    most = 0
    for other in range(seats):
        if other != seat:
            most = max(most, worms_of(board, worms, other))
    return worms_of(board, worms, seat) - most


@compiled
def judge_games(rules, policies, play, seed, first, games, turns_out, results):
    """Play games and judge every turn; all policies must solve their turns.

    turns_out: float64[n, COLUMNS], to fill: a row for each turn. results: float64[games, 2 seats],
    to fill: what each seat got, and the same luck-adjusted. Returns how many rows were filled.
    """
    tables = play.turn
    start = tables.mask.size - 1
    seats = policies.shape[0]
    plan, judge = scratch_of(tables), scratch_of(tables)
    plan.needed[:] = True
    judge.needed[:] = True
    paid, ones = np.zeros(plan.stop.size), np.zeros(plan.stop.size)
    worth = np.zeros(start + 1)
    chosen, options = np.zeros((FACES, 9)), np.zeros((FACES, 9))
    board = np.zeros(BOARD_SIZE, np.int64)
    event = np.zeros(EVENT_SIZE, np.int64)
    turns = np.zeros(MAX_SEATS, np.int64)
    luck = np.zeros(seats)
    key, gamma = stream_of(seed)
    row = 0
    for game in range(games):
        begin_game(rules, board)
        turns[:] = 0
        luck[:] = 0.0
        seat = 0
        for _ in range(MAX_TURNS):
            if board[CENTRE] == 0 or row == turns_out.shape[0]:
                break
            out = turns_out[row]
            set_values(rules, play, board, seats, seat, judge, judge.values)
            lost = set_learned_payoffs(board, rules, play.worms, seats, seat, play.learned, judge)
            solve_turn(tables, judge.stop, lost, judge.worth, judge.rolling, True, judge.needed)
            out[GAME], out[SEAT], out[BEST] = game, seat, judge.worth[start]
            out[BEST_BUST] = follow(tables, judge, ones, 1.0, worth, chosen, options)
            bust = set_turn_payoffs(board, rules, play.worms, play.learned, policies, seat, plan)
            solve_turn(tables, plan.stop, bust, plan.worth, plan.rolling, True, plan.needed)
            lost = set_paid(rules, play, board, seats, seat, plan, judge, paid)
            out[PLAN_BUST] = follow(tables, plan, ones, 1.0, worth, chosen, options)
            out[PLAN] = follow(tables, plan, paid, lost, worth, chosen, options)
            out[LEAD] = lead_over(board, play.worms, seats, seat)
            out[TOP] = top_of(board, seat)
            out[TILES_LEFT] = 0
            for tile in range(64):
                out[TILES_LEFT] += board[CENTRE] >> tile & 1
            dice = lane_start(key, gamma, first + game, turns[seat], DICE + seat)
            total = play_solved(rules, play, board, seat, start, False, dice, gamma, plan, event)
            out[END] = lost if total < 0 else paid[total]
            for who in range(seats):
                share = luck_share(judge.values, seats, seat, who)
                luck[who] += share * (out[END] - out[PLAN])
            turns[seat] += 1
            row += 1
            seat = seat + 1 if seat + 1 < seats else 0
        for who in range(seats):
            results[game, who] = share_of_win(board, play.worms, seats, who)
            results[game, seats + who] = results[game, who] - luck[who]
    return row
