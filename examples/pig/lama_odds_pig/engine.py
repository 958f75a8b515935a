"""Compiled: turns, whole games, positions played out after each action, the solved two-player game.

``kernel(rules, rows, tables, seed, first, games, tally)``. rules: `Rules.columns`. rows:
int64[seats, 2], family code and parameter of each policy. tables: where `optimal` rolls again, see
`solvers.optimal_rolls` (empty if nobody plays it), and the log.

Turn number t of a seat reads the random numbers of round t: its rolls from the seat's dice, a
policy's from the seat's coins.
"""

import numpy as np

from lama_odds.games.interface.tally_layout import WIN, count, count_payoffs
from lama_odds.jit import compiled, inlined
from lama_odds.luck.stream import COINS, DICE, MAX_ROUNDS, below, lane_start, mix, stream_of

TARGET = 0  # in `Rules.columns`; the column of each face of the die has its points
RANDOM, HOLD_AT, OPTIMAL = range(3)
HELD = 0  # in a log, beside the faces that were rolled
PRECISE = 1e-14  # a chance is solved when it changes by no more


@inlined
def rolls_on(rows, keep_on, seat, mine, other, turn, coins):
    """Return whether a policy rolls again with this many points in its turn."""
    if rows[seat, 0] == HOLD_AT:
        return turn < rows[seat, 1]
    if rows[seat, 0] == OPTIMAL:
        return keep_on[mine, other, turn]
    return below(mix(coins), 2) == 1


@compiled
def asked(rows, keep_on, mine, other, turn, coins):
    """Return whether the policy of row 0 rolls again."""
    return rolls_on(rows, keep_on, 0, mine, other, turn, coins)


@inlined
def add_to_log(log, entry):
    """Add an entry to a log; log[0] counts all entries, also those for which there is no room."""
    if log.size:
        log[0] += 1
        if log[0] < log.size:
            log[log[0]] = entry


@inlined
def play_turn(rules, rows, keep_on, scores, seat, turn, dice, coins, gamma, log):
    """Roll, then continue the turn as the seat's policy does; return its points, 0 after a bust.

    turn: points before; if negative, they are held at once. dice, coins: where the seat's random
    numbers for this turn begin.
    """
    if turn < 0:
        return -turn
    mine = scores[seat]
    other = 0  # the best of the others
    for another in range(scores.size):
        other = max(other, scores[another] * (another != seat))
    while True:
        face = 1 + below(mix(dice), rules.size - 1)
        add_to_log(log, face)
        if rules[face] == 0:
            return 0
        turn += rules[face]
        if mine + turn >= rules[TARGET]:
            return turn
        if not rolls_on(rows, keep_on, seat, mine, other, turn, coins):
            add_to_log(log, HELD)
            return turn
        dice += gamma
        coins += gamma


@inlined
def play_on(rules, rows, keep_on, scores, action, key, gamma, game, log):
    """Play turns until a player wins, seat 0 first; return the winner (−1: nobody) and the turns.

    action: the points with which seat 0 rolls again in its first turn; negative for the points that
    it holds.
    """
    for number in range(MAX_ROUNDS):
        for seat in range(scores.size):
            dice = lane_start(key, gamma, game, number, DICE + seat)
            coins = lane_start(key, gamma, game, number, COINS + seat)
            points = play_turn(rules, rows, keep_on, scores, seat, action, dice, coins, gamma, log)
            scores[seat] += points
            action = 0
            if scores[seat] >= rules[TARGET]:
                return seat, number * scores.size + seat + 1
    return -1, 0


@compiled
def play_games(rules, rows, tables, seed, first, games, tally):
    """Play whole games.

    Measures: win, outright, score of each seat; turns; games without an end.
    """
    keep_on, log = tables
    scores = np.zeros(rows.shape[0], np.int64)
    key, gamma = stream_of(seed)
    for game in range(first, first + games):
        scores[:] = 0
        winner, turns = play_on(rules, rows, keep_on, scores, 0, key, gamma, game, log)
        for seat in range(scores.size):
            count(tally, seat, WIN * (seat == winner))
            count(tally, scores.size + seat, np.int64(seat == winner))
            count(tally, 2 * scores.size + seat, scores[seat])
        count(tally, 3 * scores.size, turns)
        count(tally, 3 * scores.size + 1, np.int64(winner < 0))


@compiled
def roll_out(rules, rows, tables, seed, first, games, tally):
    """Play a position out after each action of seat 0, all with the same dice.

    tables: those of `play_games`, then int64[seats], the scores; int64[k], the actions as `play_on`
    takes them. tally: [k, k + 1] sums and sums of products of wins, then games without an end.
    """
    keep_on, log, start, actions = tables
    scores = np.zeros(start.size, np.int64)
    payoff = np.zeros((1, actions.size), np.int64)
    key, gamma = stream_of(seed)
    for game in range(first, first + games):
        for a in range(actions.size):
            scores[:] = start
            winner, _ = play_on(rules, rows, keep_on, scores, actions[a], key, gamma, game, log)
            tally[tally.size - 1] += winner < 0
            payoff[0, a] = winner == 0
        count_payoffs(tally, payoff)


@compiled
def rolled(rules, holding, over, bust):
    """Fill in the value of rolling by points of the turn; afterwards `holding` has the better one.

    holding: float64[room], the value of holding, by points of the turn. over: float64[sides],
    values of the totals from `room` on, which end the turn. bust: the value of a bust.
    """
    rolling = np.zeros(holding.size)
    best = np.concatenate((holding, over))
    for turn in range(holding.size - 1, -1, -1):
        total = 0.0
        for points in rules[1:]:
            total += best[turn + points] if points else bust
        rolling[turn] = total / (rules.size - 1)
        best[turn] = max(rolling[turn], holding[turn])
    return rolling


@compiled
def solve_game(rules):
    """Return float64[target, target]: the mover's chance to win, by the own and the other's
    score.
    """
    target = rules[TARGET]
    win = np.zeros((target, target))
    over = np.ones(rules.size - 1)
    for total in range(2 * target - 2, -1, -1):
        for mine in range(max(0, total - target + 1), total // 2 + 1):
            other = total - mine
            moved = 1.0
            while moved > PRECISE:
                before = win[mine, other]
                for a, b in ((mine, other), (other, mine)):
                    win[a, b] = rolled(rules, 1 - win[b, a:], over, 1 - win[b, a])[0]
                moved = abs(win[mine, other] - before)
    return win
