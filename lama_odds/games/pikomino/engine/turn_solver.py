"""The exact turn: values of every decision, for any payoff of stopping and of a bust.

A state of a turn is (faces kept, total, dice left), after keeping dice. Its value is the better of
stopping, if that is allowed, and rolling again. The value of a roll is the best face that can be
kept, averaged over all rolls. Faces already kept are equivalent in a roll (*dead*), so a roll is
the counts of the other faces. States with more faces kept come first: no state leads back.

Faces are numbered 0 to 5, the worm last. Source: rule book of pikomino/egmont ("Przebieg gry").
"""

from __future__ import annotations

import numpy as np

from lama_odds.games.pikomino.rules.turn_tables import FACES, WORM_KEPT
from lama_odds.jit import compiled, inlined

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
