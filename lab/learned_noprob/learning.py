"""Rounds that teach LEARNED: what was seen in them, and what came of it."""

from __future__ import annotations

import numpy as np

from lama_odds.games.interface.tally_layout import lowest_score
from lama_odds.games.noprob.engine.grids import mean_of, seen_grid, without_known
from lama_odds.games.noprob.engine.planner import (
    FAR,
    face_down,
    fewest_down,
    foretold,
    total_of_other,
    unknown_in,
)
from lama_odds.games.noprob.engine.round_loop import (
    MAX_TURNS,
    NOWHERE,
    deal,
    one_turn,
    settle,
)
from lama_odds.games.noprob.rules.transition import (
    ABANDONED,
    BESIDE,
    ENDED,
    LAST,
    PENALTY,
    TABLE_SIZE,
    TURNS,
    UP,
    line_of,
)
from lama_odds.jit import compiled, inlined
from lama_odds.luck.stream import COINS, DICE, lane_start, mix, stream_of

OWN, THEIRS = range(2)
# Columns of a row: side, stage, whose total, specials beside so far, then lines.
SIDE, STAGE, WHOSE, AT_ONCE, CODES = range(5)
COLUMNS = CODES + 6


@inlined
def note(rows, numbers, count, side, stage, whose, specials, grid, above):
    """Write a row: what can be seen of a grid."""
    rows[count, SIDE] = side
    rows[count, STAGE] = stage
    rows[count, WHOSE] = whose
    rows[count, AT_ONCE] = specials
    for line in range(6):
        rows[count, CODES + line] = line_of(grid, line)
    numbers[count, 0] = unknown_in(grid) * above
    return count + 1


@inlined
def note_turn(tables, judged, table, seat, seats, rows, numbers, count, lead):
    """Write what a seat sees after its turn: its own grid, and those that will have a turn yet.

    lead: float32[3], its row of `leads`, see `collect`, with the seat for the share. Returns the
    number of rows.
    """
    mean = mean_of(tables.points, without_known(table, seat))
    above = mean - tables.learned.mean
    down = face_down(table[UP + seat])
    stage = 10 * down + fewest_down(table, seat, seats, seat)
    grid = seen_grid(tables.spread, table, seat, seat)
    specials = table[BESIDE + seat]
    count = note(rows, numbers, count, OWN, stage, seat, specials, grid, above)
    to_come = table[LAST] if table[LAST] >= 0 else seats - 1
    for step in range(1, to_come + 1):
        other = (seat + step) % seats
        fewest = fewest_down(table, other, seats, other)
        count = note(
            rows, numbers, count, THEIRS, 10 * face_down(table[UP + other]) + fewest,
            other, table[BESIDE + other], seen_grid(tables.spread, table, other, seat), above,
        )  # fmt: skip
    mine = foretold(judged.learned.own, judged.learned.share[0], stage, grid, above)
    theirs = FAR
    for other in range(seats):
        if other != seat:
            total, _ = total_of_other(judged, table, other, seats, seat, down, to_come, mean)
            theirs = min(theirs, total)
    lead[0] = stage
    lead[1] = theirs - mine - specials
    lead[2] = seat
    return count


@compiled
def collect(rules, policies, tables, judged, seed, first, rounds, learns, rows, numbers, leads):
    """Play rounds; write what was seen in them and what came of it.

    judged: tables whose `learned` foretells the leads. learns: of each seat, whether its view is
    learned from. rows: int16[n, COLUMNS], see SIDE. numbers: float32[n, 2], the unknown cards'
    share, and the total at the end without what was beside. leads: float32[m, 3], stage, lead and
    share of the round won. Stops when either is full. Returns the numbers of rows of both, and of
    rounds.
    """
    seats = policies.shape[0]
    table = np.zeros(TABLE_SIZE, np.int64)
    key, gamma = stream_of(seed)
    room = MAX_TURNS * seats
    count, led = 0, 0
    lane = gamma << np.uint64(10)
    for game in range(first, first + rounds):
        if count + room > len(rows) or led + MAX_TURNS > len(leads):
            return count, led, game - first
        deal(rules, table, seats, key, gamma, game, 0)
        draws = lane_start(key, gamma, game, 0, DICE)
        coins = lane_start(key, gamma, game, 0, COINS)
        seat, number = 0, 0
        began, seen = led, count
        table[ENDED] = 0
        while table[ENDED] == 0:
            turns = table[TURNS]
            at = lane * np.uint64(seat) + gamma * np.uint64(number)
            one_turn(
                rules, tables, policies, table, seat, seats, mix(draws + at), mix(coins + at),
                NOWHERE,
            )  # fmt: skip
            if learns[seat] and table[TURNS] > turns:
                count = note_turn(
                    tables, judged, table, seat, seats, rows, numbers, count, leads[led]
                )
                led += 1
            seat = seat + 1 if seat + 1 < seats else 0
            number += seat == 0
        if table[ENDED] == ABANDONED:
            led, count = began, seen
            continue
        settle(tables.scoring, table, seats)
        lowest, shared = lowest_score(table, PENALTY, seats)
        for row in range(began, led):
            leads[row, 2] = (table[PENALTY + np.int64(leads[row, 2])] == lowest) / shared
        for row in range(seen, count):
            numbers[row, 1] = table[PENALTY + rows[row, WHOSE]] - rows[row, AT_ONCE]
    return count, led, rounds


@compiled
def add_up(rows, numbers, order, kinds, gram, right):
    """Add rows, in an order, to sums for least squares.

    kinds: index of each line's cards. gram: float64[2, stages, features, features]; the last two
    features are the unknown cards' share and 1. right: float64[2, stages, features].
    """
    features = gram.shape[2]
    at = np.zeros(8, np.int64)
    x = np.ones(8)
    at[6], at[7] = features - 2, features - 1
    for row in order:
        side, stage = rows[row, SIDE], rows[row, STAGE]
        for line in range(6):
            at[line] = kinds[rows[row, CODES + line]]
        x[6] = numbers[row, 0]
        for one in range(8):
            right[side, stage, at[one]] += x[one] * numbers[row, 1]
            for other in range(8):
                gram[side, stage, at[one], at[other]] += x[one] * x[other]
