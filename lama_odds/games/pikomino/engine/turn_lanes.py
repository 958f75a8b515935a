"""The exact turn on several boards at once: what a turn is worth, for each of them.

It is the turn of `turn_solver`, pruned in the same way, to the same bits. The states, the rolls and
their chances do not depend on the board. So each is looked up once for LANES boards, whose values
lie side by side: the processor computes several of them in one step, which is six times as fast.
Rolls that differ in one face alone are added together.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from lama_odds.games.pikomino.engine.turn_solver import highest_total
from lama_odds.games.pikomino.rules.turn_tables import FACES, WORM_KEPT
from lama_odds.jit import allocating, inlined

LANES = 64


class LaneScratch(NamedTuple):
    """Arrays that `solve_turns` overwrites.

    rows: int64[FACES, 9], the state after keeping n dice of an alive face. bests: float64[FACES +
    1, LANES], the best of the first faces of the last roll. sums: float64[LANES]. upper:
    float64[totals, LANES], the most payoff of stopping for this total or a lower one.
    """

    rows: np.ndarray
    bests: np.ndarray
    sums: np.ndarray
    upper: np.ndarray


@allocating
def lane_scratch(tables):
    """Return these arrays."""
    return LaneScratch(
        np.zeros((FACES, 9), np.int64), np.zeros((FACES + 1, LANES)), np.zeros(LANES),
        np.zeros((tables.number.shape[1], LANES)),
    )  # fmt: skip


@inlined
def kept_rows(tables, state, rows):
    """Write the state after keeping n dice of each alive face to rows[place, n].

    For no dice it is the row of nothing, after all states.
    """
    left = tables.left[state]
    child = tables.child[state]
    alive = 0
    for face in range(FACES):
        if not tables.mask[state] >> face & 1:
            rows[alive, 0] = tables.mask.size
            for n in range(1, left + 1):
                rows[alive, n] = tables.children[child]
                child += 1
            alive += 1
    return alive


@inlined
def roll_values(tables, state, worth, bust, scratch):
    """Fill in the values of rolling all dice left: the best face of each roll, or a bust."""
    rows, bests, sums = scratch.rows, scratch.bests, scratch.sums
    alive = kept_rows(tables, state, rows)
    runs, left = tables.runs, tables.left[state]
    none = tables.chance[tables.first[alive, left]] if alive < FACES else 0.0
    for lane in range(LANES):
        bests[0, lane] = -np.inf
        sums[lane] = 0.0 + none * bust[lane]
    for run in range(runs.first[alive, left], runs.first[alive, left + 1]):
        roll, end = runs.roll[run], runs.roll[run + 1]
        counts = tables.rolls[roll]
        last = runs.last[run]
        for place in range(runs.anew[run], last):
            row = rows[place, counts >> 4 * place & 15]
            for lane in range(LANES):
                one, other = bests[place, lane], worth[row, lane]
                bests[place + 1, lane] = one if one > other else other
        n = counts >> 4 * (alive - 1) & 15
        if last >= 0:
            row = rows[last, counts >> 4 * last & 15]
            add_prefix(worth, bests, sums, last, row, n == 0, tables.chance[roll])
        if n == 0:
            roll += 1
            n = 1
        add_run(tables, worth, bests, sums, rows, last + 1, alive - 1, n, roll, end)


@inlined
def add_prefix(worth, bests, sums, last, row, adds, chance):
    """Find the best of the faces before the last alive one, and add the roll without it.

    last: the last of these faces that is shown. adds: whether there is such a roll.
    """
    # Plain comparisons: nothing here is NaN.
    if not adds:
        for lane in range(LANES):
            one, other = bests[last, lane], worth[row, lane]
            bests[last + 1, lane] = one if one > other else other
        return
    for lane in range(LANES):
        one, other = bests[last, lane], worth[row, lane]
        best = one if one > other else other
        bests[last + 1, lane] = best
        sums[lane] += chance * best


@inlined
def add_run(tables, worth, bests, sums, rows, before, place, n, roll, end):
    """Add the rolls of a run, from n dice of the last alive face on.

    before: the row of the best of the other faces. Several rolls at a time take less long; sums are
    added up in the same order.
    """
    while end - roll >= 3:
        first, second, third = tables.chance[roll], tables.chance[roll + 1], tables.chance[roll + 2]
        row, next_row, last_row = rows[place, n], rows[place, n + 1], rows[place, n + 2]
        for lane in range(LANES):
            best = bests[before, lane]
            one, two, three = worth[row, lane], worth[next_row, lane], worth[last_row, lane]
            found = sums[lane] + first * (one if one > best else best)
            found += second * (two if two > best else best)
            sums[lane] = found + third * (three if three > best else best)
        roll += 3
        n += 3
    if end - roll == 2:
        first, second = tables.chance[roll], tables.chance[roll + 1]
        row, next_row = rows[place, n], rows[place, n + 1]
        for lane in range(LANES):
            best = bests[before, lane]
            one, two = worth[row, lane], worth[next_row, lane]
            found = sums[lane] + first * (one if one > best else best)
            sums[lane] = found + second * (two if two > best else best)
    elif end - roll == 1:
        first, row = tables.chance[roll], rows[place, n]
        for lane in range(LANES):
            best, one = bests[before, lane], worth[row, lane]
            sums[lane] += first * (one if one > best else best)


@inlined
def worth_rolling(stops, highest, bust):
    """Return whether rolling again can be better than stopping.

    stops: payoff of stopping. highest: the most that can still be had for stopping.
    """
    return highest > stops or (bust > stops and stops > -np.inf)


@inlined
def total_of(tables, state):
    """Return the total with which a state can be stopped; 0, with which none can, has no worm."""
    return tables.total[state] if tables.mask[state] & WORM_KEPT else 0


@inlined
def most_of(tables, state):
    """Return the highest total that can still be reached, or the highest of all tables."""
    return min(highest_total(tables, state), tables.number.shape[1] - 1)


@inlined
def is_rolled(tables, state, stop, bust, upper):
    """Return whether rolling again can be better than stopping on any of the boards."""
    if tables.left[state] == 0:
        return False
    total, most = total_of(tables, state), most_of(tables, state)
    for lane in range(LANES):
        if worth_rolling(stop[total, lane], upper[most, lane], bust[lane]):
            return True
    return False


@inlined
def set_worth(tables, state, stop, bust, upper, worth, rolling, sums, rolled):
    """Fill in the values of a state; rolled: whether sums has those of rolling."""
    total, most = total_of(tables, state), most_of(tables, state)
    left = tables.left[state] > 0
    for lane in range(LANES):
        stops = stop[total, lane]
        value = bust[lane] if left and stops == -np.inf else -np.inf
        if rolled and worth_rolling(stops, upper[most, lane], bust[lane]):
            value = sums[lane]
        best = stops if stops > value else value
        worth[state, lane] = bust[lane] if best == -np.inf else best
        if rolling.shape[0]:
            rolling[state, lane] = value


@inlined
def solve_turns(tables, stop, bust, worth, rolling, scratch):
    """Fill in what the states of a turn are worth on LANES boards; the start is the last state.

    stop: float64[totals, LANES], see `solve_turn`. bust: float64[LANES]. worth: float64[states + 1,
    LANES], to fill; the last row is of nothing. rolling: float64[states, LANES], to fill as
    `solve_turn` does with `prune`; empty: not wanted.
    """
    upper, states = scratch.upper, tables.mask.size
    for lane in range(LANES):
        worth[states, lane] = -np.inf
        upper[0, lane] = stop[0, lane]
        for total in range(1, stop.shape[0]):
            upper[total, lane] = max(upper[total - 1, lane], stop[total, lane])
    for state in range(states):
        rolled = is_rolled(tables, state, stop, bust, upper)
        if rolled:
            roll_values(tables, state, worth, bust, scratch)
        set_worth(tables, state, stop, bust, upper, worth, rolling, scratch.sums, rolled)
