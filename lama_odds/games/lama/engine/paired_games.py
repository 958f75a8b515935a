"""Decisions to draw or to quit, played out both ways to the end of the game.

Whole games are played with the policies of the seats, with forks like those of `paired_decisions`.
From there the round and the rest of the game are played twice, with the same cards and random
numbers.
"""

from __future__ import annotations

import numpy as np

from lama_odds.games.interface.tally_layout import (
    FORK_OBJECTIVES,
    OPEN_COLUMNS,
    add_fork,
    close_forks,
    count_unended,
    forks_here,
)
from lama_odds.games.lama.engine import round_loop
from lama_odds.games.lama.engine.kernels import add_penalties, next_starter, play_out
from lama_odds.games.lama.engine.round_loop import (
    AS_POLICY,
    LAST_ACTOR,
    MOVE,
    OTHERS_IN,
    play_round,
)
from lama_odds.games.lama.engine.starts import begin_game, begin_round, play_from, set_table
from lama_odds.games.lama.engine.table_rows import HAND, PENALTY, SCORE, TABLE_SIZE
from lama_odds.games.lama.rules import transition
from lama_odds.games.lama.rules.transition import DRAW, QUIT, penalty_of
from lama_odds.games.shared.score_bands import LOST, POINTS, lost_share, score_cell
from lama_odds.jit import compiled
from lama_odds.luck.stream import MAX_ROUNDS, STUDY, lane_start, stream_of


@compiled
def fork_games(rules, policies, tables, seed, first, games, tally):
    """Play games with forks at such decisions; tally: see `tally_layout.add_fork`.

    tables: see `ForkGameTables`. Cells: see `score_cell`; the row after them counts branches
    without an end.
    """
    play, chances = tables.play, tables.chances
    penalties = play.penalties
    seats = policies.shape[0]
    table, result = set_table(policies)
    branch = np.zeros(TABLE_SIZE, np.int64)
    branch_result = np.zeros(result.size, np.int64)
    open_cells = np.zeros((tally.shape[0], OPEN_COLUMNS), np.int64)
    touched = np.zeros(tally.shape[0] + 1, np.int64)
    payoffs = np.zeros((2, FORK_OBJECTIVES), np.int64)
    key, gamma = stream_of(seed)
    for game in range(first, first + games):
        begin_game(table, seats)
        starter = 0
        for round_ in range(MAX_ROUNDS):
            begin_round(rules, table, seats, key, gamma, game, round_)
            seat = starter
            others = seats - 1
            begin = AS_POLICY
            lane = lane_start(key, gamma, game, round_, STUDY)
            number = 0
            while True:
                play_round(rules, play, gamma, table, seats, others, seat, begin, True, result)
                if result[round_loop.ENDED] != round_loop.PAUSED:
                    break
                seat = result[LAST_ACTOR]
                others = result[OTHERS_IN]
                begin = result[MOVE]
                penalty = penalty_of(rules, penalties, table[HAND + seat])
                cell = score_cell(penalty, table, SCORE, seat, seats, tables.band, tables.bands)
                number += 1
                if not forks_here(chances, cell, lane, gamma, number):
                    continue
                for action in range(2):
                    move = DRAW if action else QUIT
                    play_from(
                        rules, play, gamma, table, branch, seats, others, seat, move, branch_result
                    )
                    points = branch[PENALTY + seat] + branch[SCORE + seat] - table[SCORE + seat]
                    payoffs[action, POINTS] = points
                    rounds = play_out(
                        rules, play, key, gamma, game, branch, seats, round_ + 1, starter,
                        branch_result,
                    )  # fmt: skip
                    payoffs[action, LOST] = lost_share(branch, SCORE, seat, seats)
                    count_unended(tally, rounds == 0)
                add_fork(open_cells, touched, cell, payoffs[0], payoffs[1])
            if add_penalties(table, seats) >= rules[transition.TARGET]:
                break
            starter = next_starter(rules, seats, starter, result)
        close_forks(tally, open_cells, touched)
