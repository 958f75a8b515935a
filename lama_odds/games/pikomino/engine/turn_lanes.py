"""The exact turn on several boards at once: what a turn is worth, for each of them.

It is the turn of `turn_solver`, pruned in the same way. The states, the rolls and their chances do
not depend on the board. So each is looked up once for LANES boards, whose values lie side by side:
the processor computes several of them in one step, which is five times as fast.
"""

from __future__ import annotations

import numpy as np

from lama_odds.games.pikomino.engine.turn_solver import highest_total
from lama_odds.games.pikomino.rules.turn_tables import FACES, WORM_KEPT
from lama_odds.jit import inlined

LANES = 32


@inlined
def kept_rows(tables, state, rows):
    """Write the state after keeping n dice of each alive face to rows[place, n].

    Where there is no such face or no dice, it is the row of nothing, after all states.
    """
    nothing = tables.mask.size
    left = tables.left[state]
    child = tables.child[state]
    alive = 0
    for face in range(FACES):
        if not tables.mask[state] >> face & 1:
            rows[alive, 0] = nothing
            for n in range(1, left + 1):
                rows[alive, n] = tables.children[child]
                child += 1
            alive += 1
    for place in range(alive, FACES):
        rows[place, 0] = nothing
    return alive


@inlined
def roll_values(tables, state, rows, worth, bust, sums):
    """Fill in the values of rolling all dice left: the best face of each roll, or a bust."""
    alive = kept_rows(tables, state, rows)
    left = tables.left[state]
    for lane in range(LANES):
        sums[lane] = 0.0
    for roll in range(tables.first[alive, left], tables.first[alive, left + 1]):
        counts = tables.rolls[roll]
        chance = tables.chance[roll]
        if counts == 0:
            for lane in range(LANES):
                sums[lane] += chance * bust[lane]
            continue
        first = rows[0, counts & 15]
        second = rows[1, counts >> 4 & 15]
        third = rows[2, counts >> 8 & 15]
        fourth = rows[3, counts >> 12 & 15]
        fifth = rows[4, counts >> 16 & 15]
        sixth = rows[5, counts >> 20 & 15]
        for lane in range(LANES):
            # Plain comparisons: nothing here is NaN.
            one, other = worth[first, lane], worth[second, lane]
            best = one if one > other else other
            one, other = worth[third, lane], worth[fourth, lane]
            one = one if one > other else other
            best = best if best > one else one
            one, other = worth[fifth, lane], worth[sixth, lane]
            one = one if one > other else other
            best = best if best > one else one
            sums[lane] += chance * best


@inlined
def worth_rolling(tables, state, stop, bust, upper):
    """Return whether rolling again can be better than stopping on any of the boards."""
    total = tables.total[state]
    most = min(highest_total(tables, state), stop.shape[0] - 1)
    for lane in range(LANES):
        stops = stop[total, lane] if tables.mask[state] & WORM_KEPT else -np.inf
        if upper[most, lane] > stops or (bust[lane] > stops and stops > -np.inf):
            return True
    return False


@inlined
def solve_turns(tables, stop, bust, upper, worth, rows, sums):
    """Fill in what the states of a turn are worth on LANES boards; the start is the last state.

    stop: float64[totals, LANES], see `solve_turn`. bust: float64[LANES]. upper: like stop, to fill:
    the most for this total or a lower one.
    worth: float64[states + 1, LANES], to fill; the last row is of nothing.
    rows: int64[FACES, 9], sums: float64[LANES], scratch.
    """
    states = tables.mask.size
    for lane in range(LANES):
        worth[states, lane] = -np.inf
        upper[0, lane] = stop[0, lane]
        for total in range(1, stop.shape[0]):
            upper[total, lane] = max(upper[total - 1, lane], stop[total, lane])
    for state in range(states):
        total = tables.total[state]
        rolled = tables.left[state] > 0 and worth_rolling(tables, state, stop, bust, upper)
        if rolled:
            roll_values(tables, state, rows, worth, bust, sums)
        for lane in range(LANES):
            stops = stop[total, lane] if tables.mask[state] & WORM_KEPT else -np.inf
            best = max(stops, sums[lane]) if rolled else stops
            worth[state, lane] = bust[lane] if best == -np.inf else best
