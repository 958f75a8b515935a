"""Games in which plans of each turn are judged by `learned`: with other payoffs of a bust.

See `plan_costs` for what a plan costs. A plan here is a policy's own, after a number was added to
its payoff of a bust. The last plan is that of another policy.
"""

from __future__ import annotations

import numpy as np

from lama_odds.games.pikomino.engine.adjusted import play_solved
from lama_odds.games.pikomino.engine.kernels import scratch_of
from lama_odds.games.pikomino.engine.learned import set_learned_payoffs
from lama_odds.games.pikomino.engine.plan_costs import follow, lead_over, set_paid
from lama_odds.games.pikomino.engine.policy_kernels import set_turn_payoffs
from lama_odds.games.pikomino.engine.round_loop import EVENT_SIZE, MAX_TURNS, begin_game
from lama_odds.games.pikomino.engine.turn_solver import solve_turn
from lama_odds.games.pikomino.rules.board import BOARD_SIZE, CENTRE, MAX_SEATS, top_of
from lama_odds.games.pikomino.rules.turn_tables import FACES
from lama_odds.jit import compiled
from lama_odds.luck.stream import DICE, lane_start, stream_of

# Columns of a turn; from COSTS on what each plan costs.
GAME_NUMBER, LEAD, TOP, TILES_LEFT, COSTS = range(5)


@compiled
def judge_plans(rules, policies, play, who, others, shifts, seed, first, games, rows):
    """Play games and judge plans of the turns of one seat, which plays as its policy does.

    who: that seat. others: rows of policies, for a last plan of that seat. shifts: float64[k], what
    is added to the payoff of a bust. rows: float64[n, COSTS + k + 1], to fill. Returns how many
    were.
    """
    tables = play.turn
    worms, learned = play.worms, play.learned
    start = tables.mask.size - 1
    seats = policies.shape[0]
    plan, judge = scratch_of(tables), scratch_of(tables)
    plan.needed[:] = True
    judge.needed[:] = True
    paid = np.zeros(plan.stop.size)
    worth = np.zeros(start + 1)
    chosen, options = np.zeros((FACES, 9)), np.zeros((FACES, 9))
    board = np.zeros(BOARD_SIZE, np.int64)
    event = np.zeros(EVENT_SIZE, np.int64)
    turns = np.zeros(MAX_SEATS, np.int64)
    key, gamma = stream_of(seed)
    row = 0
    for game in range(first, first + games):
        begin_game(rules, board)
        turns[:] = 0
        seat = 0
        for _ in range(MAX_TURNS):
            if board[CENTRE] == 0 or row == rows.shape[0]:
                break
            lost = set_learned_payoffs(board, rules, worms, seats, seat, learned, judge)
            solve_turn(tables, judge.stop, lost, judge.worth, judge.rolling, True, judge.needed)
            dice = lane_start(key, gamma, game, turns[seat], DICE + seat)
            if seat != who:
                play_solved(rules, play, board, seat, start, False, dice, gamma, judge, event)
            else:
                out = rows[row]
                out[GAME_NUMBER], out[LEAD] = game, lead_over(board, worms, seats, seat)
                out[TOP] = top_of(board, seat)
                out[TILES_LEFT] = 0
                for tile in range(64):
                    out[TILES_LEFT] += board[CENTRE] >> tile & 1
                best = judge.worth[start]
                for step in range(shifts.size + 2):
                    # The plan of the others' row first, then those with a shift, then its own.
                    who_plans = others if step == 0 else policies
                    shift = shifts[step - 1] if 0 < step <= shifts.size else 0.0
                    bust = set_turn_payoffs(board, rules, worms, learned, who_plans, seat, plan)
                    solve_turn(
                        tables, plan.stop, bust + shift, plan.worth, plan.rolling, True,
                        plan.needed,
                    )  # fmt: skip
                    if step <= shifts.size:
                        at = shifts.size if step == 0 else step - 1
                        lost = set_paid(rules, play, board, seats, seat, plan, judge, paid)
                        value = follow(tables, plan, paid, lost, worth, chosen, options)
                        out[COSTS + at] = best - value
                play_solved(rules, play, board, seat, start, False, dice, gamma, plan, event)
                row += 1
            turns[seat] += 1
            seat = seat + 1 if seat + 1 < seats else 0
    return row
