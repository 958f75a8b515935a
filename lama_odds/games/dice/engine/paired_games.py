"""Decisions to roll or to quit, played out both ways to the end of the game.

Whole games are played with the policies of the seats, with forks like those of `paired_decisions`.
From there the round and the rest of the game are played twice, with the same dice and the same
deals.
"""

from __future__ import annotations

import numpy as np

from lama_odds.games.dice.engine import round_loop
from lama_odds.games.dice.engine.kernels import add_penalties, play_out, set_table
from lama_odds.games.dice.engine.round_loop import (
    AS_POLICY,
    LAST_ACTOR,
    OTHERS_IN,
    RESUME,
    ROLL,
    ROW_LEFT,
    deal,
    play_round,
    sit_down,
)
from lama_odds.games.dice.engine.table_rows import HAND, NEXT, PENALTY, SCORE, TABLE_SIZE
from lama_odds.games.dice.rules import transition
from lama_odds.games.dice.rules.transition import FULL_ROW, kinds_of, quitting_cost
from lama_odds.games.interface.tally_layout import (
    FORK_OBJECTIVES,
    OPEN_COLUMNS,
    add_fork,
    close_forks,
    count_unended,
    forks_here,
)
from lama_odds.games.shared.score_bands import LOST, POINTS, lost_share, score_cell
from lama_odds.games.shared.seating import all_in, leave
from lama_odds.jit import compiled
from lama_odds.luck.stream import MAX_ROUNDS, STUDY, lane_start, stream_of


@compiled
def fork_games(rules, policies, tables, seed, first, games, tally):
    """Play games with forks at such decisions; tally: see `tally_layout.add_fork`.

    tables: see `ForkGameTables`. Cells: see `score_cell`; the row after them counts branches
    without an end.
    """
    play, chances = tables.play, tables.chances
    rolls, points = play.rolls, play.points
    seats = policies.shape[0]
    table, result = set_table(policies)
    branch = np.zeros(TABLE_SIZE, np.int64)
    branch_result = np.zeros(result.size, np.int64)
    open_cells = np.zeros((tally.shape[0], OPEN_COLUMNS), np.int64)
    touched = np.zeros(tally.shape[0] + 1, np.int64)
    payoffs = np.zeros((2, FORK_OBJECTIVES), np.int64)
    key, gamma = stream_of(seed)
    for game in range(first, first + games):
        table[SCORE : SCORE + seats] = 0
        starter = 0
        for round_ in range(MAX_ROUNDS):
            start = sit_down(rules, rolls, table, seats, key, gamma, game, round_)
            deal(rules, table, seats, start, gamma)
            all_in(table, seats)
            seat = starter
            others = seats - 1
            row = FULL_ROW
            begin = AS_POLICY
            lane = lane_start(key, gamma, game, round_, STUDY)
            number = 0
            while True:
                play_round(
                    rules, play, gamma, table, seats, others, row, seat, begin, True, False, result
                )
                if result[round_loop.ENDED] != round_loop.PAUSED:
                    break
                begin = RESUME
                seat = result[LAST_ACTOR]
                others = result[OTHERS_IN]
                row = result[ROW_LEFT]
                penalty = points[kinds_of(table[HAND + seat])]
                cell = score_cell(penalty, table, SCORE, seat, seats, tables.band, tables.bands)
                number += 1
                if not forks_here(chances, cell, lane, gamma, number):
                    continue
                for action in range(2):
                    for i in range(TABLE_SIZE):
                        branch[i] = table[i]
                    if action == 0:
                        leave(branch, seat, quitting_cost(rules, penalty))
                    play_round(
                        rules, play, gamma, branch, seats,
                        others if action else others - 1, row,
                        seat if action else table[NEXT + seat],
                        ROLL if action else AS_POLICY, False, False, branch_result,
                    )  # fmt: skip
                    mine = branch[PENALTY + seat] + branch[SCORE + seat] - table[SCORE + seat]
                    payoffs[action, POINTS] = mine
                    rounds = play_out(
                        rules, play, key, gamma, game, branch, seats, round_ + 1,
                        branch_result[LAST_ACTOR], branch_result,
                    )  # fmt: skip
                    payoffs[action, LOST] = lost_share(branch, SCORE, seat, seats)
                    count_unended(tally, rounds == 0)
                add_fork(open_cells, touched, cell, payoffs[0], payoffs[1])
            if add_penalties(table, seats) >= rules[transition.TARGET]:
                break
            starter = result[LAST_ACTOR]
        close_forks(tally, open_cells, touched)
