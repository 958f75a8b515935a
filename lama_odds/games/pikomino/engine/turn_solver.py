"""The exact turn: values of every decision, for any payoff of stopping and of a bust.

A state of a turn is (faces kept, total, dice left), reached after keeping dice. It is worth the
better of stopping, if that is allowed, and of rolling on; a roll is worth the best face that can
be kept, averaged over all rolls. Faces already kept are alike in a roll (*dead*), so a roll is
the counts of the other faces. States with more faces kept come first: no state leads back.

Faces are numbered 0 to 5, the worm last. Rule book of pikomino/egmont ("Przebieg gry").
"""

from __future__ import annotations

import numpy as np

from lama_odds.games.pikomino.rules.turn_tables import FACES, WORM_KEPT
from lama_odds.jit import compiled, inlined

EQUAL = 1e-12  # values that differ by less differ by rounding
NOTHING = -np.inf  # payoff of stopping where no tile can be had


@inlined
def alive_faces(mask, faces):
    """Write the faces not kept yet to `faces`, ascending; returns how many there are."""
    alive = 0
    for face in range(FACES):
        if not mask >> face & 1:
            faces[alive] = face
            alive += 1
    return alive


@inlined
def keep_values(tables, state, worth, options):
    """What keeping n dice of each alive face is worth: options[place, n]; returns alive."""
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
    """The greater of two (a plain comparison: nothing here is NaN)."""
    return a if a > b else b


@inlined
def roll_value(tables, state, worth, bust, options):
    """What rolling all dice left is worth: the best face of each roll, or a bust.

    Something must be kept if it can be, even where a bust would be worth more.
    """
    alive = keep_values(tables, state, worth, options)
    for at in range(FACES):
        options[at, 0] = -np.inf
    left = tables.left[state]
    rolling = 0.0
    for roll in range(tables.first[alive, left], tables.first[alive, left + 1]):
        counts = tables.rolls[roll]
        # Written out for six places, which is twice as fast as a loop over those alive.
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
    """The highest total that can still be reached, any dice falling as they like."""
    highest = 0
    for face in range(FACES):
        if not tables.mask[state] >> face & 1:
            highest = max(highest, tables.values[face])
    return tables.total[state] + tables.left[state] * highest


@inlined
def mark_needed(tables, needed):
    """Mark all states that can follow from those marked."""
    for state in range(tables.mask.size - 1, -1, -1):
        if needed[state]:
            end = tables.child[state + 1] if state + 1 < tables.child.size else tables.children.size
            for child in range(tables.child[state], end):
                needed[tables.children[child]] = True


@compiled
def solve_turn(tables, stop, bust, worth, rolling, prune, needed):
    """Values of a whole turn.

    stop: float64[totals], payoff of stopping with a total and a worm, NOTHING where no tile can
    be had. worth, rolling: float64[states], filled: of a state, and of
    rolling on in it (NOTHING where no dice are left). prune: leave rolling at NOTHING also where it
    cannot be better than stopping. needed: bool[states], the states to fill, with all that follow
    from them (see `mark_needed`). The start of a turn is the last state.
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
def follow_rule(tables, stop, bust, totals, worth):
    """The value of a turn's start if its stops are ruled; worth: float64[states], filled.

    totals: int64[dice + 1], from which to stop by dice left; without dice there is no choice.
    """
    options = np.zeros((FACES, 9))
    for state in range(tables.mask.size):
        stops = NOTHING
        if tables.mask[state] & WORM_KEPT:
            stops = stop[tables.total[state]]
        left = tables.left[state]
        if left == 0:
            worth[state] = bust if stops == NOTHING else stops
        elif stops != NOTHING and tables.total[state] >= totals[left]:
            worth[state] = stops
        else:
            worth[state] = roll_value(tables, state, worth, bust, options)
    return worth[tables.mask.size - 1]


@compiled
def turn_results(tables, stop, worth, rolling, start, mass, results):
    """How a turn ends under best play from a state (stopping where it is no worse).

    start: state from which dice are rolled if −1 − state, else the decision is still open.
    mass: float64[states] scratch. results: float64[totals + 1], filled: chance to stop with each
    total; last: of a bust.
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
    """Place of the alive face that is best to keep of a roll; of equals the lowest."""
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
