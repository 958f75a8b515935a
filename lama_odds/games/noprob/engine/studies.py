"""Other decisions of self-play: the value of replacements, and of specials for each player.

A number or joker was drawn before the last turns. Once it is put on one kind of own card, in the
cell that suits the policy best, and once to its best other use. The kind is drawn evenly from those
in the grid. A special that was drawn is given to every other player in turn, and to nobody. Then
all continue by their policies, with common random numbers. Cells: the card, and what it replaces or
the player who gets it.
"""

from __future__ import annotations

import numpy as np

from lama_odds.games.interface.tally_layout import (
    CERTAIN,
    FORK_OBJECTIVES,
    OPEN_COLUMNS,
    add_fork,
    close_forks,
    forks_here,
    lowest_score,
)
from lama_odds.games.noprob.engine.drivers import NOBODY, finish_turn
from lama_odds.games.noprob.engine.grids import (
    PUT_AWAY,
    expected_total,
    last_hidden,
    mean_of,
    seen_grid,
    without_known,
)
from lama_odds.games.noprob.engine.policy_kernels import AS_POLICY, choose_place, write_costs
from lama_odds.games.noprob.engine.round_loop import AT_CARDS, NOWHERE, deal, play_on, settle
from lama_odds.games.noprob.rules.transition import (
    CELLS,
    DRAMA,
    ENDED,
    HELD,
    HELD_BY,
    KINDS,
    LAST,
    MAX_SEATS,
    PAUSED,
    PENALTY,
    TABLE_SIZE,
    UNKNOWN,
    UP,
    column_of,
    kind_at,
    row_of,
    with_card,
)
from lama_odds.jit import compiled, inlined
from lama_odds.luck.stream import STUDY, below, lane_start, mix, stream_of

# What a card replaces: the card in the cell, unless a line is made or broken.
FACE_DOWN = 0
VISIBLE = 1  # and the kind
KNOWN_DOWN = VISIBLE + DRAMA  # face down but known to the owner, and the kind
COMPLETES = KNOWN_DOWN + KINDS
BREAKS = COMPLETES + 1
REPLACED = BREAKS + 1
GIFTS = DRAMA * REPLACED  # first row of the gifts

# The player who gets a special: by expected total, as the giver sees it, and by turn. It is
# compared with nobody getting it, and with the policy's choice.
RECIPIENTS = 2 * (MAX_SEATS - 1)
ROWS = GIFTS + (KINDS - DRAMA) * 2 * RECIPIENTS


