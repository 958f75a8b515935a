"""The exact turn: values of every decision, for any payoff of stopping and of a bust.

A state of a turn is (faces kept, total, dice left), after keeping dice. Its value is the better of
stopping, if that is allowed, and rolling again. The value of a roll is the best face that can be
kept, averaged over all rolls. Faces already kept are equivalent in a roll (*dead*), so a roll is
the counts of the other faces. States with more faces kept come first: no state leads back.

Faces are numbered 0 to 5, the worm last. Source: rule book of pikomino/egmont ("Przebieg gry").
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from lama_odds.games.pikomino.rules.ruleset import FACES, WORM_KEPT
from lama_odds.jit import allocating, compiled, inlined

EQUAL = 1e-12  # smaller differences are rounding errors
NOTHING = -np.inf  # payoff of stopping if no tile can be taken


@inlined
def alive_faces(mask, faces):
    """Write the faces not kept yet to `faces`, ascending; return how many there are."""
    alive = 0
    for face in range(FACES):
        if not mask >> face & 1:
            faces[alive] = face
            alive += 1
    return alive


@inlined
def keep_values(tables, state, worth, options):
    """Fill in the values of keeping n dice of each alive face: options[place, n]; return alive."""
    left = tables.left[state]
    child = tables.child[state]
    alive = 0
    for face in range(FACES):
        if not tables.mask[state] >> face & 1:
            for n in range(1, left + 1):
                options[alive, n] = worth[tables.children[child]]
                child += 1
            alive += 1
    return alive


@inlined
def better(a, b):
    """Return the greater of two (a plain comparison: nothing here is NaN)."""
    return a if a > b else b


@inlined
def roll_value(tables, state, worth, bust, options):
    """Return the value of rolling all dice left: the best face of each roll, or a bust.

    A face must be kept if possible, even if a bust would be worth more.
    """
    alive = keep_values(tables, state, worth, options)
    for at in range(FACES):
        options[at, 0] = -np.inf
    left = tables.left[state]
    rolling = 0.0
    for roll in range(tables.first[alive, left], tables.first[alive, left + 1]):
        counts = tables.rolls[roll]
        # Written out for six places, which is twice as fast as a loop over alive faces.
        best = better(options[0, counts & 15], -np.inf if counts else bust)
        best = better(options[1, counts >> 4 & 15], best)
        best = better(options[2, counts >> 8 & 15], best)
        best = better(options[3, counts >> 12 & 15], best)
        best = better(options[4, counts >> 16 & 15], best)
        best = better(options[5, counts >> 20 & 15], best)
        rolling += tables.chance[roll] * best
    return rolling


@inlined
def highest_total(tables, state):
    """Return the highest total that can still be reached with the best rolls."""
    highest = 0
    for face in range(FACES):
        if not tables.mask[state] >> face & 1:
            highest = max(highest, tables.values[face])
    return tables.total[state] + tables.left[state] * highest


@inlined
def mark_needed(tables, needed):
    """Mark all states that can follow from marked ones."""
    for state in range(tables.mask.size - 1, -1, -1):
        if needed[state]:
            end = tables.child[state + 1] if state + 1 < tables.child.size else tables.children.size
            for child in range(tables.child[state], end):
                needed[tables.children[child]] = True


@compiled
def solve_turn(tables, stop, bust, worth, rolling, prune, needed):
    """Fill in the values of a whole turn.

    stop: float64[totals], payoff of stopping with a total and a worm; NOTHING if no tile can be
    taken.
    worth, rolling: float64[states], to fill: the values of a state, and of rolling again in it
    (NOTHING without dice left).
    prune: leave rolling at NOTHING also if it cannot be better than stopping.
    needed: bool[states], the states to fill, with all that follow from them (see `mark_needed`).

    The start of a turn is the last state.
    """
    options = np.zeros((FACES, 9))
    upper = stop.copy()
    for total in range(1, upper.size):
        upper[total] = max(upper[total], upper[total - 1])
    for state in range(tables.mask.size):
        if not needed[state]:
            continue
        stops = -np.inf
        if tables.mask[state] & WORM_KEPT:
            stops = stop[tables.total[state]]
        rolling[state] = -np.inf
        if tables.left[state] > 0:
            most = upper[min(highest_total(tables, state), upper.size - 1)]
            if not prune or most > stops or (bust > stops and stops > -np.inf):
                rolling[state] = roll_value(tables, state, worth, bust, options)
            elif stops == -np.inf:
                rolling[state] = bust
        best = max(stops, rolling[state])
        worth[state] = bust if best == -np.inf else best


@compiled
def follow_rule(tables, stop, bust, stops_at, worth):
    """Return the value of a turn's start if a rule decides its stops.

    worth: float64[states], to fill.
    stops_at: bool[dice + 1, totals], whether to stop, by dice left and total; without dice there is
    no choice.
    """
    options = np.zeros((FACES, 9))
    for state in range(tables.mask.size):
        stops = NOTHING
        if tables.mask[state] & WORM_KEPT:
            stops = stop[tables.total[state]]
        left = tables.left[state]
        if left == 0:
            worth[state] = bust if stops == NOTHING else stops
        elif stops != NOTHING and stops_at[left, tables.total[state]]:
            worth[state] = stops
        else:
            worth[state] = roll_value(tables, state, worth, bust, options)
    return worth[tables.mask.size - 1]


@compiled
def turn_results(tables, stop, worth, rolling, start, mass, results):
    """Fill in how a turn ends under best play from a state (stopping if it is no worse).

    start: a state in which the decision is open; −1 − state if dice are rolled from that state.
    mass: float64[states], scratch. results: float64[totals + 1], to fill: the chance to stop with
    each total; last: of a bust.
    """
    mass[:] = 0.0
    results[:] = 0.0
    faces = np.zeros(FACES, np.int64)
    options = np.zeros((FACES, 9))
    forced = start < 0
    first = -1 - start if forced else start
    mass[first] = 1.0
    for state in range(first, -1, -1):
        if mass[state] == 0.0:
            continue
        stops = -np.inf
        if tables.mask[state] & WORM_KEPT:
            stops = stop[tables.total[state]]
        open_ = not (forced and state == first)
        if open_ and stops > -np.inf and stops >= rolling[state] - EQUAL:
            results[tables.total[state]] += mass[state]
            continue
        if tables.left[state] == 0:
            results[results.size - 1] += mass[state]
            continue
        alive_faces(tables.mask[state], faces)
        alive = keep_values(tables, state, worth, options)
        left = tables.left[state]
        for roll in range(tables.first[alive, left], tables.first[alive, left + 1]):
            counts = tables.rolls[roll]
            share = mass[state] * tables.chance[roll]
            if counts == 0:
                results[results.size - 1] += share
                continue
            place = best_place(counts, options)
            face = faces[place]
            n = counts >> 4 * place & 15
            total = tables.total[state] + n * tables.values[face]
            mass[tables.number[tables.mask[state] | 1 << face, total, left - n]] += share


@inlined
def best_place(counts, options):
    """Return the place of the alive face that is best to keep of a roll; of equals the lowest."""
    best = -np.inf
    place = 0
    at = 0
    while counts:
        n = counts & 15
        if n and options[at, n] > best + EQUAL:
            best = options[at, n]
            place = at
        counts >>= 4
        at += 1
    return place


# The exact turn on several boards at once: what a turn is worth, for each of them.
#
# It is the turn of `turn_solver`, pruned in the same way, to the same bits. The states, the rolls
# and their chances do not depend on the board. So each is looked up once for LANES boards, whose
# values lie side by side: the processor computes several of them in one step, which is six times as
# fast. Rolls that differ in one face alone are added together.

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
            total = sums[lane] + first * (one if one > best else best)
            total += second * (two if two > best else best)
            sums[lane] = total + third * (three if three > best else best)
        roll += 3
        n += 3
    if end - roll == 2:
        first, second = tables.chance[roll], tables.chance[roll + 1]
        row, next_row = rows[place, n], rows[place, n + 1]
        for lane in range(LANES):
            best = bests[before, lane]
            one, two = worth[row, lane], worth[next_row, lane]
            total = sums[lane] + first * (one if one > best else best)
            sums[lane] = total + second * (two if two > best else best)
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
