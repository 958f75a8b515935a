"""Habits of a turn before the last ones, played out both ways: what a card is used for.

HIDDEN: a card that is drawn is put away, or put on an own unknown card face down. PAIR: a number
that is drawn makes a pair (two alike in a row or column, one short of a line), or goes to its best
other use. TAKEN: a card is drawn, or the top discard is taken to make a pair. A
pair is a question only if the card completes no line anywhere. Each time the policy chooses among
the places of one kind. Then all continue by their policies, with common random numbers. Cells: the
question, the card, and how many own cards are face down.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from lama_odds.core.policies import Policy
from lama_odds.games.interface.tally_layout import (
    CERTAIN,
    FORK_COLUMNS,
    FORK_OBJECTIVES,
    OPEN_COLUMNS,
    add_fork,
    close_forks,
    forks_here,
)
from lama_odds.games.noprob.engine.grids import DRAW, PUT_AWAY, TAKE, last_hidden, seen_grid
from lama_odds.games.noprob.engine.learned import ForkTables
from lama_odds.games.noprob.engine.planner import face_down
from lama_odds.games.noprob.engine.policy_kernels import AS_POLICY, choose_source, write_costs
from lama_odds.games.noprob.engine.round_loop import (
    MAX_TURNS,
    NOWHERE,
    after_turn,
    deal,
    finish_round,
    get_card,
    play_turn,
    refill_or_end,
    settle,
)
from lama_odds.games.noprob.engine.studies import count_end, lines_through
from lama_odds.games.noprob.policies import policy_rows, tables_of
from lama_odds.games.noprob.rules.ruleset import NoprobRules
from lama_odds.games.noprob.rules.transition import (
    CELLS,
    DRAMA,
    ENDED,
    HEIGHT,
    JOKER,
    LAST,
    MAX_SEATS,
    NUMBERS,
    PILE,
    STACK,
    TABLE_SIZE,
    TURNS,
    UNKNOWN,
    UP,
    column_of,
    kind_at,
    row_of,
    with_card,
)
from lama_odds.jit import compiled, for_all, inlined
from lama_odds.jit.job import Job
from lama_odds.luck.stream import COINS, DICE, STUDY, lane_start, mix, stream_of

HIDDEN, PAIR, TAKEN = range(3)
QUESTIONS = 3
FIRST_OF_CLASS = (0, 3, 6, 7, 8, 10, 11)  # cards that are counted together, by their first kind
CLASSES = len(FIRST_OF_CLASS)
LEAST_DOWN = (1, 4, 7)  # of each group of own cards face down
GROUPS = 1 + len(LEAST_DOWN)  # first: any
HABIT_ROWS = QUESTIONS * CLASSES * GROUPS


@inlined
def copy_table(copy, table):
    """Make a copy like a table."""
    for i in range(TABLE_SIZE):  # less to compile than copying a slice
        copy[i] = table[i]


@inlined
def pairs_up(line, at, kind):
    """Return whether a card makes a pair in a line: one of the two other cards is like it."""
    like = 0
    for place in range(3):
        if place != at:
            other = line >> 4 * place & 15
            like += other in (kind, JOKER)
    return like == 1


@inlined
def use_of(lines, grid, cell, kind):
    """Return what a number does in a cell: 2 if it completes a line, 1 if it makes a pair."""
    before = lines_through(lines, grid, cell)
    after = lines_through(lines, with_card(grid, cell, kind), cell)
    if after != before:
        return 2 if after > before else 0
    if kind >= NUMBERS or kind_at(grid, cell) in (kind, JOKER):
        return 0
    pairs = pairs_up(row_of(grid, cell // 3), cell % 3, kind)
    return np.int64(pairs or pairs_up(column_of(grid, cell % 3), cell // 3, kind))


@compiled
@for_all
def find_places(tables, policies, table, seat, seats, kind, drawn, costs, places):
    """Find the best cells for a card by what they are, except for the one that would end the round.

    places: int64[3], to fill: a cell that is face down and unknown, one that makes a pair, and the
    best other place (−1: none). Pairs are left out if the card completes a line. costs:
    float64[CELLS + 1], overwritten.
    """
    write_costs(tables, policies, table, seat, seats, kind, costs)
    grid = seen_grid(tables.spread, table, seat, seat)
    closing = last_hidden(table[UP + seat])
    places[:] = -1
    completes = False
    if drawn:
        places[2] = PUT_AWAY
    for cell in range(CELLS):
        use = use_of(tables.scoring.lines, grid, cell, kind)
        completes = completes or use == 2
        if cell == closing:
            continue
        if kind_at(grid, cell) == UNKNOWN and (places[0] < 0 or costs[cell] < costs[places[0]]):
            places[0] = cell
        at = 1 if use == 1 else 2
        if places[at] < 0 or costs[cell] < costs[places[at]]:
            places[at] = cell
    if completes:
        places[1] = -1


@inlined
def add_ways(ways, count, question, kind, down, source, place, source_else, place_else):
    """Add a question to those of a turn; return how many there are. ways: int64[questions, 5]."""
    which = -1
    for first in FIRST_OF_CLASS:
        which += kind >= first
    ways[count, 0] = (question * CLASSES + which) * GROUPS + down
    ways[count, 1] = source_else
    ways[count, 2] = place_else
    ways[count, 3] = source
    ways[count, 4] = place
    return count + 1


@compiled
@for_all
def find_ways(tables, policies, table, held, seat, seats, draws, coins, costs, places, ways):
    """Write the questions of a turn that is about to begin; return how many there are.

    held: int64[TABLE_SIZE], overwritten. ways: cell of the tally, then source and place of the
    first and of the second way.
    """
    down = face_down(table[UP + seat])
    group = 0
    for least in LEAST_DOWN:
        group += down >= least
    count = 0
    source, _ = choose_source(tables, policies, table, seat, seats, coins)
    if source == DRAW:
        copy_table(held, table)
        kind = get_card(held, 0, draws)
        if kind < DRAMA:
            find_places(tables, policies, held, seat, seats, kind, True, costs, places)
            if places[0] >= 0:
                count = add_ways(ways, count, HIDDEN, kind, group, DRAW, places[0], DRAW, PUT_AWAY)
            if places[1] >= 0:
                count = add_ways(ways, count, PAIR, kind, group, DRAW, places[1], DRAW, places[2])
    top = table[STACK + table[HEIGHT] - 1] if table[HEIGHT] else DRAMA
    if top < NUMBERS:
        copy_table(held, table)
        get_card(held, 1, draws)
        find_places(tables, policies, held, seat, seats, top, False, costs, places)
        if places[1] >= 0:
            count = add_ways(ways, count, TAKEN, top, group, TAKE, places[1], DRAW, AS_POLICY)
    return count


@compiled
def ask_rounds(rules, policies, tables, seed, first, games, tally):
    """Play first rounds with such questions; tally: int64[ROWS, FORK_COLUMNS], see `add_fork`.

    tables: see `ForkTables`. Payoffs: points of the round, and whether they are the lowest. No seat
    plays RANDOM.
    """
    play, chances = tables.play, tables.chances
    seats = policies.shape[0]
    table, branch = np.zeros(TABLE_SIZE, np.int64), np.zeros(TABLE_SIZE, np.int64)
    open_cells = np.zeros((tally.shape[0], OPEN_COLUMNS), np.int64)
    touched = np.zeros(tally.shape[0] + 1, np.int64)
    payoffs = np.zeros((MAX_SEATS, FORK_OBJECTIVES), np.int64)
    places = np.zeros(3, np.int64)
    ways = np.zeros((QUESTIONS, 5), np.int64)
    costs = np.zeros(CELLS + 1)
    key, gamma = stream_of(seed)
    lane = gamma << np.uint64(10)
    for game in range(first, first + games):
        deal(rules, table, seats, key, gamma, game, 0)
        draws_at = lane_start(key, gamma, game, 0, DICE)
        coins_at = lane_start(key, gamma, game, 0, COINS)
        study = lane_start(key, gamma, game, 0, STUDY)
        table[ENDED] = 0
        while table[ENDED] == 0 and table[LAST] < 0 and table[TURNS] < MAX_TURNS:
            seat, number = table[TURNS] % seats, table[TURNS] // seats
            refill_or_end(rules, table)
            if table[ENDED]:
                break
            at = lane * np.uint64(seat) + gamma * np.uint64(number)
            draws, coins = mix(draws_at + at), mix(coins_at + at)
            count = 0
            if table[PILE] and forks_here(chances, 0, study, gamma, table[TURNS]):
                count = find_ways(
                    play, policies, table, branch, seat, seats, draws, coins, costs, places, ways
                )
            # the last is the policy's own, with which the round continues
            for way in range(2 * count + 1):
                asked = way < 2 * count
                source = ways[way >> 1, 1 + 2 * (way & 1)] if asked else AS_POLICY
                place = ways[way >> 1, 2 + 2 * (way & 1)] if asked else AS_POLICY
                copy_table(branch, table)
                play_turn(
                    rules, play, policies, branch, seat, seats, draws, coins, source, place, NOWHERE
                )
                if not asked:
                    after_turn(branch, seat, seats)
                    copy_table(table, branch)
                    continue
                finish_round(rules, play, policies, branch, seat, seats, key, gamma, game, NOWHERE)
                settle(play.scoring, branch, seats)
                count_end(payoffs, way & 1, branch, seat, seats, False)
                if way & 1:
                    cell = ways[way >> 1, 0]
                    add_fork(open_cells, touched, cell, payoffs[0], payoffs[1])
                    any_down = cell - cell % GROUPS
                    add_fork(open_cells, touched, any_down, payoffs[0], payoffs[1])
        close_forks(tally, open_cells, touched)


# Habits of No Prob-Lama played out both ways, as a job.

ASKED = CERTAIN // 4  # how many of CERTAIN turns are studied
NAMES = ("hidden", "pair", "taken")


def habits(rules: NoprobRules, policies: Sequence[Policy], asked: int = ASKED) -> Job:
    """Return the job that plays such questions out both ways."""
    tables = ForkTables(tables_of(rules, policies), np.array([asked], dtype=np.int64))
    shape = (HABIT_ROWS, FORK_COLUMNS)
    return Job(ask_rounds, rules.columns, policy_rows(policies), tables, shape)


def habit_keys(rules: NoprobRules) -> list[tuple[str, str, str]]:
    """Return the meaning of each row: the question, the card, own cards face down."""
    least = (*LEAST_DOWN, CELLS + 1)
    groups = ["any", *(f"{a} to {b - 1}" for a, b in pairwise(least))]
    cards = []
    for first, after in pairwise((*FIRST_OF_CLASS, DRAMA)):
        names = rules.names[first], rules.names[after - 1]
        between = " or " if after - first == 2 else " to "
        cards.append(between.join(dict.fromkeys(names)))
    return [(name, card, down) for name in NAMES for card in cards for down in groups]