@inlined
def lines_through(lines, grid, cell):
    """Return the number of complete lines through a cell."""
    in_row = lines[row_of(grid, cell // 3)] != 0
    return np.int64(in_row) + np.int64(lines[column_of(grid, cell % 3)] != 0)


@inlined
def replaced_at(lines, grid, up, cell, kind):
    """Return what a card would replace in a cell of a grid as its owner sees it."""
    before = lines_through(lines, grid, cell)
    after = lines_through(lines, with_card(grid, cell, kind), cell)
    old = kind_at(grid, cell)
    if after != before:
        return COMPLETES if after > before else BREAKS
    if old == UNKNOWN:
        return FACE_DOWN
    return VISIBLE + old if up >> cell & 1 else KNOWN_DOWN + old


@inlined
def pick_place(tables, policies, table, seat, seats, kind, word, costs):
    """Return what to replace: (kind, its best cell, the best other place); without any: REPLACED.

    A cell that would end the round is excluded: the other table is about it. costs:
    float64[CELLS + 1], overwritten.
    """
    lines = tables.scoring.lines
    grid = seen_grid(tables.spread, table, seat, seat)
    closing = last_hidden(table[UP + seat])
    there = 0
    kinds = 0
    for cell in range(CELLS):
        if cell != closing:
            bit = 1 << replaced_at(lines, grid, table[UP + seat], cell, kind)
            kinds += there & bit == 0
            there |= bit
    what = -1
    for _ in range(below(word, kinds) + 1):
        what += 1
        while there >> what & 1 == 0:
            what += 1
    write_costs(tables, policies, table, seat, seats, kind, costs)
    chosen, elsewhere = 0, PUT_AWAY
    best, best_else = np.inf, costs[PUT_AWAY]
    for cell in range(CELLS):
        if cell != closing:
            if replaced_at(lines, grid, table[UP + seat], cell, kind) == what:
                if costs[cell] < best:
                    chosen, best = cell, costs[cell]
            elif costs[cell] < best_else:
                elsewhere, best_else = cell, costs[cell]
    return what, chosen, elsewhere


@inlined
def rank_of(tables, table, seat, seats, other):
    """Return how many of the others have a lower expected total, as a seat sees them.

    By turn if equal.
    """
    points, spread, worth = tables.points, tables.spread, tables.worth
    mean = mean_of(points, without_known(table, seat))
    mine = expected_total(points, spread, worth, table, other, seat, mean)
    rank = 0
    earlier = True
    for step in range(1, seats):
        third = (seat + step) % seats
        if third == other:
            earlier = False
        else:
            total = expected_total(points, spread, worth, table, third, seat, mean)
            rank += total < mine or (earlier and total == mine)
    return rank


@inlined
def count_end(payoffs, way, table, seat, seats, gift):
    """Write a round's result: own total, or margin for a gift; and whether it is the lowest."""
    mine = table[PENALTY + seat]
    lowest, _ = lowest_score(table, PENALTY, seats)
    total = 0
    for other in range(seats):
        total += table[PENALTY + other]
    payoffs[way, 0] = mine * seats - total if gift else mine
    payoffs[way, 1] = mine == lowest


@inlined
def add_gifts(open_cells, touched, tables, policies, table, seat, seats, kind, payoffs):
    """Count what a special did with each of the others."""
    first = GIFTS + (kind - DRAMA) * 2 * RECIPIENTS
    usual = choose_place(tables, policies, table, seat, seats, kind, True, np.uint64(0))
    at_usual = usual - seat if usual > seat else usual - seat + seats
    for step in range(1, seats):
        other = (seat + step) % seats
        rank = rank_of(tables, table, seat, seats, other)
        for role in (rank, MAX_SEATS - 1 + step - 1):
            cell = first + 2 * role
            add_fork(open_cells, touched, cell, payoffs[0], payoffs[step])
            add_fork(open_cells, touched, cell + 1, payoffs[at_usual], payoffs[step])


@compiled
def study_rounds(rules, policies, tables, seed, first, games, tally):
    """Play first rounds with forks at cards drawn; tally: see `tally_layout.add_fork`.

    tables: see `ForkTables`; chances: of numbers and jokers, and of specials. No seat plays RANDOM.
    """
    play, chances = tables.play, tables.chances
    scoring = play.scoring
    seats = policies.shape[0]
    table = np.zeros(TABLE_SIZE, np.int64)
    branch = np.zeros(TABLE_SIZE, np.int64)
    open_cells = np.zeros((tally.shape[0], OPEN_COLUMNS), np.int64)
    touched = np.zeros(tally.shape[0] + 1, np.int64)
    payoffs = np.zeros((MAX_SEATS, FORK_OBJECTIVES), np.int64)
    places = np.zeros(MAX_SEATS, np.int64)
    costs = np.zeros(CELLS + 1)
    key, gamma = stream_of(seed)
    for game in range(first, first + games):
        deal(rules, table, seats, key, gamma, game, 0)
        play_on(rules, play, policies, table, 0, seats, key, gamma, game, 0, AT_CARDS)
        lane = lane_start(key, gamma, game, 0, STUDY)
        number = 0
        while table[ENDED] == PAUSED:
            seat, kind = table[HELD_BY], table[HELD]
            number += 1
            ways = what = 0
            if (kind >= DRAMA or table[LAST] < 0) and forks_here(
                chances, np.int64(kind >= DRAMA), lane, gamma, number
            ):
                if kind >= DRAMA:
                    ways = seats
                    places[0] = NOBODY
                    for step in range(1, seats):
                        places[step] = (seat + step) % seats
                else:
                    ways = 2
                    word = mix(lane + gamma * np.uint64(number)) * np.uint64(CERTAIN)
                    what, places[1], places[0] = pick_place(
                        play, policies, table, seat, seats, kind, word, costs
                    )
            # the last is the policy's own, with which the round continues
            for way in range(ways + 1):
                for i in range(TABLE_SIZE):  # less to compile than copying a slice
                    branch[i] = table[i]
                place = places[way] if way < ways else AS_POLICY
                pause = NOWHERE if way < ways else AT_CARDS
                finish_turn(
                    rules, play, policies, branch, seat, seats, place, key, gamma, game, pause
                )
                if way < ways:
                    settle(scoring, branch, seats)
                    count_end(payoffs, way, branch, seat, seats, kind >= DRAMA)
            if ways and kind >= DRAMA:
                add_gifts(open_cells, touched, play, policies, table, seat, seats, kind, payoffs)
            elif ways:
                cell = kind * REPLACED + what
                add_fork(open_cells, touched, cell, payoffs[0], payoffs[1])
            for i in range(TABLE_SIZE):  # less to compile than copying a slice
                table[i] = branch[i]
        close_forks(tally, open_cells, touched)
