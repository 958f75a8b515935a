"""Decisions of `learned`: a small neural network, taught by games that were played out.

Its first layer adds up a row of weights for each thing that a player sees (see `rows`). A
second layer leads to four results, one for each move of `equilibrium.chosen`: how good it is
compared with the others. `learned` takes the best one that is possible.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from lama_odds.games.lama.engine.equilibrium import ABOVE, DRAWN, LEFT, MOVES, SAME, chosen
from lama_odds.games.lama.engine.learned.rows import GROUP, MOST_ROWS, write_rows
from lama_odds.games.lama.engine.table_rows import SCRATCH
from lama_odds.games.lama.rules.transition import QUIT, same_as_top
from lama_odds.jit import given_or, inlined

FIRST, SECOND = 32, 16  # numbers of the two layers
NONE = np.float32(0)

# Where the layers are on the table, behind the rows: places of float32, two in that of an int64.
LAYER_AT = 2 * (SCRATCH + MOST_ROWS)
NEXT_AT = LAYER_AT + FIRST
RESULTS_AT = NEXT_AT + SECOND
SCRATCH_END = (RESULTS_AT + MOVES) // 2


class Learned(NamedTuple):
    """What `learned` knows.

    rows: float32[ROWS, FIRST]. second: float32[FIRST, SECOND]. results: float32[MOVES, SECOND].
    constants: float32[SECOND + MOVES], what is added to the second layer, and to the results.
    """

    rows: np.ndarray
    second: np.ndarray
    results: np.ndarray
    constants: np.ndarray


@inlined
def find_results(net, table, number, seen):
    """Fill in the layers and the results of a situation.

    number: of its rows, which are written on the table. seen: the table as float32.
    """
    for x in range(FIRST):
        seen[LAYER_AT + x] = NONE
    for at in range(SCRATCH, SCRATCH + number, GROUP):
        a, b, c, d = table[at], table[at + 1], table[at + 2], table[at + 3]
        for x in range(FIRST):
            seen[LAYER_AT + x] += (
                net.rows[a, x] + net.rows[b, x] + net.rows[c, x] + net.rows[d, x]
            )  # fmt: skip
    for y in range(SECOND):
        seen[NEXT_AT + y] = net.constants[y]
    for x in range(0, FIRST, 8):  # written out: the inner loop works on many numbers at once
        a, b = max(seen[LAYER_AT + x], NONE), max(seen[LAYER_AT + x + 1], NONE)
        c, d = max(seen[LAYER_AT + x + 2], NONE), max(seen[LAYER_AT + x + 3], NONE)
        e, f = max(seen[LAYER_AT + x + 4], NONE), max(seen[LAYER_AT + x + 5], NONE)
        g, h = max(seen[LAYER_AT + x + 6], NONE), max(seen[LAYER_AT + x + 7], NONE)
        for y in range(SECOND):
            seen[NEXT_AT + y] = seen[NEXT_AT + y] + (
                a * net.second[x, y] + b * net.second[x + 1, y]
                + c * net.second[x + 2, y] + d * net.second[x + 3, y]
            ) + (
                e * net.second[x + 4, y] + f * net.second[x + 5, y]
                + g * net.second[x + 6, y] + h * net.second[x + 7, y]
            )  # fmt: skip
    for move in range(MOVES):
        total = net.constants[SECOND + move]
        for y in range(SECOND):
            total += max(seen[NEXT_AT + y], NONE) * net.results[move, y]
        seen[RESULTS_AT + move] = total


@inlined
def possible_moves(cards, top, can_draw):
    """Return which moves are possible, a bit each; cards: those that can be played."""
    same = same_as_top(cards, top)
    found = 1 << LEFT | np.int64(can_draw) << DRAWN
    return found | np.int64(same != 0) << SAME | np.int64((cards ^ same) != 0) << ABOVE


@given_or("learned", QUIT)
@inlined
def learned_move(
    tables, rules, penalties, table, seats, seat, hand, cards, top, can_draw, others, played
):  # fmt: skip
    """Return the decision of `learned`; of equal moves quitting, then the first.

    cards: those of the hand that can be played. others: those still in, at least one.
    """
    if cards == 0 and not can_draw:
        return QUIT
    number = write_rows(rules, penalties, table, seats, seat, hand, top, others, played, table)
    seen = table.view(np.float32)
    find_results(tables.learned, table, number, seen)
    possible = possible_moves(cards, top, can_draw)
    best = LEFT
    most = seen[RESULTS_AT + LEFT]
    for move in range(MOVES - 1):
        if possible >> move & 1 and seen[RESULTS_AT + move] > most:
            most = seen[RESULTS_AT + move]
            best = move
    return chosen(best, cards, top, can_draw)
