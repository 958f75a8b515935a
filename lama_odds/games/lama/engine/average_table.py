"""The value iteration of `meanfield`: one player against an average table.

All is float32, added up in a fixed order: the same bits on every machine. See `policies.catalogue`
for what the arrays mean.
"""

import numpy as np

from lama_odds.games.lama.engine.policy_kernels import (
    CONTEXTS,
    DECIDING,
    HANDS,
    MOST_FEWEST,
    MOST_OTHERS,
    PASSED_ON,
)
from lama_odds.games.lama.rules.transition import PLACES
from lama_odds.jit import compiled, inlined

ENDED = CONTEXTS + 1  # column of a passing table: the round has ended
ITERATIONS = 80
CLOSE = 0.001  # points; iteration stops when no value changes more


@compiled
def solve(costs, quitting, chances, ups, downs, following, llama, contexts, tops, ends, values):
    """Iterate until the values converge: PASSED_ON from DECIDING, DECIDING from PASSED_ON.

    costs, quitting: float32[hands], of a hand at the end of the round, and of quitting with it.
    chances, ups, downs: see `Moves`. contexts, tops: float32, see `values_table`; tops by place.
    ends: alone float32[PLACES, hands], gone out float32[PLACES]. values: float32[2, CONTEXTS,
    PLACES, hands], which is filled.
    """
    alone, gone_out = ends
    passed, deciding = values[PASSED_ON], values[DECIDING]
    hands = costs.size
    moved = np.zeros((CONTEXTS + 1, PLACES, hands), np.float32)
    least = np.zeros(hands, np.float32)
    for _ in range(ITERATIONS):
        for others in range(MOST_OTHERS):
            _pass_all(costs, contexts, tops, others, alone, moved, passed, deciding)
        change = np.float32(0.0)
        for context in range(CONTEXTS):
            passed[context, :, 0] = gone_out
            if contexts[context, ENDED] >= 1.0:
                continue
            for top in range(PLACES):
                _best_of(
                    quitting, chances, ups, downs, following, llama, passed[context], top, least
                )
                for hand in range(1, hands):
                    change = max(change, abs(least[hand] - deciding[context, top, hand]))
                    deciding[context, top, hand] = least[hand]
                deciding[context, top, 0] = gone_out[top]
        if change < CLOSE:
            break


@inlined
def _pass_all(costs, contexts, tops, others, alone, moved, passed, deciding):
    """Average over the top card and the context at the next turn, for this number of others."""
    first = others * MOST_FEWEST
    used = False
    for context in range(first, first + MOST_FEWEST):
        used = used or contexts[context, ENDED] < 1.0
    if not used:
        return
    moved[:] = 0
    for top in range(PLACES):
        for after in range(PLACES):
            chance = tops[others, top, after]
            if chance > 0:
                for context in range(CONTEXTS):
                    _add(chance, deciding[context, after], moved[context, top])
                _add(chance, alone[after], moved[CONTEXTS, top])
    for context in range(first, first + MOST_FEWEST):
        for top in range(PLACES):
            for hand in range(costs.size):
                passed[context, top, hand] = contexts[context, ENDED] * costs[hand]
        for after in range(CONTEXTS + 1):
            chance = contexts[context, after]
            if chance > 0:
                for top in range(PLACES):
                    _add(chance, moved[after, top], passed[context, top])


@inlined
def _best_of(quitting, chances, ups, downs, following, llama, passed, top, least):
    """Fill in the best of quitting, drawing and playing for every hand."""
    for hand in range(quitting.size):
        drawn = np.float32(0.0)
        for place in range(PLACES + 1):
            drawn += chances[place, hand] * passed[top, ups[place, hand]]
        best = drawn if drawn < quitting[hand] else quitting[hand]
        if downs[top, hand] >= 0:
            best = min(best, passed[top, downs[top, hand]])
        after = following[top]
        if downs[after, hand] >= 0:
            best = min(best, passed[after, downs[after, hand]])
        if hand >= HANDS:
            best = min(best, passed[llama, hand - HANDS])
        least[hand] = best


@inlined
def _add(chance, part, total):
    """Add a part, times its chance, to a total: float32[hands]."""
    for hand in range(total.size):
        total[hand] += chance * part[hand]
