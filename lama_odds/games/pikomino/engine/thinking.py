"""Games of `learned` in which one seat looks a turn further ahead, and what that gains it.

This seat plans each turn by the chances after the turn of the next player (see `look_ahead`), as
`advise` does. All others play `learned`. The same game, with the same dice, is also played with
`learned` in all seats. Both results are luck-adjusted (see `adjusted`).
"""

from __future__ import annotations

import numpy as np

from lama_odds.games.interface.tally_layout import EQUITY, count
from lama_odds.games.pikomino.engine.adjusted import luck_share, play_solved, set_values
from lama_odds.games.pikomino.engine.kernels import scratch_of
from lama_odds.games.pikomino.engine.learned import set_learned_payoffs, share_of_win
from lama_odds.games.pikomino.engine.look_ahead import set_payoffs_ahead
from lama_odds.games.pikomino.engine.plan_costs import follow, set_paid
from lama_odds.games.pikomino.engine.round_loop import EVENT_SIZE, HOW, MAX_TURNS, begin_game
from lama_odds.games.pikomino.engine.turn_solver import NOTHING, solve_turn
from lama_odds.games.pikomino.rules.board import BOARD_SIZE, CENTRE, MAX_SEATS
from lama_odds.games.pikomino.rules.turn_tables import FACES
from lama_odds.jit import compiled
from lama_odds.luck.stream import DICE, lane_start, stream_of

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
