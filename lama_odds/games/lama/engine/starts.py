"""Set up a table (empty, dealt, or like another) and play rounds from there."""

from __future__ import annotations

import numpy as np

from lama_odds.games.lama.engine import table_rows
from lama_odds.games.lama.engine.dealing import deal
from lama_odds.games.lama.engine.round_loop import (
    AS_POLICY,
    RESULT_SIZE,
    play_round,
    sit_down,
)
from lama_odds.games.lama.engine.table_rows import (
    BLOCK,
    FAMILY,
    PARAMETER,
    PLACE,
    SCORE,
    SCRATCH,
    TABLE_SIZE,
)
from lama_odds.games.shared.seating import all_in
from lama_odds.jit import allocating, for_all, inlined


@allocating
def set_table(policies):
    """Return an empty table with the policies of the seats on it, and an array for a result."""
    table = np.zeros(TABLE_SIZE, np.int64)
    for seat in range(policies.shape[0]):
        table[FAMILY + seat] = policies[seat, 0]
        table[PARAMETER + seat] = policies[seat, 1]
        table[BLOCK + seat] = policies[seat, 2]
    return table, np.zeros(RESULT_SIZE, np.int64)


@inlined
def begin_game(table, seats):
    """Take all tokens off the seats and the pot."""
    for seat in range(seats):
        table[SCORE + seat] = 0
    table[PLACE + table_rows.POT] = 0
    table[PLACE + table_rows.POT_TOKENS] = 0


@inlined
@for_all
def begin_round(rules, table, seats, key, gamma, game, round_):
    """Deal a round: all are in, each seat with its lanes of random numbers."""
    start = sit_down(table, seats, key, gamma, game, round_)
    deal(rules, table, seats, start, gamma)
    all_in(table, seats)


@inlined
def lay_root(table, root):
    """Set a table up like another, except for the policies of the seats."""
    for i in range(SCRATCH):
        if not FAMILY <= i < PLACE:
            table[i] = root[i]


@inlined
@for_all
def play_dealt(rules, tables, key, gamma, game, round_, table, seats, first, result):
    """Deal a round and play it."""
    begin_round(rules, table, seats, key, gamma, game, round_)
    play_round(rules, tables, gamma, table, seats, seats - 1, first, AS_POLICY, False, result)


@inlined
def play_from(rules, tables, gamma, root, table, seats, others, seat, begin, result):
    """Play a round from a copy of another table; see `play_round`."""
    for i in range(SCRATCH):
        table[i] = root[i]
    play_round(rules, tables, gamma, table, seats, others, seat, begin, False, result)
